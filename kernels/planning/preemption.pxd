"""Stopping running jobs so that a blocked job can start at once."""

from shadowtime.kernels.core.decisions cimport RESUME
from shadowtime.kernels.core.types cimport NONE, int32_t, nodes_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.ordering cimport Listing


cdef class Preemption:
    """Scratch, no part of any state: what it holds is of one moment of one pass."""
    cdef Listing stopped        # the jobs stopped for one head, by row, with their slots
    cdef nodes_t freed          # the nodes that they gave back
    cdef int code               # the reason that they are given

    cdef bint make_room(self, World world, Py_ssize_t at) except -1 nogil
    cdef int requeue(self, World world) except -1 nogil


cdef nodes_t stoppable(World world) noexcept nogil
cdef object not_enough_to_stop(World world, Py_ssize_t at)
cdef object progress_of(World world, Py_ssize_t at)


cdef inline int unless_resumed(World world, Py_ssize_t at, int kind) noexcept nogil:
    """What the start of the job at a position is called: `kind`, or RESUME where it ran before."""
    cdef int32_t slot = world.queue.slot[at]
    return RESUME if slot != NONE and world.running.slots[slot].started else kind
