"""Which rows of a plan rest on rows whose start is marked: they are marked, too."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from shadowtime.console.session.slurm.problem import Problem
from shadowtime.console.session.slurm.queue import Waiting
from shadowtime.kernels.slurm.cycle import run_cycle
from shadowtime.kernels.slurm.records import Place
from shadowtime.scenarios.slurm import Capture


def resting(
    capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], marked: Sequence[bool], now: int
) -> Mapping[int, int]:
    """Return the place of each row that rests on a marked one -> the place of that row.

    The marked row comes before it in the queue and touches it, or the plan without the entries of the marked
    rows has it elsewhere or at another time.
    """
    holders = [place for place, one in enumerate(places) if marked[place] and one.nodes]
    if not holders or all(marked):
        return {}
    touch = _Touch(capture, entries, marked)
    moved = _moved(touch.cluster, entries, places, {places[place].entry for place in holders}, now)
    found: dict[int, int] = {}
    before: list[int] = []
    for place, row in enumerate(places):
        if marked[place]:
            before += [place] if row.nodes else []
            continue
        on = touch.last(row, places, before)
        if on is None and place in moved and before:
            on = before[-1]
        if on is not None:
            found[place] = on
            before += [place] if row.nodes else []
    return found


class _Touch:
    """Which rows can change the rows that follow them in the queue, because they may be on other nodes."""

    def __init__(self, capture: Capture, entries: Sequence[Waiting], marked: Sequence[bool]) -> None:
        self.cluster = Problem(capture)
        self._entries, self._marked = entries, marked
        self._found: dict[int, int] = {}
        """Entry -> the nodes that its job may use, of those that were asked for."""

    def last(self, row: Place, places: Sequence[Place], before: Sequence[int]) -> int | None:
        """Return the last place before a row that touches it; None if none does."""
        if row.start is not None:
            end = self._end(row)
            return next((one for one in reversed(before) if self._touches(one, places[one], row, end)), None)
        if not self._chooses_too_many(row):
            return None
        nodes = self.cluster.masks[self._entries[row.entry].partition.name]
        return next((one for one in reversed(before) if places[one].nodes & nodes), None)

    def _touches(self, place: int, one: Place, row: Place, end: int) -> bool:
        """Whether a row comes after another one on its nodes, or runs beside it on nodes that it may have."""
        if one.start is None or row.start is None:
            return False
        if row.start > one.start and row.nodes & one.nodes:
            return True
        together = row.start < self._end(one) and one.start < end
        return together and self._marked[place] and bool(row.nodes & self._usable(one.entry))

    def _usable(self, place: int) -> int:
        """The nodes that the job of an entry may use."""
        if place not in self._found:
            entry = self._entries[place]
            wish = self.cluster.wish(entry.job, entry.partition)
            usable = (
                reduce(or_, wish.alternatives, 0) & self.cluster.masks[entry.partition.name] & ~wish.excluded
            )
            self._found[place] = wish.required if wish.required.bit_count() == wish.most else usable
        return self._found[place]

    def _end(self, row: Place) -> int:
        """When a run ends, at the limit of a job that starts."""
        job, partition = self._entries[row.entry].job, self._entries[row.entry].partition
        return row.end or (row.start or 0) + 60 * (job.limit or partition.most_minutes or 0)

    def _chooses_too_many(self, row: Place) -> bool:
        """Whether a row is skipped for a limit on the nodes held: it holds no more if it has others."""
        if row.excess is None or row.excess.used is None:
            return False
        entry = self._entries[row.entry]
        limits = self.cluster.limits.on_size(entry.job, entry.partition.name)
        return limits[row.excess.limit].resource == "node"


def _moved(
    cluster: Problem, entries: Sequence[Waiting], places: Sequence[Place], without: set[int], now: int
) -> set[int]:
    """The rows that are others in the plan without some entries."""
    kept = [entry for entry in range(len(entries)) if entry not in without]
    cycle = run_cycle(cluster.cluster([entries[entry] for entry in kept], now, cluster.capture.jobs))
    alone: dict[tuple[int, int], Place] = {}
    tries: dict[int, int] = {}
    for row in cycle.places:
        entry = kept[row.entry]
        tries[entry] = tries.get(entry, -1) + 1
        alone[entry, tries[entry]] = row
    moved, tries = set(), {}
    for place, row in enumerate(places):
        tries[row.entry] = tries.get(row.entry, -1) + 1
        other = alone.get((row.entry, tries[row.entry]))
        if other is not None and (row.outcome, row.start, row.nodes) != (
            other.outcome,
            other.start,
            other.nodes,
        ):
            moved.add(place)
    return moved
