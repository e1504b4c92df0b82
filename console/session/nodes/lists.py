"""Node lists: the nodes of a job as `drain`, `down` and `:node` take them, `0-15,32`.

A kernel counts in the unit in which jobs ask. If that is a processor, a node is listed if the job has one of
its processors.
"""

from collections.abc import Iterable

from shadowtime.scenarios.nodes import NodeRanges, format_nodes, joined

Stretches = Iterable[tuple[int, int]]
"""Nodes as a simulation gives them: the first and how many, in the unit in which jobs ask."""


def whole_nodes(stretches: Stretches, node_size: int) -> NodeRanges:
    """Return the nodes of some stretches; `node_size` units make one."""
    return joined(
        (first // node_size, (first + count - 1) // node_size + 1) for first, count in stretches if count
    )


def node_list(stretches: Stretches, node_size: int) -> str:
    """Return the nodes of some stretches as `0-15,32`; empty for no nodes."""
    return format_nodes(whole_nodes(stretches, node_size))


def named_nodes(nodes: NodeRanges) -> str:
    """Return nodes with what they are: `node 3`, `nodes 0-15,20`."""
    text = format_nodes(nodes)
    return f"node {text}" if text.isdigit() else f"nodes {text}"


def units_of(node: int, node_size: int) -> range:
    """Return the units that a node is made of."""
    return range(node * node_size, (node + 1) * node_size)
