"""What there is to say of waiting jobs where the head of the queue has a reservation: its shadow time.

`head` is the position of the blocked head, `late` the moment at which a running job counts as ended whose predicted
end has passed. The numbers are those of this moment, whenever the last pass was.
"""

from shadowtime.kernels.core.decisions cimport reason_data
from shadowtime.kernels.core.types cimport FOREVER, NONE, int64_t
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
    cdef int64_t numbers[6]
    cdef seconds_t shadow
    cdef nodes_t extra, needs = world.queue.size[head]
    cdef Py_ssize_t ending = world.when_free(needs, late, &shadow, &extra)
    numbers[0] = needs
    numbers[1] = world.at.free
    numbers[2] = shadow
    numbers[3] = extra
    numbers[4] = ending_job(world, ending)
    if shadow == FOREVER and world.machine.downs:
        return never_fits(world, head)
    if ending == NONE:
        return reason_data(HEAD_WAITS_FOR_NODES, numbers)
    return reason_data(HEAD_BLOCKED, numbers)


cdef object behind_head(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t late):
    """Why the job at a position, which is predicted to take `length`, does not pass the head."""
    cdef seconds_t shadow
    cdef nodes_t extra
    world.when_free(world.queue.size[head], late, &shadow, &extra)
    return behind_reservation(world, at, head, length, shadow, extra)


cdef object reserved_head(World world, Py_ssize_t head, seconds_t shadow, nodes_t extra):
    """Why a head with a kept reservation does not start yet."""
    cdef int64_t numbers[6]
    numbers[0] = world.queue.size[head]
    numbers[1] = world.at.free
    numbers[2] = shadow
    numbers[3] = extra
    return reason_data(HEAD_RESERVED, numbers)


cdef object behind_reservation(World world, Py_ssize_t at, Py_ssize_t head, seconds_t length, seconds_t shadow, nodes_t extra):
    """Why the job at a position does not pass a head whose reservation is known."""
    cdef int64_t numbers[6]
    cdef seconds_t end = world.at.now + length
    cdef nodes_t size = world.queue.size[at]
    numbers[0] = size
    numbers[1] = world.at.free
    if size > world.at.free:
        numbers[2] = world.queue.job[head]
        numbers[3] = shadow
        return reason_data(NO_ROOM, numbers)
    if may_pass(size, length, world.at.free, shadow - world.at.now, extra):
        return pass_pending(world, at)
    numbers[2] = end
    numbers[3] = shadow
    numbers[4] = extra
    numbers[5] = world.queue.job[head]
    return reason_data(WOULD_DELAY_HEAD, numbers)
