"""WBAS: wide jobs coming or narrow ones."""

from shadowtime.kernels.core.types cimport int64_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.meta cimport Meta


cdef struct Sizes:
    double average      # AP: of the jobs that have arrived, the mean, later a moving one
    int64_t counted     # arrivals in it
    double recent       # AP_last at the last review
    int64_t arrivals    # in the frame before the last review


cdef class Wbas(Meta):
    cdef Sizes sizes
    cdef int64_t maf        # arrivals that the average forgets by
    cdef bint same          # both candidates are one and the same scheduler

    cdef Sizes _upto_now(self, World world, double *sum) noexcept nogil
