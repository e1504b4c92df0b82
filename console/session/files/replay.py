"""A run that is replayed for an export: the same events, apart from the session that goes on meanwhile."""

from collections.abc import Iterator

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.progress import Progress
from shadowtime.kernels.core.simulation import Simulation

PIECE = 65536
"""Events between two reports of progress: some ten milliseconds."""

Nodes = list[tuple[int, int]]
"""Nodes as (first, count), lowest first."""


class Stopped(Exception):
    """Whoever asked for an export has stopped it."""


@attrs.frozen
class Replay:
    """The events 1 to `last` of a case."""

    case: Case
    last: int

    def stand(self, progress: Progress | None = None) -> Simulation:
        """A simulation of its own that stands after the last event."""
        simulation = self.case.simulation()
        while simulation.event < self.last:
            simulation.run(events=min(PIECE, self.last - simulation.event))
            self._report(simulation, progress)
        return simulation

    def stand_with_nodes(self, progress: Progress | None = None) -> tuple[Simulation, dict[int, Nodes]]:
        """The same, and the nodes that each job held last, by index; who never held any is left out."""
        simulation = self.case.simulation()
        held: dict[int, Nodes] = {}
        reported = 0
        while simulation.event < self.last:
            if not simulation.run(events=self.last - simulation.event, decisions=1):
                break
            for _, job, _, _ in simulation.decisions():
                nodes = simulation.nodes_of(job) if job >= 0 else []
                if nodes:
                    held[job] = nodes
            simulation.pass_turns(self.last - simulation.event)
            if simulation.event - reported >= PIECE:
                reported = simulation.event
                self._report(simulation, progress)
        return simulation, held

    def _report(self, simulation: Simulation, progress: Progress | None) -> None:
        if progress is not None:
            progress(simulation.event, self.last)


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
