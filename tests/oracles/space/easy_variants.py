"""EASY with a relaxed head, predicted runtimes and speculation: docs/schedulers.md, sections 2.1 to 2.3."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from tests.oracles.jobs import Job
from tests.oracles.space.easy import shadow_of

MINUTE, HOUR = 60, 3600
MILLION = 1_000_000
CORRECTIONS = [
    1 * MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    *(hours * HOUR for hours in (1, 2, 5, 10, 20, 50, 100)),
]
"""Seconds that the corrections of one run add, one after another; each later one adds the last of them."""


@dataclass
class Run:
    """A job on its nodes."""

    job: int
    start: int
    predicted: int
    """When the scheduler believes that it ends."""
    latest: int
    """When it ends at the latest: at its estimate."""
    speculative: bool
    corrections: int = 0


@dataclass
class Machine:
    """The machine, the queue and what the scheduler keeps from pass to pass."""

    jobs: list[Job]
    nodes: int
    users: list[int]
    scan: str
    relax: int
    """In millionths, as `speculate`."""
    predicts: bool
    speculate: int
    queue: list[int] = field(default_factory=list)
    """In order of arrival."""
    runs: list[Run] = field(default_factory=list)
    """In the order in which they began."""
    history: dict[int, list[int]] = field(default_factory=dict)
    """Runtimes of a user's jobs, in the order of their ends."""
    preempted: set[int] = field(default_factory=set)
    kept: tuple[int, int] | None = None
    """The blocked head that the last pass left, and its least latest start."""
    starts: dict[int, list[int]] = field(default_factory=dict)
    """Every start of every job."""

    @property
    def free(self) -> int:
        """Nodes that nobody has."""
        return self.nodes - sum(self.jobs[run.job].size for run in self.runs)

    def fits(self, index: int) -> bool:
        """Whether a job could start now."""
        return self.jobs[index].size <= self.free

    def end(self, run: Run) -> int:
        """When a run ends unless it is killed."""
        return run.start + self.jobs[run.job].runtime

    def length(self, index: int) -> int:
        """For how long the scheduler believes that a waiting job will run."""
        job, known = self.jobs[index], self.history.get(self.users[index], [])
        if not self.predicts or self.users[index] < 0 or not known:
            return job.estimate
        last = known[-2:]
        return min(job.estimate, max(1, sum(last) // len(last)))

    def begin(self, index: int, now: int, speculative: bool = False) -> None:
        """Start a waiting job."""
        self.queue.remove(index)
        predicted = now + (1 if speculative else self.length(index))
        self.runs.append(Run(index, now, predicted, now + self.jobs[index].estimate, speculative))
        self.starts.setdefault(index, []).append(now)

    def timers(self) -> list[int]:
        """Predicted ends that may be corrected."""
        runs = [run for run in self.runs if self.predicts and not run.speculative]
        return [run.predicted for run in runs if run.predicted < run.latest]

    def complete(self, now: int) -> None:
        """Jobs whose runtime is over leave, those that began first before the others."""
        for run in [run for run in self.runs if self.end(run) == now]:
            self.runs.remove(run)
            if self.users[run.job] >= 0:
                self.history.setdefault(self.users[run.job], []).append(self.jobs[run.job].runtime)

    def correct(self, now: int) -> None:
        """Runs that have outlived their predicted ends get later ones."""
        for run in self.runs:
            while self.predicts and not run.speculative and run.predicted <= now:
                step = CORRECTIONS[min(run.corrections, len(CORRECTIONS) - 1)]
                run.predicted = min(run.predicted + step, run.latest)
                run.corrections += 1

    def start_heads(self, now: int) -> None:
        """Heads start while they fit, at the cost of speculative runs if need be."""
        while self.queue:
            head = self.queue[0]
            if not self.fits(head) and not self.kill_for(head):
                return
            self.begin(head, now)

    def kill_for(self, head: int) -> bool:
        """Kill speculative runs until the head fits; none if all of them are not enough."""
        speculative = [run for run in self.runs if run.speculative]
        if self.jobs[head].size > self.free + sum(self.jobs[run.job].size for run in speculative):
            return False
        for run in sorted(speculative, key=lambda run: -self.jobs[run.job].size):
            if self.fits(head):
                break
            self.runs.remove(run)
            self.preempted.add(run.job)
            self.queue = sorted([*self.queue, run.job])
        # The head starts even where a killed job has come before it in the queue.
        self.queue.remove(head)
        self.queue.insert(0, head)
        return True

    def scanned(self) -> list[int]:
        """The jobs behind the head in the order in which they are tried."""
        keys = {
            "arrival": lambda index: 0,
            "shortest": self.length,
            "longest": lambda index: -self.length(index),
            "widest": lambda index: -self.jobs[index].size,
            "narrowest": lambda index: self.jobs[index].size,
        }
        return sorted(self.queue[1:], key=keys[self.scan])

    def make_pass(self, now: int) -> None:
        """One pass."""
        self.correct(now)
        self.start_heads(now)
        if not self.queue:
            self.kept = None
            return
        head = self.queue[0]
        predicted = [(run.predicted, self.jobs[run.job].size) for run in self.runs]
        shadow, _ = shadow_of(self.jobs[head], now, self.free, predicted)
        latest = shadow + floor(Fraction(self.relax * (shadow - self.jobs[head].submit), MILLION))
        if self.kept is not None and self.kept[0] == head:
            latest = min(latest, self.kept[1])
        self.kept = head, latest
        limit = max(shadow, latest)
        by_then = sum(size for end, size in predicted if max(end, now + 1) <= limit)
        extra = self.free + by_then - self.jobs[head].size
        for index in self.scanned():
            if not self.fits(index):
                continue
            if now + self.length(index) <= limit:
                self.begin(index, now)
            elif self.jobs[index].size <= extra:
                self.begin(index, now)
                extra -= self.jobs[index].size
        for index in self.scanned() if self.speculate else []:
            tried = ceil(Fraction(self.speculate * self.length(index), MILLION))
            if self.fits(index) and index not in self.preempted and tried <= limit - now:
                self.begin(index, now, speculative=True)


def easy_variant(
    jobs: list[Job],
    nodes: int,
    users: list[int] | None = None,
    scan: str = "arrival",
    relax: float = 0.0,
    predict: str = "estimates",
    speculate: float = 0.0,
) -> list[list[int]]:
    """Every start of every job; a job ends from its last. `users` are numbers, -1 for none."""
    machine = Machine(
        jobs,
        nodes,
        users or [-1] * len(jobs),
        scan,
        round(Fraction(relax) * MILLION),
        predict == "users",
        round(Fraction(speculate) * MILLION),
    )
    coming = list(range(len(jobs)))
    while coming or machine.runs:
        ends = [machine.end(run) for run in machine.runs]
        now = min([jobs[index].submit for index in coming[:1]] + ends + machine.timers())
        machine.complete(now)
        while coming and jobs[coming[0]].submit == now:
            machine.queue.append(coming.pop(0))
        machine.make_pass(now)
    return [machine.starts[index] for index in range(len(jobs))]
