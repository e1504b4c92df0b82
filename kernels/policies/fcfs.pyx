"""First come, first served: heads start while they fit (docs/schedulers.md, section 1).

Nothing passes the head, or so many jobs that fit do (`leapfrog`) and then nothing more until it has started.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport BACKFILL, START, because
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.types cimport NONE, job_t, nodes_t, seconds_t
from shadowtime.kernels.planning.explain_head cimport blocked_head
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int BEHIND_HEAD = reason("behind_head", "needs", "free", "head", "head_needs", "shadow")
cdef int NO_ROOM = reason("no_room", "needs", "free", "head", "shadow")
cdef int LEAPFROGS = reason("leapfrogs", "needs", "free", "head", "head_needs", "passed", "limit")
cdef int ENOUGH_PASSED = reason("enough_passed", "needs", "free", "head", "head_needs", "shadow", "limit")

MOST = 1000000


cdef int start_heads(World world) except -1 nogil:
    """Start heads while they fit."""
    while world.queue.live and world.queue.size[world.queue.first] <= world.at.free:
        world.decisions.add(unless_resumed(world, world.queue.first, START), world.queue.job[world.queue.first], HEAD_FITS,
                            world.queue.size[world.queue.first], world.at.free)
        world.start(world.queue.first, False)
    return 0


@cython.final
cdef class Fcfs(Policy):
    def __cinit__(self, name, parameters):
        if not 0 <= parameters["leapfrog"] <= MOST:
            raise ValueError(f"leapfrog is {parameters['leapfrog']}; expected 0 to {MOST:,}")
        self.most = parameters["leapfrog"]
        if self.most:
            self.kept, self.kept_bytes = &self.state, sizeof(FcfsState)
        self.state.head = NONE

    cdef int reset(self, World world) except -1 nogil:
        self.state.head = NONE
        self.state.passed = 0
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef job_t head = NONE
        start_heads(world)
        if not self.most:
            return 0
        if world.queue.live:
            head = world.queue.job[world.queue.first]
        if head != self.state.head:
            self.state.head = head
            self.state.passed = 0
        return self._leapfrog(world) if world.queue.live > 1 else 0

    cdef int _leapfrog(self, World world) except -1 nogil:
        """Start whoever fits, in the order of the queue, until enough have passed the head."""
        cdef Py_ssize_t block, at, begin = world.queue.first + 1, tail = world.queue.tail
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if world.queue.least_size[block] > world.at.free:
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if self.state.passed >= self.most:
                    return 0
                if world.queue.size[at] > world.at.free:
                    continue
                self.state.passed += 1
                world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], LEAPFROGS, world.queue.size[at],
                                    world.at.free, self.state.head, world.queue.size[world.queue.first], self.state.passed,
                                    self.most)
                world.start(at, True)
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef seconds_t shadow
        cdef nodes_t extra, needs = world.queue.size[at], head_needs = world.queue.size[world.queue.first]
        cdef job_t head = world.queue.job[world.queue.first]
        if head_needs <= world.at.free:
            return pass_pending(world, at)
        if at == world.queue.first:
            return blocked_head(world, at, world.at.now + 1)
        world.when_free(head_needs, world.at.now + 1, &shadow, &extra)
        if self.most and (head != self.state.head or self.state.passed < self.most):
            return because(NO_ROOM, needs, world.at.free, head, shadow) if needs > world.at.free else pass_pending(world, at)
        return because(ENOUGH_PASSED if self.most else BEHIND_HEAD, needs, world.at.free, head, head_needs, shadow, self.most)
