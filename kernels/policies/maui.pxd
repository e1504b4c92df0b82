"""Maui: EASY with two windows, with priorities, or with preemption."""

from kernels.ordering cimport Listing
from kernels.policies.policy cimport Policy
from kernels.preemption cimport Preemption
from kernels.types cimport int64_t, job_t, nodes_t, seconds_t
from kernels.world cimport World


cdef struct MauiState:
    seconds_t shadow    # the moment at which the blocked head is expected to fit; not kept with preemption
    job_t head          # the blocked head; NONE when there is none
    nodes_t extra       # nodes free at the shadow time beyond the head's need
    int64_t padding


cdef class Maui(Policy):
    cdef MauiState state
    cdef bint widest            # two scans: those that end in time, then those within the extra nodes
    cdef bint preempting        # no reservation: whatever fits starts, and a blocked head may stop it
    cdef bint weighed           # the queue goes by priority
    cdef double queue_time      # the weights: of a minute waited,
    cdef double expansion       # of the expansion factor,
    cdef double size            # of a node,
    cdef double klass           # of the class's priority
    cdef Listing listing        # scratch
    cdef Preemption preemption  # scratch

    cdef double _priority(self, World world, Py_ssize_t at) noexcept nogil
    cdef int64_t _key(self, World world, Py_ssize_t at) noexcept nogil
    cdef Py_ssize_t _head(self, World world) noexcept nogil
    cdef Py_ssize_t _start_heads(self, World world) except -2 nogil
    cdef bint _preempt_for(self, World world, Py_ssize_t head) except -1 nogil
    cdef int _arrivals(self, World world) except -1 nogil
    cdef int _reserve(self, World world, Py_ssize_t head) except -1 nogil
    cdef int _scan(self, World world, Py_ssize_t begin) except -1 nogil
    cdef int _list(self, World world, Py_ssize_t begin) except -1 nogil
    cdef bint _may_pass(self, World world, nodes_t size, seconds_t length) noexcept nogil
    cdef bint _in_time(self, World world, Py_ssize_t at) except -1 nogil
    cdef bint _within_extra(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _out_of_order(self, World world, Py_ssize_t at) except -1 nogil
