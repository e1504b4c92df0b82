"""Panels share a screen by what they need, and a larger screen never shows less."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Region, Size

from shadowtime.console.screens.composed.panels import METRICS, NODES, QUEUE
from shadowtime.console.screens.composed.space import Group, Sharing, share
from shadowtime.console.screens.console.picture import GROUP as MACHINE
from shadowtime.console.screens.console.status_lines import WHY_LINES
from shadowtime.console.screens.slurm.picture import GROUP as CLUSTER
from shadowtime.console.session import load
from shadowtime.console.widgets.frame.space import Need, Space
from tests.console.operator import Operator, case, operate

SMALLEST, LARGEST = Size(60, 18), Size(250, 70)


def needs(most: int) -> st.SearchStrategy[Need]:
    three = st.lists(st.integers(3, most), min_size=3, max_size=3)
    return three.map(lambda sizes: Need(*sorted(sizes)))


GROUPS = st.sampled_from((MACHINE, CLUSTER))
SIZES = st.builds(
    Size,
    st.integers(SMALLEST.width, LARGEST.width),
    st.integers(SMALLEST.height, LARGEST.height),
)


@st.composite
def shared(draw: st.DrawFn) -> tuple[Group, dict[int, Space], list[int]]:
    group = draw(GROUPS)
    spaces = {number: Space(draw(needs(120)), draw(needs(40))) for number in group.panels}
    return group, spaces, draw(st.lists(st.sampled_from(sorted(spaces)), max_size=3))


@given(shared(), SIZES)
def test_panels_fill_a_screen_and_have_their_least(
    contents: tuple[Group, dict[int, Space], list[int]], size: Size
) -> None:
    group, spaces, recent = contents
    found = Sharing(group, spaces, recent).regions(size)
    assert sum(region.area for region in found.values()) == size.area
    assert all(Region(0, 0, *size).contains_region(region) for region in found.values())
    assert not any(
        one.overlaps(other) for one in found.values() for other in found.values() if one is not other
    )
    if recent:
        assert recent[0] in found
    if len(found) > 1:
        for number, region in found.items():
            need = spaces[number]
            assert region.height >= need.lines.least or region.height == size.height
            assert region.width >= need.columns.least or region.width == size.width


def _high(found: Mapping[int, Region]) -> bool:
    """Whether the panels stand one above the other."""
    return len({region.x for region in found.values()}) == 1


@given(shared(), SIZES, st.integers(0, 60), st.integers(0, 30))
def test_a_larger_screen_shows_no_panel_less(
    contents: tuple[Group, dict[int, Space], list[int]], size: Size, wider: int, higher: int
) -> None:
    """What was seen is seen, and each panel keeps what it had.

    It keeps its least where another one has come in, or where panels that stood one above the other have room
    side by side.
    """
    sharing = Sharing(*contents)
    small = sharing.regions(size)
    large = sharing.regions(Size(size.width + wider, size.height + higher))
    assert small.keys() <= large.keys()
    alike = small.keys() == large.keys() and _high(small) == _high(large)
    for number, region in small.items():
        columns, lines = contents[1][number].columns, contents[1][number].lines
        had = region.size if alike else Size(columns.least, lines.least)
        assert large[number].width >= min(had.width, region.width)
        assert large[number].height >= min(had.height, region.height)


def test_a_panel_wanted_less_waits_for_those_before_it() -> None:
    """After a look at the map: two more lines let the chart in, and nothing falls out for it."""
    spaces = {
        1: Space(Need(36, 43, 84), Need(8, 20, 20)),
        2: Space(Need(80, 137, 161), Need(11, 23, 423)),
        3: Space(Need(40, 72, 10_000), Need(11, 26, 518)),
        4: Space(Need(50, 76, 112), Need(11, 18, 10_000)),
        5: Space(Need(36, 62, 102), Need(9, 13, 57)),
    }
    seen = [set(Sharing(MACHINE, spaces, [1]).regions(Size(123, height))) for height in range(18, 71)]
    assert all(one <= other for one, other in pairwise(seen))
    assert seen[-1] == set(spaces)


@given(st.lists(needs(60), min_size=1, max_size=5), st.integers(0, 250))
def test_no_line_is_lacking_where_another_has_blank_ones(lists: list[Need], room: int) -> None:
    sizes = share(room, tuple(lists))
    assert sum(sizes) == room
    lacking = any(size < need.most for size, need in zip(sizes, lists, strict=True))
    assert not (lacking and any(size > need.most for size, need in zip(sizes, lists, strict=True)))
    assert all(one >= other for one, other in zip(share(room + 1, tuple(lists)), sizes, strict=True))


def test_a_high_narrow_screen_has_panels_one_above_the_other() -> None:
    """Each keeps its least; one that is wanted less comes in only after those before it."""
    numbers = list(MACHINE.panels)
    spaces = {
        number: Space(Need(60, 60, 60), Need(10 - place, 20, 20)) for place, number in enumerate(numbers)
    }
    for height in range(10, 45):
        found = Sharing(MACHINE, spaces, []).regions(Size(80, height))
        assert {region.width for region in found.values()} == {80}
        seen = len(found)
        assert list(found) == numbers[:seen]
        lines = sum(spaces[number].lines.least for number in numbers[:seen])
        assert lines <= height and (seen == len(numbers) or height < lines + 10 - seen)


def test_each_usual_size_shows_all_that_the_smaller_ones_do() -> None:
    """Panels, and columns and rows of the queue, at one event of a busy log."""
    seen: list[tuple[frozenset[int], frozenset[str], int]] = []

    async def story(operator: Operator) -> None:
        for size in ((60, 18), (80, 24), (120, 36), (160, 40), (200, 50), (250, 70)):
            await operator.resize(*size)
            heading, *rows = operator.panel(QUEUE).splitlines()[1:-1]
            seen.append((operator.console.panels.shown, frozenset(heading.split()) - {"│"}, len(rows)))

    operate(story, case("busy.swf"), size=(60, 18), at="#300")
    for small, large in pairwise(seen):
        assert small[0] <= large[0] and small[1] <= large[1] and small[2] <= large[2]


def test_a_reason_has_the_lines_that_a_short_queue_leaves() -> None:
    """Without a panel of events there is also room for when it starts."""

    async def story(operator: Operator) -> None:
        height = operator.console.lines.why.size.height
        said = operator.text.split(" WHY ")[1].splitlines()[:height]
        assert height > WHY_LINES and " WHEN " in "".join(said)

    operate(story, case("dilemma.toml"), size=(60, 18), at="#4")


@pytest.mark.parametrize(("panel", "size"), [(NODES, (60, 18)), (METRICS, (80, 24))])
def test_every_panel_leaves_its_blank_lines_to_the_reason_and_the_note(
    panel: int, size: tuple[int, int]
) -> None:
    """On a low screen the note has more lines than one; a map keeps its picture beside it."""

    async def story(operator: Operator) -> None:
        await operator.press(str(panel))
        lines = operator.console.lines
        if panel == NODES:
            assert lines.note.size.height > 1
            assert operator.console.picture.map.caption == "by state, 2 letters a node"
        else:
            assert lines.why.size.height > WHY_LINES and "WHEN" in operator.text

    operate(story, case("dilemma.toml"), size=size, at="#6")


def test_running_jobs_alone_leave_the_columns_of_waiting_ones_to_others() -> None:
    async def story(operator: Operator) -> None:
        titles = operator.panel(QUEUE).splitlines()[1].split()
        await operator.press("6")
        running = operator.panel(QUEUE).splitlines()[1].split()
        assert "IN" in titles and "IN" not in running and len(running) >= len(titles) - 1
        await operator.press("6")
        assert operator.panel(QUEUE).splitlines()[1].split() == titles

    operate(story, case("busy.swf"), size=(80, 24), at="#300")


def test_panels_do_not_move_with_the_columns_that_a_step_leaves_out() -> None:
    """A job comes, waits and starts: columns of waiting jobs come and go in the queue, its panel stays."""

    async def story(operator: Operator) -> None:
        places = list[tuple[int, int]]()
        for _ in range(30):
            await operator.press("n")
            found = operator.console.query_one("#queue").region
            if not places or places[-1] != (found.x, found.width):
                places.append((found.x, found.width))
        assert len(places) == len(set(places)) <= 3

    modal = Path(__file__).parents[3] / "scenarios" / "generated" / "modal-128.toml"
    operate(story, of=load(modal, policy="easy"), size=(160, 50))
