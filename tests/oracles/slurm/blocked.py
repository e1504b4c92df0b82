"""What reservations of the operator leave to a job (section 11)."""

from typing import NamedTuple

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
    if job.reservation:
        if own is None:
            return Allowed(start, None, False)
        start = max(start, own.begin)
        if start >= own.end:
            return Allowed(start, None, False)
        nodes = frozenset(index[name] for name in own.nodes)
    required = {index[name] for name in job.request.required_nodes}
    partition = cycle.partition_nodes[entry.partition.name]
    for _ in range(10):
        left, in_way, moved = nodes, False, False
        for each in cycle.capture.reservations:
            if each.name == job.reservation or not (each.begin < start + limit and each.end > start):
                continue
            taken = frozenset(index[name] for name in each.nodes)
            whole = "ALL_NODES" in each.flags or ("MAINT" in each.flags and taken >= partition)
            if not job.reservation and (whole or taken & required):
                start, moved = each.end, True
                break
            left, in_way = left - taken, in_way or not taken.isdisjoint(partition)
        if not moved:
            return Allowed(start, left, in_way)
    return Allowed(start, left, in_way)


def next_end(cycle: Cycle, start: int) -> int | None:
    """The earliest end of a reservation that has not ended before a time, on the grid, and a second."""
    ends = [each.end for each in cycle.capture.reservations if each.end >= start]
    return cycle.ceil(min(ends)) + 1 if ends else None
