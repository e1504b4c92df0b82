"""Layouts: every node has one place, and a machine that can be seen whole is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.widgets.nodemap.layout import FlatLayout, flat
from shadowtime.console.widgets.nodemap.zoom import ZOOMS, best, cards, letters, racks

COUNTS = st.integers(1, 5_000)
LAYOUTS = st.builds(flat, COUNTS, st.integers(1, 150), st.integers(1, 50))


@given(LAYOUTS)
def test_rows_hold_every_place_once_and_in_order(layout: FlatLayout) -> None:
    """Read row by row and group by group, the places are 0, 1, 2 ..."""
    rows = (layout.groups(row) for row in range(layout.rows))
    assert [place for groups in rows for group in groups for place in group] == list(range(layout.count))


@given(LAYOUTS)
def test_what_is_drawn_somewhere_is_found_there(layout: FlatLayout) -> None:
    """`at` is the inverse of `where`, and knows of nothing else."""
    found = {layout.where(place): place for place in range(layout.count)}
    assert len(found) == layout.count
    columns = max(column for _, column in found) + 3
    for row in range(layout.rows + 1):
        for column in range(-2, columns):
            assert layout.at(row, column) == found.get((row, column))


@given(COUNTS, st.integers(1, 150), st.integers(1, 50))
def test_a_layout_keeps_to_its_columns(count: int, columns: int, rows: int) -> None:
    """Nothing scrolls sideways."""
    layout = flat(count, columns, rows)
    assert all(layout.where(place)[1] < columns for place in range(min(count, layout.width)))


@given(COUNTS, st.integers(1, 150), st.integers(1, 50))
def test_a_machine_that_fits_is_seen_whole(count: int, columns: int, rows: int) -> None:
    """Gaps and round rows give way before a part of the machine does."""
    if count <= columns * rows:
        assert flat(count, columns, rows).rows <= rows


@given(LAYOUTS, st.data())
def test_moves_stop_at_the_edges(layout: FlatLayout, data: st.DataObject) -> None:
    """A move leads to the next place of the row or column, and never off the machine."""
    place = data.draw(st.integers(0, layout.count - 1))
    row, column = divmod(place, layout.width)
    assert layout.moved(place, -1, 0) == (place - 1 if column else place)
    assert layout.moved(place, 0, -1) == (place - layout.width if row else place)
    down = layout.moved(place, 0, 1)
    assert down == min(place + layout.width, layout.count - 1) or (row == layout.rows - 1 and down == place)
    assert (
        0 <= layout.moved(place, data.draw(st.integers(-9, 9)), data.draw(st.integers(-9, 9))) < layout.count
    )


@pytest.mark.parametrize(
    ("count", "columns", "rows", "width", "unit"),
    [
        (4, 110, 30, 4, 0),
        (10, 110, 30, 10, 0),
        (100, 50, 14, 20, 10),
        (128, 110, 30, 16, 8),
        (1_024, 110, 30, 64, 8),
        (1_024, 75, 17, 64, 8),
        (430, 40, 11, 40, 0),
        (1_152, 75, 16, 72, 0),
        (40_960, 112, 30, 112, 0),
        (7, 3, 1, 3, 0),
    ],
)
def test_rows_are_round(count: int, columns: int, rows: int, width: int, unit: int) -> None:
    """Machines counted in tens get tens, those of powers of two eights; shapes follow the panel."""
    assert flat(count, columns, rows) == FlatLayout(count, width, unit)


@given(st.integers(1, 100_000), st.integers(20, 160), st.integers(4, 50))
def test_the_best_zoom_shows_the_whole_machine(nodes: int, columns: int, rows: int) -> None:
    """Racks grow until everything is in sight; a nearer picture is taken only where it does the same."""
    zoom = best(nodes, columns, rows)
    assert ZOOMS[zoom](nodes, columns, rows).lines <= rows
    if zoom + 1 < len(ZOOMS):
        assert ZOOMS[zoom + 1](nodes, columns, rows).lines > rows


@given(st.integers(1, 3_000), st.integers(20, 160), st.integers(4, 50), st.data())
def test_each_zoom_knows_where_its_nodes_are(
    nodes: int, columns: int, rows: int, data: st.DataObject
) -> None:
    """A node is among the nodes on its line, and shares its cell with itself."""
    picture = data.draw(st.sampled_from(ZOOMS))(nodes, columns, rows)
    node = data.draw(st.integers(0, nodes - 1))
    line = picture.line_of(node)
    assert 0 <= line < picture.lines
    assert any(node in drawn for drawn in picture.nodes_on(line))
    assert node in picture.nodes_with(node)


def test_a_click_finds_the_node_drawn_there() -> None:
    """Letters: after the row label, gaps left out. Cards and racks: anywhere on the cell."""
    map_of_letters = letters(128, 110, 30)
    assert map_of_letters.nodes_at(4, 1) == range(16, 17)
    assert map_of_letters.nodes_at(13, 1) == range(24, 25)
    assert map_of_letters.nodes_at(12, 1) is None
    assert map_of_letters.nodes_at(2, 1) is None
    assert racks(40_960, 112, 30).nodes_at(6, 0) == range(16)
    assert cards(10, 110, 30).nodes_at(30, 1) == range(1, 2)
