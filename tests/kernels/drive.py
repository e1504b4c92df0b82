"""How the tests drive the compiled simulation: from a naive workload, under a policy, event by event."""

from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.oracles.jobs import Job, Workload
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import SCANS, easy
from tests.oracles.space.fcfs import fcfs
from tests.oracles.space.flex import flex
from tests.oracles.space.meta import pbas, wbas
from tests.oracles.space.orders import dynp, ivs, ljf, sjf

PASS = EVENT_NAMES.index("pass")
SUBMIT = EVENT_NAMES.index("submit")
SWITCH = EVENT_NAMES.index("switch_policy")
COMPLETIONS = (EVENT_NAMES.index("finish"), EVENT_NAMES.index("kill"))


Candidate = tuple[str, dict[str, Any]]
BOUNDS: dict[str, Any] = {"lower": 3, "upper": 5, "threshold": 2}
KEPT: dict[str, Any] = {"reservation": "kept"}
KEPT_SHORTEST: dict[str, Any] = {**KEPT, "scan": "shortest"}
VOTES: dict[str, Any] = {"delta": 1, "utilized": 0.4, "interactive": 3}


class Setting(NamedTuple):
    """A policy with its parameters, and the naive program that it must agree with."""

    policy: str
    parameters: Mapping[str, object]
    naive: Callable[[list[Job], int], list[int]]


def flexible(**parameters: Any) -> Setting:
    """Flex with these parameters."""
    return Setting("flex", parameters, lambda jobs, nodes: flex(jobs, nodes, **parameters).starts)


def adaptive(*candidates: Candidate, **parameters: Any) -> Setting:
    """PBAS over these candidates."""

    def naive(jobs: list[Job], nodes: int) -> list[int]:
        return pbas(jobs, nodes, candidates, **parameters).starts

    return Setting("pbas", {"candidates": tables(candidates), **parameters}, naive)


def by_width(wide: Candidate, narrow: Candidate, frame: int, maf: int) -> Setting:
    """WBAS over these two."""
    first, second = tables((wide, narrow))
    parameters = {"wide": first, "narrow": second, "frame": frame, "maf": maf}

    def naive(jobs: list[Job], nodes: int) -> list[int]:
        return wbas(jobs, nodes, wide=wide, narrow=narrow, frame=frame, maf=maf).starts

    return Setting("wbas", parameters, naive)


def tables(candidates: tuple[Candidate, ...]) -> list[dict[str, object]]:
    """Candidates as the kernel takes them: tables with the name beside the parameters."""
    return [{"name": name, **parameters} for name, parameters in candidates]


# The times of most random workloads are a few seconds; bounds, slacks and frames are chosen for that.
SETTINGS = {
    "fcfs": Setting("fcfs", {}, fcfs),
    **{f"easy-{scan}": Setting("easy", {"scan": scan}, partial(easy, scan=scan)) for scan in SCANS},
    "easy-kept": Setting("easy", KEPT, partial(easy, **KEPT)),
    "easy-kept-shortest": Setting("easy", KEPT_SHORTEST, partial(easy, **KEPT_SHORTEST)),
    **{
        f"conservative-{way}": Setting("conservative", {"compress": way}, partial(conservative, compress=way))
        for way in ("arrival", "replan")
    },
    "sjf": Setting("sjf", {}, sjf),
    "ljf": Setting("ljf", {}, ljf),
    "dynp": Setting("dynp", BOUNDS, partial(dynp, **BOUNDS)),
    "ivs": Setting("ivs", VOTES, partial(ivs, **VOTES)),
    "flex": flexible(slack=4),
    "flex-slowdown": flexible(slack=7, cost="slowdown"),
    "flex-heavy": flexible(slack_factor=1.5, cost="area", heavy=True),
    "pbas": adaptive(("flex", {"slack": 3}), ("easy", {}), frame=6, metric="utilization"),
    "pbas-response": adaptive(
        ("easy", {}),
        ("conservative", {}),
        ("flex", {"slack": 3}),
        ("ljf", {}),
        frame=4,
        metric="response",
        phase=3,
    ),
    "pbas-slowdown": adaptive(("fcfs", {}), ("sjf", {}), frame=1, metric="slowdown"),
    "pbas-wait": adaptive(
        ("flex", {"slack": 3}), ("conservative", {}), frame=3, metric="wait", history=9, phase=1
    ),
    "pbas-bounded": adaptive(
        ("easy", {}), ("sjf", {}), ("fcfs", {}), frame=5, metric="bounded_slowdown", history=10
    ),
    "pbas-history": adaptive(("easy", {}), ("flex", {"slack": 5}), frame=2, metric="utilization", history=14),
    "pbas-kept": adaptive(("easy", KEPT), ("sjf", {}), frame=4, metric="response"),
    "wbas": by_width(("flex", {"slack": 4}), ("easy", {}), frame=5, maf=3),
    "wbas-promising": by_width(("conservative", {}), ("flex", {"slack_factor": 1.0}), frame=3, maf=100),
}
EASY = [name for name in SETTINGS if name.startswith("easy")]
CONSERVATIVE = "conservative-arrival"


def table(jobs: list[Job], users: list[int] | None = None) -> Jobs:
    """The kernel's columns of a naive list of jobs, and of the numbers of their users, -1 for none."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*jobs, strict=True))
    user = None if users is None else array("q", users)
    return Jobs(submit=submit, runtime=runtime, estimate=estimate, size=size, user=user)


def simulate(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, before its first event."""
    policy, parameters, _ = SETTINGS[setting]
    return Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))


def finished(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, run to its end."""
    simulation = simulate(workload, setting)
    simulation.run()
    assert simulation.over
    return simulation


def events(simulation: Simulation) -> Iterator[tuple[int, int, int]]:
    """Step to the end; after each step, what happened: (time, kind, job or -1)."""
    while simulation.step():
        assert simulation.last is not None
        yield simulation.last


def after_passes(simulation: Simulation) -> Iterator[int]:
    """Step to the end; stop after each pass, with its instant."""
    for time, kind, _ in events(simulation):
        if kind == PASS:
            yield time


def observe(simulation: Simulation, count: int) -> dict[str, object]:
    """All that the simulation shows of itself and of its `count` jobs at one position, however it got there.

    The decisions are left out: they belong to the step that took them, and go when a copy is put back.
    """
    jobs = range(count)
    return {
        "place": (simulation.now, simulation.event, simulation.over, simulation.peek(), simulation.last),
        "queue": list(simulation.waiting()),
        "running": list(simulation.running()),
        "owners": list(simulation.owners()),
        "counts": (simulation.free, simulation.nodes, simulation.submitted, simulation.finished),
        "metrics": simulation.metrics(),
        "states": [simulation.state(job) for job in jobs],
        "times": [
            (simulation.start_of(job), simulation.finish_of(job), simulation.end_of(job)) for job in jobs
        ],
        "events": [
            (simulation.submit_event(job), simulation.start_event(job), simulation.finish_event(job))
            for job in jobs
        ],
        "promises": [(simulation.promise(job), simulation.first_promise(job)) for job in jobs],
        "reasons": [simulation.explain(job) for job in jobs],
        "results": {name: list(column) for name, column in simulation.results().items()},
        "digest": simulation.digest(),
    }
