"""Panel 3 on the screen where the policy shares space: the bars, and the keys of the chart."""

from pathlib import Path

import pytest
from textual.binding import Binding

from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.detail import JobDetail
from shadowtime.console.session import Case, load, open_session
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.gantt.scale import Scale
from tests.console.operator import Operator, case, operate, with_first
from tests.console.views.test_screens import compare

GOLDEN = Path(__file__).parent.parent / "golden"
FAILURES = Path(__file__).parents[3] / "scenarios" / "courses" / "failures"
SIZES = ((80, 24), (120, 36), (200, 50), (300, 100))


def chart(operator: Operator) -> GanttPanel:
    return operator.console.query_one(GanttPanel)


def scale(operator: Operator) -> Scale:
    found = chart(operator)._scale
    assert found is not None
    return found


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("name", "of", "at"), [("small", case(), "#8"), ("busy", case("busy.swf"), "85%")])
def test_the_chart_on_the_screen_is_as_it_was(name: str, of: Case, at: str, size: tuple[int, int]) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        compare(operator.panel(3), GOLDEN / f"gantt-{name}-{size[0]}x{size[1]}.txt")
        assert all(len(line) <= size[0] for line in operator.lines)

    operate(story, of, size, at=at)


def marks(operator: Operator, node: int) -> str:
    """What is drawn in the row of a node."""
    nodes = next(
        nodes for nodes in map(scale(operator).nodes_of, range(scale(operator).rows)) if node in nodes
    )
    first = str(nodes.start)
    (lane,) = [line for line in operator.panel(3).splitlines() if line.strip("│ ").split()[:1] == [first]]
    return lane.strip(" │").removeprefix(first).strip()


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_outages_and_nodes_on_their_way_out_are_drawn(size: tuple[int, int]) -> None:
    """From the expected end of the job that still has them until the outage is over."""

    async def story(operator: Operator) -> None:
        await operator.press("3", "plus", "plus")
        before = marks(operator, 0)
        await operator.press("n", "n")
        drawn = marks(operator, 0)
        assert before.index("/") == drawn.index("/"), "it was known before it began"
        compare(operator.panel(3), GOLDEN / f"gantt-drained-{size[0]}x{size[1]}.txt")
        assert drawn.index("/") == drawn.rindex("▓") + 1 and drawn.rindex("/") + 1 == drawn.index("c")
        assert "/" not in marks(operator, 3), "job 1 leaves four nodes, of which two are drained"

    drained = load(FAILURES / "02-drained.toml")
    operate(story, drained, size, at="#5")


@pytest.mark.proof
def test_nodes_that_the_operator_drains_are_not_expected_back() -> None:
    async def story(operator: Operator) -> None:
        operator.console.session.act("drain 2")
        await operator.press("3", "plus", "plus", "n", "p")
        assert marks(operator, 2).endswith("///") and "█" in marks(operator, 2)

    operate(story, load(FAILURES / "02-drained.toml"), at="#4")


@pytest.mark.proof
@pytest.mark.parametrize("depth", [Depth.SIXTEEN, Depth.NONE])
def test_with_few_colours_or_none_the_chart_is_the_same(depth: Depth) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        compare(operator.panel(3), GOLDEN / "gantt-small-120x36.txt")

    with_first(story, ConsoleScreen(open_session(case()), "#8"), depth=depth)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES[2:], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_whole_machine_and_now_are_in_sight_at_every_size(size: tuple[int, int]) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "plus", "plus")
        seen = scale(operator)
        assert seen.lines <= seen.rows and 0 <= seen.column_of(operator.console.snapshot.time) < seen.columns
        text = operator.panel(3)
        assert all(sign in text for sign in "│█▒▓")
        assert "█ ran  ▓ to its estimate  ▒ expected  │ now" in text

    operate(story, case("busy.swf"), size, at="60%")


@pytest.mark.proof
def test_w_and_s_zoom_in_time_and_a_and_d_pan() -> None:
    """They are the chart's own here, not those that sort the queue."""

    async def story(operator: Operator) -> None:
        await operator.press("3")
        before = scale(operator)
        await operator.press("w")
        assert scale(operator).span < before.span
        await operator.press("s")
        assert scale(operator).span == before.span
        await operator.press("s")
        assert scale(operator).span > before.span
        assert operator.console.desk.sorting.name == "order"
        await operator.press("w", "d")
        later = scale(operator)
        assert later.since == before.since + before.columns // 4 * before.span
        await operator.press("a")
        assert scale(operator).since == before.since
        await operator.press(*["d"] * 12)
        assert all(text in operator.panel(3) for text in ("is out of sight", "f fits"))
        await operator.press("w")
        assert scale(operator).since > later.since

    operate(story, case("busy.swf"), at="50%")


@pytest.mark.proof
def test_f_fits_what_is_and_comes_and_then_everything() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "plus", "plus", "w", "w", "d", "d", "f")
        now, bars = operator.console.snapshot.time, operator.console.picture.chart.bars
        fitted = scale(operator)
        assert fitted.since <= now < bars.soon <= fitted.until < bars.last
        await operator.press("f")
        assert scale(operator).since <= bars.first() and bars.last <= scale(operator).until
        assert "?" not in operator.panel(3), "all of the past has been recorded"
        await operator.press("f")
        assert scale(operator) == fitted

    operate(story, case("busy.swf"), at="50%")


@pytest.mark.proof
def test_z_zooms_in_on_nodes_and_pages_show_the_others() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        whole, nodes = scale(operator), operator.panel(1)
        await operator.press("z", "z")
        near = scale(operator)
        assert near.per < whole.per and near.top > 0
        await operator.press("pageup", "pageup", "pageup", "pageup", "pageup", "pageup", "pageup", "pageup")
        assert scale(operator).top == 0
        await operator.press("pagedown")
        assert scale(operator).top == near.rows - 1
        await operator.press("Z", "Z", "Z")
        assert scale(operator) == whole
        assert nodes and operator.panel(1) == nodes, "the node map stays as it is"

    operate(story, case("busy.swf"), at="50%", size=(120, 35))


@pytest.mark.proof
def test_arrows_move_a_cursor_that_tells_what_is_under_it() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "up")
        assert "0d 01:00:00 + 20m00s" in operator.panel(3)
        await operator.press(*["up"] * scale(operator).rows)
        first, last = scale(operator).nodes_of(0), scale(operator).nodes_of(scale(operator).lines - 1)
        assert f"nodes 0-{first[-1]}, 0d 01:00:00 + 20m00s" in operator.panel(3)
        await operator.press("left", "left")
        assert "job 1  0d 00:00 to 01:00" in operator.panel(3)
        await operator.press(*["down"] * scale(operator).rows)
        assert f"nodes {last[0]}-127" in operator.panel(3) and "idle" in operator.panel(3)
        since = scale(operator).since
        chart(operator)._cursor = (127, since)
        await operator.press("left")
        assert scale(operator).since == since - scale(operator).span, "the cursor takes the window along"
        await operator.press("z", "z")
        assert scale(operator).nodes_of(scale(operator).rows - 1).stop == 128
        chart(operator)._cursor = (scale(operator).top * scale(operator).per, since)
        top = scale(operator).top
        await operator.press("up")
        assert scale(operator).top == top - 1

    operate(story, at="#8", of=case(policy="fcfs"), size=(120, 35))


@pytest.mark.proof
def test_enter_opens_the_job_under_the_cursor_also_one_that_is_over() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "up", "up", "up", "up", "up", "left", "left", "enter")
        assert isinstance(operator.app.screen, JobDetail) and "job              1 " in operator.text
        await operator.press("escape")
        assert operator.console.desk.selected == 0
        await operator.press("down", "down", "down", "down", "down", "enter")
        assert isinstance(operator.app.screen, JobDetail), "where nobody is: the job looked at"
        await operator.press("escape", "escape")
        assert operator.console.desk.selected is None

    operate(story, at="#8", of=case(policy="fcfs"))


@pytest.mark.proof
def test_a_click_selects_the_job_under_it() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3")
        await operator._pilot.click("#gantt", offset=(7, 2))
        await operator.rest()
        assert operator.console.desk.selected == 0
        await operator._pilot.click("#gantt", offset=(2, 2))
        await operator._pilot.click("#gantt", offset=(7, 0))
        assert operator.console.desk.selected == 0, "no job stands there"

    operate(story, at="#8", of=case(policy="fcfs"))


@pytest.mark.proof
def test_the_window_follows_the_present_instant_until_the_operator_pans_away() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "w", "w")
        for _ in range(8):
            await operator.press("n")
            seen = scale(operator)
            assert 0 <= seen.column_of(operator.console.snapshot.time) < seen.columns
        await operator.press(*["a"] * 4)
        before = scale(operator)
        await operator.press("n", "n")
        assert scale(operator) == before
        await operator.press("f", "home", "end")
        seen = scale(operator)
        assert 0 <= seen.column_of(operator.console.snapshot.time) <= seen.columns

    operate(story, case("busy.swf"), at="50%")


@pytest.mark.proof
def test_the_past_is_the_same_however_the_cursor_got_there() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("3", "f")
        there = operator.panel(3)
        await operator.press("p", "p", "p", "N", "P", "n", "n", "n")
        await operator.press("g")
        await operator.type("#300")
        await operator.press("3")
        assert operator.panel(3) == there

    operate(story, case("busy.swf"), at="#300")


@pytest.mark.proof
def test_on_a_large_screen_map_and_chart_are_seen_together_and_kept_up_to_date() -> None:
    async def story(operator: Operator) -> None:
        assert operator.panel(1) and "█ ran" in operator.panel(3)
        await operator.press("2", "n")
        assert "b" in operator.panel(3)
        await operator.resize(120, 24)
        assert operator.panel(2) and not operator.panel(1)
        await operator.press("3")
        assert operator.panel(3)
        await operator.resize(60, 18)
        assert "│" in operator.panel(3).replace("\n│", "").replace("│\n", "")
        await operator.press("w", "s", "z", "Z", "up", "f")

    operate(story, size=(200, 50), at="#8")


@pytest.mark.proof
def test_processors_of_a_torus_have_bars_too(tmp_path: Path) -> None:
    scenario = Path(__file__).parents[3] / "scenarios" / "fj97" / "do-not-disturb.toml"

    async def story(operator: Operator) -> None:
        await operator.press("3", "up")
        assert "PE" in operator.panel(3) and "PE " in operator.panel(3)

    operate(story, load(scenario), at="60%")


def test_the_page_of_the_chart_shows_it_as_it_is_and_names_its_keys() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gantt.md").read_text(encoding="utf-8")
    assert (GOLDEN / "gantt-small-80x24.txt").read_text(encoding="utf-8") in page
    for binding in GanttPanel.BINDINGS:
        assert isinstance(binding, Binding)
        assert len(binding.key) > 1 or f"`{binding.key}`" in page, binding.key
