"""Whole turns of the rows of a matrix, skipped in one go."""

from kernels.running cimport Active
from kernels.types cimport int32_t, int64_t, job_t, seconds_t
from kernels.world cimport Position, Tally, World


cdef class Turns:
    """What a world was like one turn ago: scratch, no part of any state."""
    cdef Active *slots          # Active[used]
    cdef int32_t used
    cdef int32_t room
    cdef Position at
    cdef Tally tally
    cdef int32_t row            # the row that was current; NONE where nothing is remembered
    cdef bint settled           # the turn before was quiet, too

    cdef void forget(self) noexcept nogil
    cdef int remember(self, World world, int32_t row) except -1 nogil
    cdef bint is_quiet(self, World world, int32_t row, int32_t rows) noexcept nogil
    cdef int64_t count(self, World world, job_t last_arrival, seconds_t until, int64_t events) noexcept nogil
    cdef int skip(self, World world, int64_t turns) except -1 nogil
