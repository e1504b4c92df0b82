"""The components of heterogeneous jobs, which start together (section 20)."""

from typing import TYPE_CHECKING

from shadowtime.scenarios.slurm import Capture
from tests.oracles.slurm.queue import Entry

if TYPE_CHECKING:
    from tests.oracles.slurm.attempt import Trying
    from tests.oracles.slurm.will_run import Start


class Together:
    """What a cycle has found for the components of heterogeneous jobs, by the id of the first one."""

    def __init__(self) -> None:
        self.latest: dict[int, int] = {}
        self.starts: dict[tuple[int, str], int] = {}
        """The latest start of a job's components in a partition."""
        self.failed: set[int] = set()
        self.now: dict[int, list[tuple[Entry, Trying, Start]]] = {}
        """The components that are planned at now."""

    def first_try(self, entry: Entry, now: int) -> int:
        """When the first try of an entry is."""
        return max(now, self.latest.get(entry.job.het_job, now))

    def found(self, entry: Entry, start: int) -> None:
        """A component has a start."""
        job, here = entry.job.het_job, (entry.job.het_job, entry.partition.name)
        self.latest[job] = max(start, self.latest.get(job, start))
        self.starts[here] = max(start, self.starts.get(here, start))

    def deadlock(self, entry: Entry) -> bool:
        """Whether another job waits for this one in one partition, and this one for it in another."""
        mine, here = entry.job.het_job, entry.partition.name
        for (other, partition), start in self.starts.items():
            if other == mine or partition != here:
                continue
            for (job, elsewhere), at in self.starts.items():
                if job != mine or elsewhere == here or (other, elsewhere) not in self.starts:
                    continue
                before = self.starts[mine, here] < start and at > self.starts[other, elsewhere]
                if before or self.starts[mine, here] == start:
                    return True
        return False

    def whole(self, capture: Capture) -> list[list[tuple[Entry, "Trying", "Start"]]]:
        """The jobs all of whose components are planned at now, in the order of the queue."""
        size: dict[int, int] = {}
        for job in capture.jobs:
            if job.het_job and job.waiting:
                size[job.het_job] = size.get(job.het_job, 0) + 1
        return [found for job, found in self.now.items() if len(found) == size[job]]
