"""A run that is replayed for an export: the same events, apart from the session that goes on meanwhile."""

from array import array
from collections.abc import Iterator

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.kernels.core.simulation import Copy, Simulation

PIECE = 65536
"""Events between two reports of progress: some ten milliseconds."""

Nodes = list[tuple[int, int]]
"""Nodes as (first, count), lowest first."""


class Stopped(Exception):
    """Whoever asked for an export has stopped it."""


class Held:
    """The nodes that each job held last: 16 bytes a job that held any, and 8 for each stretch of nodes."""

    def __init__(self, jobs: int) -> None:
        self._place = array("q", [0]) * jobs
        """Where the stretches of a job are kept; 0 for a job that never held any."""
        self._kept = array("i", [0])
        """For each job the stretches that there is room for, those that there are, and these as pairs."""

    def keep(self, job: int, nodes: Nodes) -> None:
        """Keep the nodes of a job in place of those before."""
        place, kept = self._place[job], self._kept
        if not place or kept[place] < len(nodes):
            place = self._place[job] = len(kept)
            kept.append(len(nodes))
            kept.extend([0] * (1 + 2 * len(nodes)))
        kept[place + 1] = len(nodes)
        for at, (first, count) in enumerate(nodes):
            kept[place + 2 + 2 * at] = first
            kept[place + 3 + 2 * at] = count

    def of(self, job: int) -> Nodes:
        """Return the nodes of a job; none if it never held any."""
        place, kept = self._place[job], self._kept
        if not place:
            return []
        numbers = kept[place + 2 : place + 2 + 2 * kept[place + 1]]
        return list(zip(numbers[::2], numbers[1::2], strict=True))


@attrs.frozen
class Replay:
    """The events of a run up to where a simulation stands. What they came to is that of the run itself."""

    case: Case
    simulation: Simulation
    """A runner of the run that nobody else moves."""
    origin: Copy
    """The state before the first event."""

    @classmethod
    def of(cls, run: Run) -> "Replay":
        """Return the replay of a run up to where it stands."""
        return cls(run.case, run.simulation.fork(), run.trajectory.before_event(0))

    def begun(self) -> Simulation:
        """Return a runner of the run that stands before the first event."""
        simulation = self.simulation.fork()
        simulation.restore(self.origin)
        return simulation

    def held(self, progress: Progress | None = None) -> Held:
        """Return the nodes that each job held last."""
        simulation, last = self.begun(), self.simulation.event
        held = Held(len(self.case.jobs))
        reported = 0
        while simulation.event < last:
            if not simulation.run(events=last - simulation.event, decisions=1):
                break
            for _, job, _, _ in simulation.decisions():
                nodes = simulation.nodes_of(job) if job >= 0 else []
                if nodes:
                    held.keep(job, nodes)
            if progress is not None and simulation.event - reported >= PIECE:
                reported = simulation.event
                progress(reported, last)
        return held


def joined(nodes: Nodes) -> Iterator[tuple[int, int]]:
    """The nodes as the fewest (first, last) pairs, lowest first."""
    first = last = -1
    for base, count in nodes:
        if base != last + 1 or first < 0:
            if first >= 0:
                yield first, last
            first = base
        last = base + count - 1
    if first >= 0:
        yield first, last
