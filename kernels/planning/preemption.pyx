"""Stopping running jobs so that a blocked job can start at once (docs/schedulers.md, section 8, step 3).

Which running jobs may be stopped is marked on them by their policy. They keep their progress: the largest stops
first, of equals the one that started earlier, until there is room; all of them wait again at the front
of the queue, in order of arrival, ahead of those that were stopped before. The job they made room for takes its
nodes in between, so the order of the verbs is: make_room, assign, requeue.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport PREEMPT, because
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t, job_t
from shadowtime.kernels.policies.policy cimport ending_job

from shadowtime.kernels.core.decisions import reason

cdef int PREEMPTED_FOR = reason("preempted_for", "size", "head", "head_needs", "done", "left")
cdef int NOT_ENOUGH_TO_STOP = reason("not_enough_to_stop", "needs", "free", "stoppable", "shadow", "blocker")


cdef nodes_t stoppable(World world) noexcept nogil:
    """The nodes of the running jobs that may be stopped."""
    cdef nodes_t size = 0
    cdef Py_ssize_t i
    for i in range(world.running.count):
        if world.running.slots[world.running.endings[i].slot].preemptable:
            size += world.running.endings[i].size
    return size


cdef int32_t next_to_stop(World world) noexcept nogil:
    """The slot of the largest of those jobs, ties the earlier started; NONE where there is none."""
    cdef Py_ssize_t i
    cdef int32_t slot, best = NONE
    cdef Active *active
    for i in range(world.running.count):
        slot = world.running.endings[i].slot
        active = &world.running.slots[slot]
        if active.preemptable and (
                best == NONE or active.size > world.running.slots[best].size
                or (active.size == world.running.slots[best].size and active.order < world.running.slots[best].order)):
            best = slot
    return best


@cython.final
cdef class Preemption:
    def __cinit__(self):
        self.stopped = Listing()
        self.code = PREEMPTED_FOR

    cdef bint make_room(self, World world, Py_ssize_t at) except -1 nogil:
        """Stop jobs until the one at a position fits; False, and nobody stops, where all of them are not enough."""
        cdef nodes_t needs = world.queue.size[at]
        cdef job_t head = world.queue.job[at]
        cdef int32_t slot
        cdef Active *active
        if world.at.free + stoppable(world) < needs:
            return False
        self.stopped.empty(world.running.count)
        self.freed = 0
        while world.at.free < needs:
            slot = next_to_stop(world)
            active = &world.running.slots[slot]
            world.stop(slot, c'O')
            self.freed += active.size - active.leaving
            world.vacate(slot)
            self.stopped.add(active.job, slot)
            world.decisions.add(PREEMPT, active.job, self.code, active.size, head, needs, active.done,
                                world.jobs.estimate[active.job] - active.done)
        return True

    cdef int requeue(self, World world) except -1 nogil:
        """Those who stopped queue at the front, in order of arrival. It lays the queue anew: positions change."""
        cdef Py_ssize_t rank
        self.stopped.sort()
        for rank in range(self.stopped.count):
            world.requeue(<int32_t> self.stopped.of[rank].at, rank)
        return 0


cdef object not_enough_to_stop(World world, Py_ssize_t at):
    """The job at a position does not fit even without those that may be stopped; when it will, by the others' ends."""
    cdef nodes_t needs = world.queue.size[at], stops = stoppable(world), free = world.at.free + stops
    cdef Py_ssize_t i
    for i in range(world.running.count):
        if not world.running.slots[world.running.endings[i].slot].preemptable:
            free += world.running.endings[i].size
            if free >= needs:
                return because(NOT_ENOUGH_TO_STOP, needs, world.at.free, stops,
                               max(world.running.endings[i].end, world.at.now + 1), ending_job(world, i))
    return because(NOT_ENOUGH_TO_STOP, needs, world.at.free, stops, FOREVER, NONE)


cdef object progress_of(World world, Py_ssize_t at):
    """What the job at a position has behind it and, by its estimate, before it; {} for one that never ran."""
    cdef int32_t slot = world.queue.slot[at]
    if slot == NONE or not world.running.slots[slot].started:
        return {}
    return {"done": world.running.slots[slot].done, "left": world.queue.estimate[at]}
