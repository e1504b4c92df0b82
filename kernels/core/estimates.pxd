"""A world in which every estimate is a runtime."""

from shadowtime.kernels.core.types cimport job_t
from shadowtime.kernels.core.world cimport World


cdef void believe_estimates(World world) noexcept nogil
cdef job_t earliest(World world) noexcept nogil
cdef int run_to_limits(World world) except -1 nogil
cdef int foretell(World world) except -1 nogil
cdef int believe_runtimes(World world) except -1 nogil
