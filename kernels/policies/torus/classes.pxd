"""The classes of service of the T3D, by day and by night."""

from shadowtime.kernels.core.types cimport nodes_t, seconds_t

cdef enum:
    SERVICES_COUNT = 5
    HIGHEST_PRIORITY = 1000     # of a class; the lowest is as far below 0


cdef enum Table:
    BY_CLOCK
    ALWAYS_DAY
    ALWAYS_NIGHT


cdef class Classes:
    cdef int table                              # a Table
    cdef seconds_t epoch                        # the second of the week at second 0
    cdef int priority[2][SERVICES_COUNT]        # by day, by night
    cdef seconds_t max_wait[SERVICES_COUNT]
    cdef seconds_t undisturbed[SERVICES_COUNT]  # do-not-disturb time of one processor
    cdef nodes_t limit[SERVICES_COUNT]          # processors of a class
    cdef nodes_t large                          # from this size on a job is large
    cdef nodes_t large_limit[2]                 # processors of large jobs, by day, by night

    cdef bint is_night(self, seconds_t now) noexcept nogil
    cdef seconds_t next_switch(self, seconds_t now) noexcept nogil
