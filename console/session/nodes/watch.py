"""Who was, is and will be on one node: a watch over a run. When nodes are empty that are drained now."""

from collections.abc import Iterator
from threading import Lock

import attrs

from shadowtime.console.session.nodes.lists import units_of
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.console.session.work import PIECE, Halt, check
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.nodes import NodeRanges

MOST = 1 << 16
"""Stays that are over which are kept at most: a job that is stopped again and again has one each time."""


@attrs.frozen
class Stay:
    """A job, by index, on a node: from `start` to `end`, None as long as it is there."""

    job: int
    start: int
    end: int | None
    began: int
    """The number of the event with which it came."""
    left: int | None = None
    """The number of the event with which it left."""

    def seen_at(self, event: int) -> "Stay":
        """Return the stay as it is known at an event that it began with, or later."""
        return self if self.left is None or self.left <= event else attrs.evolve(self, end=None, left=None)


class Watch:
    """Runs a simulation, and notes who comes to some of its units and leaves; `run` is for any thread."""

    def __init__(self, simulation: Simulation, units: range) -> None:
        self.simulation = simulation
        self._units = units
        self._lock = Lock()
        self._open: dict[int, Stay] = {}
        self._stays: list[Stay] = []
        self.forgotten = 0
        """How many of the earliest stays are not kept any more."""
        for job in holders(simulation, units):
            since = simulation.since(job)
            self._open[job] = Stay(job, simulation.now if since is None else since, None, simulation.event)

    def run(self, until: int | None, halt: Halt, progress: Progress | None = None) -> None:
        """Go on to an event, None for the end, after another `run` if there is one. Raises Broken."""
        with self._lock:
            self._run(until, halt, progress)

    def _run(self, until: int | None, halt: Halt, progress: Progress | None) -> None:
        simulation, reported = self.simulation, self.simulation.event
        while until is None or simulation.event < until:
            most = PIECE if until is None else min(PIECE, until - simulation.event)
            if not simulation.run(events=most, decisions=1):
                break
            self._look()
            simulation.pass_turns(None if until is None else until - simulation.event)
            if simulation.event - reported >= PIECE:
                reported = simulation.event
                check(halt)
                if progress is not None and until is not None:
                    progress(simulation.event, until)
        self._leave()

    def _look(self) -> None:
        """Note what the last event decided."""
        self._leave()
        simulation = self.simulation
        for _, job, _, _ in simulation.decisions():
            if job >= 0 and job not in self._open and self._holds(job):
                self._open[job] = Stay(job, simulation.now, None, simulation.event)

    def _leave(self) -> None:
        """Note who has left since the last look: a job that is over at its end, another one now."""
        simulation = self.simulation
        for job in [job for job in self._open if not self._holds(job)]:
            over = simulation.state(job) == "F"
            end = simulation.finish_of(job) if over else None
            event = simulation.finish_event(job) if over else None
            self._stays.append(
                attrs.evolve(
                    self._open.pop(job),
                    end=simulation.now if end is None else end,
                    left=simulation.event if event is None else event,
                )
            )
        if len(self._stays) > MOST:
            self.forgotten += MOST // 2
            del self._stays[: MOST // 2]

    def _holds(self, job: int) -> bool:
        return holds(self.simulation, job, self._units)

    def stays(self) -> Iterator[Stay]:
        """Yield the stays so far, in order of their starts."""
        yield from sorted((*self._stays, *self._open.values()), key=lambda stay: (stay.start, stay.job))


def holds(simulation: Simulation, job: int, units: range) -> bool:
    """Whether a job holds one of some units."""
    return any(
        first < units.stop and units.start < first + count for first, count in simulation.nodes_of(job)
    )


def holders(simulation: Simulation, units: range) -> tuple[int, ...]:
    """Return the jobs that hold one of some units now, those that run before those that take turns."""
    jobs = (*simulation.running(), *simulation.held())
    return tuple(job for job in jobs if holds(simulation, job, units))


def empty_at(run: Run, nodes: NodeRanges) -> int | None:
    """Return when all jobs on some nodes have left them, by their estimates; None if that is not known.

    It is now if nobody holds them. A job that takes turns leaves when the forecast expects it to.
    """
    simulation, size = run.simulation, run.case.scenario.machine.node_size
    ends: list[int | None] = []
    for job in {
        job
        for first, stop in nodes
        for job in holders(simulation, range(units_of(first, size).start, units_of(stop - 1, size).stop))
    }:
        foreseen = run.predictions.end_of(simulation, job)
        ends.append(simulation.end_of(job) if foreseen is None else foreseen.time)
    known = [end for end in ends if end is not None]
    return max([simulation.now, *known]) if len(known) == len(ends) else None
