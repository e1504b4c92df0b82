"""Priorities and classes that the operator gives to jobs in place of those of the job table.

The job table is immutable; what differs from it is kept here, in order of the jobs, and is part of every copy.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from shadowtime.kernels.core.memory cimport grown, place_of
from shadowtime.kernels.core.types cimport NONE


@cython.final
cdef class Overrides:
    def __dealloc__(self):
        free(self.of)

    cdef int reserve(self, Py_ssize_t room) except -1 nogil:
        self.of = <Override *> grown(self.of, &self.room, room, sizeof(Override))
        return 0

    cdef const Override *find(self, job_t job) noexcept nogil:
        """The override of a job, NULL for none."""
        cdef Py_ssize_t at
        if self.count == 0:
            return NULL
        at = place_of(self.of, self.count, sizeof(Override), job)
        return &self.of[at] if at < self.count and self.of[at].job == job else NULL

    cdef Override *open(self, job_t job) except NULL nogil:
        """The override of a job, to be changed."""
        cdef Py_ssize_t at = place_of(self.of, self.count, sizeof(Override), job)
        if at < self.count and self.of[at].job == job:
            return &self.of[at]
        self.reserve(self.count + 1)
        memmove(&self.of[at + 1], &self.of[at], (self.count - at) * sizeof(Override))
        self.count += 1
        memset(&self.of[at], 0, sizeof(Override))
        self.of[at].job = job
        return &self.of[at]

    cdef int64_t priority(self, job_t job) noexcept nogil:
        cdef const Override *said = self.find(job)
        return said.priority if said != NULL else 0

    cdef int service(self, Jobs jobs, job_t job) noexcept nogil:
        """The class of service that a job is of."""
        cdef const Override *said = self.find(job)
        return said.service if said != NULL and said.classed else jobs.service(job)

    cdef int64_t weight(self, Jobs jobs, job_t job) noexcept nogil:
        """What the class of a job counts for."""
        cdef const Override *said = self.find(job)
        return said.weight if said != NULL and said.classed else jobs.priority(job)

    cdef Py_ssize_t rank(self, Queue queue, Running running, job_t job, int64_t ahead) noexcept nogil:
        """How many waiting jobs come before another: by priority, then those that their policy put in front, then by row."""
        cdef Py_ssize_t at, rank = 0
        cdef int64_t priority = self.priority(job), other, place
        for at in range(queue.first, queue.tail):
            if queue.job[at] == NONE:
                continue
            place = running.slots[queue.slot[at]].ahead if queue.slot[at] != NONE else 0
            other = self.priority(queue.job[at])
            rank += other > priority or (other == priority and (place or queue.job[at]) < (ahead or job))
        return rank
