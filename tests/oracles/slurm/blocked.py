"""What reservations of the operator leave to a job (section 11)."""

from typing import NamedTuple

from shadowtime.scenarios.slurm import Reservation
from tests.oracles.slurm.entry import Cycle
from tests.oracles.slurm.queue import Entry


class Allowed(NamedTuple):
    """From when, on which nodes, and whether a reservation was in the way. `nodes` is None: never."""

    start: int
    nodes: frozenset[int] | None
    in_way: bool


def allowed(cycle: Cycle, entry: Entry, start: int, limit: int) -> Allowed:
    """What reservations allow for [start, start + limit)."""
    job, index = entry.job, cycle.here.places
    nodes = frozenset(range(len(cycle.here.names)))
    own = next((each for each in cycle.capture.reservations if each.name == job.reservation), None)
    if job.reservation and own is None:
        return Allowed(start, None, False)
    if own is not None and "FLEX" not in own.flags:
        start = max(start, own.begin)
        if start >= own.end:
            return Allowed(start, None, False)
        if own.nodes or not own.licenses:
            nodes = frozenset(index[name] for name in own.nodes if name in index)
    required = {index[name] for name in job.request.required_nodes if name in index}
    partition = cycle.partition_nodes[entry.partition.name]
    usable = partition & nodes
    for _ in range(10):
        left, in_way, moved = nodes, False, False
        for each in cycle.capture.reservations:
            begin, end = window(cycle, each)
            if each.name == job.reservation or not (begin < start + limit and end > start):
                continue
            taken = frozenset(index[name] for name in each.nodes if name in index)
            whole = "ALL_NODES" in each.flags or ("MAINT" in each.flags and taken >= partition)
            if not job.reservation and (whole or taken & required):
                start, moved = end, True
                break
            left, in_way = left - taken, in_way or not taken.isdisjoint(usable)
        if not moved:
            return Allowed(start, left, in_way)
    return Allowed(start, left, in_way)


def window(cycle: Cycle, each: Reservation) -> tuple[int, int]:
    """When a reservation begins and ends; one that floats stays as far ahead as in the capture."""
    moved = cycle.now - (each.read_at or cycle.now) if "TIME_FLOAT" in each.flags else 0
    return each.begin + moved, each.end + moved


def next_end(cycle: Cycle, start: int) -> int | None:
    """The earliest end of a reservation that has not ended before a time, on the grid, and a second."""
    ends = [each.end for each in cycle.capture.reservations if each.end >= start]
    return cycle.ceil(min(ends)) + 1 if ends else None
