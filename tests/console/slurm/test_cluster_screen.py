"""The console over a cluster: what it shows, what it marks after a new capture, and what it survives."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from datetime import UTC
from pathlib import Path

import pytest

from shadowtime.console import keys
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import ClusterSource, Folder, Live, Runner
from shadowtime.console.widgets.events.table import EventTable
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.table.list_table import ListTable
from tests.commands.slurm.fake import FakeCluster, fake_cluster
from tests.console.operator import Operator, with_first
from tests.console.views.test_screens import GOLDEN, compare
from tests.scenarios.slurm.support import NOW, node, write
from tests.session.slurm.captures import contents, ended, running, waiting

FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]
WAITING = [waiting(3, user="grace"), waiting(4), waiting(5, overlay={"account": "physics"})]
HELD = waiting(6, priority=0)
TIERS = Folder(Path(__file__).parents[3] / "scenarios/clusters/two-tiers")
Story = Callable[[Operator], Awaitable[None]]


def watch(
    source: ClusterSource,
    story: Story,
    size: tuple[int, int] = (120, 36),
    every: float | None = None,
    keep: Callable[[Board], None] | None = None,
    at: str | None = None,
) -> None:
    """Open a console over a cluster and let an operator follow a story."""
    first = ClusterScreen(source, board(source.take()), Dates(UTC), every, keep, at)
    with_first(story, first, size)


def screen_of(operator: Operator) -> ClusterScreen:
    """The screen over the cluster."""
    return next(screen for screen in operator.app.screen_stack if isinstance(screen, ClusterScreen))


def panel(operator: Operator, number: int) -> list[str]:
    """The lines of a panel."""
    region = screen_of(operator).query_one(f"#panel{number}").region
    lines = operator.lines[region.y : region.bottom]
    return [line.ljust(region.right)[region.x + 1 : region.right - 1].rstrip() for line in lines[1:-1]]


def text_of(operator: Operator, number: int) -> str:
    """What a panel says, wherever its lines are broken."""
    return " ".join(" ".join(panel(operator, number)).split())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A captured cluster in which three jobs are planned and one is held."""
    return Folder(write(tmp_path / "cluster", contents([*FULL, *WAITING, HELD])))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Against a dump that a person has looked at; with what one and what all predictions leave out."""
    monkeypatch.chdir(tmp_path)
    found = contents([*FULL, WAITING[0] | {"features": "ib*1&old"}, *WAITING[1:], HELD])
    found["config.txt"] = found["config.txt"].replace("topology/default", "topology/tree")
    source = Folder(write(Path("cluster"), found))

    async def story(operator: Operator) -> None:
        await operator.until(lambda: screen_of(operator).reasons.sampling.answer is not None)
        await operator.rest()
        compare(operator.text, GOLDEN / f"cluster-{size[0]}x{size[1]}.txt")

    watch(source, story, size)


@pytest.mark.proof
def test_the_cursor_asks_why_and_leads_to_a_page(folder: Folder) -> None:
    """The row below the first waits for job 1."""

    async def story(operator: Operator) -> None:
        assert "when job 2 ends" in text_of(operator, 7)
        await operator.press("j")
        assert "when job 1 ends" in text_of(operator, 7)
        await operator.press("enter")
        assert "JOB 4" in operator.text and "submitted" in operator.text
        await operator.press("escape", "G")
        assert any("held" in line for line in panel(operator, 7))

    watch(folder, story)


@pytest.mark.proof
def test_the_plan_is_filtered_and_sorted(folder: Folder) -> None:
    """With the filter language of the queue; what is no filter is one line, and changes nothing."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("slash")
        await operator.type("user=grace")
        assert screen.current is not None and screen.current.job == "3"
        assert len(panel(operator, 2)) > 2 and "job" not in panel(operator, 2)[2]
        await operator.press("slash")
        await operator.type("colour=x")
        assert "expected one of" in operator.message
        await operator.press("escape", "s", "s", "S")
        rows = [re.search(r"(\d+) (?:ada|grace)", line) for line in panel(operator, 2)[1:5]]
        assert [row and row[1] for row in rows] == ["6", "5", "4", "3"]
        assert screen.current is not None and screen.current.job == "3"

    watch(folder, story)


@pytest.mark.proof
def test_a_new_capture_marks_what_changed_and_keeps_the_cursor(folder: Folder) -> None:
    """Job 2 ends early, job 3 starts, job 5 moves, job 7 is new; the cursor stays on job 5."""

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        await operator.press("j", "j")
        assert screen.current is not None and screen.current.job == "5"
        jobs = [FULL[0], ended(2, "n[3-4]", NOW - 300), running(3, ("n3", "n4"), NOW + 25), *WAITING[1:]]
        write(folder.path, contents([*jobs, waiting(7)], after=30))
        await operator.press("R")
        assert screen.current.job == "5"
        assert screen.captures.changes.started == ("3",) and screen.captures.changes.ended == ("2",)
        assert "1 started, 1 ended, 1 new" in operator.message
        (row,) = (line for line in panel(operator, 2) if " 7 " in line)
        assert "new" in row
        (row,) = (line for line in panel(operator, 2) if line.startswith(">"))
        assert "-5m15s" in row and screen.captures.changes.shifts[screen.current.key] == -315

    watch(folder, story)


@pytest.mark.proof
def test_the_nodes_stand_by_name_with_their_jobs(folder: Folder) -> None:
    """Tab leads there; on a small screen they are shown alone."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "j", "j")
        row = next(line for line in panel(operator, 1) if line.startswith(">n3"))
        assert "idle" in row and " 2 " in row and "3 at 22:18:20" in row
        assert screen_of(operator).panels.alone and not screen_of(operator).query_one("#panel2").region
        await operator.press("enter")
        assert "node n3, idle+planned" in operator.text and "job 2 of ada " in operator.text
        assert "job 3 of grace in " in operator.text
        await operator.press("escape", "escape")
        assert screen_of(operator).query_one("#panel2").region

    watch(folder, story, (80, 18))


def test_e_shows_why_the_job_under_the_cursor_waits(folder: Folder) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down", "e")
        assert panel(operator, 7)[0].split()[:2] == ["job", "4"]
        assert screen_of(operator).panels.used == 7

    watch(folder, story, (80, 24))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_small_screen_shows_the_row_of_the_node_under_the_cursor_of_the_map(
    folder: Folder, size: tuple[int, int]
) -> None:
    """A larger one has the reason beside the map."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "1", "right", "right")
        heading, row = panel(operator, 1)[-2:]
        small = size == (80, 24)
        assert heading.lstrip().startswith("NODE STATE") == row.lstrip().startswith("n3 ") == small
        await operator.press("right", "v")
        assert panel(operator, 1)[-1].lstrip().startswith("n4 ") == small
        assert small or "node n4" in operator.text

    watch(folder, story, size)


def test_the_nodes_of_the_job_under_the_cursor_stand_out_on_the_map(folder: Folder) -> None:
    """Those of another job once the cursor of the plan moves; a job without a start has none."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "1")
        screen = screen_of(operator)
        drawn = screen.picture.nodes.map
        shown = [text for line in map(drawn.draw, range(drawn.rows)) for text in line]
        assert [text.split()[0] for text, role in shown if role.startswith("chosen:")] == ["-", "-"]
        assert "by state; job 3 reversed" in operator.text
        await operator.press("colon", "escape")
        assert screen.picture.nodes.mapped, "the panel is the same again, and not asked for again"
        await operator.press("2", "G")
        assert screen.current is not None and screen.current.job == "6"
        drawn = screen.picture.nodes.map
        shown = [text for line in map(drawn.draw, range(drawn.rows)) for text in line]
        assert not any(role.startswith("chosen:") for _, role in shown) and "reversed" not in operator.text

    watch(folder, story)


def test_the_legend_stands_under_the_map_or_on_its_border(folder: Folder) -> None:
    """The numbers, too: where the rows take all lines there is none for them."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "v")
        frame = screen_of(operator).query_one("#panel1")
        picture = screen_of(operator).picture.nodes.map
        legend, numbers = "idle, planned", "4 nodes, "
        for few in (True, False, True):
            picture.styles.max_height = None if few else 2
            await operator.resize(80, 24 + few)
            assert (legend in text_of(operator, 1)) is (numbers in text_of(operator, 1)) is few
            assert (legend in str(frame.border_subtitle)) is (numbers in str(frame.border_title)) is not few
        await operator.press("1")
        assert numbers in str(frame.border_title) and not str(frame.border_subtitle)

    watch(folder, story, (80, 24))


def test_what_is_cut_under_the_cursor_stands_whole_below_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that ends in an ellipsis is written out on the lines below the rows, where rows do not go on."""
    monkeypatch.setattr(EventTable, "goes_on", False)

    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", "n", "4")
        lines = operator.lines
        cut = next(line for line in lines if line.startswith("│> "))
        assert cut.rstrip("│ ").endswith("…")
        below = " ".join(" ".join(line.strip("│ ") for line in lines[lines.index(cut) + 1 :]).split())
        assert cut.rstrip("│ …").split("  ")[-1].strip() in below and "…" not in below

    watch(TIERS, story, (80, 24))


def test_rows_go_on_where_all_have_room() -> None:
    """No text ends in an ellipsis over blank lines; a click and a letter on any line hit its row."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("partitions")
        table = operator.app.screen.query_one(ListTable)
        lines = [line.strip("│") for line in operator.lines[1:]]
        begun = [at for at, line in enumerate(lines) if "job" in line and line[2:3].strip()]
        assert len(begun) == table.count == 3 and not any("…" in line for line in lines)
        assert list(table.pickable) == begun and begun[-1] > table.count
        for place, line in enumerate(begun):
            table.pick(line + 1)
            await operator.rest()
            assert table.place == place
            marked = [at for at, each in enumerate(operator.lines[1:]) if each.startswith("│ >")]
            assert marked == [line]
        await operator.resize(200, 50)
        assert list(table.pickable) == [1, 2, 3]

    watch(TIERS, story, (60, 18))


def test_the_first_events_are_whole() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", "n", "4")
        events = screen_of(operator).query_one(EventTable)
        assert events.rows > events.count == 4 and "…" not in text_of(operator, 4)

    watch(TIERS, story, (80, 24))


def test_a_list_that_grows_scrolls_to_its_cursor() -> None:
    """Two rows that go on are filtered; once all are there again the last one can be reached."""

    async def story(operator: Operator) -> None:
        await operator.press("2")
        table = screen_of(operator).picture.plan.table
        await operator.press("slash")
        await operator.type("user=user2")
        assert table.rows > table.count > 1
        await operator.press("escape", "G")
        assert table.rows == table.count > table.room
        assert table.place == table.count - 1
        assert table.virtual_size.height == table.count + table.heading_lines
        assert table.scroll_offset.y <= table.place < table.scroll_offset.y + table.room

    watch(TIERS, story, (80, 24))


def test_the_cursor_of_the_map_loses_no_step(folder: Folder) -> None:
    """The table follows it; what the table says of an earlier step does not take the map back."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "1")
        nodes = screen_of(operator).picture.nodes
        nodes.map.go(1)
        await asyncio.sleep(0)
        nodes.table.go(1)
        nodes.map.go(2)
        await operator.until(lambda: nodes.table.place == 2)
        assert nodes.map.place == 2

    watch(folder, story)


def test_a_map_has_the_nodes_that_came_while_the_table_was_seen(folder: Folder, tmp_path: Path) -> None:
    """And its cursor is on the node of the table."""
    found = contents([*FULL, *WAITING, HELD])
    found["nodes.json"]["nodes"].append(node(42, "n5"))
    larger = board(Folder(write(tmp_path / "larger", found)).take())

    async def story(operator: Operator) -> None:
        await operator.press("1", "G")
        screen_of(operator).captures.take(larger)
        await operator.press("G", "1")
        nodes = screen_of(operator).picture.nodes
        assert nodes.table.place == nodes.map.place == 4 and "node n5" in operator.text

    watch(folder, story)


def test_a_node_is_found_in_whatever_order_the_table_stands(folder: Folder) -> None:
    """By its name, and by the arrows of the map, which stands in the order of the configuration."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "S")
        nodes = screen_of(operator).picture.nodes
        assert [node.name for node in nodes.rows.rows] == ["n4", "n3", "n2", "n1"]
        screen_of(operator).command("node n3")
        assert nodes.current is not None and (nodes.current.name, nodes.map.place) == ("n3", 2)
        await operator.press("escape")
        await operator.press("1")
        assert nodes.map.place == 2
        await operator.press("right")
        assert (nodes.current.name, nodes.map.place) == ("n4", 3)

    watch(folder, story)


def letters_seen(operator: Operator) -> list[str]:
    """The letters of the four nodes on the map, then in the row of each node those of the chart."""
    rows = [re.sub("[^a-z]", "", row.removeprefix(" n")) for row in panel(operator, 3)[1:5]]
    cards = re.findall(r"\bn\d ([a-z]) ", " ".join(panel(operator, 1)))
    return ["".join(cards), *rows]


def test_a_job_keeps_its_letter_from_capture_to_capture(folder: Folder) -> None:
    """On the map and in the chart: job 2 ends, and job 3 runs on its nodes."""

    async def story(operator: Operator) -> None:
        screen_of(operator).command("map job")
        await operator.rest()
        assert letters_seen(operator) == ["bbaa", "bd", "bd", "ace", "ace"]
        jobs = [FULL[0], ended(2, "n[3-4]", NOW - 300), running(3, ("n3", "n4"), NOW + 25), *WAITING[1:]]
        write(folder.path, contents(jobs, after=30))
        await operator.press("R")
        assert letters_seen(operator) == ["bbcc", "bd", "bd", "ce", "ce"]

    watch(folder, story)


def test_a_table_that_is_seen_late_counts_from_now(folder: Folder) -> None:
    """On a small screen the running jobs are not seen at first; two and a half minutes go by."""
    folder.live = True

    async def story(operator: Operator) -> None:
        screen_of(operator).captures._taken -= 150
        await operator.press("6")
        assert " 2m" in panel(operator, 6)[1] and " 5m" not in panel(operator, 6)[1]

    watch(folder, story, (80, 24))


def test_the_running_jobs_stand_in_the_order_of_their_ends(folder: Folder) -> None:
    """With what is left of each and who is next on its nodes; a filter and an order hold for them, too."""

    async def story(operator: Operator) -> None:
        running = screen_of(operator).picture.running
        await operator.press("6")
        first, second = panel(operator, 6)[1:3]
        assert first.startswith(">") and "5m" in first and "n[3-4]" in first and "9m" in second
        assert running.current is not None and running.current.job == "2"
        assert any("job 3 of grace, place 1" in line for line in panel(operator, 7))
        await operator.press("s")
        assert [line.split("ada")[0].strip(" >") for line in panel(operator, 6)[1:3]] == ["1", "2"]
        await operator.press("S")
        assert panel(operator, 6)[1].strip(" >").startswith("2")
        await operator.press("slash")
        await operator.type("id=1")
        await operator.press("6")
        (only,) = (line for line in panel(operator, 6)[1:] if line)
        assert running.current.job == "1" and only.startswith(">")
        await operator.press("enter")
        assert "until" in operator.text and "JOB 1" in operator.text

    watch(folder, story, (120, 40))


@pytest.mark.proof
def test_a_cluster_that_hangs_or_fails_is_shown_and_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan stays, the title says so, and the next answer goes on; nobody needs to press a key."""
    cluster: FakeCluster = fake_cluster(tmp_path / "cluster", monkeypatch)
    cluster.put(contents([*FULL, *WAITING]))

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        cluster.hangs()
        await operator.until(lambda: "NO ANSWER" in operator.title)
        assert operator.title.index("NO ANSWER") < 79 - len("NO ANSWER")
        assert "within 1 s" in operator.message and screen.current is not None
        cluster.hangs(False)
        cluster.breaks("squeue.json", "slurm_load_jobs error: Unable to contact slurm controller")
        await operator.until(lambda: "Unable to contact" in operator.message)
        cluster.breaks("squeue.json", "")
        cluster.put(contents([*FULL, *WAITING, waiting(7)], after=60))
        await operator.until(lambda: "1 new" in operator.message)
        assert "NO ANSWER" not in operator.title and screen.board.now == NOW + 60
        await operator.press("space")
        await operator.until(lambda: "PAUSED" in operator.title)

    watch(Live(Runner(longest=1)), story, every=0.2)


def test_a_board_that_cannot_be_kept_is_shown_and_reported(folder: Folder) -> None:
    """A full disk does not end the console."""

    def keep(_: Board) -> None:
        raise SessionError("the ledger is full; expected room")

    async def story(operator: Operator) -> None:
        write(folder.path, contents([*FULL], after=30))
        await operator.press("R")
        assert "the ledger is full" in operator.message and screen_of(operator).board.now == NOW + 30

    watch(folder, story, keep=keep)


@pytest.mark.proof
def test_an_empty_queue_is_a_screen(tmp_path: Path) -> None:
    """No job waits and none runs: every key does something harmless."""
    source = Folder(write(tmp_path, contents([])))

    async def story(operator: Operator) -> None:
        assert "no job waits" in operator.text
        await operator.press(*"jkGsSy17", "enter", "tab", "shift+tab", "2", "enter", "space", "R", "escape")
        assert screen_of(operator).current is None
        await operator.press("question_mark")
        assert keys.TIME.upper() in operator.text

    watch(source, story)


@pytest.mark.proof
def test_the_list_of_scenarios_opens_a_shipped_cluster_and_comes_back() -> None:
    """Esc leaves a filter and a panel first, then the cluster; q leaves it at once."""

    async def story(operator: Operator) -> None:
        await operator.press("slash", *"slurmctld", "enter")
        await operator.press("enter")
        await operator.until(lambda: isinstance(operator.app.screen, ClusterScreen))
        assert "45 planned" in operator.text
        await operator.press("1", "escape", "escape")
        assert isinstance(operator.app.screen, Browser)
        await operator.press("enter")
        await operator.until(lambda: isinstance(operator.app.screen, ClusterScreen))
        await operator.press("q")
        assert isinstance(operator.app.screen, Browser)

    with_first(story, Browser())


def test_a_table_scrolls_no_further_than_its_cursor_needs(tmp_path: Path) -> None:
    """By one row at the edge, down and up."""
    source = Folder(write(tmp_path / "long", contents([*FULL, *map(waiting, range(3, 60))])))

    async def story(operator: Operator) -> None:
        plan = screen_of(operator).picture.plan.table
        seen = plan.size.height - 1
        plan.go(seen - 1)
        assert plan.scroll_offset.y == 0
        await operator.press("j")
        assert (plan.place, plan.scroll_offset.y) == (seen, 1)
        plan.go(1)
        assert plan.scroll_offset.y == 1
        await operator.press("k")
        assert (plan.place, plan.scroll_offset.y) == (0, 0)

    watch(source, story)
