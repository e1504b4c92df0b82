"""Node lists: the units of a kernel as the nodes that an operator names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.nodes.lists import node_list, units_of, whole_nodes
from shadowtime.scenarios.nodes import parse_nodes


@pytest.mark.parametrize(
    ("stretches", "size", "listed"),
    [
        ([], 1, ""),
        ([(0, 16), (32, 1)], 1, "0-15,32"),
        ([(0, 16), (16, 4)], 1, "0-19"),
        ([(0, 16), (32, 2)], 2, "0-7,16"),
        ([(1, 2)], 2, "0-1"),
        ([(3, 0), (8, 1)], 4, "2"),
    ],
)
def test_stretches_are_listed_as_whole_nodes(
    stretches: list[tuple[int, int]], size: int, listed: str
) -> None:
    """A node is listed if one of its units is."""
    assert node_list(stretches, size) == listed


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), min_size=1, max_size=6), st.integers(1, 4))
def test_a_list_is_read_as_the_same_nodes(stretches: list[tuple[int, int]], size: int) -> None:
    """`drain` takes the list; each unit lies in a listed node, and each listed node has one."""
    ranges = whole_nodes(stretches, size)
    assert parse_nodes(node_list(stretches, size)) == ranges
    units = {unit for first, count in stretches for unit in range(first, first + count)}
    nodes = {node for first, stop in ranges for node in range(first, stop)}
    assert nodes == {unit // size for unit in units}
    assert units <= {unit for node in nodes for unit in units_of(node, size)}
