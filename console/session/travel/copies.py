"""Copies of the moving state, laid along a run, so that every event is a short replay away.

A copy is worth the replay that it saves. Each one carries the seconds it took to run to it from the one
before; when the copies outgrow their limit, those go first that save little and lie far from where the
operator stands. So the copies are dense near the cursor and thin far away, and any place replayed again
becomes dense. Only the speed of going to an event depends on them, never the state found there.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter

from shadowtime.kernels.core.simulation import Copy

Share = Callable[[Copy], Copy]
"""Makes a copy of one run one of another with the same past."""

LIMIT_BYTES = 192 << 20
LIMIT_COPIES = 8192
KEPT = 7 / 8
"""The share of a limit that is left after thinning: so it is done rarely."""


class LaidCopies:
    """Copies in order of event, as they were at one moment; a worker may read them in its own thread."""

    def __init__(self, copies: Sequence[Copy]) -> None:
        self._copies = copies

    def before_event(self, event: int) -> Copy:
        """Return the last copy that has done at most `event` events."""
        return self._copies[self._place(event) - 1]

    def before_time(self, time: int) -> Copy:
        """Return the last copy that stands at `time` or earlier; the first if all are later."""
        return self._copies[max(bisect_right(self._copies, time, key=attrgetter("now")) - 1, 0)]

    def _place(self, event: int) -> int:
        """Return how many of them have done at most `event` events."""
        return bisect_right(self._copies, event, key=attrgetter("event"))


class Tape(LaidCopies):
    """The copies of one run. The first, of event 0, is never dropped."""

    def __init__(self, origin: Copy, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self._copies: list[Copy] = [origin]
        self._costs = [0.0]
        self.size = origin.size

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def end(self) -> int:
        return self._copies[-1].event

    def marks(self) -> LaidCopies:
        """Return the copies as they are now; O(number of copies)."""
        return LaidCopies(tuple(self._copies))

    def following(self, event: int) -> int | None:
        """Return the event of the first copy after `event`."""
        place = self._place(event)
        return self._copies[place].event if place < len(self._copies) else None

    def lay(self, copy: Copy, cost: float) -> None:
        """Add a copy that took `cost` seconds to reach from the one before; one of its event stays."""
        place = self._place(copy.event)
        if self._copies[place - 1].event == copy.event:
            return
        self._copies.insert(place, copy)
        self._costs.insert(place, cost)
        if place + 1 < len(self._costs):
            self._costs[place + 1] = max(self._costs[place + 1] - cost, 0.0)
        self.size += copy.size

    def adopt(self, copies: Iterable[tuple[Copy, float]]) -> None:
        """Lay the copies, with their costs, that another run of the same case has made."""
        for copy, cost in copies:
            self.lay(copy, cost)

    def laid(self, after: int) -> tuple[tuple[Copy, float], ...]:
        """Return the copies of events later than `after`, with their costs, for `adopt`."""
        place = self._place(after)
        return tuple(zip(self._copies[place:], self._costs[place:], strict=True))

    def parted(self, event: int, share: Share) -> "Tape":
        """Return the tape of another run that has this one's past up to and with `event`."""
        tape = Tape(share(self._copies[0]), self._limit)
        place = self._place(event)
        tape.adopt((share(self._copies[at]), self._costs[at]) for at in range(1, place))
        return tape

    def thin(self, cursor: int) -> None:
        """Drop copies beyond the limits: first those that save little, far from the event `cursor`."""
        if self.size <= self._limit and len(self._copies) <= LIMIT_COPIES:
            return
        while self._too_many() and len(self._copies) > 2:
            self._drop(self._cheapest(cursor))

    def _too_many(self) -> bool:
        return self.size > self._limit * KEPT or len(self._copies) > LIMIT_COPIES * KEPT

    def _cheapest(self, cursor: int) -> set[int]:
        """Return some places to drop, the cheapest; no two side by side, so that no gap triples."""
        costs = self._costs
        reached = [0.0]
        for cost in costs[1:]:
            reached.append(reached[-1] + cost)
        here = reached[max(self._place(cursor) - 1, 0)]
        mean = reached[-1] / len(reached) or 1.0

        def worth(place: int) -> float:
            gap = costs[place] + (costs[place + 1] if place + 1 < len(costs) else 0.0)
            return (gap + mean) / (abs(reached[place] - here) + mean)

        chosen: set[int] = set()
        size, count = self.size, len(self._copies)
        for place in sorted(range(1, len(costs)), key=worth):
            # A part at a time: what is dropped makes its neighbours worth more.
            enough = size <= self._limit * KEPT and count <= LIMIT_COPIES * KEPT
            if enough or len(chosen) > len(costs) * (1 - KEPT):
                break
            if place - 1 not in chosen and place + 1 not in chosen:
                chosen.add(place)
                size -= self._copies[place].size
                count -= 1
        return chosen

    def _drop(self, places: set[int]) -> None:
        for place in sorted(places, reverse=True):
            self.size -= self._copies[place].size
            if place + 1 < len(self._costs):
                self._costs[place + 1] += self._costs[place]
            del self._copies[place], self._costs[place]


class Recent:
    """The last few copies around the cursor, an event apart or little more: single steps back are instant."""

    def __init__(self, count: int = 64, limit: int = 24 << 20) -> None:
        self._count = count
        self._limit = limit
        self._copies: dict[int, Copy] = {}
        self._size = 0

    def keep(self, copy: Copy) -> None:
        """Remember a copy, and forget the oldest ones that are too many or too big."""
        old = self._copies.pop(copy.event, None)
        self._size += copy.size - (old.size if old else 0)
        self._copies[copy.event] = copy
        while len(self._copies) > 1 and (len(self._copies) > self._count or self._size > self._limit):
            self._size -= self._copies.pop(next(iter(self._copies))).size

    def before_event(self, event: int) -> Copy | None:
        """Return the last of them that has done at most `event` events."""
        known = [number for number in self._copies if number <= event]
        return self._copies[max(known)] if known else None

    def parted(self, event: int, share: Share) -> "Recent":
        """Return those of another run that has this one's past up to and with `event`."""
        recent = Recent(self._count, self._limit)
        for copy in self._copies.values():
            if copy.event <= event:
                recent.keep(share(copy))
        return recent
