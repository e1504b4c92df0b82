"""First come, first served: heads start while they fit; nothing passes the head (docs/schedulers.md, section 1)."""

cimport cython

from shadowtime.kernels.core.decisions cimport START, reason_data
from shadowtime.kernels.core.types cimport int64_t, nodes_t, seconds_t
from shadowtime.kernels.planning.explain_head cimport blocked_head
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int BEHIND_HEAD = reason("behind_head", "needs", "free", "head", "head_needs", "shadow")


cdef int start_heads(World world) except -1 nogil:
    """Start heads while they fit."""
    while world.queue.live and world.queue.size[world.queue.first] <= world.at.free:
        world.decisions.add(unless_resumed(world, world.queue.first, START), world.queue.job[world.queue.first], HEAD_FITS,
                            world.queue.size[world.queue.first], world.at.free)
        world.start(world.queue.first, False)
    return 0


@cython.final
cdef class Fcfs(Policy):
    cdef int schedule(self, World world) except -1 nogil:
        return start_heads(world)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef int64_t numbers[6]
        cdef seconds_t shadow
        cdef nodes_t extra, head_needs = world.queue.size[world.queue.first]
        if head_needs <= world.at.free:
            return pass_pending(world, at)
        if at == world.queue.first:
            return blocked_head(world, at, world.at.now + 1)
        world.when_free(head_needs, world.at.now + 1, &shadow, &extra)
        numbers[0] = world.queue.size[at]
        numbers[1] = world.at.free
        numbers[2] = world.queue.job[world.queue.first]
        numbers[3] = head_needs
        numbers[4] = shadow
        return reason_data(BEHIND_HEAD, numbers)
