"""Maui: EASY with two windows, with priorities, or with preemption."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.ordering cimport Listing
from shadowtime.kernels.planning.preemption cimport Preemption
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.policies.policy cimport Policy


cdef struct MauiState:
    seconds_t shadow    # the moment at which the blocked head is expected to fit; not kept with preemption
    job_t head          # the blocked head; NONE when there is none
    nodes_t extra       # nodes free at the shadow time beyond the head's need
    int64_t padding


cdef enum Window:
    # Whom a scan lets pass the blocked head, of those that fit.
    ANYBODY             # with preemption
    EITHER              # who ends by the shadow time, or is no larger than the extra nodes
    IN_TIME             # the former
    WITHIN              # the latter


cdef class Maui(Policy):
    cdef MauiState state
    cdef bint widest            # two scans: those that end in time, then those within the extra nodes
    cdef bint preempting        # no reservation: whatever fits starts, and a blocked head may stop it
    cdef bint weighed           # the queue goes by priority
    cdef double queue_time      # the weights: of a minute waited,
    cdef double expansion       # of the expansion factor,
    cdef double size            # of a node,
    cdef double klass           # of the class's priority,
    cdef double wfp             # of the score of WFP
    cdef int32_t reservations   # jobs that cannot be delayed
    cdef Listing listing        # scratch
    cdef Listing chosen         # scratch: positions that start in this pass, by their turn
    cdef Profile profile        # scratch
    cdef Preemption preemption  # scratch

    cdef double _priority(self, World world, Py_ssize_t at) noexcept nogil
    cdef Py_ssize_t _head(self, World world) noexcept nogil
    cdef Py_ssize_t _start_heads(self, World world) except -2 nogil
    cdef bint _preempt_for(self, World world, Py_ssize_t head) except -1 nogil
    cdef int _arrivals(self, World world) except -1 nogil
    cdef int _reserve(self, World world, Py_ssize_t head) except -1 nogil
    cdef int _backfill(self, World world, Py_ssize_t begin) except -1 nogil
    cdef bint _may_pass(self, World world, int window, nodes_t size, seconds_t length) noexcept nogil
    cdef int _pass_reserved(self, World world) except -1 nogil
    cdef Py_ssize_t _choose(self, World world) except -1 nogil
    cdef bint _fits_now(self, World world, Py_ssize_t at) noexcept nogil
    cdef int _add(self, World world, Py_ssize_t at) except -1 nogil
    cdef object _explain_reserved(self, World world, Py_ssize_t at, Py_ssize_t head)
    cdef int _scan_by_arrival(self, World world, Py_ssize_t begin, int window) except -1 nogil
    cdef int _scan_by_priority(self, World world, int window) except -1 nogil
    cdef int _pass(self, World world, Py_ssize_t at, int window) except -1 nogil
