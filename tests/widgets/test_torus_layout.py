"""The map of a torus: planes one above the other, every node in its place, and words that say where it is."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from shadowtime.console.widgets.nodemap.cells import text_of
from shadowtime.console.widgets.nodemap.pictures import Canvas
from shadowtime.console.widgets.nodemap.scene import Colouring
from shadowtime.console.widgets.nodemap.torus_layout import Torus, TorusLayout, fitted
from shadowtime.console.widgets.nodemap.words import status
from shadowtime.console.widgets.nodemap.zoom import ZOOMS, best, zooms
from shadowtime.console.words import PE
from shadowtime.scenarios.values import Machine
from tests.console.operator import Operator, case, operate
from tests.widgets.machines import DOWN, IDLE, dump, scene
from tests.widgets.test_nodemap import MapApp, lines, with_map

T3D = Torus(8, 4, 8, 2, PE)
SIDES = st.integers(1, 9)
TORUSES = st.builds(
    lambda x, y, z, per: Torus(x * per, y, z, per, PE), SIDES, SIDES, SIDES, st.integers(1, 3)
)
SPACES = st.tuples(st.integers(1, 110), st.integers(1, 60))
LAYOUTS = st.builds(lambda torus, space: (torus, fitted(torus, *space)), TORUSES, SPACES).filter(
    lambda made: made[1] is not None
)


def numbered(torus: Torus = T3D) -> bytes:
    """Each node owned by the job of its own Z, the highest X and Y being idle and down."""
    places = (torus.place(unit) for unit in range(torus.units))
    return array(
        "i", [IDLE if x == torus.x - 1 else DOWN if y == torus.y - 1 else z for x, y, z in places]
    ).tobytes()


@given(LAYOUTS)
def test_every_node_is_drawn_once_and_found_there(made: tuple[Torus, TorusLayout]) -> None:
    """Groups, `where` and `at` say the same; nothing is drawn over anything else, or beyond the columns."""
    torus, layout = made
    found = {layout.where(place): place for place in range(layout.count)}
    assert len(found) == layout.count == torus.units // torus.per
    for row in range(layout.rows):
        drawn = [place for group in layout.groups(row) for place in group]
        assert drawn == [found[at] for at in sorted(found) if at[0] == row]
        for column in range(-1, layout.columns + 2):
            assert layout.at(row, column) == found.get((row, column))
    assert max(column for _, column in found) < layout.columns
    assert all(layout.corner(plane)[1] >= layout.label for plane in range(layout.y))


@given(LAYOUTS, st.data())
def test_a_step_leads_to_the_neighbour_on_the_axis(
    made: tuple[Torus, TorusLayout], data: st.DataObject
) -> None:
    """Right is Z + 1 and down is X + 1 within a plane; past its edge the next plane goes on, or nothing."""
    torus, layout = made
    place = data.draw(st.integers(0, layout.count - 1))
    x, y, z = torus.place(place * torus.per)
    for steps, axis, end in (((1, 0), z, torus.z), ((0, 1), x // torus.per, torus.rows)):
        after = layout.moved(place, *steps)
        ax, ay, az = torus.place(after * torus.per)
        if axis < end - 1:
            assert (ax // torus.per - x // torus.per, ay - y, az - z) == (steps[1], 0, steps[0])
            assert layout.moved(after, -steps[0], -steps[1]) == place
        elif after != place:
            assert ay != y
            assert layout.moved(after, -steps[0], -steps[1]) == place


@pytest.mark.parametrize(
    ("columns", "rows", "side", "shift", "pitch"),
    [
        (76, 19, 1, 3, 5),
        (76, 16, 1, 3, 4),
        (76, 12, 1, 12, 2),
        (78, 9, 4, 0, 5),
        (34, 11, 2, 0, 5),
        (23, 8, 2, 0, 4),
        (12, 8, 1, 0, 5),
    ],
)
def test_perspective_gives_way_to_planes_in_rows(
    columns: int, rows: int, side: int, shift: int, pitch: int
) -> None:
    """First the blank rows go, then the planes stand beside one another, then in bands; then it scrolls."""
    assert fitted(T3D, columns, rows) == TorusLayout(4, 4, 8, 3, side, shift, pitch)


def test_a_plane_that_is_too_wide_has_no_layout() -> None:
    """The map is then drawn as that of a flat machine."""
    assert fitted(T3D, 10, 40) is None
    assert dump(zooms(T3D)[2](256, 10, 40), scene(numbered())) == dump(
        ZOOMS[2](256, 10, 40), scene(numbered())
    )


def test_node_0_is_top_left_of_the_lowest_plane() -> None:
    """X runs down, Z to the right, planes of Y upwards and to the right."""
    of = scene(numbered(), colouring=Colouring.JOB, torus=T3D)
    assert dump(zooms(T3D)[2](256, 76, 16), of) == (
        "         y3 XXXXXXXX\n"
        "            XXXXXXXX\n"
        "            XXXXXXXX\n"
        "            %%%%%%%%\n"
        "      y2 abcdefgh\n"
        "         abcdefgh\n"
        "         abcdefgh\n"
        "         abcdefgh\n"
        "   y1 abcdefgh\n"
        "      abcdefgh\n"
        "      abcdefgh\n"
        "      abcdefgh\n"
        "y0 abcdefgh\n"
        "   abcdefgh\n"
        "   abcdefgh\n"
        "   abcdefgh"
    )


def mixed() -> bytes:
    """Job 7 on 16 processors, 8 on the odd one of the ninth node, 9 down half of the tenth; the rest idle."""
    nodes = array("i", [7] * 16 + [IDLE] * 240)
    nodes[17], nodes[18], nodes[19] = 8, 9, DOWN
    return nodes.tobytes()


@pytest.mark.parametrize(
    ("cursor", "width", "words"),
    [
        (6, 78, "x6-7 y0 z0  PE 6-7  job 407 kim R since 0d 06:12:14 until 0d 06:22:44"),
        (6, 60, "x6-7 y0 z0  PE 6-7  job 407 R until 0d 06:22:44"),
        (6, 30, "x6-7 y0 z0  PE 6-7  job 407 R"),
        (6, 17, "PE 6-7  job 407 R"),
        (16, 78, "x0-1 y2 z0  PE 16 idle, 17 job 408 S"),
        (16, 34, "x0-1 y2 z0  PE 16-17  1 busy"),
        (18, 78, "x2-3 y2 z0  PE 18 job 409 i, 19 down"),
        (182, 78, "x6-7 y2 z5  PE 182-183  idle"),
        (None, 78, "256 PE  18 busy  237 idle  1 down"),
    ],
)
def test_the_words_say_where_the_cursor_is(cursor: int | None, width: int, words: str) -> None:
    """By its place on the axes, by the processors' numbers, and whose they are; less where it is narrow."""
    of = scene(mixed(), cursor=cursor, torus=T3D)
    sharing = None if cursor is None else zooms(T3D)[2](256, 76, 16).nodes_with(cursor)
    assert status(of, width, sharing) == words


def test_a_machine_of_nodes_counts_nodes() -> None:
    """One owner a letter, and the words of nodes."""
    torus = Torus.of(Machine(24, (3, 2, 4)))
    assert torus is not None
    of = scene(array("i", [7] * 24).tobytes(), cursor=23, torus=torus)
    assert status(of, 30, range(23, 24)).startswith("x2 y1 z3  node 23  job 407")
    assert Torus.of(Machine(12, None, "processor", 2)) is None
    assert Torus.of(Machine(12, (3, 2, 4), "processor", 2)) == Torus(3, 2, 4, 1, PE)


def test_a_shared_node_shows_one_of_its_jobs() -> None:
    """A job before idleness, the selected one before the first; down on one side has a sign of its own."""
    nodes = array("i", [7, 8, IDLE, 9, DOWN, 7, DOWN, DOWN])
    torus, jobs = Torus(8, 1, 1, 2, PE), {"colouring": Colouring.JOB}
    picture = zooms(torus)[2](8, 20, 8)
    assert dump(picture, scene(nodes.tobytes(), **jobs)).split() == ["y0", "h", "j", "%", "X"]
    assert dump(picture, scene(nodes.tobytes(), selected=8, **jobs)).split() == ["y0", "i", "j", "%", "X"]
    assert picture.owner_at(2, scene(nodes.tobytes())) == 9


@given(st.lists(st.integers(-2, 5), min_size=24, max_size=24), st.data())
def test_lines_that_are_kept_are_those_that_would_be_painted(nodes: list[int], data: st.DataObject) -> None:
    """A second processor that changes hands repaints its line."""
    picture = zooms(Torus(4, 2, 3, 2, PE))[2](24, 30, 12)
    canvas = Canvas(picture, scene(array("i", nodes).tobytes()))
    canvas.renew(canvas.scene, range(picture.lines))
    nodes[data.draw(st.integers(0, 23))] = data.draw(st.integers(-2, 5))
    after = scene(array("i", nodes).tobytes(), selected=data.draw(st.none() | st.integers(0, 5)))
    canvas.renew(after, range(picture.lines))
    assert [text_of(canvas.line(line)) for line in range(picture.lines)] == [
        text_of(picture.paint(line, after)) for line in range(picture.lines)
    ]
    assert [canvas.line(line) for line in range(picture.lines)] == [
        picture.paint(line, after) for line in range(picture.lines)
    ]


def test_the_whole_torus_is_in_sight_at_80_by_24() -> None:
    """The map has 12 lines and 76 columns there; blocks are the nearest picture that fits."""
    assert best(256, 76, 12, zooms(T3D)) == 3


def test_blocks_have_the_number_of_a_job_in_the_middle_of_its_run() -> None:
    """They are as large as fits; the cursor is all of its block."""
    of = scene(mixed(), colouring=Colouring.JOB, torus=T3D, cursor=16)
    picture = zooms(T3D)[3](256, 198, 36)
    assert [line[:27] for line in dump(picture, of).splitlines()[15:18]] == [
        "      y0 hhhhhhhhh.........",
        "         hh 407 hh.........",
        "         hhhhhhhhh.........",
    ]
    held = {nodes.start for at in range(198) for line in range(3) if (nodes := picture.nodes_at(at, line))}
    assert held == {unit for unit in range(0, 256, 2) if unit % 8 == 0 and unit // 8 % 4 > 1}


def test_the_panel_moves_along_the_axes_and_opens() -> None:
    """The arrow keys move from node to node; Enter gives the job that is drawn, whichever half it has."""

    async def steps(app: MapApp, pilot: "Pilot[None]") -> None:
        await pilot.press("Z", "right", "right", "down", "up", "up", "left", "left")
        assert app.map.cursor == T3D.x + 6
        app.map.cursor = 16
        await pilot.press("enter")
        assert app.opened == [(8, 16)]
        assert "PE 16 idle, 17 job 408 S" in "\n".join(lines(app.map))

    with_map(steps, size=(80, 20), nodes=mixed(), torus=T3D)


def test_a_line_is_asked_for_its_own_nodes_only() -> None:
    """Both processors of each node of the row, and none of another row."""
    picture = zooms(T3D)[2](256, 76, 16)
    for line in range(picture.lines):
        units = [unit for drawn in picture.nodes_on(line) for unit in drawn]
        assert sorted(units) == [unit for unit in range(256) if picture.line_of(unit) == line]


@pytest.mark.proof
def test_the_console_draws_the_torus_of_a_scenario() -> None:
    """The machine of the file decides, at 80x24 as well."""

    async def story(operator: Operator) -> None:
        await operator.press("1", "v", "Z")
        body = operator.panel(1).splitlines()
        rows = [line.strip("│┃ ") for line in body if " y" in line or "│y" in line or "┃y" in line]
        assert rows == ["y1 aab.", "y0 aab."]
        await operator.press("right")
        assert "x0-1 y0 z0  PE 0-1  job 11 kim R since" in operator.panel(1)

    operate(story, case("torus.toml", None), size=(80, 24), at="#6")
