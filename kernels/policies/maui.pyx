"""Maui (Talby & Feitelson 2005; the classical algorithm of Niu et al. 2012; docs/schedulers.md, section 5).

EASY with one reservation. With the widest window the jobs that end by the shadow time go first, then those that are
no larger than the extra nodes. With more reservations than one the jobs behind fit into a plan
of them, made anew in each pass. With any weight set the queue goes by priority, head included, weighed anew in each
pass. With `preempt` there is no reservation: whatever fits starts, out of order, and a blocked head stops such jobs
as soon as that makes it fit; they keep their progress.

A pass needs little where no node came free since the last one and no weight is set: whoever was refused is refused
again, the head included, so only the jobs that arrived since are tested.
"""

cimport cython
from libc.math cimport fabs
from libc.string cimport memcpy

from shadowtime.kernels.core.decisions cimport BACKFILL, RESERVE, START, because
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t
from shadowtime.kernels.planning.explain_head cimport behind_head, blocked_head
from shadowtime.kernels.planning.preemption cimport not_enough_to_stop, progress_of, stoppable, unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int ENDS_BY_SHADOW = reason("ends_by_shadow", "needs", "free", "end", "shadow", "head")
cdef int WITHIN_EXTRA = reason("within_extra", "needs", "free", "end", "shadow", "extra", "head")
cdef int HEAD_SHADOW = reason("head_shadow", "needs", "free", "shadow", "extra")
cdef int AFTER_PREEMPTION = reason("after_preemption", "needs", "free", "stopped", "freed", "at")
cdef int FITS_OUT_OF_ORDER = reason("fits_out_of_order", "needs", "free", "head", "head_needs")
cdef int BESIDE_RESERVED = reason("beside_reserved", "needs", "free", "end", "head")
cdef int WOULD_DELAY_RESERVED = reason("would_delay_reserved", "needs", "free", "end", "head")
cdef int NO_ROOM_NOW = reason("no_room_now", "needs", "free")

WINDOWS = ("queue", "widest")
MOST_RESERVATIONS = 1000000
HEAVIEST = 1e12     # the largest weight: no priority can overflow


cdef int64_t descending(double value) noexcept nogil:
    """A whole number for each value, smaller for larger ones: the bits of a value above zero grow with it."""
    cdef double distance = fabs(value)
    cdef int64_t bits
    memcpy(&bits, &distance, sizeof(int64_t))
    return -bits if value > 0 else bits


@cython.final
cdef class Maui(Policy):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.state, sizeof(MauiState)
        self.widest = parameters["windows"] == "widest"
        self.preempting = parameters["preempt"]
        self.reservations = parameters["reservations"]
        if not 1 <= parameters["reservations"] <= MOST_RESERVATIONS:
            raise ValueError(f"reservations is {parameters['reservations']}; expected 1 to {MOST_RESERVATIONS:,}")
        for which in ("queue_time", "expansion", "size", "class", "wfp"):
            weight = parameters["weight_" + which]
            if not abs(weight) <= HEAVIEST:
                raise ValueError(f"weight_{which} is {weight}; expected {-HEAVIEST:.0e} to {HEAVIEST:.0e}")
        self.queue_time = parameters["weight_queue_time"]
        self.expansion = parameters["weight_expansion"]
        self.size = parameters["weight_size"]
        self.klass = parameters["weight_class"]
        self.wfp = parameters["weight_wfp"]
        self.classes = self.klass != 0
        self.weighed = bool(self.queue_time or self.expansion or self.size or self.klass or self.wfp)
        self.ranks = not self.weighed
        self.state.head = NONE
        self.listing = Listing()
        self.chosen = Listing()
        self.profile = Profile()
        self.preemption = Preemption()

    cdef int reset(self, World world) except -1 nogil:
        self.state.head = NONE
        self.state.shadow = 0
        self.state.extra = 0
        self.state.padding = 0
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef Py_ssize_t head
        if self.reservations > 1 and not self.preempting:
            return self._pass_reserved(world)
        if self.state.head != NONE and not world.at.changed and not self.weighed:
            return self._arrivals(world)
        head = self._start_heads(world)
        while self.preempting and head != NONE and self._preempt_for(world, head):
            head = self._start_heads(world)
        if head == NONE:
            self.state.head = NONE
            return 0
        self._reserve(world, head)
        if world.queue.live > 1 and world.at.free:
            return self._backfill(world, world.queue.first)
        return 0

    cdef int _arrivals(self, World world) except -1 nogil:
        """Nothing came free: test only the jobs that came."""
        if world.at.free == 0 or world.at.seen == world.at.arrivals:
            return 0
        return self._backfill(world, max(world.queue.find(world.at.seen), world.queue.first))

    cdef int _pass_reserved(self, World world) except -1 nogil:
        """A pass with several reservations, which are made anew."""
        cdef Py_ssize_t i, at, head = self._start_heads(world)
        if head == NONE:
            self.state.head = NONE
            return 0
        self._reserve(world, head)
        if world.queue.live == 1 or world.at.free == 0:
            return 0
        self._choose(world)
        for i in range(self.chosen.count):
            at = self.chosen.of[i].at
            world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], BESIDE_RESERVED,
                                world.queue.size[at], world.at.free, world.at.now + world.queue.estimate[at],
                                self.state.head)
            world.start(at, True)
        return 0

    cdef Py_ssize_t _choose(self, World world) except -1 nogil:
        """List the positions of the jobs that start in this pass beside the reservations; returns how many have one."""
        cdef Py_ssize_t i, k, at, reserved = 0, window
        cdef seconds_t start, first = FOREVER
        self.listing.empty(world.queue.live)
        self.chosen.empty(world.queue.live)
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.job[at] != NONE:
                self.listing.add(descending(self._priority(world, at)) if self.weighed else at, at)
        if self.weighed:
            self.listing.sort()
        world.lay(self.profile)
        i = 0
        while i < self.listing.count and reserved < self.reservations:
            at = self.listing.of[i].at
            i += 1
            start = self.profile.anchor(world.at.now, world.queue.size[at], world.queue.estimate[at], FOREVER)
            if start == world.at.now:
                self._add(world, at)
                continue
            reserved += 1
            first = min(first, start)
            if start < FOREVER:
                self.profile.change(start, start + world.queue.estimate[at], -world.queue.size[at])
        for window in range(IN_TIME if self.widest else WITHIN, WITHIN + 1):
            for k in range(i, self.listing.count):
                at = self.listing.of[k].at
                if at != NONE and self._fits_now(world, at) and (
                        window == WITHIN or world.queue.estimate[at] <= first - world.at.now):
                    self._add(world, at)
                    self.listing.of[k].at = NONE
        return reserved

    cdef bint _fits_now(self, World world, Py_ssize_t at) noexcept nogil:
        """Whether the plan has room for the job at a position from now on."""
        cdef nodes_t size = world.queue.size[at]
        return size <= self.profile.free[self.profile.first] and size <= self.profile.least_free(
            world.at.now, world.at.now + world.queue.estimate[at])

    cdef int _add(self, World world, Py_ssize_t at) except -1 nogil:
        """Choose the job at a position: it has its nodes from now on."""
        self.chosen.add(self.chosen.count, at)
        return self.profile.change(world.at.now, world.at.now + world.queue.estimate[at], -world.queue.size[at])

    cdef object _explain_reserved(self, World world, Py_ssize_t at, Py_ssize_t head):
        """Why the job at a position, not the head, does not start beside the reservations."""
        cdef Py_ssize_t i
        if world.queue.size[at] > world.at.free:
            return behind_head(world, at, head, world.queue.estimate[at], world.at.now + 1)
        self._choose(world)
        for i in range(self.chosen.count):
            if self.chosen.of[i].at == at:
                return pass_pending(world, at)
        return because(WOULD_DELAY_RESERVED, world.queue.size[at], world.at.free, world.at.now + world.queue.estimate[at],
                       world.queue.job[head])

    cdef double _priority(self, World world, Py_ssize_t at) noexcept nogil:
        """The priority of the job at a position, by its wait since it last came to the queue."""
        cdef job_t job = world.queue.job[at]
        cdef int32_t slot = world.queue.slot[at]
        cdef seconds_t estimate = world.jobs.estimate[job]
        cdef seconds_t waited = world.at.now - (
            world.jobs.submit[job] if slot == NONE else world.running.slots[slot].queued)
        cdef double share = <double> waited / <double> estimate
        return (self.queue_time * (<double> waited / 60.0)
                + self.expansion * (<double> (waited + estimate) / <double> estimate)
                + self.size * <double> world.queue.size[at]
                + self.klass * <double> world.overrides.weight(world.jobs, job)
                + self.wfp * (share * share * share * <double> world.queue.size[at]))

    cdef Py_ssize_t _head(self, World world) noexcept nogil:
        """The position of the head, NONE where nobody waits."""
        cdef Py_ssize_t at, head
        cdef double priority, highest
        if world.queue.live == 0:
            return NONE
        head = world.queue.first
        if not self.weighed:
            return head
        highest = self._priority(world, head)
        for at in range(head + 1, world.queue.tail):
            if world.queue.job[at] != NONE:
                priority = self._priority(world, at)
                if priority > highest:
                    highest = priority
                    head = at
        return head

    cdef Py_ssize_t _start_heads(self, World world) except -2 nogil:
        """Start heads while they fit; the position of the blocked one, NONE where none is left."""
        cdef Py_ssize_t head = self._head(world)
        while head != NONE and world.queue.size[head] <= world.at.free:
            world.decisions.add(unless_resumed(world, head, START), world.queue.job[head], HEAD_FITS,
                                world.queue.size[head], world.at.free)
            world.start(head, False)
            head = self._head(world)
        return head

    cdef bint _preempt_for(self, World world, Py_ssize_t head) except -1 nogil:
        """Start the blocked head by stopping jobs that started out of order, if that is enough."""
        if not self.preemption.make_room(world, head):
            return False
        world.decisions.add(unless_resumed(world, head, START), world.queue.job[head], AFTER_PREEMPTION,
                            world.queue.size[head], world.at.free, self.preemption.stopped.count,
                            self.preemption.freed, world.at.now)
        world.start(head, False)
        self.preemption.requeue(world)
        return True

    cdef int _reserve(self, World world, Py_ssize_t head) except -1 nogil:
        """Remember the blocked head and, but for preemption, when it will fit."""
        cdef job_t job = world.queue.job[head]
        cdef seconds_t shadow = 0
        if not self.preempting:
            world.when_free(world.queue.size[head], world.at.now + 1, &shadow, &self.state.extra)
            if job != self.state.head or shadow != self.state.shadow:
                world.decisions.add(RESERVE, job, HEAD_SHADOW, world.queue.size[head], world.at.free, shadow,
                                    self.state.extra)
        self.state.head = job
        self.state.shadow = shadow
        return 0

    cdef int _backfill(self, World world, Py_ssize_t begin) except -1 nogil:
        """Let jobs pass the head, in the order of the queue; where that is of arrival, from a position on."""
        cdef int window = ANYBODY if self.preempting else IN_TIME if self.widest else EITHER
        if self.weighed:
            self._scan_by_priority(world, window)
            return self._scan_by_priority(world, WITHIN) if window == IN_TIME else 0
        self._scan_by_arrival(world, begin, window)
        return self._scan_by_arrival(world, begin, WITHIN) if window == IN_TIME else 0

    cdef bint _may_pass(self, World world, int window, nodes_t size, seconds_t length) noexcept nogil:
        """Whether a job of that size and length passes the head; who does not now does not later in the scan."""
        if size > world.at.free:
            return False
        return (window == ANYBODY or (window != WITHIN and length <= self.state.shadow - world.at.now)
                or (window != IN_TIME and size <= self.state.extra))

    cdef int _scan_by_arrival(self, World world, Py_ssize_t begin, int window) except -1 nogil:
        cdef Py_ssize_t block, at, tail = world.queue.tail
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if not self._may_pass(world, window, world.queue.least_size[block], world.queue.least_estimate[block]):
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if self._may_pass(world, window, world.queue.size[at], world.queue.estimate[at]):
                    self._pass(world, at, window)
                    if world.at.free == 0:
                        return 0
        return 0

    cdef int _scan_by_priority(self, World world, int window) except -1 nogil:
        """Those who may pass now are listed and sorted; the others cannot later."""
        cdef Py_ssize_t i, at
        self.listing.empty(world.queue.live)
        for at in range(world.queue.first, world.queue.tail):
            if self._may_pass(world, window, world.queue.size[at], world.queue.estimate[at]):
                self.listing.add(descending(self._priority(world, at)), at)
        self.listing.sort()
        for i in range(self.listing.count):
            at = self.listing.of[i].at
            if self._may_pass(world, window, world.queue.size[at], world.queue.estimate[at]):
                self._pass(world, at, window)
        return 0

    cdef int _pass(self, World world, Py_ssize_t at, int window) except -1 nogil:
        """Start the job at a position, which passes the head; with preemption the head may stop it later."""
        cdef job_t job = world.queue.job[at]
        cdef nodes_t size = world.queue.size[at]
        cdef seconds_t end = world.at.now + world.queue.estimate[at]
        cdef int kind = unless_resumed(world, at, BACKFILL)
        cdef int32_t slot
        if window == ANYBODY:
            world.decisions.add(kind, job, FITS_OUT_OF_ORDER, size, world.at.free, self.state.head,
                                world.jobs.size[self.state.head])
        elif window != WITHIN and end <= self.state.shadow:
            world.decisions.add(kind, job, ENDS_BY_SHADOW, size, world.at.free, end, self.state.shadow,
                                self.state.head)
        else:
            world.decisions.add(kind, job, WITHIN_EXTRA, size, world.at.free, end, self.state.shadow,
                                self.state.extra, self.state.head)
            self.state.extra -= size
        slot = world.assign(at, True)
        world.running.slots[slot].preemptable = self.preempting
        return world.run(slot)

    cdef object terms(self, World world, Py_ssize_t at):
        """The priority in millionths, where the queue goes by it; the progress of a job that ran before."""
        facts = {"priority": round(self._priority(world, at) * 1e6)} if self.weighed else {}
        return facts | progress_of(world, at)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef Py_ssize_t head = self._head(world)
        if world.queue.size[head] <= world.at.free:
            return pass_pending(world, at)
        if not self.preempting:
            if at == head:
                return blocked_head(world, head, world.at.now + 1)
            if self.reservations > 1:
                return self._explain_reserved(world, at, head)
            return behind_head(world, at, head, world.queue.estimate[at], world.at.now + 1)
        if world.at.free + stoppable(world) >= world.queue.size[head] or world.queue.size[at] <= world.at.free:
            return pass_pending(world, at)
        if at == head:
            return not_enough_to_stop(world, head)
        return because(NO_ROOM_NOW, world.queue.size[at], world.at.free)
