"""The components of heterogeneous jobs, which start together (docs/slurm-cycle.md, section 20)."""

from collections import defaultdict
from typing import Generic, TypeVar

from shadowtime.kernels.slurm.records import Entry

Trial = TypeVar("Trial")


class Together(Generic[Trial]):
    """What a cycle has found for components, with their trials; a job is named by its first one."""

    def __init__(self) -> None:
        self._latest: dict[int, int] = {}
        self._starts: dict[str, dict[int, int]] = defaultdict(dict)
        """Partition -> job -> the latest start of its components there."""
        self.failed: set[int] = set()
        """The jobs of which a component has no start."""
        self._now: dict[int, dict[int, Trial]] = defaultdict(dict)
        """Job -> component -> the first trial that planned it at now."""

    def first_try(self, entry: Entry, now: int) -> int:
        """Return the instant of the first try of an entry: the latest start of the components before it."""
        return max(now, self._latest.get(entry.component, now))

    def add(self, entry: Entry, start: int) -> None:
        """Keep the start of a component."""
        here = self._starts[entry.partition]
        here[entry.component] = max(start, here.get(entry.component, start))
        self._latest[entry.component] = max(start, self._latest.get(entry.component, start))

    def is_deadlock(self, entry: Entry) -> bool:
        """Return whether a job goes before another here that goes before it elsewhere, or starts with it."""
        mine, here = entry.component, self._starts[entry.partition]
        elsewhere = [each for name, each in self._starts.items() if name != entry.partition and mine in each]
        return any(
            here[mine] == start or (here[mine] < start and there[other] < there[mine])
            for other, start in here.items()
            if other != mine
            for there in elsewhere
            if other in there
        )

    def at_now(self, entry: Entry, trial: Trial) -> None:
        """A component is planned at now, by a trial."""
        self._now[entry.component].setdefault(entry.job, trial)

    def whole(self, entries: tuple[Entry, ...]) -> list[Trial]:
        """Return the trials of the jobs all of whose components are planned at now."""
        size = {entry.component: entry.components for entry in entries if entry.component}
        ready = [trials for job, trials in self._now.items() if len(trials) == size[job]]
        return [trial for trials in ready for trial in trials.values()]
