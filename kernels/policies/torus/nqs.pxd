"""The front end: batch jobs queue in NQS, which releases them to the scheduler."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World

cdef enum:
    QUEUES = 7
    PERIODS = 4         # of a day: from 0, 4, 7 and 18 hours on


cdef struct QueueLimits:
    nodes_t processors      # of a job
    seconds_t longest       # estimate of a job
    int32_t user[2]         # released jobs of one user, by day and by night
    int32_t run[2]          # released jobs
    nodes_t aggregate[2]    # their processors


cdef struct Held:
    job_t job
    int32_t queue
    int32_t service         # its class, which the operator may change


cdef struct Released:
    job_t job
    int32_t queue


cdef class Nqs:
    cdef bint open                      # there is such a front end
    cdef seconds_t epoch                # the second of the week at second 0
    cdef QueueLimits queues[QUEUES]
    cdef int32_t user                   # released jobs of one user, whatever their queues
    cdef int32_t run                    # released jobs
    cdef nodes_t processors[PERIODS]    # their processors
    cdef Held *held                     # Held[count]: in order of arrival
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef Released *released             # Released[active]: released and not over
    cdef Py_ssize_t active
    cdef Py_ssize_t space

    cdef int _reserve(self, Py_ssize_t held, Py_ssize_t active) except -1 nogil
    cdef int _period(self, seconds_t now) noexcept nogil
    cdef bint takes(self, World world, job_t job) noexcept nogil
    cdef int queue_for(self, World world, job_t job) noexcept nogil
    cdef seconds_t longest_for(self, nodes_t size) noexcept nogil
    cdef int hold(self, job_t job, int queue, int service) except -1 nogil
    cdef Held *find(self, job_t job) noexcept nogil
    cdef bint may_release(self, World world) noexcept nogil
    cdef bint release(self, World world, Py_ssize_t *begin, Held *to) except -1 nogil
    cdef void forget(self, job_t job) noexcept nogil
    cdef seconds_t next_period(self, seconds_t now) noexcept nogil
    cdef int binding(self, World world, const Held *held, int64_t *numbers) noexcept nogil
    cdef object explain(self, World world, Py_ssize_t at)
    cdef object status(self, World world)
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil
