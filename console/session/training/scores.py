"""Scores of manual scheduling: the operator's figures beside those of schedulers on the same workload.

All are computed by running them. A comparison at an instant is of the jobs that are over by then, each
under its own scheduler; at the end it is of all jobs.
"""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from console.session.case import Case
from console.session.session import Session
from kernels.core.simulation import Simulation
from kernels.policies import POLICIES

RIVALS = tuple(name for name, entry in POLICIES.items() if entry.rival)
"""The policies that manual scheduling is compared with."""


@attrs.frozen
class Score:
    """How one scheduler did, so far: None if no job is over."""

    name: str
    slowdown: float | None
    """Mean bounded slowdown of the jobs that are over, threshold 10 s."""
    utilization: float | None
    over: int
    """How many jobs are over."""


@attrs.frozen
class Gap:
    """The costliest stretch of a run: nodes stood idle while jobs that fit into them waited."""

    time: int
    length: int
    """Seconds until the next event that started a job, or changed what was free."""
    free: int
    jobs: tuple[int, ...]
    """Ids of the jobs that would have fitted together, in the order of the queue."""
    nodes: int
    """How many nodes they need together."""

    @property
    def lost(self) -> int:
        """Node-seconds that stood idle for nothing."""
        return self.nodes * self.length


class Others:
    """What an operator is compared with: sessions of other cases, by name, that follow to any instant."""

    def __init__(self, cases: Mapping[str, Case]) -> None:
        self._sessions = {name: Session(case) for name, case in cases.items()}

    def at(self, time: int) -> tuple[Score, ...]:
        """Return how each of them did up to an instant; forward and back."""
        for session in self._sessions.values():
            session.go_time(time)
        return tuple(score_of(name, session) for name, session in self._sessions.items())

    def end(self) -> tuple[Score, ...]:
        """Return how each of them did in the whole run."""
        for session in self._sessions.values():
            session.go_end()
        return tuple(score_of(name, session) for name, session in self._sessions.items())


class Rivals(Others):
    """The schedulers that an operator is compared with, on the same jobs and the same machine."""

    def __init__(self, case: Case, names: Sequence[str] = RIVALS) -> None:
        # The operator's actions and what fails are the operator's own: rivals meet the bare workload.
        bare = without_actions(case)
        super().__init__({name: bare.under(name) for name in names})


def without_actions(case: Case) -> Case:
    """Return a case without what an operator did in it."""
    bare = attrs.evolve(case, scenario=attrs.evolve(case.scenario, actions=()))
    return bare.under(case.policy, case.parameters, case.name)


def score_of(name: str, session: Session) -> Score:
    """Return how a session did so far."""
    snapshot = session.snapshot()
    metrics = snapshot.metrics
    return Score(name, metrics.mean_bounded_slowdown, metrics.utilization, snapshot.finished)


def costliest(session: Session) -> Gap | None:
    """Return the stretch of the run so far in which the most idle node-seconds could have been used.

    Jobs are taken in the order of the queue, each that fits into what the others leave. None if no job
    that fitted ever waited.
    """
    best: Gap | None = None
    for gap in _gaps(session):
        if gap.lost > 0 and (best is None or gap.lost > best.lost):
            best = gap
    return best


def _gaps(session: Session) -> Iterator[Gap]:
    """Every stretch between two events during which somebody waited who fitted."""
    simulation = session.case.simulation()
    last = session.number
    while simulation.event < last and simulation.step():
        upcoming = simulation.peek()
        until = session.time if upcoming is None or simulation.event >= last else upcoming[0]
        if until > simulation.now:
            yield _gap(session, simulation, until)


def _gap(session: Session, simulation: Simulation, until: int) -> Gap:
    sizes, free, found = session.case.columns.size, simulation.free, list[int]()
    for job in simulation.waiting():
        if sizes[job] <= free:
            free -= sizes[job]
            found.append(session.id_of(job))
    nodes = simulation.free - free
    return Gap(simulation.now, until - simulation.now, simulation.free, tuple(found), nodes)
