"""The tries of one entry (docs/slurm.md, sections 4 and 11)."""

from kernels.slurm.bits import mask_of
from kernels.slurm.departures import Departures, Found
from kernels.slurm.profile import Profile
from kernels.slurm.records import UNKNOWN, Cluster, Entry, Holder, Outcome, Place, Take


class State:
    """What a cycle changes: the profile, who runs, and whether the table of records is full."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.rules, self.now = cluster, cluster.rules, cluster.now
        self.end = self.floor(self.now + self.rules.window)
        licenses = dict(cluster.licenses) if self.rules.licenses else {}
        begin = self.floor(self.now)
        self.profile = Profile(begin, self.end, cluster.nodes.up, licenses, self.rules.resolution)
        self.departures = Departures(self.now, cluster.nodes, self.rules, cluster.holders)
        self.full = False
        if self.rules.running_job_reserve or self.rules.licenses:
            for holder in cluster.holders:
                taken = holder.licenses if self.rules.licenses else {}
                whole = holder.nodes if holder.exclusive else 0
                self.profile.reserve(self.now, self.ceil(holder.leaves), whole, taken)

    def floor(self, time: int) -> int:
        """A time, down to the grid."""
        return time - time % self.rules.resolution

    def ceil(self, time: int) -> int:
        """A time, up to the grid."""
        return self.floor(time + self.rules.resolution - 1)


class Trial:
    """The tries of one entry, `index` in the queue."""

    def __init__(self, state: State, index: int, entry: Entry) -> None:
        self.state, self.index, self.entry = state, index, entry
        self.licenses = entry.wish.licenses if state.rules.licenses else {}
        self.later: int | None = None

    def for_now(self) -> Place:
        """A start now, or none."""
        now = self.state.now
        allowed = self._allowed(now)
        if allowed is None or allowed[0] > now:
            return self._skipped("cannot be scheduled")
        nodes, _, _ = self._free(allowed[1], now)
        found = self._earliest(nodes, now, now)
        if found is None or found.at > now:
            return self._skipped("cannot be scheduled")
        return self._start(found)

    def place(self) -> Place:
        """What becomes of the entry."""
        self.later = self.state.now
        while self.later is not None:
            place = self._once(self.later)
            if place is not None:
                return place
        return self._skipped("cannot be scheduled")

    def _skipped(self, reason: str) -> Place:
        return Place(self.index, Outcome.SKIPPED, reason=reason)

    def _once(self, from_: int) -> Place | None:
        """One try; None if it fails: `later` says when the next one is."""
        state, rules = self.state, self.state.rules
        self.later = None
        allowed = self._allowed(from_)
        if allowed is None:
            return self._skipped("reservation defer")
        start, nodes, in_way = allowed
        if state.end < start:
            return self._skipped("earliest try after the window")
        available, self.later, fits = self._free(nodes, start)
        if in_way:
            self._after_reservations(start)
        if not fits:
            return None
        found = self._earliest(available, start, self.later)
        if found is None:
            return None
        at, old = max(found.at, start), rules.release == 2205
        blocked = at > state.now and self._blocked(at, found)
        if blocked and not old:
            self.later = at + (rules.resolution if rules.release == 2605 and at == start else 0)
            return None
        if at <= state.now and not found.overdue:
            return self._start(found)
        if not found.overdue and self.later is not None and at > self.later:
            return None
        if blocked:
            self.later = at
            return None
        return self._plan(at, found)

    def _allowed(self, start: int) -> tuple[int, int, bool] | None:
        """From when, on which nodes, and whether a reservation was in the way; None: never."""
        entry, reservations = self.entry, self.state.cluster.reservations
        nodes = -1
        if entry.reservation is not None:
            if entry.reservation == UNKNOWN:
                return None
            own = reservations[entry.reservation]
            start = max(start, own.begin)
            if start >= own.end:
                return None
            nodes = own.nodes
        left, in_way = nodes, False
        for _ in range(10):
            left, in_way, moved = nodes, False, False
            for index, each in enumerate(reservations):
                if index == entry.reservation or each.begin >= start + entry.limit or each.end <= start:
                    continue
                whole = each.all_nodes or (each.maintenance and not entry.nodes & ~each.nodes)
                if entry.reservation is None and (whole or each.nodes & entry.wish.required):
                    start, moved = each.end, True
                    break
                left, in_way = left & ~each.nodes, True
            if not moved:
                break
        return start, left, in_way

    def _after_reservations(self, start: int) -> None:
        """The next try is not after the end of the reservation that ends first."""
        state = self.state
        ends = [each.end for each in state.cluster.reservations if each.end >= start]
        if ends:
            after = state.ceil(min(ends)) + 1
            if after < state.end and (self.later is None or after < self.later):
                self.later = after

    def _free(self, nodes: int, start: int) -> tuple[int, int | None, bool]:
        """The nodes that nobody has reserved, when to try next, and whether licences suffice."""
        profile, release = self.state.profile, self.state.rules.release
        nodes &= self.entry.nodes & self.state.cluster.nodes.up & ~self.entry.wish.excluded
        end = max(start, self.state.now) + self.entry.limit
        free, later, fits = nodes, None, True
        last = len(profile.ends) - 1
        for place in range(profile.overlapping(start, start + 1).start, last + 1):
            if profile.ends[place] <= start:
                continue
            within = profile.begins[place] <= end
            if within and self.licenses and profile.lacks(place, self.licenses):
                fits = False
                later = profile.ends[place] if later is None else later
                if release == 2605:
                    break
            if (
                later is None
                and place < last
                and nodes & profile.free[place + 1] & ~(free & profile.free[place])
            ):
                later = profile.ends[place]
            if not within:
                if later is None and place + 2 <= last and release != 2205:
                    later = profile.ends[place + 1]
                break
            free &= profile.free[place]
        return free, later, fits

    def _earliest(self, available: int, start: int, later: int | None) -> Found | None:
        """The earliest start over the alternatives of the features, the first among equals."""
        wish, best = self.entry.wish, None
        for having in wish.alternatives:
            nodes = available & having
            if wish.required & ~nodes or nodes.bit_count() < wish.least:
                continue
            found = self.state.departures.earliest(wish, nodes, start, later)
            if found is not None and (best is None or found.at < best.at):
                best = found
        return best

    def _end(self, at: int) -> int:
        end = at + self.entry.limit
        return self.state.floor(end) if self.state.rules.release == 2205 else self.state.ceil(end)

    def _blocked(self, at: int, found: Found) -> bool:
        """Whether a record in the time of the run lacks one of the nodes, or licences."""
        profile, nodes = self.state.profile, mask_of(found.nodes)
        return any(
            nodes & ~profile.free[place] or (self.licenses and profile.lacks(place, self.licenses))
            for place in profile.overlapping(self.state.floor(at), self._end(at))
        )

    def _plan(self, at: int, found: Found) -> Place:
        state, nodes = self.state, mask_of(found.nodes)
        if at > state.now + state.rules.window:
            return Place(self.index, Outcome.BEYOND, at, at + self.entry.limit, nodes)
        if self._over_limit(nodes):
            return self._skipped("accounting limit")
        end = self._end(at)
        if state.profile.records >= state.rules.most_records:
            state.full = True
        else:
            state.profile.reserve(state.floor(at), end, nodes, self.licenses)
        return Place(self.index, Outcome.PLANNED, at, end, nodes)

    def _over_limit(self, nodes: int) -> bool:
        entry = self.entry
        most = self.state.cluster.most_nodes.get(entry.quality)
        if most is None:
            return False
        for holder in self.state.departures.holders:
            if holder.user == entry.user and holder.quality == entry.quality:
                nodes |= holder.nodes
        return nodes.bit_count() > most

    def _start(self, found: Found) -> Place:
        state, entry, nodes = self.state, self.entry, mask_of(found.nodes)
        end = state.now + self._limit_started(nodes)
        takes = {node: self._take(node, cpus) for node, cpus in found.nodes.items()}
        state.departures.start(
            Holder(end, end, takes, nodes, entry.wish.exclusive, entry.user, entry.quality, self.licenses)
        )
        if entry.wish.exclusive or self.licenses:
            grid = state.floor(end) if state.rules.release == 2205 else state.ceil(end)
            whole = nodes if entry.wish.exclusive else 0
            state.profile.reserve(state.profile.begins[0], grid, whole, self.licenses)
        return Place(self.index, Outcome.STARTED, state.now, None, nodes)

    def _limit_started(self, nodes: int) -> int:
        """Seconds of the limit with which a job starts."""
        state, entry = self.state, self.entry
        if state.rules.release != 2605 or entry.whole_limit == entry.limit:
            return entry.limit
        minutes, profile = entry.whole_limit // 60, state.profile
        for begin, free in zip(profile.begins, profile.free, strict=True):
            if state.now < begin < state.now + 60 * minutes and nodes & ~free:
                minutes = min(minutes, (begin - state.now) // 60)
        return max(60 * minutes, entry.limit)

    def _take(self, node: int, cpus: int) -> Take:
        """What the job holds of a node once it runs."""
        shape, wish = self.state.cluster.nodes, self.entry.wish
        threads = shape.threads[node]
        cpus = shape.cpus[node] if wish.exclusive else -(-cpus // threads) * threads
        memory = wish.memory_per_node or wish.memory_per_cpu * cpus or shape.memory[node]
        free, taken = self.state.departures.occupancy.free_devices(node), dict[tuple[str, str], int]()
        for (name, kind), count in wish.devices.items():
            left = count
            for (other, its), have in free.items():
                if other == name and kind in ("", its) and left > 0:
                    taken[other, its] = taken.get((other, its), 0) + min(have, left)
                    left -= min(have, left)
        return Take(cpus, memory, taken)
