"""The queue panel: columns by width, marks on predictions, and only as many rows as are seen."""

from collections.abc import Sequence
from itertools import pairwise

import attrs
import pytest

from shadowtime.console.session import Prediction, Reason, Row
from shadowtime.console.session.facts import LikelyStart, TrackRecord
from shadowtime.console.widgets.frame.ink import Line, plain, width_of
from shadowtime.console.widgets.queue.columns import At, Shape, countdown, least_reason, reason, starts
from shadowtime.console.widgets.table.columns import Layout, layout, widths
from shadowtime.console.words import NODES, brief
from tests.console.operator import Operator, case, operate

SHAPE = Shape(id=4, user=5, klass=8, size=4, clock=11)
WAITS = Row(
    index=1,
    id=31,
    user="grace",
    klass="prod",
    queue="",
    name="",
    state="N",
    size=128,
    submit=600,
    estimate=10_800,
    wait=600,
    predicted=Prediction(28_800, "expected", 6),
    first_predicted=28_080,
    reason=Reason("no_room", {"needs": 128, "free": 64, "head": 2, "shadow": 28_800}),
)


def laid_out(width: int, *rows: Row, number: int = 6, shape: Shape = SHAPE) -> Layout[Row]:
    """The columns that a width has room for, once these rows have been in sight, at an event."""
    columns = At(shape, NODES, number).columns
    return layout(columns, widths(columns, rows), width, least_reason(width))


def titles(width: int, *rows: Row, shape: Shape = SHAPE) -> list[str]:
    """Their titles, without that of the reason."""
    return [column.title for column, _ in laid_out(width, *rows, shape=shape).columns if column.title][:-1]


def test_wide_screens_show_every_column() -> None:
    assert titles(198) == [
        "JOB",
        "USER",
        "CLASS",
        "S",
        "SIZE",
        "SUBMIT",
        "WAIT",
        "LIMIT",
        "STARTS",
        "IN",
        "SLIP",
    ]


def test_narrow_screens_drop_the_columns_that_matter_least() -> None:
    assert titles(82) == ["JOB", "USER", "S", "SIZE", "WAIT", "LIMIT", "STARTS", "IN"]
    assert titles(62) == ["JOB", "USER", "S", "SIZE", "WAIT", "STARTS"]
    assert titles(54) == ["JOB", "S", "SIZE", "WAIT", "STARTS"]
    assert titles(20) == ["JOB"]


def test_likely_starts_stay_and_the_predicted_one_gives_way_to_them() -> None:
    odds = LikelyStart(2000, 3000, 4000, 100, True, 6, TrackRecord(0, 0))
    likely = attrs.evolve(WAITS, likely=odds)
    for width in (54, 62, 68, 78, 198):
        assert {"LIKELY", "9 IN 10 BY"} <= set(titles(width, likely))
    assert "USER" in titles(68, likely)
    assert "STARTS" not in titles(78, likely) and "IN" in titles(78, likely)
    assert (countdown(likely), countdown(attrs.evolve(likely, likely=None))) == ("30m00s", "7h40m")
    assert "STARTS" in titles(198, likely)
    assert " 0d 00:50 " in shown(likely, 78)
    assert " 0d 00:50~ " in shown(attrs.evolve(likely, likely=attrs.evolve(odds, event=5)), 78)


def test_a_log_without_users_and_classes_shows_no_such_columns() -> None:
    bare = Shape.of([1, 2], ["", ""], ["", ""], 128, 0)
    assert "USER" not in titles(198, shape=bare) and "CLASS" not in titles(198, shape=bare)


PLANNED = attrs.evolve(
    WAITS,
    predicted=Prediction(28_800, "planned", 6),
    reason=Reason(
        "planned_by_deadline",
        {"needs": 128, "free": 64, "planned": 28_800, "deadline": 30_600, "short_at": 1200, "short_free": 64},
    ),
    terms={"deadline": 30_600, "slack_left": 1800},
)
STOPPED = attrs.evolve(
    WAITS, state="O", start=900, since=1080, wait=120, preemptions=1, terms={"done": 1800, "left": 5400}
)
ABOUT = attrs.evolve(
    WAITS,
    state="W",
    since=1200,
    predicted=Prediction(1500, "settled", 6),
    reason=Reason("about_to_run", {"needs": 128, "free": 0, "at": 1500}),
)


def line(row: Row, width: int, number: int = 6) -> Line:
    """The line of a job at an event."""
    return laid_out(width, row, number=number).line(row)


def shown(row: Row, width: int) -> str:
    """The same with single blanks."""
    return " ".join(plain(line(row, width)).split())


def test_what_the_policy_keeps_for_its_jobs_has_columns_where_it_does() -> None:
    """SLACK under Flex, DONE where jobs are preempted, PRIO by weights; nothing of it elsewhere."""
    known = {column.title for column in At(SHAPE, NODES).columns}
    assert {"SLACK", "DONE", "PRIO"} <= known
    assert not {"SLACK", "DONE", "PRIO"} & set(titles(198, WAITS))
    assert titles(90, PLANNED)[-1] == "SLACK" and "IN" in titles(90, PLANNED)
    assert "DONE" in titles(78, STOPPED)
    assert "PRIO" in titles(198, attrs.evolve(WAITS, terms={"priority": 1234.5}))


def test_a_planned_start_shows_the_slack_that_is_left() -> None:
    assert starts(PLANNED, 6) == "0d 08:00:00 plan"
    assert shown(PLANNED, 198).endswith(
        f"0d 08:00:00 plan 7h40m +12m00s 30m00s {brief(PLANNED.reason, 1200, NODES)}"
    )
    roles = {role for text, role in line(PLANNED, 90) if "plan" in text}
    assert roles == {"plan"}, "neither guaranteed nor expected"


def test_a_preempted_job_shows_its_progress_and_waits_anew() -> None:
    text = shown(STOPPED, 198)
    assert " O 128 " in text and " 2m00s " in text and " 25% " in text
    assert text.endswith(f"0d 08:00:00 exp 7h40m 1 {brief(STOPPED.reason, 1200, NODES)}"), (
        "the slip of its first start is over"
    )


def test_a_job_that_holds_its_nodes_says_when_it_runs() -> None:
    assert starts(ABOUT, 6) == "0d 00:25:00 set "
    assert shown(ABOUT, 198).endswith(brief(ABOUT.reason, 1200, NODES))
    roles = {role for text, role in line(ABOUT, 90) if "set " in text}
    assert roles == {"promise"}


def test_a_job_on_the_torus_shows_its_block_and_its_wire() -> None:
    """BASE as Z, Y, X, the barrier wire, and how much of its estimate has run; a saved job has no block."""
    kept = {"base": 96 + 16, "wire": 2, "done": 0}
    runs = attrs.evolve(
        WAITS,
        state="R",
        start=900,
        end=13_500,
        estimate=12_600,
        reason=None,
        predicted=None,
        terms=kept,
        now=4050,
    )
    assert " 320 2 3h30m 25% " in shown(runs, 198)
    saved = attrs.evolve(STOPPED, terms={"wire": 3, "done": 1800, "left": 5400})
    assert " 3 3h00m 25% " in shown(saved, 198)


def test_a_priority_has_its_column() -> None:
    weighed = attrs.evolve(WAITS, terms={"priority": 1234.5})
    assert " 1,234.5 " in shown(weighed, 198)


def test_a_narrow_column_spares_a_word_not_a_number() -> None:
    runs = attrs.evolve(WAITS, state="R", start=900, end=30_600, reason=None, predicted=None)
    assert reason(runs, 19, NODES) == "ends by 0d 08:30:00"
    assert reason(runs, 16, NODES) == "by 0d 08:30:00"
    assert reason(runs, 8, NODES) == "by 08:30"
    assert reason(attrs.evolve(runs, end=117_000), 8, NODES) == "by 1d"
    assert reason(attrs.evolve(runs, end=117_000, now=90_000), 8, NODES) == "by 08:30"
    assert reason(ABOUT, 16, NODES) == "at 0d 00:25:00"
    assert reason(WAITS, 10, NODES) == "64 more"
    own = attrs.evolve(WAITS, reason=Reason("own_words", {"text": "waits for you: it needs 128 nodes"}))
    assert reason(own, 34, NODES).endswith("128 nodes") and reason(own, 16, NODES) == "waits for you"


def test_a_wide_queue_has_more_room_for_reasons() -> None:
    """Other columns give way sooner: `NQS: 256 of 256 PE`, `large have 192 of 192`."""
    kept = {"base": 112, "wire": 2, "done": 600, "left": 60}
    end = Prediction(9000, "expected", 6)
    runs = attrs.evolve(WAITS, state="R", reason=None, predicted_end=end, terms=kept)
    torus = laid_out(108, runs, shape=attrs.evolve(SHAPE, klass=11)).columns
    assert {"BASE", "W", "DONE"} <= {column.title for column, _ in torus}
    assert torus[-1][1] >= 22


@pytest.mark.parametrize("width", [20, 60, 78, 82, 120, 198])
def test_heading_and_rows_take_exactly_the_width(width: int) -> None:
    table = laid_out(width, WAITS)
    assert width_of(table.heading()) == width
    assert width_of(table.line(WAITS)) == width_of(table.line(WAITS, "now")) == width


def test_a_row_tells_what_the_operator_asks() -> None:
    text = plain(line(WAITS, 82))
    assert " ".join(text.split()) == ("b 31 grace N 128 10m00s 3h00m 0d 08:00:00 exp 7h40m needs 64 more")


def test_predictions_are_marked_as_sure_and_as_stale() -> None:
    """`guar` can only move earlier; `~` belongs to an earlier event and is drawn in another role."""
    assert starts(WAITS, 6) == "0d 08:00:00 exp "
    assert starts(WAITS, 7) == "0d 08:00:00~exp "
    sure = Row(1, 31, "", "", "", "", "N", 8, 0, 60, 0, predicted=Prediction(60, "guaranteed", 6))
    assert starts(sure, 6) == "0d 00:01:00 guar"
    unknown = Row(1, 31, "", "", "", "", "N", 8, 0, 60, 0)
    assert starts(unknown, 6) == "..."
    roles = {role for text, role in line(WAITS, 90, 7) if "~exp" in text}
    assert roles == {"stale"}


def test_a_running_job_tells_until_when() -> None:
    runs = Row(0, 5, "", "", "", "", "R", 8, 0, 3600, 60, start=60, end=3660)
    assert plain(line(runs, 90)).rstrip().endswith("ends by 0d 01:01:00")


def test_an_instant_without_room_loses_words_and_then_its_seconds() -> None:
    """Never its digits from the end, which would make another instant of it."""
    at = 182 * 86400 + 10 * 3600 + 5
    short = Reason("reserved", {"reserved": at, "needs": 8, "short_free": 3, "short_at": at})
    row = Row(0, 5, "", "", "", "", "N", 8, 0, 3600, 60, reason=short)
    wording = ["only 3 at 182d 10:00:05", "3 at 182d 10:00:05", "3 at 182d 10:00"]
    assert [reason(row, room, NODES) for room in (23, 22, 17)] == wording


def test_a_name_from_a_file_cannot_command_the_terminal() -> None:
    sly = Row(0, 5, "\x1b[2Jx", "", "", "", "R", 8, 0, 3600, 60, start=60)
    assert "\x1b" not in plain(line(sly, 90))


@pytest.mark.proof
def test_only_the_rows_in_sight_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrolling and sorting a long queue cost what a screenful costs."""

    async def story(operator: Operator) -> None:
        session = operator.console.session
        asked: list[int] = []
        rows = session.rows

        def counted(order: Sequence[int], first: int, count: int) -> tuple[Row, ...]:
            found = rows(order, first, count)
            asked.append(len(found))
            return found

        monkeypatch.setattr(session, "rows", counted)
        await operator.press("pagedown", "pagedown", "down", "s", "n")
        assert len(operator.console.snapshot.waiting) > 40
        assert max(asked) <= 36

    operate(story, of=case("busy.swf"), at="85%")


@pytest.mark.proof
def test_the_cursor_scrolls_with_the_queue() -> None:
    async def story(operator: Operator) -> None:
        last = len(operator.console.snapshot.waiting) + len(operator.console.snapshot.running)
        for _ in range(last // 10 + 1):
            await operator.press_only("pagedown")
        await operator.rest()
        assert ">" in operator.panel(2).splitlines()[-2], "the last job, on the last line"
        for _ in range(last // 10 + 1):
            await operator.press_only("pageup")
        await operator.rest()
        assert ">" in operator.panel(2).splitlines()[2]

    operate(story, of=case("busy.swf"), at="85%")


@pytest.mark.proof
def test_stale_predictions_stay_marked_until_fresh_ones_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forecast that takes long shows the last one with its mark; the key is answered at once."""

    async def story(operator: Operator) -> None:
        assert "exp" in operator.panel(2) and "~exp" not in operator.panel(2)
        background = operator.console._background
        background._forecasting = True
        monkeypatch.setattr("shadowtime.console.screens.console.background.SOON", -1)
        await operator.press("n")
        assert "~exp" in operator.panel(2) and "(as of event 4)" in operator.panel(4)
        background._forecasting = False
        background.forecast(2)
        await operator.until(lambda: "~exp" not in operator.panel(2))
        assert "~exp" not in operator.panel(2) and "(as of" not in operator.panel(4)

    operate(story, at="#4", size=(160, 50))


@pytest.mark.parametrize(
    ("code", "numbers", "wording"),
    [
        ("out_of_service", {"needs": 128, "nodes": 122, "free": 0}, "never"),
        ("no_block", {"block": 64, "nodes": 122}, "never"),
        ("head_waits_for_nodes", {"needs": 128, "free": 0, "shadow": None}, "-"),
        ("head_waits_for_nodes", {"needs": 128, "free": 0, "shadow": 7200}, "..."),
    ],
)
def test_a_start_that_nobody_predicts(code: str, numbers: dict[str, int | None], wording: str) -> None:
    """Dots are for what is being worked out: nobody works on what never comes, or is not known."""
    assert starts(attrs.evolve(WAITS, predicted=None, reason=Reason(code, numbers)), 6) == wording


@pytest.mark.proof
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_the_frame_explains_the_promises_in_sight_from_the_first_screen_on(size: tuple[int, int]) -> None:
    """Also where predictions are there before the screen is, and after a step to where there are none."""

    async def story(operator: Operator) -> None:
        await operator.until(lambda: "guar: guaranteed" in operator.panel(2))
        await operator.press("home")
        await operator.until(lambda: "guar" not in operator.panel(2))

    operate(story, of=case(policy="conservative"), size=size, at="#6")


def test_a_start_that_a_step_moves_has_its_change() -> None:
    """Forward and back: the same seconds, with the other sign; a step that moves nothing shows none."""

    async def story(operator: Operator) -> None:
        desk, console = operator.console.desk, operator.console
        starts, found = [desk.session.predicted_starts()], list[int | None]()
        for key in ("n", "n", "p"):
            await operator.press(key)
            await operator.rest()
            starts.append(desk.session.predicted_starts())
            found += [row.change for row in desk.rows(desk.order(), 0, 9) if row.id == 2]
        index = desk.session.index_of(2)
        moved = [after[index] - before[index] for before, after in pairwise(starts)]
        assert found == [by or None for by in moved] and any(moved)
        assert moved[1] == -moved[2] and "CHANGE" in operator.panel(2) and console.snapshot.number == 7

    operate(story, of=case(policy="conservative"), at="#6", size=(200, 50))


def test_the_running_jobs_are_the_queue_by_their_ends() -> None:
    """Their key shows them, and again all jobs as they were; so does Esc, which keeps any other order."""

    async def story(operator: Operator) -> None:
        desk = operator.console.desk
        runs = {*desk.snapshot.running}
        for back in ("6", "escape"):
            await operator.press("1", "6")
            ends = [desk.row(index).end or 0 for index in desk.order()]
            assert {*desk.order()} == runs and len(runs) > 2 and ends == sorted(ends)
            assert operator.console.panels.used == 2
            await operator.press(back)
            assert desk.order() == desk.snapshot.everybody
        await operator.press("6", "s", "escape")
        assert desk.filter == "" and not desk.sorting.plain

    operate(story, of=case("busy.swf"), at="50%")


def test_a_filter_and_an_order_by_slip_know_the_jobs_that_are_not_seen() -> None:
    """On a small screen as on a large one; until all are known the caption counts the others."""
    found = []

    async def story(operator: Operator) -> None:
        console = operator.console
        desk, forecasts = console.desk, console.session.forecasts
        console.selection.filter_by("slip<0")
        unknown = forecasts.unknown({"slip"})
        assert f"{unknown:,} yet" in operator.panel(2).splitlines()[0]
        await operator.until(lambda: forecasts.unknown({"slip"}) == 0)
        await operator.rest()
        assert "yet" not in operator.panel(2).splitlines()[0]
        found.append((unknown > 0, operator.jobs[:5], len(desk.order())))
        console.selection.filter_by("slip>0")
        await operator.rest()
        found.append((True, operator.jobs[:5], len(desk.order())))

    for size in ((80, 24), (200, 90)):
        operate(story, of=case("busy.swf", policy="easy"), at="50%", size=size)
    assert found[:2] == found[2:] and found[0][2] and found[1][2]


def test_an_action_that_is_taken_back_leaves_no_change() -> None:
    """The starts are what they were; the column is there only while a row in sight has a change."""

    async def story(operator: Operator) -> None:
        desk = operator.console.desk
        operator.console.command("hold 2")
        await operator.rest()
        assert any(row.change for row in desk.rows(desk.order(), 0, 9)) and "CHANGE" in operator.panel(2)
        await operator.press("u")
        assert not any(row.change for row in desk.rows(desk.order(), 0, 9))
        assert "CHANGE" not in operator.panel(2)

    operate(story, of=case(policy="fcfs"), at="#6", size=(200, 50))


def test_another_policy_from_the_start_keeps_the_job_and_says_so() -> None:
    async def story(operator: Operator) -> None:
        operator.console.selection.select_job(3)
        before = operator.console.snapshot.time
        operator.console.command("under fcfs")
        await operator.until(lambda: operator.console.session.case.policy == "fcfs")
        await operator.rest()
        assert operator.console.desk.chosen_job == "3" and operator.console.snapshot.time == before
        assert operator.message.startswith("fcfs from the start")

    operate(story, at="#6")
