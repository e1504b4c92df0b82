"""The components of heterogeneous jobs, which start together (docs/slurm-cycle.md, section 20)."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Generic, TypeVar

from shadowtime.kernels.slurm.records import Entry

Trial = TypeVar("Trial")


class Together(Generic[Trial]):
    """What a cycle has found for components, with their trials; a job is named by its first one."""

    def __init__(self, old: bool) -> None:
        self._best = min if old else max
        self._starts: dict[int, dict[int, tuple[str, int]]] = defaultdict(dict)
        """Job -> component -> its partition and the start of it that counts."""
        self.failed: set[int] = set()
        """The jobs of which a component has no start."""
        self._now: dict[int, dict[int, Trial]] = defaultdict(dict)
        """Job -> component -> the first trial that planned it at now."""

    def first_try(self, entry: Entry, now: int) -> int:
        """Return the instant of the first try of an entry: the latest start of the components before it."""
        return max([now, *(start for _, start in self._starts[entry.component].values())])

    def add(self, entry: Entry, start: int) -> None:
        self._starts[entry.component][entry.job] = entry.partition, start

    def is_deadlock(self, entry: Entry) -> bool:
        """Return whether a job goes before another here that goes before it elsewhere, or starts with it."""
        mine, here = self._by_partition(entry.component), entry.partition
        if len(mine) < 2:
            return False
        others = (self._by_partition(job) for job in self._starts if job != entry.component)
        return any(
            mine[here] == other[here] or (mine[here] < other[here] and other[name] < mine[name])
            for other in others
            if here in other
            for name in mine
            if name != here and name in other
        )

    def _by_partition(self, job: int) -> dict[str, int]:
        """The start of a job in each partition: the latest of its components there (22.05: the earliest)."""
        found: dict[str, int] = {}
        for partition, start in self._starts[job].values():
            found[partition] = self._best(start, found.get(partition, start))
        return found

    def at_now(self, entry: Entry, trial: Trial) -> None:
        """A component is planned at now, by a trial."""
        self._now[entry.component].setdefault(entry.job, trial)

    def whole(self, entries: Iterable[Entry]) -> list[Trial]:
        """Return the trials of the jobs all of whose components are planned at now."""
        if not self._now:
            return []
        size = {entry.component: entry.components for entry in entries if entry.component}
        ready = [trials for job, trials in self._now.items() if len(trials) == size[job]]
        return [trial for trials in ready for trial in trials.values()]
