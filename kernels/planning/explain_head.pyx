"""What there is to say of waiting jobs where the head of the queue has a reservation: its shadow time.

`head` is the position of the blocked head, `late` the moment at which a running job counts as ended whose predicted
end has passed. The numbers are those of this moment, whenever the last pass was.
"""

from shadowtime.kernels.core.decisions cimport because
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.planning.shadow cimport may_pass
from shadowtime.kernels.policies.policy cimport ending_job, never_fits, pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_BLOCKED = reason("head_blocked", "needs", "free", "shadow", "extra", "blocker")
cdef int HEAD_RESERVED = reason("head_reserved", "needs", "free", "shadow", "extra")
cdef int NO_ROOM = reason("no_room", "needs", "free", "head", "shadow")
cdef int WOULD_DELAY_HEAD = reason("would_delay_head", "needs", "free", "end", "shadow", "extra", "head")
cdef int HEAD_WAITS_FOR_NODES = reason("head_waits_for_nodes", "needs", "free", "shadow", "extra")


cdef object blocked_head(World world, Py_ssize_t head, seconds_t late):
    """Why the head does not start, and when it is expected to by the predicted ends."""
    cdef seconds_t shadow
    cdef nodes_t extra, needs = world.queue.size[head]
    cdef Py_ssize_t ending = world.when_free(needs, late, &shadow, &extra)
    if shadow == FOREVER and world.machine.downs:
        return never_fits(world, head)
    if ending == NONE:
        return because(HEAD_WAITS_FOR_NODES, needs, world.at.free, shadow, extra)
    return because(HEAD_BLOCKED, needs, world.at.free, shadow, extra, ending_job(world, ending))


cdef object behind_head(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t late):
    """Why the job at a position, which is predicted to take `length`, does not pass the head."""
    cdef seconds_t shadow
    cdef nodes_t extra
    world.when_free(world.queue.size[head], late, &shadow, &extra)
    return behind_reservation(world, at, head, length, shadow, extra)


cdef object reserved_head(World world, Py_ssize_t head, seconds_t shadow, nodes_t extra):
    """Why a head with a kept reservation does not start yet."""
    return because(HEAD_RESERVED, world.queue.size[head], world.at.free, shadow, extra)


cdef object behind_reservation(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t shadow, nodes_t extra):
    """Why the job at a position does not pass a head whose reservation is known."""
    cdef nodes_t size = world.queue.size[at]
    if size > world.at.free:
        return because(NO_ROOM, size, world.at.free, world.queue.job[head], shadow)
    if may_pass(size, length, world.at.free, shadow - world.at.now, extra):
        return pass_pending(world, at)
    return because(WOULD_DELAY_HEAD, size, world.at.free, world.at.now + length, shadow, extra, world.queue.job[head])
