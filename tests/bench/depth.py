"""How fast the kernel is where thousands of jobs wait: whole logs, and growth with the queue."""

from collections.abc import Iterator

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.bench.figures import Figure, cpu_seconds
from tests.bench.simulating import an_event, growth_of
from tests.bench.workloads import log_case

RICC = {
    "easy": (1.0, "0.3 s"),
    "conservative": (45, "107 s, and wrong"),
    "sjf": (15, "about 300 s"),
    "ljf": (15, "about 200 s"),
    "dynp": (60, ""),
    "ivs": (60, ""),
}
"""Goal in seconds of CPU for 447,784 jobs with 1,000 to 4,000 waiting, and what version 0.1.0 took."""
OTHERS: tuple[tuple[str, str, dict[str, object], float, str], ...] = (
    ("sjf", "CTC", {}, 0.44, "6.6 s"),
    ("gang", "SDSC-BLUE", {"quantum": 10}, 5.0, "26 s"),
    ("gang", "RICC", {}, 60, ""),
    ("easy", "RICC", {"scan": "shortest"}, 1.0, ""),
    ("conservative", "RICC", {"compress": "replan"}, 60, ""),
)
"""Policy, log, parameters, goal in seconds of CPU, and what version 0.1.0 took."""
GROWING = ("sjf", "ljf", "dynp")


def depth() -> Iterator[Figure]:
    """Whole logs with deep queues, then growth up to 50,000 waiting."""
    for policy, (goal, before) in RICC.items():
        yield _whole(policy, "RICC", {}, goal, before)
    for policy, name, parameters, goal, before in OTHERS:
        yield _whole(policy, name, parameters, goal, before)
    for policy in GROWING:
        yield growth_of(f"{policy}, an event", policy, (1_000, 3_000, 10_000, 50_000), an_event, 0.8)


def _whole(policy: str, name: str, parameters: dict[str, object], goal: float, before: str) -> Figure:
    case = log_case(name)
    what = f"{policy} on {name}"
    if case is None:
        return Figure(what, None, "s of CPU", goal, "log not found")
    jobs, nodes = case.jobs, case.nodes
    took = cpu_seconds(lambda: Simulation(jobs, nodes, make(policy, parameters)).run(), 2)
    was = f"; version 0.1.0: {before}" if before else ""
    return Figure(what, took, "s of CPU", goal, f"{took / len(jobs) * 1e9:,.0f} ns/job{was}")
