"""Who may preempt whom, and what becomes of a job that is preempted (docs/slurm-cycle.md, section 17)."""

from collections.abc import Sequence
from typing import Protocol

from shadowtime.scenarios.slurm import Capture, Job, Partition

MODES = frozenset(("SUSPEND", "REQUEUE", "CANCEL"))


class Queued(Protocol):
    """A waiting job in one of its partitions."""

    @property
    def job(self) -> Job:
        """The job."""

    @property
    def partition(self) -> Partition:
        """The partition."""


class Preemption:
    """The rules of a cluster. What does not change with the jobs is made once."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.by_tier = capture.settings.preempt == "preempt/partition_prio"
        self.by_quality = capture.settings.preempt == "preempt/qos"
        words = capture.settings.preempt_mode.split(",")
        self.general = next((word for word in words if word in MODES), "OFF")
        self.lists = {quality.name: quality.preempts for quality in capture.qualities}
        self.groups = capture.partitions if self.by_tier else capture.qualities
        """What a job is preempted by: the partitions, or the qualities of service."""
        self.own = {each.name: each.preempt_mode for each in self.groups}
        """Partition, or quality of service -> its mode."""
        if self.by_tier:
            self.ranks = {each.name: each.tier for each in capture.partitions}
        else:
            self.ranks = {each.name: each.priority for each in capture.qualities}

    @property
    def on(self) -> bool:
        return self.by_tier or self.by_quality

    def may(self, entry: Queued, job: Job, partition: str) -> bool:
        """Whether an entry preempts a job that has, or waits for, nodes of a partition."""
        if self.by_tier:
            return self.ranks[partition] < entry.partition.tier
        return job.qos in self.lists.get(entry.job.qos, ())

    def compare(self, one: Queued, other: Queued) -> int:
        """Below 0 if one entry stands before another, because it preempts it; above 0 the other way."""
        return self.may(other, one.job, one.partition.name) - self.may(one, other.job, other.partition.name)

    def mode(self, job: Job) -> str:
        """What happens to a job that is preempted: SUSPEND, REQUEUE, CANCEL or OFF."""
        return self.own.get(self._group(job), "") or self.general

    def victims(
        self, entry: Queued, holding: Sequence[Job], now: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The jobs that an entry may suspend, and those that it may have requeued or cancelled, by index.

        The second ones are in the order in which they are thought away: rank, size, id.
        """
        suspends, preempts = [], []
        exempt = self.capture.settings.preempt_exempt
        for index, job in enumerate(holding):
            mode = self.mode(job)
            if mode not in MODES or "COMPLETING" in job.states:
                continue
            if not self.may(entry, job, job.partitions[0]):
                continue
            if mode == "SUSPEND":
                suspends.append(index)
            elif "SUSPENDED" not in job.states and job.end > now >= job.begin + exempt:
                preempts.append((self.ranks.get(self._group(job), 0), len(job.nodes), job.id, index))
        return tuple(suspends), tuple(index for *_, index in sorted(preempts))

    def _group(self, job: Job) -> str:
        return job.partitions[0] if self.by_tier else job.qos
