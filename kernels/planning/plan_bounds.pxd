"""Lower bounds of the anchor points in a plan that only grows."""

from shadowtime.kernels.core.types cimport int64_t, nodes_t, seconds_t
from shadowtime.kernels.planning.profile cimport Profile

cdef enum:
    LENGTHS = 128           # length classes: four an octave of seconds, the last open


cdef struct Bound:
    seconds_t start         # no job of this class can be placed before
    int64_t version         # the version of the profile in which the least job of the class is placed there


cdef class PlanBounds:
    """of[size class * LENGTHS + length class]; eight size classes an octave of nodes."""
    cdef Bound *of
    cdef Py_ssize_t sizes   # size classes that there is room for
    cdef int64_t since      # the version of the profile with which the plan began: older entries are void

    cdef int begin(self, Profile profile, nodes_t nodes) except -1 nogil
    cdef seconds_t least(self, Profile profile, nodes_t size, seconds_t length, seconds_t limit) noexcept nogil
