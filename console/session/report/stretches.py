"""Equal stretches of time: how busy the machine was in each, and how many jobs waited."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from shadowtime.kernels.core.simulation import Simulation

MOST = 400
"""Stretches of a window, at most: more than a page has dots that the eye parts."""
MINUTE, HOUR, DAY = 60, 3600, 86400
LENGTHS = (
    *(1, 10),
    *(MINUTE * k for k in (1, 5, 15, 30)),
    *(HOUR * k for k in (1, 2, 3, 6, 12)),
    *(DAY * k for k in (1, 2, 7, 14, 28)),
)
"""Seconds of a stretch."""


@attrs.frozen
class Stretch:
    """From `begin` to before `end`, in seconds."""

    begin: int
    end: int
    busy: float
    """Nodes that ran jobs, in the mean."""
    queue: float
    """Jobs that waited, in the mean."""
    longest: int
    """The most jobs that waited after an event, or at the begin."""


def edges_of(window: range) -> Sequence[int]:
    """Return the bounds of the stretches of a window; the last one may be shorter."""
    length = next((each for each in LENGTHS if len(window) <= MOST * each), -(-len(window) // MOST))
    return (*range(window.start, window.stop, length), window.stop)


def sums_before(simulation: Simulation, instant: int) -> tuple[float, float]:
    """Return the node-seconds that jobs ran, and the seconds that jobs waited, before an instant.

    The sums end with the last event; what runs and waits then does so until the instant.
    """
    sums, _, _ = simulation.tally()
    late = instant - simulation.now
    return sums["busy"] + late * sums["busy_nodes"], sums["queued"] + late * sums["queue_length"]


def stretches(simulation: Simulation, edges: Sequence[int]) -> Iterator[Stretch]:
    """Yield what the simulation does between each two edges; it ends before the last one.

    It must not have come to the first edge yet. Jobs that wait are those of `queue_length`.
    """
    simulation.run(until=edges[0] - 1)
    before = sums_before(simulation, edges[0])
    for begin, end in pairwise(edges):
        longest = simulation.tally()[0]["queue_length"]
        while (upcoming := simulation.peek()) is not None and upcoming[0] < end:
            simulation.step()
            longest = max(longest, simulation.tally()[0]["queue_length"])
        busy, queued = sums_before(simulation, end)
        length = end - begin
        yield Stretch(begin, end, (busy - before[0]) / length, (queued - before[1]) / length, int(longest))
        before = busy, queued
