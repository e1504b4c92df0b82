"""Deadlines that jobs have been given, of jobs that are not planned."""

from shadowtime.kernels.core.types cimport int32_t, job_t, seconds_t
from shadowtime.kernels.core.world cimport World


cdef struct Given:
    job_t job
    int32_t padding
    seconds_t deadline


cdef class Deadlines:
    cdef Given *of              # Given[count]
    cdef Py_ssize_t count
    cdef Py_ssize_t room

    cdef int reserve(self, Py_ssize_t room) except -1 nogil
    cdef int add(self, job_t job, seconds_t deadline) except -1 nogil
    cdef void sort(self) noexcept nogil
    cdef seconds_t find(self, job_t job) noexcept nogil
    cdef void keep_waiting(self, World real) noexcept nogil
    cdef void keep_held(self, World world) noexcept nogil
