"""When the running jobs leave, and which nodes a job could then have (docs/slurm.md, section 5)."""

from bisect import insort
from collections.abc import Iterable

import attrs

from kernels.slurm.choice import Choice, Rooms
from kernels.slurm.occupancy import Occupancy
from kernels.slurm.records import Holder, Nodes, Rules, Wish

STEP = 30
"""Seconds: the first width of a step, and the grid of its beginning."""


@attrs.frozen
class Found:
    """A start with its nodes. `overdue`: jobs past their end were thought away for it."""

    at: int
    nodes: Rooms
    overdue: bool = False


class Departures:
    """The running jobs of a cycle, by when they leave."""

    def __init__(self, now: int, nodes: Nodes, rules: Rules, holders: Iterable[Holder]) -> None:
        self.now, self.nodes, self.rules = now, nodes, rules
        self.holders = sorted(holders, key=_leaves)
        self.occupancy = Occupancy(nodes, rules, self.holders)

    def start(self, holder: Holder) -> None:
        """A job runs from now on; it comes after those that leave in the same second."""
        insort(self.holders, holder, key=_leaves)
        self.occupancy.add(holder)

    def earliest(self, wish: Wish, available: int, from_: int, later: int | None) -> Found | None:
        """The earliest start from a time on, on available nodes; `later` bounds the search."""
        old = self.rules.release == 2205
        if from_ <= self.now or old:
            nodes = self._choose(wish, available, False)
            if nodes is not None:
                return Found(self.now, nodes)
        gone: list[Holder] = []
        try:
            if not old:
                until = from_ + (self.rules.release == 2605)
                self._remove([holder for holder in self.holders if holder.end < until], gone)
                nodes = self._choose(wish, available, False)
                if nodes is not None:
                    return Found(from_, nodes, any(holder.end <= self.now for holder in gone))
            away = {id(holder) for holder in gone}
            rest = [holder for holder in self.holders if id(holder) not in away]
            return self._in_steps(wish, available, rest, None if old else later, gone)
        finally:
            for holder in gone:
                self.occupancy.add(holder)

    def _remove(self, holders: list[Holder], gone: list[Holder]) -> None:
        for holder in holders:
            self.occupancy.remove(holder)
        gone += holders

    def _choose(self, wish: Wish, available: int, capped: bool, busy: int | None = None) -> Rooms | None:
        rooms = self.occupancy.rooms(wish, available, capped)
        return Choice(self.nodes, wish, rooms, self.rules.release, busy).result()

    def _in_steps(
        self, wish: Wish, available: int, rest: list[Holder], later: int | None, gone: list[Holder]
    ) -> Found | None:
        busy = None
        if self.rules.busy_nodes:
            busy = 0
            for holder in self.holders:
                busy |= holder.nodes
        removed: list[Holder] = []
        width, base, place = STEP, 0, 0
        while True:
            before = len(removed)
            last = True
            while True:
                while place < len(rest) and not rest[place].nodes & available:
                    place += 1
                if place == len(rest) or (later is not None and rest[place].leaves > later):
                    break
                holder = rest[place]
                self._remove([holder], gone)
                removed.append(holder)
                place += 1
                base = base or (holder.leaves // STEP + 1) * STEP
                if place < len(rest) and rest[place].leaves > base + width:
                    last = False
                    break
            if len(removed) > before:
                nodes = self._choose(wish, available, True, busy)
                if nodes is not None:
                    return Found(self._moment(removed, nodes), nodes)
            if last:
                return None
            width = self._wider(width, rest[place].leaves - base)

    def _wider(self, width: int, needed: int) -> int:
        """The width of the next step, which reaches the next job."""
        if linear := self.rules.window_linear:
            return width + linear * max(0, -(-(needed - width) // linear))
        while width < needed:
            width *= 2
        return width

    def _moment(self, removed: list[Holder], nodes: Rooms) -> int:
        if self.rules.release == 2605:
            for holder in reversed(removed):
                if not holder.takes.keys().isdisjoint(nodes):
                    return holder.leaves
        return removed[-1].leaves


def _leaves(holder: Holder) -> int:
    return holder.leaves
