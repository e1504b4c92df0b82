"""Priorities and classes that the operator gives to jobs in place of those of the job table."""

from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.queue cimport Queue
from shadowtime.kernels.core.running cimport Running
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, uint8_t


cdef struct Override:
    job_t job
    int32_t by              # the item of the action that gave it its class
    int64_t priority
    int64_t weight          # what its class counts for
    uint8_t classed         # 1: its class is another one, with what follows
    uint8_t service
    uint8_t interactive
    uint8_t padding[5]


cdef class Overrides:
    """By job; empty in most runs."""
    cdef Override *of         # Override[count]: ascending by job
    cdef int32_t count
    cdef Py_ssize_t room

    cdef const Override *find(self, job_t job) noexcept nogil
    cdef Override *open(self, job_t job) except NULL nogil
    cdef int service(self, Jobs jobs, job_t job) noexcept nogil
    cdef int64_t weight(self, Jobs jobs, job_t job) noexcept nogil
    cdef Py_ssize_t rank(self, Queue queue, Running running, job_t job, int64_t ahead) noexcept nogil
    cdef int64_t priority(self, job_t job) noexcept nogil
    cdef int reserve(self, Py_ssize_t room) except -1 nogil
