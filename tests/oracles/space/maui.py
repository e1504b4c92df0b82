"""Maui (TF05; N12's classical algorithm): one reservation, the queue by priority, and preemption on request.

Where the text leaves room, these are the choices:
- Priorities are computed when a pass begins, and again after each preemption, when those that were stopped
  find their place among the others with the priority of one that has waited for nothing yet.
- The place in the queue that settles ties is the place without priorities: those preempted last, then those
  preempted before, then the others in order of arrival. No earlier pass leaves its order behind.
- The scans for backfilling go in the order of the queue, by priority where there are weights.
- With `preempt` an estimate matters to the priority only.
- Reservations are made anew in each pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.outcome import Outcome, lives_of, outcome_of
from tests.oracles.space.easy import shadow_of
from tests.oracles.space.plan import Plan


class Weights(NamedTuple):
    """What each part of the priority counts."""

    queue_time: float
    expansion: float
    size: float
    job_class: float
    wfp: float = 0.0


@dataclass
class Run:
    """A job on its nodes."""

    job: int
    start: int
    out_of_order: bool


class Cluster:
    """The queue and the nodes, and what a pass does with them."""

    def __init__(self, jobs: list[Job], nodes: int, weights: Weights, priorities: Sequence[int]) -> None:
        self.jobs, self.nodes, self.weights, self.priorities = jobs, nodes, weights, priorities
        self.lives = lives_of(jobs)
        self.queue: list[int] = []  # by place, whatever the priorities say
        self.runs: list[Run] = []  # in the order of their starts

    @property
    def free(self) -> int:
        """Nodes that nobody has."""
        return self.nodes - sum(self.jobs[run.job].size for run in self.runs)

    def fits(self, index: int) -> bool:
        """Whether a job could start now."""
        return self.jobs[index].size <= self.free

    def end(self, run: Run) -> int:
        """When a run ends unless it is stopped."""
        return run.start + self.jobs[run.job].runtime - self.lives[run.job].done

    def priority(self, index: int, now: int) -> float:
        """How urgent a waiting job is, in double precision."""
        job, weights = self.jobs[index], self.weights
        waited = now - self.lives[index].entered
        value = weights.queue_time * (waited / 60.0)
        value = value + weights.expansion * ((waited + job.estimate) / job.estimate)
        value = value + weights.size * job.size
        value = value + weights.job_class * self.priorities[index]
        share = waited / job.estimate
        return value + weights.wfp * (share * share * share * job.size)

    def ordered(self, now: int) -> list[int]:
        """The queue by priority, highest first; sorting keeps the places of equals."""
        return sorted(self.queue, key=lambda index: -self.priority(index, now))

    def start(self, index: int, now: int, out_of_order: bool) -> None:
        """Start a waiting job."""
        self.queue.remove(index)
        self.runs.append(Run(index, now, out_of_order))
        self.lives[index].begin(now)

    def start_heads(self, now: int) -> list[int]:
        """Start heads while they fit; those that are left, the blocked head first."""
        waiting = self.ordered(now)
        while waiting and self.fits(waiting[0]):
            self.start(waiting.pop(0), now, False)
        return waiting

    def complete(self, now: int) -> None:
        """Jobs whose run is over leave."""
        for run in self.runs:
            if self.end(run) == now:
                self.lives[run.job].finish = now
        self.runs = [run for run in self.runs if self.lives[run.job].finish is None]

    def pass_with_reservation(self, now: int, windows: str) -> None:
        """Heads start while they fit, then those that do not delay the blocked head."""
        waiting = self.start_heads(now)
        if not waiting:
            return
        predicted = [(run.start + self.jobs[run.job].estimate, self.jobs[run.job].size) for run in self.runs]
        shadow, extra = shadow_of(self.jobs[waiting[0]], now, self.free, predicted)
        rest = waiting[1:]
        if windows == "widest":
            for index in waiting[1:]:
                if self.fits(index) and now + self.jobs[index].estimate <= shadow:
                    self.start(index, now, True)
                    rest.remove(index)
        for index in rest:
            if not self.fits(index):
                continue
            if windows == "queue" and now + self.jobs[index].estimate <= shadow:
                self.start(index, now, True)
            elif self.jobs[index].size <= extra:
                self.start(index, now, True)
                extra -= self.jobs[index].size

    def pass_with_reservations(self, now: int, windows: str, reservations: int) -> None:
        """Several jobs may not be delayed: who starts fits into a plan of what runs and is reserved."""
        plan = Plan(self.nodes, now)
        for run in self.runs:
            plan.take(self.jobs[run.job].size, now, run.start + self.jobs[run.job].estimate)
        waiting, reserved = self.ordered(now), list[int]()
        while waiting and len(reserved) < reservations:
            index = waiting.pop(0)
            size, length = self.jobs[index].size, self.jobs[index].estimate
            time = plan.earliest(size, length)
            plan.take(size, time, time + length)
            if time == now:
                self.start(index, now, bool(reserved))
            else:
                reserved.append(time)
        for window in ("in time", "any") if windows == "widest" else ("any",):
            for index in list(waiting):
                size, length = self.jobs[index].size, self.jobs[index].estimate
                late = window == "in time" and now + length > min(reserved)
                if late or plan.earliest(size, length) > now:
                    continue
                plan.take(size, now, now + length)
                self.start(index, now, True)
                waiting.remove(index)

    def pass_with_preemption(self, now: int) -> None:
        """Heads start, at the cost of jobs out of order if need be; then whatever else fits."""
        waiting = self.start_heads(now)
        while waiting and self.preempt(waiting[0], now):
            self.start(waiting[0], now, False)
            waiting = self.start_heads(now)
        for index in waiting[1:]:
            if self.fits(index):
                self.start(index, now, True)

    def preempt(self, head: int, now: int) -> bool:
        """Stop jobs that started out of order until the head fits; none if all of them are not enough."""
        stoppable = [run for run in self.runs if run.out_of_order]
        # Sorting keeps the order of the starts among equals.
        stoppable.sort(key=lambda run: self.jobs[run.job].size, reverse=True)
        if self.free + sum(self.jobs[run.job].size for run in stoppable) < self.jobs[head].size:
            return False
        stopped = []
        for run in stoppable:
            if self.fits(head):
                break
            self.runs.remove(run)
            self.lives[run.job].stop(now, now - run.start)
            stopped.append(run.job)
        self.queue = sorted(stopped) + self.queue
        return True


def maui(
    jobs: list[Job],
    nodes: int,
    windows: str = "queue",
    preempt: bool = False,
    reservations: int = 1,
    weight_queue_time: float = 0.0,
    weight_expansion: float = 0.0,
    weight_size: float = 0.0,
    weight_class: float = 0.0,
    weight_wfp: float = 0.0,
    priorities: list[int] | None = None,
) -> Outcome:
    """The schedule of a workload; `windows` is "queue" or "widest", `priorities` those of the jobs' classes.

    `reservations` is the number of jobs that cannot be delayed.
    A pass is made at completions and at submissions.
    """
    weights = Weights(weight_queue_time, weight_expansion, weight_size, weight_class, weight_wfp)
    cluster = Cluster(jobs, nodes, weights, priorities or [0] * len(jobs))
    coming = 0
    while coming < len(jobs) or cluster.runs:
        ends = [cluster.end(run) for run in cluster.runs]
        now = min(ends + [job.submit for job in jobs[coming : coming + 1]])
        cluster.complete(now)
        while coming < len(jobs) and jobs[coming].submit == now:
            cluster.queue.append(coming)
            coming += 1
        if preempt:
            cluster.pass_with_preemption(now)
        elif reservations > 1:
            cluster.pass_with_reservations(now, windows, reservations)
        else:
            cluster.pass_with_reservation(now, windows)
    return outcome_of(cluster.lives)
