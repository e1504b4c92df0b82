"""How the tests drive the schedulers that stop running jobs, and those that go by classes and shifts."""

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import PASS
from tests.oracles.jobs import Job, Workload
from tests.oracles.outcome import Outcome
from tests.oracles.space.checkpoint import checkpoint
from tests.oracles.space.maui import maui


class Stopping(NamedTuple):
    """A policy that stops jobs, with its parameters and the naive program that it must agree with."""

    policy: str
    parameters: dict[str, Any]
    naive: Callable[[list[Job], int], Outcome]


def checkpointing(p: float, threshold: int, **others: float) -> Stopping:
    """Checkpoint-based backfilling."""
    parameters = {"p": p, "threshold": threshold, **others}
    return Stopping("checkpoint", parameters, lambda jobs, nodes: checkpoint(jobs, nodes, **parameters))  # type: ignore[arg-type]


def preempting(**weights: float) -> Stopping:
    """Maui with preemption."""

    def naive(jobs: list[Job], nodes: int) -> Outcome:
        return maui(jobs, nodes, preempt=True, priorities=priorities(jobs), **weights)  # type: ignore[arg-type]

    return Stopping("maui", {"preempt": True, **weights}, naive)


# The times of most random workloads are a few seconds; thresholds and overheads are chosen for that.
STOPPING = {
    "checkpoint": checkpointing(0.2, 0),
    "checkpoint-threshold": checkpointing(0.3, 4),
    "checkpoint-overhead": checkpointing(0.25, 0, delay=2, extend=3),
    "checkpoint-slow": checkpointing(0.1, 3, delay=9, extend=14),
    "checkpoint-once": checkpointing(0.2, 3, delay=1, extend=4, limit=1),
    "checkpoint-memory": checkpointing(0.25, 0, memory=2.0, bandwidth=1.5, group=3),
    "checkpoint-memory-twice": checkpointing(0.1, 2, memory=0.5, bandwidth=0.7, group=2, limit=2),
    "maui-preempt": preempting(),
    "maui-preempt-expansion": preempting(weight_expansion=1.0, weight_class=0.5),
    "maui-preempt-weights": preempting(weight_queue_time=3.5, weight_size=-0.02, weight_class=0.01),
}
CHECKPOINT = [name for name, setting in STOPPING.items() if setting.policy == "checkpoint"]
MAUI = [name for name, setting in STOPPING.items() if setting.policy == "maui"]


def restart_of(setting: str, size: int) -> int:
    """Seconds without progress at the head of a restarted run of a job of so many nodes."""
    known = STOPPING[setting].parameters
    if not known.get("memory"):
        return int(known.get("extend", 0))
    node: int = round(known["memory"] / known["bandwidth"] * 1_000_000)
    return 2 * ((min(size, int(known["group"])) * node + 500_000) // 1_000_000)


def delay_of(setting: str, sizes: list[int]) -> int:
    """Seconds until the head runs for which jobs of these sizes stopped."""
    known = STOPPING[setting].parameters
    if not known.get("memory"):
        return int(known.get("delay", 0))
    return max(restart_of(setting, size) // 2 for size in sizes)


def priorities(jobs: list[Job]) -> list[int]:
    """A priority for each job's class, from what the job is."""
    return [(job.size + job.estimate) % 4 for job in jobs]


def table(jobs: list[Job]) -> Jobs:
    """The kernel's columns of a naive list of jobs, with priorities."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*jobs, strict=True))
    levels = array("q", priorities(jobs))
    return Jobs(submit=submit, runtime=runtime, estimate=estimate, size=size, priority=levels)


def simulate(workload: Workload, setting: str) -> Simulation:
    """A simulation of the workload, before its first event."""
    policy, parameters, _ = STOPPING[setting]
    return Simulation(table(workload.jobs), workload.nodes, make(policy, parameters))


def check_pending(simulation: Simulation) -> None:
    """Run to the end; the reason of a job right before the pass that starts it is the pending pass."""
    while (upcoming := simulation.peek()) is not None:
        reasons = {job: simulation.explain(job) for job in simulation.waiting()}
        assert simulation.step()
        if upcoming[1] == PASS:
            started = [job for kind, job, *_ in simulation.decisions() if kind not in ("reserve", "preempt")]
            codes = {reason[0] for job, reason in reasons.items() if reason and job in started}
            assert codes <= {"pass_pending"}
