"""The profile: the nodes that nobody has reserved, by time (docs/slurm.md, section 3)."""

from bisect import bisect_left
from collections.abc import Mapping

Licenses = Mapping[str, int]


class Profile:
    """Records [begins[i], ends[i]) with the free nodes and the free licences of each."""

    def __init__(self, begin: int, end: int, free: int, licenses: Licenses, resolution: int) -> None:
        self.begins, self.ends, self.free = [begin], [end], [free]
        self.licenses = [licenses]
        self.resolution = resolution
        self.records = 1

    def reserve(self, begin: int, end: int, nodes: int, licenses: Licenses) -> None:
        """Take nodes and licences out of [begin, end), at least one step of the resolution long."""
        begin = max(begin, self.begins[0])
        end = max(end, begin + self.resolution)
        place = bisect_left(self.ends, begin)
        if place == len(self.ends):
            return
        first = max(0, place - 1)
        if self.ends[place] > begin:
            self._split(place, begin)
        place += 1
        while place < len(self.ends) and self.begins[place] < end:
            if self.ends[place] > end:
                self._split(place, end)
            self.free[place] &= ~nodes
            if licenses:
                left = self.licenses[place]
                self.licenses[place] = {name: left[name] - licenses.get(name, 0) for name in left}
            if self.ends[place] == end:
                break
            place += 1
        self._merge(first, min(place + 1, len(self.ends) - 1))

    def overlapping(self, begin: int, end: int) -> range:
        """The places of the records that overlap [begin, end)."""
        first = bisect_left(self.ends, begin + 1)
        last = first
        while last < len(self.begins) and self.begins[last] < end:
            last += 1
        return range(first, last)

    def lacks(self, place: int, wanted: Licenses) -> bool:
        """Whether a record has too few licences."""
        free = self.licenses[place]
        return any(free.get(name, 0) < count for name, count in wanted.items())

    def _split(self, place: int, time: int) -> None:
        self.begins.insert(place + 1, time)
        self.ends.insert(place, time)
        self.free.insert(place, self.free[place])
        self.licenses.insert(place, self.licenses[place])
        self.records += 1

    def _merge(self, first: int, last: int) -> None:
        """Merge the first two neighbours that are alike."""
        for place in range(first, last):
            if self.free[place] == self.free[place + 1] and self.licenses[place] == self.licenses[place + 1]:
                del self.begins[place + 1], self.ends[place]
                del self.free[place], self.licenses[place]
                return
