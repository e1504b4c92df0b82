"""EASY backfilling that takes a risk (docs/schedulers.md, sections 2.1 to 2.3).

A blocked head may be delayed by a share of its expected wait; runtimes are predicted from the last two of the user, and
predictions that a job outlives are corrected; jobs that would end too late start all the same, and are killed when the head needs
their nodes. A run that may be killed is predicted to end at once: so its nodes count as free for the head.

Nothing here is done in short: every pass looks at the whole queue, since a prediction may change whoever was refused. `easy.pyx` has
EASY itself.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memmove

from shadowtime.kernels.core.decisions cimport BACKFILL, MOVE, RESERVE, START
from shadowtime.kernels.core.memory cimport grown, put_bytes, take_bytes
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.planning.explain_head cimport behind_reservation, blocked_head
from shadowtime.kernels.planning.ordering cimport ARRIVAL, rank_of
from shadowtime.kernels.planning.preemption cimport progress_of, stoppable, unless_resumed
from shadowtime.kernels.planning.shadow cimport may_pass
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason
from shadowtime.kernels.planning.ordering import ORDERS

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int ENDS_BY_SHADOW = reason("ends_by_shadow", "needs", "free", "end", "shadow", "head")
cdef int PREDICTED_BY_SHADOW = reason("predicted_by_shadow", "needs", "free", "end", "shadow", "limit", "head")
cdef int WITHIN_EXTRA = reason("within_extra", "needs", "free", "end", "shadow", "extra", "head")
cdef int HEAD_SHADOW = reason("head_shadow", "needs", "free", "shadow", "extra")
cdef int HEAD_RELAXED = reason("head_relaxed", "needs", "free", "expected", "shadow", "extra")
cdef int AFTER_PREEMPTION = reason("after_preemption", "needs", "free", "stopped", "freed", "at")
cdef int SPECULATES = reason("speculates", "needs", "free", "end", "shadow", "head")
cdef int KILLED_FOR = reason("killed_for", "size", "head", "head_needs", "done", "left")
cdef int OUTLIVED = reason("outlived", "was", "at", "limit")

cdef enum:
    WHOLE = 1000000         # shares are in millionths
    MINUTE = 60
    HOUR = 3600
    STEPS = 11

cdef seconds_t[STEPS] STEP = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR, 20 * HOUR,
                              50 * HOUR, 100 * HOUR]

LARGEST = {"relax": 10, "speculate": 1}


cdef seconds_t delayed(seconds_t expected, seconds_t wait, int64_t share) noexcept nogil:
    """expected + floor(wait * share / 1,000,000), FOREVER at most."""
    cdef seconds_t left = FOREVER - expected
    if share > 0 and wait // WHOLE > left // share:
        return FOREVER
    return expected + min(wait // WHOLE * share + wait % WHOLE * share // WHOLE, left)


@cython.final
cdef class BoldEasy(Policy):
    def __cinit__(self, name, parameters):
        for which, largest in LARGEST.items():
            if not 0 <= parameters[which] <= largest:
                raise ValueError(f"{which} is {parameters[which]}; expected 0 to {largest}")
            if parameters[which] and not round(parameters[which] * WHOLE):
                raise ValueError(f"{which} is {parameters[which]}; expected 0, or 0.000001 or more")
        if parameters["reservation"] == "kept":
            raise ValueError("reservation is 'kept'; expected 'recomputed' beside relax, predict and speculate")
        self.order = ORDERS.index(parameters["scan"])
        self.relax = round(parameters["relax"] * WHOLE)
        self.speculate = round(parameters["speculate"] * WHOLE)
        self.predicts = parameters["predict"] == "users"
        self.state.head = NONE
        self.listing = Listing()
        self.preemption = Preemption()
        self.preemption.code = KILLED_FOR

    def __dealloc__(self):
        free(self.past)

    cdef int reset(self, World world) except -1 nogil:
        self.state.head = NONE
        self.state.shadow = self.state.latest = self.state.users = 0
        self.state.extra = 0
        return 0

    cdef int disturbed(self, World world) except -1 nogil:
        self.state.head = NONE
        return 0

    cdef int start_now(self, World world, Py_ssize_t at) except -1:
        return self._start(world, at, at != world.queue.first, False)

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        """The runtime of a job that ended is its user's last one."""
        cdef int64_t user = world.jobs.user(job), at
        if not self.predicts or user == NONE:
            return 0
        at = self._place(user)
        if at == self.state.users or self.past[at].user != user:
            self.past = <Past *> grown(self.past, &self.room, self.state.users + 1, sizeof(Past))
            memmove(&self.past[at + 1], &self.past[at], (self.state.users - at) * sizeof(Past))
            self.state.users += 1
            self.past[at].user = user
            self.past[at].last = 0
        self.past[at].before = self.past[at].last
        self.past[at].last = world.jobs.estimate[job] - (limit - world.at.now)
        return 0

    cdef int64_t _place(self, int64_t user) noexcept nogil:
        """The place of the first entry that is not of a lower user."""
        cdef int64_t low = 0, high = self.state.users, middle
        while low < high:
            middle = (low + high) >> 1
            if self.past[middle].user < user:
                low = middle + 1
            else:
                high = middle
        return low

    cdef seconds_t _length(self, World world, Py_ssize_t at) noexcept nogil:
        """How long the job at a position is predicted to run: by its user's past, at most the rest of its estimate."""
        cdef int64_t user, entry
        cdef int32_t slot = world.queue.slot[at]
        cdef seconds_t mean
        if not self.predicts:
            return world.queue.estimate[at]
        user = world.jobs.user(world.queue.job[at])
        entry = self._place(user)
        if user == NONE or entry == self.state.users or self.past[entry].user != user:
            return world.queue.estimate[at]
        mean = self.past[entry].last
        if self.past[entry].before:
            mean = (mean + self.past[entry].before) // 2
        return min(world.queue.estimate[at], max(1, mean - (world.running.slots[slot].done if slot != NONE else 0)))

    cdef seconds_t _needed(self, World world, Py_ssize_t at) noexcept nogil:
        """How much room before the shadow time the job at a position needs to speculate."""
        cdef seconds_t length = self._length(world, at)
        return length // WHOLE * self.speculate + (length % WHOLE * self.speculate + WHOLE - 1) // WHOLE

    cdef int schedule(self, World world) except -1 nogil:
        if not self.predicts:
            return self._pass(world)
        self._correct(world)
        self._pass(world)
        return self._await(world)

    cdef int _await(self, World world) except -1 nogil:
        """A timer stands at the next predicted end that is not that of an estimate."""
        cdef Py_ssize_t i
        cdef int32_t slot
        world.at.due = FOREVER
        for i in range(world.running.count):
            slot = world.running.endings[i].slot
            if world.running.endings[i].end < world.limit(slot) and not world.running.slots[slot].preemptable:
                world.at.due = world.running.endings[i].end
                break
        return 0

    cdef int _pass(self, World world) except -1 nogil:
        cdef BoldState state
        cdef seconds_t expected
        while True:
            while world.queue.live and world.queue.size[world.queue.first] <= world.at.free:
                world.decisions.add(unless_resumed(world, world.queue.first, START), world.queue.job[world.queue.first],
                                    HEAD_FITS, world.queue.size[world.queue.first], world.at.free)
                self._start(world, world.queue.first, False, False)
            if world.queue.live == 0:
                self.state.head = NONE
                return 0
            if not self.speculate or not self._kill_for_head(world):
                break
        expected = self._reserve(world, &state)
        if state.head != self.state.head or state.shadow != self.state.shadow:
            if self.relax:
                world.decisions.add(RESERVE, state.head, HEAD_RELAXED, world.queue.size[world.queue.first], world.at.free,
                                    expected, state.shadow, state.extra)
            else:
                world.decisions.add(RESERVE, state.head, HEAD_SHADOW, world.queue.size[world.queue.first], world.at.free,
                                    state.shadow, state.extra)
        self.state = state
        self._scan(world, False)
        return self._scan(world, True) if self.speculate else 0

    cdef int _correct(self, World world) except -1 nogil:
        """Runs that outlive their predictions are predicted to end later, at the ends of their estimates at the latest."""
        cdef Py_ssize_t i = 0
        cdef int32_t slot
        cdef Active *active
        cdef seconds_t limit, was
        while i < world.running.count and world.running.endings[i].end <= world.at.now:
            slot = world.running.endings[i].slot
            active = &world.running.slots[slot]
            limit = world.limit(slot)
            was = active.end
            if active.preemptable or was >= limit:
                i += 1
                continue
            world.running.delist(slot)
            while active.end <= world.at.now and active.end < limit:
                active.end = min(active.end + STEP[min(<int> active.misses, STEPS - 1)], limit)
                active.misses += active.misses < STEPS
            active.predicted = active.end - active.run_start
            world.running.enlist(slot)
            world.decisions.add(MOVE, active.job, OUTLIVED, was, active.end, limit)
        return 0

    cdef int _start(self, World world, Py_ssize_t at, bint backfilled, bint speculative) except -1 nogil:
        cdef seconds_t length = 1 if speculative else self._length(world, at)
        cdef int32_t slot = world.assign(at, backfilled)
        world.running.slots[slot].predicted = length
        world.running.slots[slot].preemptable = speculative
        world.running.slots[slot].misses = 0
        return world.run(slot)

    cdef bint _kill_for_head(self, World world) except -1 nogil:
        """Kill speculative runs for the blocked head, if that is enough, and start it."""
        cdef Py_ssize_t rank
        cdef int32_t slot
        cdef Active *active
        if not self.preemption.make_room(world, world.queue.first):
            return False
        world.decisions.add(unless_resumed(world, world.queue.first, START), world.queue.job[world.queue.first],
                            AFTER_PREEMPTION, world.queue.size[world.queue.first], world.at.free,
                            self.preemption.stopped.count, self.preemption.freed, world.at.now)
        self._start(world, world.queue.first, False, False)
        self.preemption.stopped.sort()
        for rank in range(self.preemption.stopped.count):
            slot = <int32_t> self.preemption.stopped.of[rank].at
            active = &world.running.slots[slot]
            world.tally.wasted += <double> active.done * active.size
            active.done = active.ahead = 0
            world.count_preemption(slot)
            world.rejoin(slot, world.rank_of(active.job, 0))
        return True

    cdef seconds_t _reserve(self, World world, BoldState *state) except -1 nogil:
        """Give the state that a pass has of the blocked head; returns its shadow time, which the state may exceed."""
        cdef Py_ssize_t head = world.queue.first, i
        cdef seconds_t expected, latest
        state[0] = self.state
        state.head = world.queue.job[head]
        world.when_free(world.queue.size[head], world.at.now + 1, &expected, &state.extra)
        state.shadow = expected
        if state.head != self.state.head:
            state.latest = FOREVER
        if not self.relax or expected == FOREVER:
            return expected
        latest = delayed(expected, expected - world.jobs.submit[state.head], self.relax)
        state.latest = min(latest, state.latest)
        if state.latest > expected:
            state.shadow = state.latest
            state.extra = world.at.free - world.queue.size[head]
            for i in range(world.running.count):
                if max(world.running.endings[i].end, world.at.now + 1) <= state.shadow:
                    state.extra += world.running.endings[i].size
            for i in range(world.running.backed):
                if world.running.backs[i].end <= state.shadow:
                    state.extra += world.running.backs[i].size
        return expected

    cdef bint _may_start(self, World world, Py_ssize_t at, bint speculative) noexcept nogil:
        """Whether the job at a position may pass the head; who may not now may not later in the scan."""
        cdef seconds_t left = self.state.shadow - world.at.now
        cdef int32_t slot = world.queue.slot[at]
        if world.queue.size[at] > world.at.free:
            return False
        if not speculative:
            return may_pass(world.queue.size[at], self._length(world, at), world.at.free, left, self.state.extra)
        return (slot == NONE or world.running.slots[slot].preemptions == 0) and self._needed(world, at) <= left

    cdef int _scan(self, World world, bint speculative) except -1 nogil:
        """Let jobs pass the head, in the order of the scan."""
        cdef Py_ssize_t block, at, i, begin = world.queue.first + 1, tail = world.queue.tail
        if world.queue.live < 2 or world.at.free == 0:
            return 0
        self.listing.empty(world.queue.live)
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if world.queue.least_size[block] > world.at.free:
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if self._may_start(world, at, speculative):
                    self.listing.add(at if self.order == ARRIVAL else rank_of(world.queue.size[at], self._length(world, at),
                                                                              self.order), at)
        if self.order != ARRIVAL:
            self.listing.sort()
        for i in range(self.listing.count):
            if self._may_start(world, self.listing.of[i].at, speculative):
                self._backfill(world, self.listing.of[i].at, speculative)
        return 0

    cdef int _backfill(self, World world, Py_ssize_t at, bint speculative) except -1 nogil:
        """Start the job at a position, which may pass the head."""
        cdef nodes_t size = world.queue.size[at]
        cdef job_t job = world.queue.job[at]
        cdef seconds_t end = world.at.now + self._length(world, at)
        cdef int kind = unless_resumed(world, at, BACKFILL)
        if speculative:
            world.decisions.add(kind, job, SPECULATES, size, world.at.free, end, self.state.shadow, self.state.head)
        elif end > self.state.shadow:
            world.decisions.add(kind, job, WITHIN_EXTRA, size, world.at.free, end, self.state.shadow, self.state.extra,
                                self.state.head)
            self.state.extra -= size
        elif end < world.at.now + world.queue.estimate[at]:
            world.decisions.add(kind, job, PREDICTED_BY_SHADOW, size, world.at.free, end, self.state.shadow,
                                world.at.now + world.queue.estimate[at], self.state.head)
        else:
            world.decisions.add(kind, job, ENDS_BY_SHADOW, size, world.at.free, end, self.state.shadow, self.state.head)
        return self._start(world, at, True, speculative)

    cdef object terms(self, World world, Py_ssize_t at):
        """The progress of a job that was killed; how long it is predicted to run."""
        facts = progress_of(world, at)
        return {**facts, "predicted": self._length(world, at)} if self.predicts else facts

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef BoldState state
        cdef Py_ssize_t head = world.queue.first
        if world.queue.size[head] <= world.at.free + (stoppable(world) if self.speculate else 0):
            return pass_pending(world, at)
        if at == head:
            return blocked_head(world, at, world.at.now + 1)
        self._reserve(world, &state)
        return behind_reservation(world, at, head, self._length(world, at), state.shadow, state.extra)

    cdef size_t bytes(self) noexcept nogil:
        return sizeof(BoldState) + self.state.users * sizeof(Past)

    cdef char *save(self, char *to) noexcept nogil:
        to = put_bytes(to, &self.state, sizeof(BoldState))
        return put_bytes(to, self.past, self.state.users * sizeof(Past))

    cdef const char *load(self, const char *source) except NULL nogil:
        source = take_bytes(source, &self.state, sizeof(BoldState))
        self.past = <Past *> grown(self.past, &self.room, self.state.users, sizeof(Past))
        return take_bytes(source, self.past, self.state.users * sizeof(Past))
