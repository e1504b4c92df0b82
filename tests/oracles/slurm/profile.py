"""The profile: which nodes nobody has reserved, by time, and how a reservation changes it (section 3)."""

from typing import NamedTuple


class Span(NamedTuple):
    """[begin, end) with its free nodes and free licences."""

    begin: int
    end: int
    free: frozenset[int]
    licenses: tuple[tuple[str, int], ...] = ()


def reserve(
    spans: list[Span], begin: int, end: int, nodes: frozenset[int], licenses: dict[str, int], resolution: int
) -> int:
    """Take nodes and licences out of [begin, end). Returns how many spans were split."""
    begin = max(begin, spans[0].begin)
    end = max(end, begin + resolution)
    splits = 0
    passed = 0
    place = 0
    while place < len(spans) and spans[place].end < begin:
        passed = place
        place += 1
    if place == len(spans):
        return 0
    if spans[place].end > begin:
        whole = spans[place]
        spans[place : place + 1] = [whole._replace(end=begin), whole._replace(begin=begin)]
        splits += 1
    place += 1
    while place < len(spans) and spans[place].begin < end:
        whole = spans[place]
        if whole.end > end:
            spans[place : place + 1] = [whole._replace(end=end), whole._replace(begin=end)]
            splits += 1
        spans[place] = spans[place]._replace(
            free=spans[place].free - nodes, licenses=less(spans[place].licenses, licenses)
        )
        if spans[place].end == end:
            break
        place += 1
    for left in range(passed, min(place + 1, len(spans) - 1)):
        one, two = spans[left], spans[left + 1]
        if one.free == two.free and one.licenses == two.licenses:
            spans[left : left + 2] = [one._replace(end=two.end)]
            break
    return splits


def less(free: tuple[tuple[str, int], ...], taken: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Free licences without those taken."""
    return tuple((name, count - taken.get(name, 0)) for name, count in free)
