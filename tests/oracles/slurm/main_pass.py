"""The main pass: which jobs start now, the queue taken in order (section 12)."""

from shadowtime.scenarios.slurm import Capture
from tests.oracles.slurm.access.limits import count_reached, over_limit, too_wide
from tests.oracles.slurm.attempt import Trying
from tests.oracles.slurm.cycle import Begun, Made, entries, lacks_now
from tests.oracles.slurm.entry import Cycle, begin_cycle
from tests.oracles.slurm.queue import Entry


class Pass:
    """What a pass has closed, and whom it has started."""

    def __init__(self, capture: Capture, now: int) -> None:
        self.cycle: Cycle = begin_cycle(capture, now)
        self.partitions: set[str] = set()
        self.reservations: set[str] = set()
        self.nodes: frozenset[int] = frozenset()
        self.begun: list[Begun] = []
        self.tried = 0
        self.closings: list[tuple[str, str]] = []

    def made(self, stopped: str = "") -> Made:
        """What the pass did."""
        gone = tuple(self.cycle.preempted)
        return Made(self.begun, self.tried, stopped, tuple(self.closings), preempted=gone)

    def take(self, entry: Entry) -> None:
        """Try an entry; an array as often as tasks may run."""
        if entry.job.het_job:
            return
        if any(each.entry.job.id == entry.job.id for each in self.begun):
            return
        for _ in range(entry.tasks):
            if not self.try_once(entry):
                return

    def try_once(self, entry: Entry) -> bool:
        """Whether the entry, or a task of it, starts."""
        cycle, reservation = self.cycle, entry.job.reservation
        if reservation in self.reservations if reservation else entry.partition.name in self.partitions:
            return False
        if (
            lacks_now(cycle, entry)
            or count_reached(cycle, entry)
            or too_wide(cycle, entry)
            or not entry.may_start
        ):
            return False
        self.tried += 1
        trying = Trying(cycle, entry)
        trying.limit = 60 * trying.whole
        best, victims = trying.first_choice(self.nodes), []
        if best is None:
            best, victims = trying.preempting_now(self.nodes) or (None, [])
        if best is None:
            self.close(entry)
            return False
        if over_limit(cycle, entry, frozenset(best.nodes)):
            return False
        if victims:
            cycle.preempted += victims
            self.close(entry)
            return False
        trying.start_now(best)
        self.begun.append(Begun(entry, cycle.running[-1]))
        return True

    def close(self, entry: Entry) -> None:
        """An entry has no place: close its partition, or its reservation."""
        if entry.job.reservation:
            self.reservations.add(entry.job.reservation)
            self.closings.append((entry.job.reservation, entry.name))
            return
        self.partitions.add(entry.partition.name)
        self.closings.append((entry.partition.name, entry.name))
        self.nodes |= self.cycle.partition_nodes[entry.partition.name]


def main_pass(capture: Capture, now: int, depth: int | None = None) -> Made:
    """What a pass over the whole queue, or over its first entries, does."""
    made = Pass(capture, now)
    found = entries(capture, now)
    for entry in found[:depth]:
        made.take(entry)
    return made.made("default_queue_depth" if depth is not None and len(found) > depth else "")
