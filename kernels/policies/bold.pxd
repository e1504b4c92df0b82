"""EASY backfilling that takes a risk: a relaxed reservation, predicted runtimes, speculation."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.ordering cimport Listing
from shadowtime.kernels.planning.preemption cimport Preemption
from shadowtime.kernels.policies.policy cimport Policy


cdef struct BoldState:
    seconds_t shadow    # the moment up to which others may keep the blocked head waiting
    seconds_t latest    # the earliest of its latest starts so far
    job_t head          # the blocked head; NONE when there is none
    nodes_t extra       # nodes free at the shadow time beyond the head's need
    int64_t users       # users with an entry


cdef struct Past:
    seconds_t last      # the runtime of the user's last job that ended,
    seconds_t before    # and of the one before; 0 for none
    int64_t user


cdef class BoldEasy(Policy):
    cdef BoldState state
    cdef int order              # an Order
    cdef bint predicts          # by the user's last two runtimes
    cdef int64_t relax          # the share of its expected wait that a head may be delayed by, in millionths
    cdef int64_t speculate      # the share of its estimate for which a job must have room to speculate, in millionths; 0: nobody does
    cdef Past *past             # Past[users], by user
    cdef Py_ssize_t room
    cdef Listing listing        # scratch
    cdef Preemption preemption  # scratch

    cdef int64_t _place(self, int64_t user) noexcept nogil
    cdef seconds_t _length(self, World world, Py_ssize_t at) noexcept nogil
    cdef seconds_t _needed(self, World world, Py_ssize_t at) noexcept nogil
    cdef int _await(self, World world) except -1 nogil
    cdef int _pass(self, World world) except -1 nogil
    cdef int _correct(self, World world) except -1 nogil
    cdef int _start(self, World world, Py_ssize_t at, bint backfilled, bint speculative) except -1 nogil
    cdef bint _kill_for_head(self, World world) except -1 nogil
    cdef seconds_t _reserve(self, World world, BoldState *state) except -1 nogil
    cdef int _scan(self, World world, bint speculative) except -1 nogil
    cdef bint _may_start(self, World world, Py_ssize_t at, bint speculative) noexcept nogil
    cdef int _backfill(self, World world, Py_ssize_t at, bint speculative) except -1 nogil
