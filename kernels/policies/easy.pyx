"""EASY backfilling (Feitelson & Weil 1998, Figure 2; docs/schedulers.md, section 2).

The head has the one reservation: the shadow time, by predicted ends, which every pass makes anew or the head keeps.
A later job passes it when it fits now and either ends by the shadow time or is no larger than the extra nodes.

A pass needs little: where no node came free since the last one, the head is still blocked, whoever was refused is
refused again (free and extra nodes only shrank, and the shadow time came nearer), so only the jobs that
arrived since are tested. That holds for a kept reservation, too. Otherwise the queue is scanned by the minima of its blocks.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport BACKFILL, RESERVE
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t
from shadowtime.kernels.planning.explain_head cimport behind_head, behind_reservation, blocked_head, reserved_head
from shadowtime.kernels.planning.ordering cimport ARRIVAL
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.planning.shadow cimport may_pass
from shadowtime.kernels.planning.sorted_waiting cimport WIDTH, SortedWaiting
from shadowtime.kernels.policies.fcfs cimport start_heads
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason
from shadowtime.kernels.planning.ordering import ORDERS

cdef int ENDS_BY_SHADOW = reason("ends_by_shadow", "needs", "free", "end", "shadow", "head")
cdef int WITHIN_EXTRA = reason("within_extra", "needs", "free", "end", "shadow", "extra", "head")
cdef int HEAD_SHADOW = reason("head_shadow", "needs", "free", "shadow", "extra")


@cython.final
cdef class Easy(Policy):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.state, sizeof(EasyState)
        self.keeps = parameters["reservation"] == "kept"
        self.order = ORDERS.index(parameters["scan"])
        self.state.head = NONE
        self.waiting = SortedWaiting()
        self.waiting.lasting = True

    cdef int reset(self, World world) except -1 nogil:
        self.state.head = NONE
        self.state.shadow = 0
        self.state.extra = 0
        self.state.padding = 0
        return 0

    cdef int disturbed(self, World world) except -1 nogil:
        if self.keeps:
            self.state.head = NONE
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef seconds_t shadow
        cdef job_t head
        if self.state.head != NONE and not world.at.changed:
            return self._arrivals(world)
        start_heads(world)
        if world.queue.live == 0:
            self.state.head = NONE
            return 0
        head = world.queue.job[world.queue.first]
        if self.keeps and head == self.state.head:
            shadow = self.state.shadow
        else:
            world.when_free(world.queue.size[world.queue.first], world.at.now + 1, &shadow, &self.state.extra)
        if head != self.state.head or shadow != self.state.shadow:
            self.state.head = head
            self.state.shadow = shadow
            world.decisions.add(RESERVE, head, HEAD_SHADOW, world.queue.size[world.queue.first], world.at.free, shadow,
                                self.state.extra)
        if world.queue.live > 1 and world.at.free:
            return self._scan(world, world.queue.first + 1)
        return 0

    cdef int _arrivals(self, World world) except -1 nogil:
        """Nothing came free: test only the jobs that came."""
        cdef Py_ssize_t at
        cdef job_t job
        if world.at.free == 0 or world.at.seen == world.at.arrivals:
            return 0
        if self.order != ARRIVAL and world.at.arrivals - world.at.seen > 1:
            return self._scan(world, world.queue.find(world.at.seen))
        for job in range(world.at.seen, world.at.arrivals):
            at = world.queue.find(job)
            if at != NONE:
                self._backfill(world, at)
        return 0

    cdef int _scan(self, World world, Py_ssize_t at) except -1 nogil:
        """Backfill from position `at` on, in the order of the scan."""
        if self.order == ARRIVAL:
            return self._scan_by_arrival(world, at)
        return self._scan_by_key(world)

    cdef int _backfill(self, World world, Py_ssize_t at) except -1 nogil:
        """Start the job at a position if it fits now and does not delay the head."""
        cdef nodes_t size = world.queue.size[at]
        cdef job_t job = world.queue.job[at]
        cdef seconds_t end = world.at.now + world.queue.estimate[at]
        if not may_pass(size, world.queue.estimate[at], world.at.free, self.state.shadow - world.at.now, self.state.extra):
            return 0
        if end <= self.state.shadow:
            world.decisions.add(unless_resumed(world, at, BACKFILL), job, ENDS_BY_SHADOW, size, world.at.free, end, self.state.shadow,
                                self.state.head)
        else:
            world.decisions.add(unless_resumed(world, at, BACKFILL), job, WITHIN_EXTRA, size, world.at.free, end, self.state.shadow,
                                self.state.extra, self.state.head)
            self.state.extra -= size
        return world.start(at, True)

    cdef int _scan_by_arrival(self, World world, Py_ssize_t at) except -1 nogil:
        cdef seconds_t left = self.state.shadow - world.at.now
        cdef Py_ssize_t block, last, tail = world.queue.tail
        # Positions stay put in a pass; what may change is read anew after a start.
        cdef const nodes_t *size = world.queue.size
        cdef const seconds_t *estimate = world.queue.estimate
        cdef nodes_t free = world.at.free, extra = self.state.extra
        for block in range(at // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if not may_pass(world.queue.least_size[block], world.queue.least_estimate[block], free, left, extra):
                continue
            last = min((block + 1) * BLOCK, tail)
            for at in range(max(at, block * BLOCK), last):
                if may_pass(size[at], estimate[at], free, left, extra):
                    self._backfill(world, at)
                    free = world.at.free
                    extra = self.state.extra
                    if free == 0:
                        return 0
        return 0

    cdef int _scan_by_key(self, World world) except -1 nogil:
        """Backfill in another order than that of arrival, over all jobs: who was refused before is refused again.

        To sort in each pass whoever may start took 80 % of a run of RICC: 5.4 s, now 0.27 s.
        """
        cdef seconds_t left = self.state.shadow - world.at.now
        cdef Py_ssize_t i = 0, k, entry, at
        cdef int32_t block
        self.waiting.follow(world.queue, self.order, False, world.at.arrivals)
        while i < self.waiting.blocks:
            block = self.waiting.chain[i]
            if not may_pass(self.waiting.least_size[block], self.waiting.least_estimate[block], world.at.free, left, self.state.extra):
                i += 1
                continue
            k = 0
            while k < self.waiting.filled[block]:
                entry = block * WIDTH + k
                if not may_pass(self.waiting.size[entry], self.waiting.estimate[entry], world.at.free, left, self.state.extra):
                    k += 1
                    continue
                at = world.queue.find(self.waiting.job[entry])
                self.waiting.remove(i, k)
                if at != NONE:
                    self._backfill(world, at)
                    if world.at.free == 0:
                        return 0
            # A block without entries has gone.
            i += self.waiting.filled[block] > 0
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        if world.queue.size[world.queue.first] <= world.at.free:
            return pass_pending(world, at)
        if self.keeps and self.state.head == world.queue.job[world.queue.first] and self.state.shadow != FOREVER:
            if at == world.queue.first:
                return reserved_head(world, at, self.state.shadow, self.state.extra)
            return behind_reservation(world, at, world.queue.first, world.queue.estimate[at], self.state.shadow, self.state.extra)
        if at == world.queue.first:
            return blocked_head(world, at, world.at.now + 1)
        return behind_head(world, at, world.queue.first, world.queue.estimate[at], world.at.now + 1)
