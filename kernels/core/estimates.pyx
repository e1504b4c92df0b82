"""A world in which every estimate is a runtime: what a forecast goes by, and a scheduler that takes over."""

from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport zeros
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport NONE, int32_t, seconds_t


cdef void believe_estimates(World world) noexcept nogil:
    """Every present run is predicted to last to the end of its estimate, and nobody may be stopped."""
    cdef int32_t slot
    cdef Active *active
    for slot in range(world.running.used):
        active = &world.running.slots[slot]
        if active.job == NONE or not active.listed:
            continue
        active.preemptable = 0
        if active.predicted:
            world.running.delist(slot)
            active.predicted = 0
            active.end = world.limit(slot)
            world.running.enlist(slot)


cdef job_t earliest(World world) noexcept nogil:
    """The first row among the jobs that wait or are active; the number of arrivals where there is none."""
    cdef job_t first = world.at.arrivals
    cdef Py_ssize_t at
    for at in range(world.queue.first, world.queue.tail):
        if world.queue.job[at] != NONE:
            first = min(first, world.queue.job[at])
    for at in range(world.running.used):
        if world.running.slots[at].job != NONE:
            first = min(first, world.running.slots[at].job)
    return first


cdef int run_for(World world, const seconds_t *lengths) except -1 nogil:
    """What is running ends when it has made a progress of `lengths[job]`."""
    cdef int32_t slot
    cdef Active *active
    cdef seconds_t *ends = <seconds_t *> zeros(world.running.used, sizeof(seconds_t))
    for slot in range(world.running.used):
        active = &world.running.slots[slot]
        if active.job != NONE:
            ends[slot] = active.run_start + active.lead + max(lengths[active.job] - active.done, 1)
    world.heap.postpone_finishes(ends)
    free(ends)
    return 0


cdef int run_to_limits(World world) except -1 nogil:
    """What is running ends at its estimate."""
    return run_for(world, world.jobs.estimate)


cdef int foretell(World world) except -1 nogil:
    """From here on every estimate is a runtime: a forecast, in which nodes have no owners."""
    cdef int32_t slot
    world.owning = world.machine.downs > 0
    world.repairs.foreseen = world.at.changes
    if not world.sliced and not world.owning:
        for slot in range(world.running.used):
            world.running.slots[slot].extents = NONE
    return run_to_limits(world)


cdef int believe_runtimes(World world) except -1 nogil:
    """From here on the runtimes are those of the job table, and nobody is killed, in a world whose table has become another."""
    cdef int32_t slot
    for slot in range(world.running.used):
        world.running.slots[slot].killed = 0
    return run_for(world, world.jobs.runtime)
