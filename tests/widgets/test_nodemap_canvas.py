"""The canvas: lines that are kept are the lines that would be painted."""

from array import array
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.widgets.frame.looks import Palette
from shadowtime.console.widgets.nodemap.pictures import Canvas, NodePicture
from shadowtime.console.widgets.nodemap.scene import Colouring, JobFacts, NodeScene, view
from shadowtime.console.widgets.nodemap.zoom import ZOOMS, letters
from tests.widgets.machines import dump, owners, scene

NODES = 64
OWNERS = st.lists(st.integers(-2, 6), min_size=NODES, max_size=NODES)
JOBS = st.builds(
    lambda states, end: JobFacts(states, end=lambda _: end),
    st.dictionaries(st.integers(0, 6), st.sampled_from("RSW")),
    st.integers(0, 1_000),
)


@st.composite
def successions(draw: st.DrawFn) -> list[NodeScene]:
    """Scenes one after the other: some nodes change hands, jobs change state, the operator moves about."""
    nodes = draw(OWNERS)
    scenes: list[NodeScene] = []
    for _ in range(draw(st.integers(2, 5))):
        first = draw(st.integers(0, NODES - 1))
        nodes = nodes[:first] + [draw(st.integers(-2, 6))] * draw(st.integers(0, 9)) + nodes[first:]
        nodes = nodes[:NODES]
        stepped = draw(st.booleans()) and bool(scenes)
        scenes.append(
            NodeScene(
                view(array("i", nodes).tobytes()),
                time=draw(st.integers(0, 500)),
                jobs=draw(JOBS),
                changed=draw(st.frozensets(st.integers(0, 6), max_size=2)),
                before=scenes[-1].owners if stepped else None,
                colouring=draw(st.sampled_from([Colouring.STATE, Colouring.END])),
                selected=draw(st.none() | st.integers(0, 6)),
                cursor=draw(st.none() | st.integers(0, NODES - 1)),
                palette=Palette(dark=draw(st.booleans())),
            )
        )
    return scenes


@pytest.mark.proof
@given(successions(), st.sampled_from(ZOOMS), st.integers(0, 3), st.integers(1, 9))
def test_a_canvas_shows_what_a_new_one_would(
    scenes: list[NodeScene], zoom: Callable[[int, int, int], NodePicture], first: int, count: int
) -> None:
    """Whatever happened between two scenes; and the lines said to be stale are those that differ."""
    picture, lines = zoom(NODES, 24, 9), range(first, first + count)
    canvas = Canvas(picture, scenes[0])
    shown = {line: canvas.line(line) for line in lines}
    for one in scenes[1:]:
        stale = canvas.renew(one, lines)
        fresh = {line: Canvas(picture, one).line(line) for line in lines}
        assert {line: canvas.line(line) for line in lines} == fresh
        assert stale == [line for line in lines if fresh[line] != shown[line]]
        shown = fresh


def test_only_the_lines_of_what_changed_are_stale() -> None:
    """A job that ends makes its own lines stale, and the next event those that lose their emphasis."""
    picture = letters(64, 24, 9)
    assert dump(picture, scene(owners((7, 64)))).count("\n") == 3
    ended = owners((7, 20), (-1, 4), (7, 40))
    canvas = Canvas(picture, scene(owners((7, 20), (9, 4), (7, 40))))
    assert [len(canvas.line(line)) for line in range(4)] == [2, 4, 2, 2]
    before = canvas.scene.owners
    assert canvas.renew(scene(ended, before=before, changed=frozenset({9})), range(4)) == [1]
    assert canvas.renew(scene(ended, before=view(ended)), range(4)) == [1]
    assert canvas.renew(scene(ended, before=view(ended)), range(4)) == []


def test_a_line_out_of_sight_is_painted_when_it_comes_into_sight() -> None:
    """Scrolling asks for lines that no scene has painted."""
    canvas = Canvas(letters(64, 24, 9), scene(owners((7, 64))))
    canvas.renew(scene(owners((8, 64))), range(1))
    assert "S" in canvas.line(3)[-1][0]
    assert canvas.line(99) == []
