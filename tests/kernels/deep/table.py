"""How the tests drive the compiled simulation where hundreds of jobs wait: one row a policy.

A row is a policy with parameters, the naive program that it must agree with, how many jobs wait, and how many
random workloads the long proof takes. Plain Python that tries every job in every pass takes half a second for
what those of programs.pyx do in twenty milliseconds: there are fewer of them. If fewer jobs
wait, the row says why. A policy is covered by all tests of deep queues as soon as it has a row here.
"""

import random
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import Candidate, tables
from tests.kernels.planning.preempting import priorities, table
from tests.oracles.deep import candidates as deep_candidates
from tests.oracles.deep import programs as deep
from tests.oracles.deep.workloads import deep_workload
from tests.oracles.gang.policy import gang
from tests.oracles.jobs import Job, Workload
from tests.oracles.space.checkpoint import checkpoint
from tests.oracles.space.easy import SCANS
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.flex import flex
from tests.oracles.space.maui import maui
from tests.oracles.space.meta import pbas
from tests.oracles.space.prime import prime
from tests.oracles.torus.unicos import unicos

MANY = many(1000)
"""Random workloads for each policy in the long tests."""
FEWER = 560
"""Jobs of a workload, at most, where the naive program is slow."""

Columns = dict[str, list[int]]
Naive = Callable[[list[Job], int], Columns]


class Row(NamedTuple):
    """A policy where queues are deep."""

    policy: str
    parameters: Mapping[str, Any]
    naive: Naive
    """The columns of the results that it must agree with."""
    proofs: int
    """Workloads of the proof."""
    waiting: tuple[int, ...] = (450, 450, 500, 600, 900)
    """How many jobs wait at the same time, about; one of these."""
    nodes: int | None = None
    """Of the machine; any number without."""
    travelling: int = 450
    """How many jobs wait where the simulation is compared with itself only."""


def starting(naive: Callable[..., list[int]], **parameters: Any) -> Naive:
    """A naive program that gives starts."""
    return lambda jobs, nodes: {"start": naive(jobs, nodes, **parameters)}


def stopping(naive: Callable[..., Any], **parameters: Any) -> Naive:
    """A naive program that gives starts, finishes and preemptions of jobs that may be stopped."""

    def columns(jobs: list[Job], nodes: int) -> Columns:
        outcome = naive(jobs, nodes, **parameters)
        return {"start": outcome.starts, "finish": outcome.finishes, "preemptions": outcome.preemptions}

    return columns


def prioritized(jobs: list[Job], nodes: int, **parameters: Any) -> Any:
    """Maui where jobs have classes with priorities."""
    return maui(jobs, nodes, priorities=priorities(jobs), **parameters)


def always(sign: int) -> Naive:
    """All are planned anew in each pass, in one order."""
    return lambda jobs, nodes: {"start": deep.ordered(jobs, nodes, lambda *_: sign)}


def by_mean(jobs: list[Job], nodes: int, lower: int, upper: int, threshold: int) -> list[int]:
    """DynP: by the mean estimate of the waiting jobs, when there are enough of them."""

    def decide(sign: int, count: int, total: int, _short: int, _busy: int) -> int:
        if count == 0 or count < threshold:
            return sign
        return 1 if total <= lower * count else 0 if total <= upper * count else -1

    return deep.ordered(jobs, nodes, decide)


def by_vote(jobs: list[Job], nodes: int, delta: int, utilized: float, interactive: int) -> list[int]:
    """IVS: by the vote of the waiting jobs, when the machine is utilized."""

    def decide(sign: int, count: int, _total: int, short: int, busy: int) -> int:
        if busy < utilized * nodes:
            return 0
        long = count - short
        return 1 if short > long + delta else -1 if long > short + delta else sign

    return deep.ordered(jobs, nodes, decide, interactive)


def row(policy: str, naive: Callable[..., Any], proofs: int, **parameters: Any) -> Row:
    """A row whose naive program takes the parameters of the policy and gives starts, or an outcome."""
    stops = policy in ("checkpoint", "maui", "gang")
    compared = (stopping if stops else starting)(naive, **parameters)
    made = Row(policy, parameters, compared, proofs)
    return made if proofs == MANY else made._replace(waiting=(450,))


def adaptive(candidates: list[Candidate], frame: int, metric: str) -> Row:
    """PBAS over candidates."""
    parameters = {"candidates": tables(tuple(candidates)), "frame": frame, "metric": metric}
    naive = starting(deep_candidates.pbas, candidates=candidates, frame=frame, metric=metric)
    return Row("pbas", parameters, naive, 16, (450,))


def by_width(wide: Candidate, narrow: Candidate, frame: int, maf: int) -> Row:
    """WBAS over two candidates."""
    first, second = tables((wide, narrow))
    naive = starting(deep_candidates.wbas, wide=wide, narrow=narrow, frame=frame, maf=maf)
    return Row("wbas", {"wide": first, "narrow": second, "frame": frame, "maf": maf}, naive, 24, (450,))


def flexible(**parameters: Any) -> Row:
    """Flex, which plans the whole queue for each place of a new job: naively, 32 jobs are many."""

    def naive(jobs: list[Job], nodes: int) -> Columns:
        return {"start": flex(jobs, nodes, **parameters).starts}

    return Row("flex", parameters, naive, 12, (32,), travelling=150)


def flexible_or_not() -> Row:
    """PBAS with Flex among its candidates, as many jobs as Flex alone takes."""
    candidates: list[Candidate] = [("flex", {"slack": 600}), ("easy", {})]
    parameters = {"candidates": tables(tuple(candidates)), "frame": 900, "metric": "utilization"}

    def naive(jobs: list[Job], nodes: int) -> Columns:
        return {"start": pbas(jobs, nodes, candidates, frame=900).starts}

    return Row("pbas", parameters, naive, 12, (32,), travelling=150)


def rotating(proofs: int, waiting: int, **parameters: Any) -> Row:
    """Gang scheduling. Where rows are few the queue is deep; where they are not, all jobs are in the matrix.

    The naive matrix looks at every column of every row: machines are small, and with many rows the jobs few.
    """
    return row("gang", gang, proofs, **parameters)._replace(waiting=(waiting,), nodes=16)


ROWS: dict[str, Row] = {
    "fcfs": row("fcfs", fcfs, MANY),
    **{f"easy-{scan}": row("easy", deep.easy, MANY, scan=scan) for scan in SCANS},
    "easy-kept": row("easy", deep.easy, MANY, reservation="kept"),
    "conservative": row("conservative", deep.conservative, MANY),
    "replan": row("conservative", deep.conservative, MANY, compress="replan"),
    "sjf": Row("sjf", {}, always(1), MANY),
    "ljf": Row("ljf", {}, always(-1), MANY),
    "planned": Row("dynp", {"lower": 0, "upper": 1 << 40, "threshold": 1}, always(0), MANY),
    "dynp": row("dynp", by_mean, MANY, lower=400, upper=1500, threshold=5),
    "ivs": row("ivs", by_vote, MANY, delta=3, utilized=0.4, interactive=600),
    "maui": row("maui", maui, 20, windows="widest"),
    "maui-reservations": row("maui", maui, 10, reservations=3),
    "maui-reservations-widest": row(
        "maui", prioritized, 10, reservations=5, windows="widest", weight_size=0.1
    ),
    "maui-weights": row("maui", prioritized, 10, weight_expansion=1.0, weight_size=-0.02, weight_class=0.5),
    "maui-preempt": row("maui", maui, 20, preempt=True),
    "checkpoint": row("checkpoint", checkpoint, 20, p=0.2, threshold=100),
    "checkpoint-overhead": row("checkpoint", checkpoint, 20, p=0.25, threshold=0, delay=20, extend=30),
    "checkpoint-memory": row("checkpoint", checkpoint, 20, p=0.2, threshold=0, limit=1, memory=9.0, group=9),
    "prime": row("prime", prime, 40, shift=1800, large=16, short=90, long=900, reserve=8, length=1200),
    "unicos": row("unicos", unicos, 40, limit=600),
    "flex": flexible(slack=600),
    "flex-slowdown": flexible(slack_factor=1.5, cost="slowdown", heavy=True),
    "pbas": adaptive([("conservative", {}), ("easy", {}), ("sjf", {})], 900, "response"),
    "pbas-flex": flexible_or_not(),
    "wbas": by_width(("conservative", {}), ("ljf", {}), 400, 30),
    "gang-first": rotating(10, 450, packing="first", slots=3, quantum=60),
    "gang-buddy": rotating(10, 450, packing="buddy", slots=4, quantum=60, overhead=5),
    "gang-best": rotating(10, 30, packing="best", quantum=60, overhead=1),
}
COMPILED = [name for name, row in ROWS.items() if row.proofs == MANY]
"""Those whose naive program is fast enough for any queue."""


def workload_of(row: Row, number: int) -> Workload:
    """The random workload of a number for a row."""
    rng = random.Random(number)
    workload = deep_workload(rng, rng.choice(row.waiting), row.nodes)
    return workload if row.proofs == MANY else workload._replace(jobs=workload.jobs[:FEWER])


def simulate(row: Row, workload: Workload) -> Simulation:
    """A simulation before its first event."""
    return Simulation(table(workload.jobs), workload.nodes, make(row.policy, dict(row.parameters)))


def differences(row: Row, workload: Workload) -> list[tuple[str, int, int, int]]:
    """The first jobs for which a whole run and the naive program differ: (column, job, found, expected)."""
    simulation = simulate(row, workload)
    simulation.run()
    results = simulation.results()
    return [
        (name, job, found, expected)
        for name, column in row.naive(workload.jobs, workload.nodes).items()
        for job, (found, expected) in enumerate(zip(results[name], column, strict=True))
        if found != expected
    ][:10]


def most_waiting(jobs: list[Job], starts: list[int]) -> int:
    """How many jobs of a schedule wait at the same time, at most."""
    steps = [(job.submit, 1) for job in jobs] + [(start, -1) for start in starts]
    return max(accumulate(step for _, step in sorted(steps, key=lambda step: (step[0], -step[1]))))
