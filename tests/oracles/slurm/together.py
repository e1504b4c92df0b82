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
        self.starts: dict[int, dict[int, tuple[str, int]]] = {}
        """Job -> component -> its partition and the start that counts of it."""
        self.failed: set[int] = set()
        self.now: dict[int, list[tuple[Entry, Trying, Start]]] = {}
        """The components that are planned at now."""

    def first_try(self, entry: Entry, now: int) -> int:
        """When the first try of an entry is."""
        return max([now, *(start for _, start in self.starts.get(entry.job.het_job, {}).values())])

    def found(self, entry: Entry, start: int) -> None:
        """A component has a start."""
        self.starts.setdefault(entry.job.het_job, {})[entry.job.id] = entry.partition.name, start

    def by_partition(self, job: int, old: bool) -> dict[str, int]:
        """The start of a job in each partition: the latest of its components there (22.05: the earliest)."""
        found: dict[str, int] = {}
        for partition, start in self.starts[job].values():
            best = min if old else max
            found[partition] = best(start, found.get(partition, start))
        return found

    def deadlock(self, entry: Entry, old: bool) -> bool:
        """Whether another job waits for this one in one partition, and this one for it in another."""
        mine, here = self.by_partition(entry.job.het_job, old), entry.partition.name
        for job in self.starts:
            other = self.by_partition(job, old)
            if job == entry.job.het_job or here not in other:
                continue
            for elsewhere in (mine.keys() & other.keys()) - {here}:
                if mine[here] == other[here]:
                    return True
                if mine[here] < other[here] and mine[elsewhere] > other[elsewhere]:
                    return True
        return False

    def whole(self, capture: Capture) -> list[list[tuple[Entry, "Trying", "Start"]]]:
        """The jobs all of whose components are planned at now, in the order of the queue."""
        size: dict[int, int] = {}
        for job in capture.jobs:
            if job.het_job and job.waiting:
                size[job.het_job] = size.get(job.het_job, 0) + 1
        return [found for job, found in self.now.items() if len(found) == size[job]]
