"""When main passes and backfill cycles come."""

from shadowtime.kernels.core.types cimport int64_t, seconds_t

cdef extern from *:
    """
    #define SHADOWTIME_NOT_DUE ((int64_t)1 << 60)
    """
    const int64_t FAR "SHADOWTIME_NOT_DUE"     # later than any instant


cdef class Timing:
    cdef int64_t cost                           # of an entry in a cycle, in microseconds
    cdef seconds_t delay, interval, age
    cdef bint backfill
    cdef bint minutes                           # whether a limit counts what is left of the jobs that run
    cdef int64_t between                        # from cycle to cycle, in microseconds
    cdef seconds_t grid, restless
    cdef list spans                             # (begin, end): reservations are near
    cdef seconds_t until
    cdef seconds_t counting                     # until when jobs have minutes left that a limit counts
    cdef seconds_t asked, passed, whole_after
    cdef int64_t cycle_after
    cdef bint cycle_changed, pass_changed
    cdef seconds_t steady                       # before it a cycle finds what the last one found, unless something changes

    cdef Timing fork(self)
    cdef int _read(self, capture, seconds_t now) except -1
    cdef int reserve(self, capture) except -1
    cdef int configure(self, capture, seconds_t now, bint begun) except -1
    cdef void change(self) noexcept
    cdef void settle(self, seconds_t until) noexcept
    cdef void stir(self, seconds_t now) noexcept
    cdef void count_minutes(self, seconds_t end) noexcept
    cdef void grow_old(self, seconds_t eligible) noexcept
    cdef void ask_for_pass(self, seconds_t now) noexcept
    cdef void ask_at_once(self, seconds_t now) noexcept
    cdef object next(self, Py_ssize_t entries)
    cdef seconds_t due(self, seconds_t now, entries) except? -1
    cdef seconds_t _counted_until_steady(self, int64_t period) noexcept
    cdef object take_pass(self, seconds_t now)
    cdef bint cycle_due(self, seconds_t now) except -1
    cdef int take_cycle(self, seconds_t now, Py_ssize_t entries) except -2
    cdef int pass_over(self, seconds_t now, entries) except -1
    cdef bint _moves(self, seconds_t at) except -1
    cdef void _count_cycle(self, int64_t began, Py_ssize_t entries) noexcept
