"""Deadlines that jobs have been given, of jobs that are not planned: held ones, and those that only run elsewhere."""

cimport cython
from libc.stdlib cimport free, qsort

from shadowtime.kernels.core.memory cimport grown, place_of
from shadowtime.kernels.core.types cimport FOREVER, NONE


cdef int by_job(const void *left, const void *right) noexcept nogil:
    return (<const Given *> left).job - (<const Given *> right).job


@cython.final
cdef class Deadlines:
    def __dealloc__(self):
        free(self.of)

    cdef int reserve(self, Py_ssize_t room) except -1 nogil:
        self.of = <Given *> grown(self.of, &self.room, room, sizeof(Given))
        return 0

    cdef int add(self, job_t job, seconds_t deadline) except -1 nogil:
        """Remember the deadline of a job, if it has one."""
        if deadline == FOREVER:
            return 0
        self.reserve(self.count + 1)
        self.of[self.count].job = job
        self.of[self.count].deadline = deadline
        self.of[self.count].padding = 0
        self.count += 1
        return 0

    cdef void sort(self) noexcept nogil:
        """By job: whoever looks for one does so before."""
        if self.count > 1:
            qsort(self.of, self.count, sizeof(Given), by_job)

    cdef seconds_t find(self, job_t job) noexcept nogil:
        """The deadline that a job was given before, NONE for none."""
        cdef Py_ssize_t at = place_of(self.of, self.count, sizeof(Given), job)
        return self.of[at].deadline if at < self.count and self.of[at].job == job else NONE

    cdef void keep_waiting(self, World real) noexcept nogil:
        """Forget those of jobs that do not wait on that machine."""
        cdef Py_ssize_t i, kept = 0
        for i in range(self.count):
            if real.queue.find(self.of[i].job) != NONE:
                self.of[kept] = self.of[i]
                kept += 1
        self.count = kept

    cdef void keep_held(self, World world) noexcept nogil:
        """Forget those of jobs that are not held: these come back."""
        cdef Py_ssize_t i, kept = 0
        for i in range(self.count):
            if world.state_of(self.of[i].job) == c'H':
                self.of[kept] = self.of[i]
                kept += 1
        self.count = kept
