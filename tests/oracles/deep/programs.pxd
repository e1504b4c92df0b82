"""The free nodes of a machine by steps, and the runs that are planned over them."""

from libc.stdint cimport int64_t


cdef class Steps:
    cdef int64_t *time          # int64[count], ascending; the first is now
    cdef int64_t *free          # int64[count], nodes free from there until the next step; the last one lasts
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity

    cdef int grow(self, Py_ssize_t count) except -1
    cdef Py_ssize_t at(self, int64_t instant) noexcept
    cdef Py_ssize_t cut(self, int64_t instant) except -1
    cdef void join(self, Py_ssize_t step) noexcept
    cdef int copy(self, Steps other) except -1
    cpdef void advance(self, int64_t now) noexcept
    cpdef int take(self, int64_t size, int64_t start, int64_t end) except -1
    cpdef int64_t earliest(self, int64_t size, int64_t length, int64_t before=*) noexcept
    cpdef int64_t free_at(self, int64_t instant) noexcept


cdef class Line:
    cdef int64_t *job           # int64[count], by rank, equals by number
    cdef int64_t *rank          # int64[count], ascending
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity

    cdef int add(self, int64_t job, int64_t rank) except -1
    cdef void remove(self, Py_ssize_t place) noexcept
    cdef void drop(self, int64_t job) noexcept


cdef class Run:
    cdef int64_t[:] submit, runtime, size, estimate, start
    cdef int64_t nodes
    cdef list running           # a heap of (end, job)
    cdef Steps held             # what the running jobs hold, to their estimates
    cdef Line waiting

    cdef int begin(self, int64_t job, int64_t now) except -1
    cdef int64_t due(self) except -1
    cdef int completed(self, int64_t now) except -1
    cdef int submitted(self, int64_t job, int64_t now) except -1
    cdef int make_pass(self, int64_t now) except -1


cdef class Reserved(Run):
    cdef int64_t[:] reserved    # of a waiting job, where it is to start
    cdef bint replan

    cdef int put(self, int64_t job) except -1


cdef class Planned(Run):
    cdef object decide
    cdef int64_t sign           # what the order in force makes of an estimate
    cdef int64_t total          # of the estimates of the waiting jobs
    cdef int64_t short          # waiting jobs with an estimate up to `interactive`
    cdef int64_t interactive
    cdef Steps plan

    cdef int sort(self, int64_t sign) except -1


cdef class Easy(Run):
    cdef Line candidates        # the waiting jobs in the order of the scan
    cdef str scan
    cdef bint keeps             # the head keeps its first reservation
    cdef int64_t head           # whose reservation this is, -1: nobody's yet
    cdef int64_t shadow
    cdef int64_t extra

    cdef int admit(self, int64_t job, int64_t now) except -1
