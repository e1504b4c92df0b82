"""Lower bounds of the earliest anchor point, by size and by length."""

from kernels.profile cimport Profile
from kernels.types cimport int64_t, nodes_t, seconds_t

cdef enum:
    LENGTHS = 52        # length classes: two an octave of seconds, the last open


cdef class AnchorBounds:
    """bound[c * LENGTHS + l]: no job of size class c and length class l has a whole anchor before it."""
    cdef int sizes                  # size classes: four an octave of nodes
    cdef nodes_t *least_size        # nodes_t[sizes]: the least size in a class
    cdef seconds_t *least_length    # seconds_t[LENGTHS]
    cdef seconds_t *bound           # seconds_t[sizes * LENGTHS]
    cdef int64_t *made              # int64[sizes * LENGTHS]: the version of the profile it is exact for, or NONE

    cdef Py_ssize_t classify(self, nodes_t size, seconds_t length) noexcept nogil
    cdef void forget_all(self, seconds_t now) noexcept nogil
    cdef void lower(self, Profile profile, seconds_t start, seconds_t end) noexcept nogil
    cdef seconds_t _highest(self, int c) noexcept nogil
    cdef void _lower_class(self, int c, seconds_t begin, seconds_t finish, seconds_t start) noexcept nogil
    cdef seconds_t raised(self, Profile profile, Py_ssize_t at, seconds_t now) noexcept nogil
