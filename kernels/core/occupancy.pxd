"""Who has which nodes, found anew."""

from shadowtime.kernels.core.world cimport World


cdef int recount(World world) except -1
cdef int settle(World world) except -1
