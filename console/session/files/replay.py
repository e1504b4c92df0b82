"""A run that is replayed for an export: the same events, apart from the session that goes on meanwhile."""

from array import array

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.run import Run
from shadowtime.kernels.core.simulation import Copy, Simulation
from shadowtime.scenarios.workload import MAX_NODES

PIECE = 65536
"""Events between two reports of progress: some ten milliseconds."""

Nodes = list[tuple[int, int]]
"""Nodes as (first, count), lowest first."""


ROOMS = MAX_NODES
"""Stretches of nodes that a job can have, and one more."""


class Held:
    """The nodes that each job held last: 8 bytes a job, and 4 for each stretch; 8 beyond 65,535 nodes."""

    def __init__(self, jobs: int, nodes: int) -> None:
        self._place = array("q", [0]) * jobs
        """Where the stretches of a job begin, and for how many there is room."""
        self._kept = array("H" if nodes <= 0xFFFF else "i")
        """The first node of each stretch, and how many there are; 0 for a stretch that is not used."""

    def __len__(self) -> int:
        """Return the stretches that there is room for."""
        return len(self._kept) // 2

    def keep(self, job: int, nodes: Nodes) -> None:
        """Keep the nodes of a job in place of those before."""
        place, room = divmod(self._place[job], ROOMS)
        if room < len(nodes):
            place, room = len(self._kept), len(nodes)
            self._place[job] = place * ROOMS + room
            self._kept.extend([0] * (2 * room))
        for at in range(room):
            first, count = nodes[at] if at < len(nodes) else (0, 0)
            self._kept[place + 2 * at] = first
            self._kept[place + 2 * at + 1] = count

    def of(self, job: int) -> Nodes:
        """Return the nodes of a job; none if it never held any."""
        place, room = divmod(self._place[job], ROOMS)
        kept = self._kept[place : place + 2 * room]
        return [(first, count) for first, count in zip(kept[::2], kept[1::2], strict=True) if count]


@attrs.frozen
class Replay:
    """The events of a run up to where a simulation stands. What they came to is that of the run itself."""

    case: Case
    simulation: Simulation
    """A runner of the run, which does not move meanwhile."""
    origin: Copy
    """The state before the first event."""

    @classmethod
    def of(cls, run: Run) -> "Replay":
        """Return the replay of a run up to where it stands, while it stands there."""
        return cls(run.case, run.simulation, run.trajectory.before_event(0))

    def apart(self) -> "Replay":
        """Return the same, whatever the run does meanwhile."""
        return attrs.evolve(self, simulation=self.simulation.fork())

    def begun(self) -> Simulation:
        """Return a runner of the run before its first event."""
        simulation = self.simulation.fork()
        simulation.restore(self.origin)
        return simulation

    def held(self, progress: Progress | None = None) -> Held:
        """Return the nodes that each job held last."""
        simulation, last = self.begun(), self.simulation.event
        held = Held(len(self.case.jobs), self.case.nodes)
        reported = 0
        while simulation.event < last:
            if not simulation.run(events=last - simulation.event, decisions=1):
                break
            for _, job, _, _ in simulation.decisions():
                nodes = simulation.nodes_of(job) if job >= 0 else []
                if nodes:
                    held.keep(job, nodes)
            simulation.pass_turns(last - simulation.event)
            if progress is not None and simulation.event - reported >= PIECE:
                reported = simulation.event
                progress(reported, last)
        return held
