"""The rows of partitions whose jobs take turns or suspend others (docs/slurm-cycle.md, section 18)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import IntEnum

import attrs


class RowPlace(IntEnum):
    """Where a job of a list stands: in the row, beside it where there is room, or outside."""

    ACTIVE = 0
    FILLER = 1
    OUTSIDE = 2


@attrs.define(eq=False)
class Member:
    """A job in the list of its partition; `cpus` by node."""

    job: int
    cpus: Mapping[str, int]
    place: RowPlace
    stopped: bool

    def fits(self, used: Mapping[str, int], whole: Mapping[str, int]) -> bool:
        """Whether there is room beside what is used of the nodes."""
        return all(used.get(node, 0) + cpus <= whole[node] for node, cpus in self.cpus.items())


@attrs.frozen
class Switch:
    """A job is suspended, or resumed."""

    job: int
    resumed: bool


class GangRows:
    """The lists of all partitions, highest tier first. Each step returns who is suspended and resumed."""

    def __init__(self, tiers: Mapping[str, int], whole: Mapping[str, int]) -> None:
        self._tiers, self._whole = tiers, whole
        self._lists: dict[str, list[Member]] = {name: [] for name in tiers}

    def stand(self, job: int, partition: str, cpus: Mapping[str, int], stopped: bool) -> None:
        """Put a job that runs or is suspended at the end of its list."""
        place = RowPlace.OUTSIDE if stopped else RowPlace.FILLER
        self._lists[partition].append(Member(job, cpus, place, stopped))

    def start(self, job: int, partition: str, cpus: Mapping[str, int]) -> list[Switch]:
        """A job starts; without room in the row it is suspended at once."""
        members, used = self._lists[partition], self._shadows(partition)
        for each in members:
            if each.place != RowPlace.OUTSIDE:
                used.update(each.cpus)
        new = Member(job, cpus, RowPlace.OUTSIDE, False)
        members.append(new)
        if not new.fits(used, self._whole):
            return list(_stop([new]))
        new.place = RowPlace.FILLER
        return self._refill()

    def finish(self, job: int) -> list[Switch]:
        """A job is over; its place in the row is given to others at once."""
        for members in self._lists.values():
            members[:] = [each for each in members if each.job != job]
        return self._refill()

    def turn(self) -> list[Switch]:
        """A time slice is over: the row goes to the end of the list, and the next is made from its front."""
        changes: list[Switch] = []
        for partition, members in self._lists.items():
            if not any(each.stopped for each in members):
                continue
            members.sort(key=lambda each: each.place == RowPlace.ACTIVE)
            used = self._shadows(partition)
            for each in members:
                each.place = RowPlace.OUTSIDE
                if each.fits(used, self._whole):
                    each.place = RowPlace.ACTIVE
                    used.update(each.cpus)
            changes += _stop(each for each in members if each.place == RowPlace.OUTSIDE)
            changes += _resume(each for each in members if each.place == RowPlace.ACTIVE)
        return changes

    def _refill(self) -> list[Switch]:
        changes: list[Switch] = []
        for partition, members in self._lists.items():
            used = self._shadows(partition)
            for each in sorted(members, key=lambda each: each.place):
                if each.fits(used, self._whole):
                    used.update(each.cpus)
                    each.place = min(each.place, RowPlace.FILLER)
                    changes += _resume([each])
                else:
                    each.place = RowPlace.OUTSIDE
                    changes += _stop([each])
        return changes

    def _shadows(self, partition: str) -> Counter[str]:
        """The CPUs by node that jobs of higher tiers hold, suspended or not."""
        used: Counter[str] = Counter()
        for name, tier in self._tiers.items():
            if tier > self._tiers[partition]:
                for each in self._lists[name]:
                    used.update(each.cpus)
        return used


def _stop(members: Iterable[Member]) -> Iterable[Switch]:
    for each in members:
        if not each.stopped:
            each.stopped = True
            yield Switch(each.job, False)


def _resume(members: Iterable[Member]) -> Iterable[Switch]:
    for each in members:
        if each.stopped:
            each.stopped = False
            yield Switch(each.job, True)
