"""First come, first served."""

from kernels.core.world cimport World
from kernels.policies.policy cimport Policy


cdef class Fcfs(Policy):
    pass


cdef int start_heads(World world) except -1 nogil
