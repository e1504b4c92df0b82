"""The main pass: which jobs start now, the queue taken in order (docs/slurm-cycle.md, section 12)."""

from itertools import islice

from shadowtime.kernels.slurm.records import Cluster, Entry, Outcome, PassResult, Stop
from shadowtime.kernels.slurm.trial import State, Trial, too_wide


def main_pass(cluster: Cluster, depth: int | None = None) -> PassResult:
    """Return the jobs that a pass starts, and what it closed. `depth`: only so many entries of the queue."""
    made = _Pass(cluster)
    for index, entry in enumerate(islice(cluster.entries, depth)):
        made.take(index, entry)
    stopped = Stop.DEPTH if depth is not None and len(cluster.entries) > depth else None
    return PassResult(made.state.begun, made.tried, made.closings, stopped, made.state.preempted)


class _Pass:
    """What a pass has closed, and whom it has started."""

    def __init__(self, cluster: Cluster) -> None:
        self.state = State(cluster)
        self.closed: set[str | int] = set()
        """Partitions, by name, and reservations, by index."""
        self.started: set[int] = set()
        self.trial: Trial | None = None
        """The last one, which the next task of the same array uses again."""
        self.tried = 0
        self.closings: list[int] = []
        """The entries that closed their partition or reservation, by index."""

    def take(self, index: int, entry: Entry) -> None:
        """Try an entry; an array as often as tasks may run."""
        # Only a cycle starts heterogeneous jobs: their entries may not start alone.
        if entry.job in self.started or not entry.starts:
            return
        for _ in range(entry.tries):
            if not self._once(index, entry):
                break
            self.started.add(entry.job)

    def _once(self, index: int, entry: Entry) -> bool:
        """Whether the entry, or a task of it, starts."""
        what = entry.partition if entry.reservation is None else entry.reservation
        if what in self.closed:
            return False
        if self.state.lacks_licenses(entry):
            return False
        if self.state.full_of_jobs(entry) or too_wide(entry):
            return False
        self.tried += 1
        if self.trial is None or self.trial.index != index:
            self.trial = Trial(self.state, index, entry)
        place = self.trial.in_main_pass()
        if place.reason in ("cannot be scheduled", "preempting"):
            self.closed.add(what)
            self.closings.append(index)
            if entry.reservation is None:
                self.state.close(entry.nodes)
        return place.outcome == Outcome.STARTED
