"""Checkpoint-based backfilling (N12, Algorithms 1-3): predictions are cut, and who overruns his is stopped.

Where the text leaves room, these are the choices:
- The scan for backfilling goes in the order of the queue, where preempted jobs stand in front: that is the
  order of arrival but for them.
- Only a head that had to have others preempted waits for their state to be saved (T_delay). One that fits at
  its reserve time, since everybody was done in time, begins at once, as do all that start beside it.
- The predicted end of a head that waits for T_delay counts from the instant at which its run begins.
- A job whose estimate is below the threshold is predicted to take its whole estimate, however often it was
  checkpointed.
- Jobs of the same size that were started in the same pass are preempted in the order of their starts.
- Should the preemptable nodes be too few (no fault of these jobs), nothing more is done in that pass.
- A job that was stopped as often as it may be is backfilled by the rest of its estimate, and not stopped
  again.
- With a memory, the time to save a job goes by its nodes, up to those of one I/O node, and it restarts in
  twice that.
"""

from dataclasses import dataclass
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.outcome import Outcome, lives_of, outcome_of


class Rules(NamedTuple):
    """The parameters, p in millionths."""

    p: int
    threshold: int
    delay: int
    extend: int
    limit: int
    """How often a job is stopped at most; 0: no limit."""
    save: int
    """Microseconds to save a node; 0: `delay` and `extend` hold for all jobs."""
    group: int
    """Nodes that are saved through one I/O node, one after another."""

    def saving(self, size: int) -> int:
        """Seconds to save a job of so many nodes, to the nearest second."""
        return (min(size, self.group) * self.save + 500_000) // 1_000_000

    def restart(self, size: int) -> int:
        """Seconds without progress at the beginning of a restarted run."""
        return 2 * self.saving(size) if self.save else self.extend

    def wait(self, sizes: list[int]) -> int:
        """Seconds until the head runs for which jobs of these sizes were stopped."""
        return max(map(self.saving, sizes)) if self.save else self.delay


@dataclass
class Run:
    """A job on its nodes."""

    job: int
    begins: int
    """When the run begins; the nodes were taken T_delay before that, or at the same instant."""
    idle: int
    """Seconds at the beginning of the run in which the job makes no progress."""
    ends: int
    predicted: int
    """Predicted end."""
    preemptable: bool


class Cluster:
    """The queue and the nodes, and what a pass does with them."""

    def __init__(self, jobs: list[Job], nodes: int, rules: Rules) -> None:
        self.jobs, self.nodes, self.rules = jobs, nodes, rules
        self.lives = lives_of(jobs)
        self.queue: list[int] = []
        self.runs: list[Run] = []  # in the order of their starts
        self.reserve_time: int | None = None

    @property
    def free(self) -> int:
        """Nodes that nobody holds."""
        return self.nodes - sum(self.jobs[run.job].size for run in self.runs)

    def remaining(self, index: int) -> int:
        """What is left of a job's estimate, with what a restart costs on top."""
        return self.jobs[index].estimate - self.lives[index].done + self.restart(index)

    def restart(self, index: int) -> int:
        """Seconds without progress at the beginning of the run that a job would begin."""
        return self.rules.restart(self.jobs[index].size) if self.lives[index].preemptions else 0

    def protected(self, index: int) -> bool:
        """Whether a job was stopped as often as it may be."""
        return 0 < self.rules.limit <= self.lives[index].preemptions

    def prediction(self, index: int) -> int:
        """How long a job is predicted to run when it is backfilled."""
        estimate = self.jobs[index].estimate
        if self.protected(index):
            return self.remaining(index)
        if estimate < self.rules.threshold:
            return estimate
        if self.lives[index].preemptions:
            return self.remaining(index)
        return -(-estimate * self.rules.p // 1_000_000)

    def start(self, index: int, now: int, begins: int, length: int, preemptable: bool) -> None:
        """Give a job its nodes now; its run begins then or later and is predicted to take `length`."""
        life = self.lives[index]
        idle = self.restart(index)
        ends = begins + idle + self.jobs[index].runtime - life.done
        self.queue.remove(index)
        self.runs.append(Run(index, begins, idle, ends, begins + length, preemptable))
        life.begin(begins)

    def complete(self, now: int) -> None:
        """Jobs whose run is over leave."""
        for run in self.runs:
            if run.ends == now:
                self.lives[run.job].finish = now
        self.runs = [run for run in self.runs if run.ends > now]

    def reservation(self, head: int, now: int) -> tuple[int, int]:
        """First moment at which the blocked head fits, by predicted ends, and the extra nodes then."""
        size = self.jobs[head].size
        ends = [(max(run.predicted, now), self.jobs[run.job].size) for run in self.runs]
        for moment in sorted({end for end, _ in ends}):
            free = self.free + sum(width for end, width in ends if end <= moment)
            if free >= size:
                return moment, free - size
        raise AssertionError("the head is larger than the machine")

    def preempt(self, head: int, now: int) -> list[int]:
        """Stop backfilled jobs until the head fits; their sizes, none if all together are not enough."""
        preemptable = [run for run in self.runs if run.preemptable]
        # Sorting keeps the order of the starts among equals.
        preemptable.sort(key=lambda run: self.jobs[run.job].size, reverse=True)
        if self.free + sum(self.jobs[run.job].size for run in preemptable) < self.jobs[head].size:
            return []
        stopped = []
        for run in preemptable:
            if self.free >= self.jobs[head].size:
                break
            self.runs.remove(run)
            self.lives[run.job].stop(now, max(0, now - run.begins - run.idle))
            stopped.append(run.job)
        self.queue = sorted(stopped) + self.queue
        return [self.jobs[index].size for index in stopped]

    def make_pass(self, now: int) -> None:
        """One scheduling pass: steps 1 to 4, from the top again after every preemption."""
        self.reserve_time = None
        while True:
            while self.queue and self.jobs[self.queue[0]].size <= self.free:
                self.start(self.queue[0], now, now, self.remaining(self.queue[0]), False)
            if not self.queue:
                return
            head = self.queue[0]
            moment, extra = self.reservation(head, now)
            if moment > now:
                break
            stopped = self.preempt(head, now)
            if not stopped:
                return
            self.start(head, now, now + self.rules.wait(stopped), self.remaining(head), False)
        self.reserve_time = moment
        self.backfill(now, moment, extra)

    def backfill(self, now: int, moment: int, extra: int) -> None:
        """Start those behind the head that by their predictions do not delay it."""
        for index in self.queue[1:]:
            size, length = self.jobs[index].size, self.prediction(index)
            if size > self.free:
                continue
            if now + length <= moment:
                self.start(index, now, now, length, not self.protected(index))
            elif size <= extra:
                self.start(index, now, now, length, not self.protected(index))
                extra -= size


def checkpoint(
    jobs: list[Job],
    nodes: int,
    p: float = 0.2,
    threshold: int = 1800,
    delay: int = 0,
    extend: int = 0,
    limit: int = 0,
    memory: float = 0,
    bandwidth: float = 0.595,
    group: int = 64,
) -> Outcome:
    """The schedule of a workload; runtimes are at most the estimates.

    A pass is made at completions, at the end of each T_delay, at the reserve time and at submissions.
    """
    save = round(memory / bandwidth * 1_000_000)
    rules = Rules(round(p * 1_000_000), threshold, delay, extend, limit, save, group)
    cluster = Cluster(jobs, nodes, rules)
    coming, now = 0, -1
    while coming < len(jobs) or cluster.runs:
        events = [run.ends for run in cluster.runs]
        events += [run.begins for run in cluster.runs if run.begins > now]
        events += [jobs[coming].submit] if coming < len(jobs) else []
        events += [cluster.reserve_time] if cluster.reserve_time is not None else []
        now = min(events)
        cluster.complete(now)
        while coming < len(jobs) and jobs[coming].submit == now:
            cluster.queue.append(coming)
            coming += 1
        cluster.make_pass(now)
    return outcome_of(cluster.lives)
