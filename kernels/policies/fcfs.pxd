"""First come, first served."""

from kernels.policies.policy cimport Policy
from kernels.core.world cimport World


cdef class Fcfs(Policy):
    pass


cdef int start_heads(World world) except -1 nogil
