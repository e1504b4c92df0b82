"""As much of a plan as decides who starts now."""

from shadowtime.kernels.core.types cimport int32_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.plan_bounds cimport PlanBounds
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.planning.sorted_waiting cimport SortedWaiting


cdef struct Place:
    # An entry of the sorted queue.
    int32_t block           # number in the chain
    int32_t k               # number in the block
    int32_t entry


cdef struct Window:
    seconds_t until         # [now, until) has at least so many nodes free throughout
    nodes_t least


cdef class PartialPlan:
    """Scratch of one pass, no part of any state."""
    cdef Profile profile        # running jobs, the jobs that start now, and those planned before the horizon
    cdef PlanBounds bounds
    cdef Place *due             # Place[due_count]: who starts now, in order of the plan
    cdef Py_ssize_t due_count
    cdef Py_ssize_t due_room
    cdef Window *windows        # Window[window_count]: `until` ascends to the horizon, `least` descends
    cdef Py_ssize_t window_count
    cdef Py_ssize_t window_room
    cdef seconds_t now
    cdef seconds_t horizon      # the first moment at which fewer nodes are free than any waiting job needs
    cdef nodes_t narrowest      # least size of all waiting jobs

    cdef int decide(self, World world, SortedWaiting waiting) except -1 nogil
    cdef nodes_t _free_for(self, seconds_t length) noexcept nogil
    cdef bint _find_next(self, SortedWaiting waiting, Place *next) noexcept nogil
    cdef int _measure(self, seconds_t start) except -1 nogil
    cdef Py_ssize_t _start(self, Place place, nodes_t size, seconds_t length, Py_ssize_t equals) except -1 nogil
    cdef int _plan(self, nodes_t size, seconds_t length, Py_ssize_t equals) except -1 nogil
