"""How the tests of the session make cases: from naive workloads, without a file."""

from collections.abc import Mapping
from pathlib import Path

import attrs
from hypothesis import settings

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.session import Session
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Job, Machine, PolicyChoice, Scenario, Workload
from tests.oracles.jobs import Workload as Naive

POLICIES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "fcfs": ("fcfs", {}),
    "easy": ("easy", {}),
    "easy-shortest": ("easy", {"scan": "shortest"}),
    "conservative": ("conservative", {}),
    "conservative-replan": ("conservative", {"compress": "replan"}),
    "dynp": ("dynp", {"lower": 3, "upper": 5, "threshold": 2}),
    "flex": ("flex", {"slack": 4}),
    "checkpoint": ("checkpoint", {"p": 0.3, "threshold": 2, "delay": 2, "extend": 1}),
    "pbas": ("pbas", {"candidates": ["flex", {"name": "maui", "preempt": True}, "ljf"], "frame": 6}),
}
"""What the tests run under: policies, and parameters, that lead through other code."""

SOME = settings(max_examples=15)
"""Examples of a rule under one policy: each rule is tried under all of them."""

FIRST_ID = 100
"""Ids are not rows: a test that takes one for the other finds nothing."""


def case_of(naive: Naive, policy: str = "easy") -> Case:
    """Return a case of a naive workload; the job in row k has the id FIRST_ID + k."""
    return case_under(naive, *POLICIES[policy])


def case_under(naive: Naive, policy: str, parameters: Mapping[str, object]) -> Case:
    """The same under any policy."""
    jobs = [
        Job(
            id=FIRST_ID + row,
            size=job.size,
            submit=job.submit,
            runtime=job.runtime,
            estimate=job.estimate,
            user=("kim", "ada", "")[row % 3],
            klass=("batch", "debug")[row % 2],
            name=f"job {row}",
        )
        for row, job in enumerate(naive.jobs)
    ]
    return base_case(
        Scenario(
            title="a test",
            machine=Machine(naive.nodes),
            policy=PolicyChoice(policy, parameters),
            workload=Workload.of(jobs),
            path=Path("test.toml"),
        )
    )


def session_of(naive: Naive, policy: str = "easy") -> Session:
    """Return a session of a naive workload, before its first event."""
    return Session(case_of(naive, policy))


@attrs.frozen
class Moment:
    """What a straight run shows after one event."""

    digest: bytes
    time: int
    last: tuple[int, str, int] | None
    decided: tuple[tuple[str, int, str], ...]
    waiting: tuple[int, ...]
    running: tuple[int, ...]
    results: Mapping[str, list[int]]

    @property
    def acted(self) -> bool:
        """Whether the event started, preempted or resumed a job."""
        return any(kind in ("start", "backfill", "preempt", "resume") for kind, _, _ in self.decided)


def straight(case: Case) -> list[Moment]:
    """Return what a simulation that only ever goes forward shows: entry n is the state after n events."""
    simulation = case.simulation()
    moments = [moment_of(simulation)]
    while simulation.step():
        moments.append(moment_of(simulation))
    return moments


def moment_of(simulation: Simulation) -> Moment:
    """Return what a simulation shows now."""
    last = simulation.last
    return Moment(
        digest=simulation.digest(),
        time=simulation.now,
        last=None if last is None else (last[0], EVENT_NAMES[last[1]], last[2]),
        decided=tuple((kind, job, code) for kind, job, code, _ in simulation.decisions()),
        waiting=tuple(simulation.waiting()),
        running=tuple(simulation.running()),
        results={name: list(column) for name, column in simulation.results().items()},
    )


def seen(session: Session) -> Moment:
    """Return what the session shows now, read through its own face where it has one."""
    snapshot = session.snapshot()
    event = snapshot.last
    return Moment(
        digest=session.digest(),
        time=snapshot.time,
        last=None if event is None else (event.time, event.kind, row_of(session, event.job)),
        decided=()
        if event is None
        else tuple((made.kind, row_of(session, made.job), made.reason.code) for made in event.decisions),
        waiting=snapshot.waiting,
        running=snapshot.running,
        results={name: list(column) for name, column in session.outcomes().columns.items()},
    )


def row_of(session: Session, job: int | None) -> int:
    """Return the kernel's row of the job with an id, -1 for no job."""
    return -1 if job is None else session.index_of(job)
