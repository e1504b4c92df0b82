"""Prime and non-prime time."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef struct PrimeState:
    job_t blocker       # the eligible job that did not fit and ended the last scan; NONE where none did
    int32_t idle        # boundaries in a row that found nothing running and started nothing


cdef class Prime(Policy):
    cdef PrimeState state
    cdef seconds_t cycle        # prime time and the non-prime time after it: two shifts
    cdef seconds_t length       # how much of a cycle is prime time
    cdef seconds_t phase        # the instant at which prime time begins, 0 .. cycle - 1
    cdef int64_t large          # nodes: the largest job of prime time that is not short
    cdef seconds_t short        # the longest runtime that is eligible at any time
    cdef seconds_t long         # the longest runtime that may be eligible in prime time
    cdef int64_t reserve        # nodes that are free before a job of prime time starts that is not short

    cdef seconds_t _into_cycle(self, seconds_t now) noexcept nogil
    cdef bint _is_prime(self, seconds_t now) noexcept nogil
    cdef seconds_t _next_boundary(self, seconds_t now) noexcept nogil
    cdef bint _is_eligible(self, World world, Py_ssize_t at, bint prime) noexcept nogil
    cdef int _scan(self, World world, Py_ssize_t begin) except -1 nogil
    cdef object _ineligible(self, World world, Py_ssize_t at)
