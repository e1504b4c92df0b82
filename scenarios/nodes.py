"""Sets of nodes as people write them: `0-15,20`."""

import re
from collections.abc import Iterable

from shadowtime.scenarios.errors import shown

NodeRanges = tuple[tuple[int, int], ...]
"""Nodes as ascending half-open ranges: ((0, 16),) is the nodes 0 to 15."""

NODES_EXPECTED = 'nodes such as "0-15" or "3,8-11"'

_PART = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", re.ASCII)


def parse_nodes(text: str, count: int | None = None) -> NodeRanges:
    """Nodes as ascending half-open ranges that do not touch; `count`, if given, is how many the machine has.

    ValueError says what is wrong.
    """
    ranges = []
    for part in text.split(","):
        found = _PART.fullmatch(part)
        if found is None:
            raise ValueError(f"{shown(text)} names no nodes; expected {NODES_EXPECTED}")
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            raise ValueError(f"{first}-{last} runs backwards; expected {last}-{first}")
        if count is not None and last >= count:
            raise ValueError(f"there is no node {last}; the machine has the nodes 0 to {count - 1}")
        ranges.append((first, last + 1))
    return joined(ranges)


def format_nodes(ranges: NodeRanges) -> str:
    """The nodes as `parse_nodes` reads them."""
    return ",".join(str(first) if stop == first + 1 else f"{first}-{stop - 1}" for first, stop in ranges)


def joined(ranges: Iterable[tuple[int, int]]) -> NodeRanges:
    """Return half-open ranges in any order as the fewest, ascending."""
    found: list[tuple[int, int]] = []
    for first, stop in sorted(ranges):
        if found and first <= found[-1][1]:
            found[-1] = found[-1][0], max(stop, found[-1][1])
        else:
            found.append((first, stop))
    return tuple(found)
