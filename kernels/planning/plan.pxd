"""A plan from scratch: every waiting job at its earliest time, in some order, above the running jobs."""

from shadowtime.kernels.core.types cimport int64_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.ordering cimport Listing
from shadowtime.kernels.planning.partial_plan cimport PartialPlan
from shadowtime.kernels.planning.plan_bounds cimport PlanBounds
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.planning.sorted_waiting cimport SortedWaiting


cdef struct Planned:
    # A waiting job in a plan that has those before it.
    seconds_t start
    seconds_t short_at      # the first instant from now on at which fewer nodes are free than it needs
    nodes_t short_free      # how many are


cdef class Plan:
    """Scratch, no part of any state: whoever goes back in time forgets it."""
    cdef Profile profile        # free nodes with every running job, and every job planned so far
    cdef Listing listing        # the waiting jobs, in the order of the plan
    cdef Planned *jobs          # Planned[listing.count]: in that order
    cdef Py_ssize_t planned     # how many of them have a place
    cdef Py_ssize_t room
    cdef PlanBounds bounds      # of the profile
    cdef SortedWaiting waiting  # who waits, from pass to pass
    cdef PartialPlan partial    # who starts now
    cdef bint own_order         # its policy looks at no priorities: ties go by arrival, whatever the queue goes by
    cdef int64_t made_at        # the event after which they were planned, NONE for no such plan

    cdef int start_due(self, World world, int order) except -1 nogil
    cdef int _start(self, World world) except -1 nogil
    cdef int _begin(self, World world, int order) except -1 nogil
    cdef int _plan_next(self, World world) except -1 nogil
    cdef void forget(self) noexcept nogil
    cdef object explain(self, World world, Py_ssize_t at, int order)
