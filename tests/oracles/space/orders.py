"""Orders of the queue (S02): SJF, LJF, FCFS re-planned, and the two deciders that switch between them.

In every pass all waiting jobs are placed in the order of the policy in force, each at its earliest time in a
fresh plan above the running jobs, and those placed at the instant itself start.

Where the text leaves room, these are the choices:
- The deciders are asked in every pass, also when nobody waits. The mean of no estimates is none, so dynP
  keeps its policy then, whatever the threshold; IVS goes back to FCFS when too few nodes are busy.
- Both start as FCFS.
- IVS asks about short jobs first: should a negative delta let both kinds be in the majority, SJF wins.
- A switch is listed at the instant of the pass that makes it, whether or not anything starts otherwise.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.space.plan import planned

ORDERS: dict[str, Callable[[Job], int]] = {
    "fcfs": lambda job: 0,
    "sjf": lambda job: job.estimate,
    "ljf": lambda job: -job.estimate,
}
"""What the queue is sorted by; equals keep the order of arrival."""

Decider = Callable[[str, list[int], int], str]
"""(policy in force, waiting jobs in order of arrival, busy nodes) before anything starts -> policy."""


class Moment(NamedTuple):
    """A pass: the policy that made it and the jobs that it started."""

    now: int
    policy: str
    started: list[int]


def moments(jobs: list[Job], nodes: int, decide: Decider) -> Iterator[Moment]:
    """Every pass of a run: after the completions and the submissions of each instant."""
    coming, policy = 0, "fcfs"
    waiting: list[int] = []
    running: dict[int, int] = {}  # job -> start
    while coming < len(jobs) or running:
        ends = [start + jobs[index].runtime for index, start in running.items()]
        now = min(ends + [job.submit for job in jobs[coming : coming + 1]])
        running = {index: start for index, start in running.items() if start + jobs[index].runtime > now}
        while coming < len(jobs) and jobs[coming].submit == now:
            waiting.append(coming)
            coming += 1
        policy = decide(policy, waiting, sum(jobs[index].size for index in running))
        order = sorted(waiting, key=lambda index: ORDERS[policy](jobs[index]))
        places = planned(jobs, order, running, nodes, now)
        started = [index for index in order if places[index] == now]
        waiting = [index for index in waiting if index not in started]
        running |= dict.fromkeys(started, now)
        yield Moment(now, policy, started)


def starts(jobs: list[Job], passes: Iterator[Moment]) -> list[int]:
    """Start of every job."""
    found = {index: moment.now for moment in passes for index in moment.started}
    return [found[index] for index in range(len(jobs))]


def switches(passes: Iterator[Moment]) -> list[tuple[int, str]]:
    """Each change of the policy: its instant and what is in force from then on."""
    changes, policy = [], "fcfs"
    for moment in passes:
        if moment.policy != policy:
            changes.append((moment.now, moment.policy))
        policy = moment.policy
    return changes


def always(policy: str) -> Decider:
    """The decider that never changes its mind."""
    return lambda _policy, _waiting, _busy: policy


def sjf(jobs: list[Job], nodes: int) -> list[int]:
    """Starts when the shortest estimate goes first."""
    return starts(jobs, moments(jobs, nodes, always("sjf")))


def ljf(jobs: list[Job], nodes: int) -> list[int]:
    """Starts when the longest estimate goes first."""
    return starts(jobs, moments(jobs, nodes, always("ljf")))


def replanned(jobs: list[Job], nodes: int) -> list[int]:
    """Starts when the first to come goes first: conservative backfilling, planned anew in every pass."""
    return starts(jobs, moments(jobs, nodes, always("fcfs")))


def dynp_decider(jobs: list[Job], lower: int, upper: int, threshold: int) -> Decider:
    """DynP: by the mean estimate of the waiting jobs, when there are enough of them."""

    def decide(policy: str, waiting: list[int], busy: int) -> str:
        if not waiting or len(waiting) < threshold:
            return policy
        total = sum(jobs[index].estimate for index in waiting)
        if total <= lower * len(waiting):
            return "sjf"
        if total <= upper * len(waiting):
            return "fcfs"
        return "ljf"

    return decide


def dynp(jobs: list[Job], nodes: int, lower: int = 7200, upper: int = 9000, threshold: int = 5) -> list[int]:
    """Starts under dynP."""
    return starts(jobs, moments(jobs, nodes, dynp_decider(jobs, lower, upper, threshold)))


def dynp_switches(
    jobs: list[Job], nodes: int, lower: int = 7200, upper: int = 9000, threshold: int = 5
) -> list[tuple[int, str]]:
    """The changes of policy under dynP: instant, and what is in force from then on."""
    return switches(moments(jobs, nodes, dynp_decider(jobs, lower, upper, threshold)))


def ivs_decider(
    jobs: list[Job], nodes: int, delta: int, utilized: float, interactive: int, classes: list[str] | None
) -> Decider:
    """IVS: by the vote of the waiting jobs, interactive against batch, when the machine is utilized."""

    def is_interactive(index: int) -> bool:
        if classes is not None and any(classes):
            return classes[index] == "interactive"
        return jobs[index].estimate <= interactive

    def decide(policy: str, waiting: list[int], busy: int) -> str:
        if busy < utilized * nodes:
            return "fcfs"
        short = sum(is_interactive(index) for index in waiting)
        long = len(waiting) - short
        if short > long + delta:
            return "sjf"
        if long > short + delta:
            return "ljf"
        return policy

    return decide


def ivs(
    jobs: list[Job],
    nodes: int,
    delta: int = 0,
    utilized: float = 0.5,
    interactive: int = 900,
    classes: list[str] | None = None,
) -> list[int]:
    """Starts under IVS; `classes` are those of the jobs, and count if any of them is not empty."""
    return starts(jobs, moments(jobs, nodes, ivs_decider(jobs, nodes, delta, utilized, interactive, classes)))


def ivs_switches(
    jobs: list[Job],
    nodes: int,
    delta: int = 0,
    utilized: float = 0.5,
    interactive: int = 900,
    classes: list[str] | None = None,
) -> list[tuple[int, str]]:
    """The changes of policy under IVS: instant, and what is in force from then on."""
    return switches(moments(jobs, nodes, ivs_decider(jobs, nodes, delta, utilized, interactive, classes)))
