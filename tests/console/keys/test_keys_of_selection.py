"""The keys of panels and of looking: each does what the help says, seen on the screen."""

from collections.abc import Sequence

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.session.facts import Event
from shadowtime.console.widgets.events.panel import EventPanel
from shadowtime.console.widgets.events.text import decision_lines
from shadowtime.console.widgets.frame.ink import texts
from shadowtime.console.widgets.frame.looks import LETTERS
from tests.console import wording
from tests.console.operator import Operator, case, operate

AT_SIX = "#6"
ROOMY = (180, 50)
"""A size at which every panel has more than it needs at least."""


def heading(operator: Operator) -> str:
    """The titles of the queue's columns."""
    return operator.panel(2).splitlines()[1]


@pytest.mark.proof
@pytest.mark.parametrize(
    ("key", "body"), [("1", "nodemap"), ("2", "queue"), ("3", "gantt"), ("4", "events"), ("5", "metrics")]
)
def test_digits_put_a_panel_in_use(key: str, body: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("4" if key == "2" else "2", key)
        assert operator.app.focused is operator.console.query_one(f"#{body}")

    operate(story)


@pytest.mark.proof
def test_tab_goes_round_the_panels() -> None:
    async def story(operator: Operator) -> None:
        found = []
        for _ in range(5):
            await operator.press("tab")
            found.append(operator.console.panels.used)
        assert found == [3, 4, 5, 1, 2]
        await operator.press("shift+tab")
        assert operator.console.panels.used == 1

    operate(story)


@pytest.mark.proof
def test_plus_and_underscore_change_the_size_of_a_panel() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("4")
        usual = operator.console.query_one("#panel4").region
        await operator.press("plus")
        assert operator.message == "this panel is larger"
        assert operator.console.query_one("#panel4").region.area > usual.area
        await operator.press("plus")
        assert operator.console.panels.alone and operator.panel(2) == ""
        assert operator.console.query_one("#panel4").region.width == operator.app.size.width
        await operator.press("plus")
        assert operator.message == "this panel has the whole screen"
        await operator.press("underscore", "underscore")
        assert operator.console.query_one("#panel4").region == usual
        await operator.press("underscore")
        assert operator.message == "every panel has its usual size"

    operate(story, size=ROOMY)


@pytest.mark.proof
def test_a_panel_that_takes_all_that_others_can_give_goes_to_the_whole_screen() -> None:
    """No key is without effect: a size that shows nothing more is passed over, up and down."""

    async def story(operator: Operator) -> None:
        await operator.press("4")
        usual = operator.console.query_one("#panel4").region
        await operator.press("plus")
        assert operator.console.panels.alone
        await operator.press("underscore")
        assert operator.console.query_one("#panel4").region == usual
        assert operator.console.panels.enlarged == 0

    operate(story, size=(100, 30))


@pytest.mark.proof
def test_a_panel_on_the_left_gets_wider_too() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("1")
        usual = operator.console.query_one("#panel1").region
        await operator.press("plus")
        assert operator.console.query_one("#panel1").region.width > usual.width

    operate(story, size=ROOMY)


@pytest.mark.proof
def test_e_says_why_the_head_of_the_queue_waits() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("e")
        assert operator.console.panels.used == 2
        assert operator.message.startswith(wording.why(operator.console.session, 2, "head_blocked"))
        assert "WHY  job 2 " in operator.panel(4) and "WHEN at the limits job 2 " in operator.panel(4)

    operate(story, at=AT_SIX)


@pytest.mark.proof
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
def test_enter_after_e_opens_the_job(size: tuple[int, int]) -> None:
    """Also where the panel of events had to be brought; an event that is picked there opens as ever."""

    async def story(operator: Operator) -> None:
        await operator.press("e", "enter")
        assert "JOB 2" in operator.lines[0]
        await operator.press("escape", "4", "down", "enter")
        assert "EVENT 7" in operator.lines[0]
        await operator.press("escape", "n", "enter")
        assert "EVENT 7" in operator.lines[0]

    operate(story, at=AT_SIX, size=size)


@pytest.mark.proof
def test_e_says_why_a_running_job_started() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down", "down", "e")
        assert operator.message.startswith(wording.turned(operator.console.session, 3, "ends_by_shadow"))

    operate(story, at=AT_SIX)


def test_e_says_so_when_there_is_nobody() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("e")
        assert operator.message == "nobody waits and nobody runs; N goes to the next start"

    operate(story)


@pytest.mark.proof
def test_the_cursor_stays_with_its_job_while_the_clock_moves() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down", "down")
        assert ">c    3" in operator.panel(2)
        await operator.press("n", "n")
        chosen = [line for line in operator.panel(2).splitlines() if ">" in line]
        assert chosen and " 3 " in chosen[0]
        await operator.press("end")
        assert f"WHY  job 3 {words.VERBS['backfill']}" in operator.panel(4), (
            "a job that is over can still be asked about"
        )
        assert ">" not in operator.panel(2)
        await operator.press("home", "g")
        await operator.type("#6")
        assert next(line for line in operator.panel(2).splitlines() if ">" in line).split()[2] == "linus"

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_esc_lets_go_of_the_job() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down", "escape")
        assert operator.message == "no job is selected: the head of the queue is explained"
        assert "WHY  job 2 waits" in operator.panel(4)
        await operator.press("escape")
        assert operator.message == "q quits"

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_s_sorts_by_the_next_column_and_capital_s_turns_it() -> None:
    async def story(operator: Operator) -> None:
        assert operator.jobs == [2, 1, 3]
        await operator.press("s")
        assert operator.message == "the queue is sorted by starts" and "STARTS↑" in heading(operator)
        await operator.press(*"ssss")
        assert operator.message == "the queue is sorted by id" and "JOB↑" in heading(operator)
        assert operator.jobs == [1, 2, 3]
        await operator.press("S")
        assert operator.message == "the queue is sorted by id reversed" and "JOB↓" in heading(operator)
        assert operator.jobs == [3, 2, 1]
        assert "by id reversed" in operator.panel(2).splitlines()[0]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_s_goes_through_the_columns_in_which_jobs_differ_and_comes_back() -> None:
    async def story(operator: Operator) -> None:
        found = []
        while "order" not in found:
            await operator.press("s")
            found.append(operator.message.rpartition(" ")[2])
        # Nobody has a class, and too few jobs have ended for odds.
        assert found == [
            "starts",
            "ends",
            "wait",
            "slip",
            "id",
            "user",
            "state",
            "size",
            "submit",
            "limit",
            "order",
        ]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_slash_filters_while_it_is_typed_and_esc_takes_it_back() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("slash")
        assert "show only" in operator.lines[-2]
        await operator.press(*"lin")
        assert operator.jobs == [3]
        await operator.press("escape")
        assert operator.jobs == [2, 1, 3]
        await operator.press("slash")
        await operator.type("size>32")
        assert operator.jobs == [2, 1]
        assert "2 match 'size>32'" in operator.panel(2).splitlines()[0]
        await operator.press("escape")
        assert operator.message == "the filter is off" and operator.jobs == [2, 1, 3]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_field_that_there_is_not_is_reported_while_it_is_typed() -> None:
    """With the known ones, under the line; the filter that was right last stays, and Esc clears all."""

    async def story(operator: Operator) -> None:
        await operator.press("slash", *"siz", "greater_than_sign", "2")
        assert "filter 'siz>2' asks for 'siz'; expected one of id, user, class" in operator.message
        assert "likely, by, starts, ends, slip" in operator.message
        await operator.press("ctrl+u", *"starts", "less_than_sign")
        assert "starts< is followed by a duration from now, as in 1h30m" in operator.message
        await operator.press("9", "h")
        assert operator.message == "show only starts<9h" and operator.jobs == [2]
        await operator.press("escape")
        assert operator.message == "" and operator.jobs == [2, 1, 3]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_queue_by_starts_counts_down_to_each() -> None:
    """Beside the start by the clock."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("sort predicted")
        assert operator.message == "the queue is sorted by starts"
        assert " IN " in operator.panel(2) and " 7h40m " in operator.panel(2)
        await operator.press("colon")
        await operator.type("sort order")
        await operator.press("slash")
        await operator.type("starts>=7h40m")
        assert " 7h40m " in operator.panel(2) and operator.jobs == [2]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_filter_is_completed_while_it_is_typed() -> None:
    """The right arrow takes what is offered: a field, or a user."""

    async def story(operator: Operator) -> None:
        await operator.press("slash", *"us", "right", "equals_sign", *"gr", "right", "enter")
        assert operator.console.desk.filter == "user=grace"

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_a_filter_that_is_none_is_told() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("slash")
        await operator.type("colour:red")
        assert "colour" in operator.message and "expected one of" in operator.message
        assert operator.jobs == [2, 1, 3]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_v_changes_what_the_colours_mean() -> None:
    async def story(operator: Operator) -> None:
        assert "by state" in operator.panel(1)
        await operator.press("v")
        assert "by job" in operator.panel(1) and operator.message == "the node map is coloured by job"
        assert "aaaaaaaa" in operator.panel(1) and "cccccccc" in operator.panel(1)

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_z_zooms_from_any_panel() -> None:
    async def story(operator: Operator) -> None:
        far = operator.panel(1)
        await operator.press("z")
        assert operator.panel(1) != far or "Z" in far
        zoomed = operator.panel(1)
        await operator.press("Z", "Z", "Z")
        assert operator.panel(1) != zoomed
        assert operator.message.startswith("node map: by ")

    operate(story, of=case("busy.swf"), at="50%")


@pytest.mark.proof
def test_y_copies_the_row_of_the_queue() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("y")
        assert operator.app.clipboard.split()[:5] == ["b", "2", "grace", "N", "128"]
        assert operator.message.startswith("copied: b 2 grace N 128")

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_y_copies_the_reason_elsewhere() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("4", "y")
        first, *freed, last = operator.app.clipboard.splitlines()
        session = operator.console.session
        assert [line.split()[2:4] for line in freed] == [["+32", "64"], ["+64", "128"]]
        assert (first, last) == (wording.why(session, 2, "head_blocked"), wording.expected(session, 2))
        await operator.press("up", "up", "y")
        assert operator.app.clipboard.splitlines()[0] == f"0d 00:10:00  {words.happened('pass', None)}"

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_enter_opens_the_job_with_the_history_of_its_prediction() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter")
        assert "JOB 2" in operator.lines[0]
        assert "user             grace" in operator.text and "HOW ITS PREDICTED START MOVED" in operator.text
        assert "0d 00:10:00  0d 08:00:00 expected" in operator.text
        await operator.press("n", "n")
        assert "event 8" in operator.lines[-1]
        assert "0d 05:20:00 expected, 2h40m earlier" in operator.text
        await operator.press("p", "p")
        assert "2h40m earlier" not in operator.text.split("MOVED")[1]
        await operator.press("y")
        assert "HOW ITS PREDICTED START MOVED" in operator.app.clipboard
        await operator.press("escape")
        assert "|| PAUSED" in operator.title

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_enter_opens_the_event_under_the_cursor_and_g_goes_there() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("4", "up", "up", "enter")
        (event,) = operator.console.session.events(4, 1)
        assert "EVENT 4" in operator.lines[0]
        assert words.decision(event.decisions[0], words.NODES)[:30] in operator.text
        await operator.press("g")
        assert "event 4/12" in operator.title

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_enter_opens_the_metrics() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("5", "enter")
        assert "METRICS" in operator.lines[0]
        for name in ("utilization_now", "mean_bounded_slowdown", "lost_capacity", "mean_prediction_error"):
            assert name in operator.text
        await operator.press("enter")
        assert "|| PAUSED" in operator.title

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_enter_on_the_map_opens_the_job_before_a_node_is_chosen() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("1", "enter")
        assert "JOB 2" in operator.lines[0]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_enter_says_so_when_there_is_no_job() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("enter")
        assert operator.message == "nobody waits and nobody runs; N goes to the next start"

    operate(story)


def test_the_first_event_is_picked_where_none_has_happened() -> None:
    """What stands below the list is of it."""
    (nothing,) = texts(decision_lines(None, 80, 1, words.NODES))

    async def story(operator: Operator) -> None:
        await operator.press("4")
        assert nothing in operator.panel(4)
        await operator.press("down")
        assert operator.console.query_one(EventPanel).picked == 1 and nothing not in operator.panel(4)

    operate(story)


def test_where_the_number_of_events_is_not_known_the_cursor_stays_on_those_that_are_there() -> None:
    async def story(operator: Operator) -> None:
        desk, panel = operator.console.desk, operator.console.query_one(EventPanel)
        asked = []

        def events(first: int, count: int) -> Sequence[Event]:
            asked.append(first)
            return desk.session.events(first, count)

        panel._events = events
        panel.show(attrs.evolve(desk.snapshot, total=None), None)
        assert panel.count > len(desk.session.events(1, 99)) == 12
        panel.far(1)
        assert panel.key == 6
        for rows in (60, 60, 1):
            panel.action_move(rows)
            assert panel.key == 12 and panel.current is not None
        asked.clear()
        panel.freshen()
        assert len(asked) <= 2

    operate(story, at=AT_SIX)


def test_letters_stay_where_the_queue_is_sorted() -> None:
    """Also of more jobs than there are letters."""

    async def story(operator: Operator) -> None:
        held = operator.console.letters.held
        assert len(operator.console.desk.snapshot.everybody) > len(held) == len(LETTERS)
        await operator.press("S")
        assert not held.keys() >= set(operator.console.desk.order()[: len(LETTERS)])
        assert operator.console.letters.held == held

    operate(story, case("busy.swf", "fcfs"), at="#1300")
