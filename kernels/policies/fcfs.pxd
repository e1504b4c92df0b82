"""First come, first served."""

from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef class Fcfs(Policy):
    pass


cdef int start_heads(World world) except -1 nogil
