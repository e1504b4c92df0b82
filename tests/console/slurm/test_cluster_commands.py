"""What is typed after `:` over a cluster, marks and breakpoints: what each does, and what is refused."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from shadowtime.console.screens.command_table import ABSENT_ARGUMENTS, CLUSTER, CLUSTER_VIEWS, names_of
from shadowtime.console.screens.composed.panels import CHART
from shadowtime.console.screens.impact.found_page import FoundPage
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.pages import ListPage
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.travel.breakpoints import BreakpointList
from shadowtime.console.session import load
from shadowtime.console.session.operator.saving import save_place
from shadowtime.console.session.permissions import Permissions
from shadowtime.console.session.slurm import VERBS
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.over_time import followed
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words.impact import NOTHING_DONE
from shadowtime.scenarios.slurm.changes import parse_change
from tests.commandline import Shadowtime
from tests.console.operator import Operator, with_first
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.slurm.captures import contents, running, waiting

JOBS = [
    running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300),
    waiting(3, user="grace"), waiting(4), waiting(5),
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Jobs 1 and 2 run, 3 to 5 wait, each for two of the four nodes."""
    return Folder(write(tmp_path / "cluster", contents(JOBS)))


def watch(source: Folder, story: Callable[[Operator], Awaitable[None]]) -> None:
    """Be the operator of a console over a cluster."""
    with_first(story, ClusterScreen(source, board(source.take()), Dates(UTC)), (120, 36))


def screen_of(operator: Operator) -> ClusterScreen:
    """The console over the cluster."""
    (found,) = (each for each in operator.app.screen_stack if isinstance(each, ClusterScreen))
    return found


async def command(operator: Operator, line: str) -> None:
    """Type a command."""
    await operator.press("colon")
    await operator.type(line)


def test_a_view_of_a_cluster_is_its_chart_or_its_users(folder: Folder) -> None:
    """Any other one is refused with those there are, and one of a machine with the reason."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await command(operator, "view gantt")
        assert screen.picture.panels.used == CHART
        await command(operator, "view nowhere")
        assert ", ".join(CLUSTER_VIEWS) in operator.text
        await command(operator, "view availability")
        assert operator.message.endswith(ABSENT_ARGUMENTS["availability"])
        await command(operator, "seek lost-capacity")
        assert operator.message.endswith(ABSENT_ARGUMENTS["lost-capacity"])
        await command(operator, "view users")
        assert isinstance(operator.app.screen, Page)

    watch(folder, story)


def test_a_job_that_is_not_there_leaves_the_filter_and_the_panel(folder: Folder) -> None:
    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await command(operator, "filter user=grace")
        used = screen.picture.panels.used
        await command(operator, "job 9999")
        assert screen.picture.plan.filter == "user=grace"
        assert screen.picture.panels.used == used

    watch(folder, story)


@pytest.mark.parametrize("word", [verb for verb in VERBS if verb != "reserve"])
def test_what_is_sent_to_an_impact_is_what_it_reads(word: str) -> None:
    """With the words that follow it in the table of what can be asked."""
    follows = {"limit": "3 1h", "nodes": "3 1", "drain": "n1", "resume": "n1", "partition": "3 short"}
    follows |= {"priority": "3 9000", "set": "bf_max_job_user=3"}
    parse_change(f"{word} {follows.get(word, '3')}", lambda _: NOW)


def test_who_would_start_with_less_time_is_a_page_that_leads_to_an_impact(tmp_path: Path) -> None:
    """Two nodes are idle until the first job comes."""
    jobs = [running(1, ("n1", "n2"), NOW - 60), waiting(3), waiting(4, overlay={"time_limit": number(30)})]
    jobs[1]["tres_req_str"] = "cpu=16,mem=4000M,node=4,billing=16"
    jobs[1] |= {"cpus": number(16), "tasks": number(4), "max_nodes": number(4)}
    source = Folder(write(tmp_path / "cluster", contents(jobs)))

    async def story(operator: Operator) -> None:
        await command(operator, "shorter")
        await operator.until(lambda: "LONGEST" in operator.text)
        page = operator.app.screen
        assert isinstance(page, FoundPage) and page.found is not None
        (row,) = page.found
        assert (row.number, row.size, row.limit) == (4, 2, 1800) and 0 < row.longest <= 540
        await operator.press("enter")
        await operator.until(lambda: "limit 4 " in operator.text and NOTHING_DONE[:20] in operator.text)
        assert re.search(r"^. user ada +1 ", operator.text, re.M)

    watch(source, story)


def test_every_command_does_something(folder: Folder) -> None:
    """Selects, sorts, filters, goes; each command of the table has a method."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        assert set(screen.commands.table()) == set(names_of(CLUSTER))
        await command(operator, "job 5")
        assert screen.current is not None and screen.current.job == "5"
        await command(operator, "sort user reverse")
        assert screen.current.user == "ada" and "by user reversed" in operator.text
        await command(operator, "filter user=grace")
        assert screen.current.job == "3"
        await command(operator, "job 4")
        assert screen.current.job == "4"
        await command(operator, "job 1")
        assert screen.picture.running.current is not None and screen.picture.running.current.job == "1"
        await command(operator, "users")
        assert "USER" in operator.text and "PARTITION" in operator.text
        await operator.press("escape")
        await command(operator, "users gpus")
        assert "gpu:a100" in operator.text and "HELD BY" in operator.text
        await operator.press("escape")
        await command(operator, "sort gpus")
        assert "by gpus" in operator.text
        await command(operator, "map gpus")
        assert screen.picture.nodes.mapped and "by free GPUs" in operator.text
        await command(operator, "factors 5")
        assert "priority 995" in operator.text and "sprio -l" in operator.text and "above" in operator.text
        await operator.press("escape")
        await command(operator, "node n3")
        assert "NODE n3" in operator.title
        await operator.press("escape")
        assert screen.picture.nodes.table.place == 2 and "node n3" in operator.text
        await command(operator, "map user")
        assert (
            screen.picture.nodes.mapped and screen.picture.nodes.map.place == 2 and "by user" in operator.text
        )
        await command(operator, "3n")
        assert screen.travel.course.number == 3
        await command(operator, "p 2")
        assert screen.travel.course.number == 1
        await command(operator, "goto start")
        assert screen.travel.course.number == 0
        await command(operator, "clock Asia/Tokyo")
        assert "JST" in operator.message
        await command(operator, "why 3")
        assert isinstance(operator.app.screen, Page)

    watch(folder, story)


def test_a_job_without_a_start_has_an_expected_one_on_demand(tmp_path: Path) -> None:
    """The second entry of a user is not tried, and starts after the first; a held job never does."""
    held = waiting(5, overlay={"priority": number(0)})
    made = contents([running(1, ("n1", "n2", "n3", "n4"), NOW - 60), waiting(3), waiting(4), held])
    made["config.txt"] = made["config.txt"].replace("bf_interval=5", "bf_interval=5,bf_max_job_user=1")
    source = Folder(write(tmp_path / "cluster", made))
    starts = {each.job_id: each.start for each in followed(source.take(), NOW)[0]}

    def column(operator: Operator) -> bool:
        return any("START" in line and "EXPECTED" in line for line in operator.lines)

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        rows = {row.job: row for row in screen.board.rows}
        assert rows["3"].start is not None and rows["4"].start is rows["5"].start is None
        assert not column(operator)
        await command(operator, "expected")
        await operator.until(lambda: bool(screen.reasons.starts))
        assert screen.reasons.starts == {"4": starts["4"], "5": None}
        assert column(operator) and "never" in operator.text
        await operator.press("n")
        assert not column(operator)
        await command(operator, "goto start")
        await command(operator, "why 4")
        await operator.until(lambda: bool(screen.reasons.starts))
        assert Dates(UTC).whole(starts["4"] or 0) in operator.text
        await operator.press("escape")
        await command(operator, "expected")
        assert not column(operator)

    watch(source, story)


NOT_UNDERSTOOD = (
    "job", "job 77", "node n9", "map colour", "sort colour", "filter class=x", "goto nowhere",
    "break sometime", "seek joy",
    "impact", "impact explode 3", "advise 3 by noon", "export png x", "export plan", "clock Atlantis",
    "drain n1", "reserve n1 18:00 4h", "requeue 1", "impact reserve n1 noon 4h",
    "speed 0", "impact drain n1 at noon",
    "help me", "mark ab", "break job", "impcat hold 3", "export nothing x.csv",
)  # fmt: skip


def test_what_is_not_understood_is_one_message(folder: Folder) -> None:
    """And nothing has changed."""

    async def story(operator: Operator) -> None:
        last = ""
        for line in NOT_UNDERSTOOD:
            await command(operator, line)
            assert line != "drain n1" or ":impact drain n1" in operator.message
            assert operator.message not in ("", last) and isinstance(operator.app.screen, ClusterScreen), line
            assert screen_of(operator).travel.course.number == 0
            last = operator.message

    watch(folder, story)


def test_the_impact_of_a_change_is_a_page_from_which_a_job_is_chosen(folder: Folder) -> None:
    """The largest delay first; Enter selects the job, Esc goes back, and nothing is done."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        before = screen.board
        await command(operator, "impact drain n[3-4]")
        page = operator.app.screen
        assert isinstance(page, FoundPage)
        await operator.until(lambda: page.found is not None)
        rows = re.findall(r"^. +(\d) +(?:grace|ada) ", page.text, re.M)
        assert rows and NOTHING_DONE in page.text
        await operator.press("enter")
        assert screen.current is not None and screen.current.job == rows[0] and screen.board is before
        await command(operator, "advise 5 by +1m")
        found = operator.app.screen
        assert isinstance(found, FoundPage)
        await operator.until(lambda: found.found is not None)
        assert NOTHING_DONE in found.text
        await operator.press("escape")
        assert isinstance(operator.app.screen, ClusterScreen)

    watch(folder, story)


@pytest.fixture
def serviced(tmp_path: Path) -> Folder:
    """A cluster with two reservations, and n3 and n4 out of service."""
    found = contents([running(1, ("n1", "n2"), NOW - 60), waiting(3), waiting(4)])
    for place, reason in ((2, "disk"), (3, "dimm 3")):
        since = {"reason": reason, "reason_set_by_user": "kim", "reason_changed_at": number(NOW - 60 * place)}
        found["nodes.json"]["nodes"][place] |= {"state": ["IDLE", "DRAIN"], **since}
    found["reservations.json"]["reservations"] = [
        {
            "name": name, "start_time": number(NOW + begin), "end_time": number(NOW + begin + 600),
            "node_list": nodes, "flags": ["MAINT"], "users": "root",
        }
        for name, begin, nodes in (("night", 700, "n[1-2]"), ("day", 9000, "n3"))
    ]  # fmt: skip
    return Folder(write(tmp_path / "cluster", found))


def test_a_list_has_a_cursor_an_order_and_a_filter(serviced: Folder) -> None:
    """Enter shows all about a row; Esc goes back from what is typed, from the filter, from the list."""

    async def story(operator: Operator) -> None:
        await command(operator, "reservations")
        page = operator.app.screen
        assert isinstance(page, ListPage)

        def names() -> list[str]:
            return re.findall(r"^(night|day) ", page.text, re.M)

        assert names() == ["night", "day"] and "by from" in operator.text
        await operator.press("j", "enter")
        assert "reservation day" in operator.text and "delays" in operator.text
        await operator.press("escape", "s")
        assert names() == ["day", "night"] and "by name" in operator.text
        await operator.press("S")
        assert names() == ["night", "day"] and "by name reversed" in operator.text
        await operator.press("slash")
        await operator.type("name=day")
        assert names() == ["day"]
        await operator.press("slash", "escape")
        assert names() == ["day"]
        await operator.press("slash")
        await operator.type("colour=red")
        assert names() == ["day"] and "colour" in operator.text
        await operator.press("escape")
        assert names() == ["night", "day"] and operator.app.screen is page
        await operator.press("escape")
        assert isinstance(operator.app.screen, ClusterScreen)

    watch(serviced, story)


def test_nodes_out_of_service_lead_to_their_pages_and_partitions_to_the_longest_wait(
    serviced: Folder, tmp_path: Path
) -> None:
    """And each list is exported."""

    async def story(operator: Operator) -> None:
        await command(operator, "out")
        assert "disk" in operator.text and "kim" in operator.text
        await operator.press("G", "enter")
        assert "node n4" in operator.text and "dimm 3, by kim, since" in operator.text
        await operator.press("escape", "escape")
        await command(operator, "partitions")
        await operator.press("enter")
        screen = screen_of(operator)
        assert operator.app.screen is screen and screen.current is not None
        assert screen.current.job == "3"
        for name, rows in (("out", 2), ("reservations", 2), ("partitions", 1)):
            target = tmp_path / f"{name}.csv"
            await command(operator, f"export {name} {target}")
            assert len(target.read_text().splitlines()) == rows + 1
            await command(operator, f"export {name} {target}")
            assert "is there" in operator.message or "exists" in operator.message
            await command(operator, f"export {name}! {target}")
            assert str(target) in operator.message

    watch(serviced, story)


def test_marks_and_breakpoints_lead_through_the_events(folder: Folder) -> None:
    """`c` goes on to the start of job 4, `C` back; `'a` to a mark, `''` back from the last jump."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)

        def position() -> int:
            return screen.travel.course.number

        await operator.press("c")
        assert "no breakpoint" in operator.message
        await operator.press("n", "m", "a")
        await command(operator, "break start 4")
        await operator.press("c")
        await operator.until(lambda: position() > 1)
        there = position()
        assert any(each.job == "4" for each in screen.travel.course.moment.started)  # type: ignore[union-attr]
        assert "breakpoint: start 4" in operator.message
        await operator.press("apostrophe", "a")
        assert position() == 1
        await operator.press("apostrophe", "apostrophe")
        assert position() == there
        await operator.press("n", "C")
        assert position() == there
        await operator.press("B")
        assert isinstance(operator.app.screen, BreakpointList)
        await operator.press("enter", "escape", "c")
        assert "no breakpoint" in operator.message and position() == there
        await command(operator, "seek longest-wait")
        await operator.until(lambda: operator.message.startswith("the longest wait: job"))
        await command(operator, "seek largest-queue")
        await operator.until(lambda: operator.message.startswith("the largest queue: 3 jobs"))
        assert position() == 0

    watch(folder, story)


def test_the_plan_is_exported_unless_files_are_not_written(folder: Folder, tmp_path: Path) -> None:
    """Not over a file that is there, and not by a console that only looks."""

    async def story(operator: Operator) -> None:
        target = tmp_path / "plan.csv"
        await command(operator, f"export plan {target}")
        assert target.read_text().count("\n") == 4
        await command(operator, f"export plan {target}")
        assert "plan.csv" in operator.message and target.read_text().count("\n") == 4
        operator.app.permissions = Permissions(read_only=True)
        target.unlink()
        await command(operator, f"export plan {target}")
        assert not target.exists() and operator.message

    watch(folder, story)


def test_a_cluster_is_saved_where_it_stands(folder: Folder, tmp_path: Path) -> None:
    """The file is a case that knows the folder and the event; a file that is no saved session stays."""
    path, other = tmp_path / "s.toml", tmp_path / "other.toml"
    other.write_text("mine")

    async def story(operator: Operator) -> None:
        await operator.press("n", "n")
        await command(operator, f"save {path}")
        await command(operator, f"save {other}")
        assert other.read_text() == "mine"

    watch(folder, story)
    case = load(path)
    assert case.saved_cluster == folder.path and case.stood == 2


@pytest.mark.parametrize("given", [{"now": NOW + 60}, {"zone": ZoneInfo("Asia/Tokyo")}])
def test_a_place_without_its_instant_is_not_saved(
    folder: Folder, tmp_path: Path, given: dict[str, Any]
) -> None:
    """What the file would not have is refused."""

    async def story(operator: Operator) -> None:
        await command(operator, f"save {tmp_path / 's.toml'}")

    watch(Folder(folder.path, **given), story)
    assert not (tmp_path / "s.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("open", "--text"), 0),
        (("open", "--text", "--policy", "easy"), 2),
        (("open", "--text", "--nodes", "2"), 2),
        (("report",), 2),
        (("run",), 2),
        (("compare",), 2),
        (("check",), 2),
        (("why", "3"), 2),
    ],
)
def test_a_saved_place_is_opened_alone(
    arguments: tuple[str, ...], code: int, folder: Folder, tmp_path: Path, shadowtime: Shadowtime
) -> None:
    """No other command, and no policy, has a saved place: it is not a machine."""
    path = tmp_path / "s.toml"
    save_place(folder.path, 1, path, force=False)
    name, *options = arguments
    ended = shadowtime(name, path, *options)
    assert (ended.code, len(ended.complaints)) == (code, min(code, 1))
    if not code:
        assert ended.out == shadowtime("open", folder.path, "--text", "--at", "#1").out


def test_a_report_is_of_the_capture(folder: Folder, tmp_path: Path) -> None:
    """It is written once, over a file only with `report!`, and not of a cluster that was stepped."""
    path = tmp_path / "out.html"

    async def story(operator: Operator) -> None:
        async def report(line: str) -> None:
            await command(operator, line)
            await operator.until(lambda: not screen_of(operator).exports.writing.busy)

        await report(f"report {path} against slurm:bf_interval=60")
        whole = path.read_bytes()
        assert whole.startswith(b"<!DOCTYPE html>") and b"bf_interval=60" in whole
        await report(f"report {path}")
        assert path.read_bytes() == whole
        await report(f"report! {path}")
        assert path.read_bytes() != whole
        await operator.press("n")
        await report(f"report {tmp_path / 'other.html'}")
        await report(f"report! {path} against nope")
        assert not (tmp_path / "other.html").exists()

    watch(folder, story)
