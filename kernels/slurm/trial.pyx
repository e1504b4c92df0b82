"""The tries of one entry (docs/slurm-cycle.md, sections 4 and 11)."""

cimport cython

from shadowtime.kernels.core.types cimport FOREVER, int64_t, seconds_t
from shadowtime.kernels.slurm.bounds cimport over_limit, too_wide
from shadowtime.kernels.slurm.counted cimport by_terms
from shadowtime.kernels.slurm.departures cimport Found
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Held
from shadowtime.kernels.slurm.profile cimport Profile
from shadowtime.kernels.slurm.request cimport FAR, Request, bounded, request_of
from shadowtime.kernels.slurm.state cimport Booked, State
from shadowtime.kernels.slurm.victims cimport preempting, sharing

from shadowtime.kernels.slurm.records import UNKNOWN, Holder, Measure, Outcome, Place, Take

# Looked up once: the class of an enumeration takes its time to find a member.
cdef object MINUTES = Measure.MINUTES
cdef object PLANNED = Outcome.PLANNED, STARTED = Outcome.STARTED, SKIPPED = Outcome.SKIPPED, BEYOND = Outcome.BEYOND

cdef enum:
    MOST_MOVES = 10     # of a start, out of the way of reservations


@cython.final
cdef class Trial:
    """The tries of one entry, `index` in the queue."""

    cdef State state
    cdef object entry, licenses
    cdef Request request
    cdef seconds_t limit, later         # FOREVER: there is no later
    cdef bint fits, in_way
    cdef bint bounded                   # whether a try fails if too few nodes can have room by `later`
    cdef seconds_t counted              # of a component: the start that counts for the others; FOREVER: none does
    cdef readonly Py_ssize_t index
    cdef Found chosen                   # of a component that is planned at now
    cdef NodeSet available, allowed     # of one try: without those that are reserved, and with them
    cdef NodeSet room                   # what `_too_few` works on

    def __cinit__(self, State state, Py_ssize_t index, entry):
        self.state, self.index, self.entry = state, index, entry
        self.request = request_of(entry, state.cluster.nodes, state.departures.occupancy.kinds, state.departures.occupancy.capped)
        self.available, self.allowed = self.request.candidates.copy(), self.request.candidates.copy()
        self.room = NodeSet(self.available.length)
        self.limit, self.counted = bounded(entry.limit, FAR), FOREVER
        self.bounded = state.release != 2205 and entry.shares < 2 and not self.request.terms
        self.bounded &= not entry.suspends and not entry.preempts
        self.licenses = entry.wish.licenses if state.rules.licenses else {}
        if entry.component or entry.suspends or entry.preempts:
            state.hold(state.now)
        for limit in entry.limits:
            if limit.what == MINUTES:
                state.hold(state.now)

    cdef NodeSet _near(self):
        """The nodes that the entry prefers for its start; None if it has no limit on nodes, or nobody of it holds any."""
        cdef NodeSet nodes = None
        cdef list holding
        cdef Held held
        for near in self.entry.near:
            holding = next(filter(None, [self.state.departures.scoped.get(scope) for scope in near.scopes]), [])
            if holding and (nodes is None or near.instead):
                nodes = NodeSet(self.request.candidates.length)
            for held in holding:
                nodes.join(held.nodes)
        return nodes

    cdef NodeSet _as_light(self, NodeSet near, NodeSet usable):
        """The nodes that weigh no more: the preferred ones, and those of a line without a usable one of them."""
        cdef NodeSet made = near.copy(), line, here
        for line in self.state.lines:
            here = line.copy()
            here.keep(usable)
            if not here.meets(near):
                made.join(line)
        return made

    cdef Found _immediate(self, NodeSet available):
        """A start now beside all running jobs, on the preferred nodes if there are some."""
        cdef NodeSet nodes, near = self._near() if self.entry.starts else None
        cdef Found found = None
        for nodes in self._having(available):
            self.request.near = None if near is None else self._as_light(near, nodes)
            found = self.state.departures.immediate(self.request, nodes, False)
            if found is not None:
                break
        self.request.near = None
        return found

    def for_now(self):
        """A start now, or none."""
        excess = too_wide(self.entry)
        if excess is not None:
            return self._skipped("accounting limit", excess)
        cdef Found found = self._first_choice(None)
        if found is None or not self.entry.starts:
            return self._skipped("cannot be scheduled")
        return self._start_or_plan(found)

    cdef Found _first_choice(self, NodeSet closed):
        """A start now beside all running jobs, or in a row, on nodes that are not closed."""
        cdef NodeSet allowed = self._now(closed), nodes
        cdef Found found
        if allowed is None:
            return None
        if self.request.terms:
            found = by_terms(self.state.departures, self.request, allowed, FOREVER, FOREVER)
            return None if found is None or found.stays else found
        found = self._immediate(allowed)
        if found is not None:
            return found
        for nodes in self._having(allowed):
            found = sharing(self.state.departures, self.request, nodes, self.entry)
            if found is not None:
                return found
        return None

    cdef NodeSet _now(self, NodeSet closed):
        """The nodes that are not closed and that nobody has reserved from now on; None if it may not start now."""
        cdef NodeSet allowed = NodeSet(self.request.candidates.length)
        if self._allow(self.state.now, allowed) != self.state.now:
            return None
        if closed is not None:
            allowed.drop(closed)
        self._free(allowed, self.state.now)
        return allowed if self.fits else None

    cdef Found _preempting(self, NodeSet allowed, list victims):
        """A start now for which others are preempted; those that are not suspended go to `victims`."""
        cdef NodeSet nodes
        cdef Found found
        cdef State state = self.state
        if not self.entry.suspends and not self.entry.preempts:
            return None
        for nodes in self._having(allowed):
            found = preempting(state.departures, self.request, nodes, self.entry, state.preempted, victims)
            if found is not None:
                return found
        return None

    def in_main_pass(self):
        """A start now with the whole limit, on nodes that are not closed, or none (docs/slurm-cycle.md, section 12)."""
        cdef list victims = []
        cdef NodeSet allowed
        self.limit = bounded(self.entry.whole_limit, FAR)
        cdef Found found = self._first_choice(self.state.closed)
        if found is None:
            allowed = self._now(self.state.closed)
            if allowed is not None:
                found = self._preempting(allowed, victims)
        if found is None:
            return self._skipped("cannot be scheduled")
        excess = self._over_limit(found.nodes)
        if excess is not None:
            return self._skipped("accounting limit", excess)
        if victims:
            self.state.preempted.extend(victims)
            return self._skipped("preempting")
        return self._start(found)

    def place(self):
        """What becomes of the entry."""
        excess = too_wide(self.entry)
        if excess is not None:
            return self._skipped("accounting limit", excess)
        self.later = self.state.now
        if self.entry.component:
            self.later = self.state.together.first_try(self.entry, self.state.now)
        while self.later != FOREVER:
            place = self._once(self.later)
            if place is not None:
                return place
        return self._skipped("cannot be scheduled")

    @property
    def counts(self):
        """Whether a start of a component counts: the planned one (22.05: the earliest that a try found)."""
        return self.counted != FOREVER

    cdef object _skipped(self, str reason, object excess=None):
        return Place(self.index, SKIPPED, reason=reason, excess=excess)

    cdef object _once(self, seconds_t since):
        """One try; None if it fails: `later` says when the next one is."""
        cdef State state = self.state
        cdef NodeSet available = self.available
        cdef seconds_t start, at
        cdef Found found, again
        cdef bint blocked, old = state.release == 2205
        self.later = FOREVER
        start = self._allow(since, available)
        if start == FOREVER:
            return self._skipped("reservation defer")
        if state.end <= start:
            state.hold(start - state.window)
        if state.end < start:
            return self._skipped("earliest try after the window")
        self._free(available, start)
        if self.in_way:
            self._after_reservations(start)
        if not self.fits:
            return None
        found = self._earliest(available, start, self.later)
        if start <= state.now and (found is None or found.at > state.now or found.overdue):
            place = self._beside_others(available)
            if place is not None:
                return place
        if found is None:
            return None
        at = max(found.at, start)
        if old:
            self.counted = min(at, self.counted)
            self._count()
        blocked = at > state.now and self._blocked(at, found)
        if blocked and not old:
            self.later = at + (state.resolution if at == start else 0)
            return None
        if at <= state.now and not found.overdue:
            if self.entry.starts and not self.request.terms:
                again = self._immediate(available)
                return self._start_or_plan(again) if again is not None else self._plan(at, found)
            return self._start_or_plan(found)
        if not found.overdue and at > self.later:
            return None
        if blocked:
            self.later = at + (state.resolution if at == start else 0)
            return None
        return self._plan(at, found)

    cdef object _beside_others(self, NodeSet available):
        """A start now in a row of jobs that take turns, or for which others are preempted; None without one."""
        cdef list victims = []
        cdef NodeSet nodes
        cdef Found found = None
        for nodes in self._having(available):
            found = sharing(self.state.departures, self.request, nodes, self.entry)
            if found is not None:
                break
        if found is None:
            found = self._preempting(available, victims)
        if found is None:
            return None
        self.later = FOREVER
        if not victims:
            return self._start_or_plan(found)
        self.state.preempted.extend(victims)
        self.state.own()
        self.state.departures.preempt(victims)
        return self._plan(self.state.now, found)

    cdef object _start_or_plan(self, Found found):
        """Start the job, or plan it at now if it may not start."""
        if not self.entry.starts or found.stays:
            return self._plan(self.state.now, found)
        excess = self.state.full_of_jobs(self.entry)
        if excess is None:
            excess = self._over_limit(found.nodes)
        return self._start(found) if excess is None else self._skipped("accounting limit", excess)

    cdef seconds_t _allow(self, seconds_t start, NodeSet nodes):
        """Put the allowed nodes into a set. Returns from when on; FOREVER: never. `in_way`: whether a reservation was."""
        cdef NodeSet own = None, partition = self.request.members
        cdef Py_ssize_t _turn, index, mine = -1
        cdef bint moved, moves = start <= self.state.now
        cdef list booked = self.state.booked
        cdef Booked each
        self.in_way = False
        if self.entry.reservation is not None:
            if self.entry.reservation == UNKNOWN:
                return FOREVER
            mine = self.entry.reservation
            each = booked[mine]
            if not each.flexible:
                if moves:
                    self._compare(each, start)
                start = max(start, each.begin)
                if start >= each.end:
                    return FOREVER
                own = None if each.any_nodes else each.nodes
        if own is not None:
            partition = partition.copy()
            partition.keep(own)
        for _turn in range(MOST_MOVES):
            self.in_way, moved = False, False
            nodes.assign(self.request.candidates)
            if own is not None:
                nodes.keep(own)
            for index in range(len(booked)):
                each = booked[index]
                if moves and start <= self.state.now:
                    self._compare(each, start)
                if index == mine or each.begin >= start + self.limit or each.end <= start:
                    continue
                if mine < 0 and (each.all_nodes or each.nodes.meets(self.request.required)
                                 or (each.maintenance and partition.within(each.nodes))):
                    start, moved = each.end, True
                    break
                nodes.drop(each.nodes)
                self.in_way |= each.nodes.meets(partition)
            if not moved:
                break
        return start

    cdef void _compare(self, Booked reservation, seconds_t start) noexcept:
        """Hold what is found for a start now until a reservation is in its way, begins or ends."""
        if reservation.begin >= start + self.limit:
            self.state.hold(reservation.begin - self.limit + 1)
        if reservation.begin > start:
            self.state.hold(reservation.begin)
        if reservation.end > start:
            self.state.hold(reservation.end)
        if reservation.noted_end >= start:
            self.state.hold(reservation.noted_end + 1)

    cdef int _after_reservations(self, seconds_t start) except -1:
        """The next try is not after the end of the reservation that ends first."""
        cdef seconds_t after
        cdef seconds_t first = FOREVER
        cdef Booked each
        for each in self.state.booked:
            if start <= each.noted_end < first:
                first = each.noted_end
        if first != FOREVER:
            after = self.state._ceil(first) + 1
            if after >= self.state.end:
                self.state.hold(after - self.state.window)
            elif after < self.later:
                self.later = after
        return 0

    cdef int _free(self, NodeSet free, seconds_t start) except -1:
        """Take out of a set the nodes that are reserved; sets when to try next, and whether a start is possible."""
        cdef Profile profile = self.state.profile
        cdef seconds_t end = max(start, self.state.now) + self.limit
        cdef NodeSet nodes, here
        cdef seconds_t opens = self._close(free, start)
        cdef Py_ssize_t place, last = profile.count - 1
        cdef bint within, newer = self.state.release != 2205, tested = False
        self.later, self.fits = FOREVER, True
        nodes = self.allowed
        nodes.assign(free)
        place = profile.ending_after(start)
        if start <= self.state.now and place <= last:
            self.state.hold(profile.ends[place])
        for place in range(place, last + 1):
            here = profile.free[place]
            within = profile.begins[place] <= end
            if within and self.licenses and profile.lacks(place, self.licenses):
                self.fits = False
                if self.later == FOREVER:
                    self.later = profile.ends[place]
                if self.state.release == 2605:
                    break
            if self.later == FOREVER and place < last and gains(nodes, <NodeSet> profile.free[place + 1], free, here):
                self.later = profile.ends[place]
            if not within:
                self._hold_window(start, end, place)
                if self.later == FOREVER and place + 2 <= last and newer:
                    self.later = profile.ends[place + 1]
                break
            free.keep(here)
            if self.later == FOREVER:
                continue
            if self.bounded and not tested:
                tested = True
                if self._too_few(free, place + 1, end):
                    self.fits = False
                    self._hold_window(start, end, place)
                    break
            if not free.holds(self.request.least):
                break
        if newer and opens != FOREVER and (self.later == FOREVER or not nodes.holds(self.request.least)):
            self.later = opens
        return 0

    cdef void _hold_window(self, seconds_t start, seconds_t end, Py_ssize_t place) noexcept:
        """Hold what is found for a start now until another record, from a place on, begins in the time of the run."""
        cdef Profile profile = self.state.profile
        if start <= self.state.now:
            while place < profile.count and profile.begins[place] <= end:
                place += 1
            if place < profile.count:
                self.state.hold(profile.begins[place] - self.limit)

    cdef bint _too_few(self, NodeSet free, Py_ssize_t place, seconds_t end):
        """Whether too few of the nodes that are free until a record can have room by `later` and are free to the end.

        With 10,000 nodes and 5,000 waiting jobs it shows 19 of 20 tries to fail after a few of 70 records.
        """
        cdef Profile profile = self.state.profile
        cdef NodeSet room = self.room
        cdef Py_ssize_t least = max(self.request.least, 1)
        room.assign(self.state.departures.vacated(self.request, self.later + 1))
        room.keep(free)
        while room.holds(least):
            if place == profile.count or profile.begins[place] > end:
                return False
            room.keep(<NodeSet> profile.free[place])
            place += 1
        return True

    cdef seconds_t _close(self, NodeSet nodes, seconds_t start) except? -1:
        """Take the nodes out that other users close to the job; returns when the first of them opens, or FOREVER."""
        cdef Held held
        cdef set closed = set()
        cdef dict opens = {}
        cdef seconds_t first = FOREVER, at
        cdef Py_ssize_t i, node
        cdef bint closing
        if not self.state.apart and not self.request.by_user:
            return FOREVER
        for held in self.state.departures.held:
            closing = held.holder.user != self.entry.user and (held.holder.by_user or self.request.by_user)
            for i in range(held.count):
                node = held.shares[i].node
                opens[node] = max(opens.get(node, 0), held.end)
                if closing:
                    closed.add(node)
        for node in closed:
            at = opens[node]
            if nodes.has(node) and (at > start or self.state.release == 2205):
                nodes.put(node, False)
                first = min(first, at)
        return first

    cdef Found _earliest(self, NodeSet available, seconds_t start, seconds_t later):
        """The earliest start over the alternatives of the features, the first among equals."""
        cdef Found best = None, found
        cdef NodeSet nodes
        if self.request.terms:
            return by_terms(self.state.departures, self.request, available, start, later)
        cdef list away = self._preemptable()
        for nodes in self._having(available):
            found = self.state.departures.earliest(self.request, nodes, start, later, away)
            if found is not None and (best is None or found.at < best.at):
                best = found
        return best

    cdef list _preemptable(self):
        """The running jobs that the entry may preempt and this cycle has not."""
        cdef State state = self.state
        if not self.entry.suspends and not self.entry.preempts:
            return []
        found = (*self.entry.suspends, *self.entry.preempts)
        return [state.departures.indexed[index] for index in found if index not in state.preempted]

    cdef list _having(self, NodeSet available):
        """The available nodes of each alternative of the features that leaves enough of them; none with counts."""
        cdef NodeSet nodes
        cdef list found = []
        if self.request.terms:
            return found
        for having in self.request.alternatives:
            nodes = available
            if having is not None:
                nodes = available.copy()
                nodes.keep(<NodeSet> having)
            if self.request.required.within(nodes) and nodes.holds(self.request.least):
                found.append(nodes)
        return found

    cdef seconds_t _end(self, seconds_t at) noexcept:
        return self.state._floor(at + self.limit) if self.state.release == 2205 else self.state._ceil(at + self.limit)

    cdef bint _blocked(self, seconds_t at, Found found):
        """Whether a record in the time of the run lacks one of the nodes, or licences."""
        cdef Profile profile = self.state.profile
        cdef seconds_t end = self._end(at)
        cdef Py_ssize_t place = profile.ending_after(self.state._floor(at))
        while place < profile.count and profile.begins[place] < end:
            if not found.nodes.within(<NodeSet> profile.free[place]):
                return True
            if self.licenses and profile.lacks(place, self.licenses):
                return True
            place += 1
        return False

    cdef int _count(self) except -1:
        """Keep the start of a component, by which the others of its job are planned."""
        if self.entry.component:
            self.state.together.add(self.entry, self.counted)
        return 0

    cdef object _plan(self, seconds_t at, Found found):
        cdef State state = self.state
        cdef seconds_t end
        cdef bint failed
        nodes = found.nodes.number()
        if self.entry.component:
            if state.release != 2205:
                self.counted = at
                self._count()
            if state.together.is_deadlock(self.entry):
                return self._skipped("hetjob deadlock")
        if at > state.now + state.window:
            state.hold(at - state.window)
            return Place(self.index, BEYOND, at, at + self.limit, nodes)
        # A start that failed because a job past its limit has the nodes is over a limit with the nodes held and chosen.
        failed = found.overdue and at <= state.now and self.entry.starts
        excess = self._over_limit(found.nodes, failed or state.release == 2205)
        if excess is not None:
            return self._skipped("accounting limit", excess)
        if at <= state.now:
            state.hold(state.now)
        end = self._end(at)
        if state.profile.records >= state.rules.most_records:
            state.full = True
        else:
            state.reserve(at, end, found.nodes, self.licenses)
        if self.entry.component and at <= state.now:
            self.chosen = found
            state.together.at_now(self.entry, self)
        return Place(self.index, PLANNED, at, end, nodes)

    def start_planned(self):
        """A component that is planned at now starts."""
        return self._start(self.chosen)

    cdef object _over_limit(self, NodeSet chosen, bint added=False):
        return over_limit(self.state.cluster, self.state.departures, self.entry, self.limit, chosen, added)

    cdef object _start(self, Found found):
        cdef State state = self.state
        cdef seconds_t end = state.now + self._limit_started(found.nodes)
        cdef Py_ssize_t i
        cdef NodeSet whole
        entry, nodes = self.entry, found.nodes.number()
        state.own()
        state.departures.restore()
        if not entry.wish.exclusive:
            self._trim(found)
        takes = {found.given[i].node: self._take(found.given[i].node, found.given[i].cpus) for i in range(found.count)}
        holder = Holder(end, end, takes, nodes, entry.wish.exclusive, entry.user, entry.wish.licenses,
                        entry.partition, entry.job, entry.scopes, entry.wish.by_user)
        state.departures.start(holder, state._take_place(entry.job))
        state.apart |= holder.by_user
        state.begun.append((self.index, holder))
        if entry.wish.exclusive or self.licenses:
            whole = found.nodes if entry.wish.exclusive else None
            end = state._floor(end) if state.release == 2205 else state._ceil(end)
            state.profile.reserve(state.profile.begins[0], end, whole, self.licenses)
        return Place(self.index, STARTED, state.now, None, nodes)

    cdef void _trim(self, Found found) noexcept:
        """Take what is more than the job asks for from its first nodes, down to the least that a node gives."""
        cdef int64_t more = -self.request.cpus, cut
        cdef Py_ssize_t i
        for i in range(found.count):
            more += found.given[i].cpus
        for i in range(found.count):
            cut = max(0, min(more, found.given[i].cpus - max(1, self.request.least_cpus)))
            found.given[i].cpus -= cut
            more -= cut

    cdef seconds_t _limit_started(self, NodeSet nodes) except? -1:
        """Seconds of the limit with which a job starts."""
        cdef State state = self.state
        cdef seconds_t whole = bounded(self.entry.whole_limit, FAR), minutes = whole // 60
        cdef Py_ssize_t place
        if self.entry.deadline:
            minutes = min(minutes, (bounded(self.entry.deadline, FAR) - state.now) // 60)
            return max(60 * minutes, bounded(self.entry.least_limit, FAR))
        if state.release != 2605 or whole == self.limit:
            return self.limit
        for place in range(state.profile.count):
            if state.now < state.profile.begins[place] < state.now + 60 * minutes \
                    and not nodes.within(<NodeSet> state.profile.free[place]):
                minutes = min(minutes, (state.profile.begins[place] - state.now) // 60)
        return max(60 * minutes, self.limit)

    cdef object _take(self, Py_ssize_t node, int64_t cpus):
        """What the job holds of a node once it runs."""
        shape, wish = self.state.cluster.nodes, self.entry.wish
        threads = max(1, shape.threads[node])
        cpus = shape.cpus[node] if wish.exclusive else -(-cpus // threads) * threads
        memory = wish.memory_per_node or wish.memory_per_cpu * cpus or shape.memory[node]
        kinds, taken = self.state.departures.occupancy.kinds, {}
        for (name, kind), count in wish.devices.items():
            left = count
            for other, its in shape.devices[node]:
                have = self.state.departures.occupancy.free_devices(node, kinds[other, its])
                if other == name and kind in ("", its) and left > 0 and have > 0:
                    taken[other, its] = taken.get((other, its), 0) + min(have, left)
                    left -= min(have, left)
        return Take(cpus, memory, taken)


cdef bint gains(NodeSet nodes, NodeSet after, NodeSet free, NodeSet here) noexcept:
    """Whether one of the nodes is free in the next record, and not both in this one and until now."""
    cdef Py_ssize_t i
    for i in range(nodes.length):
        if nodes.words[i] & after.words[i] & ~(free.words[i] & here.words[i]):
            return True
    return False
