"""First come, first served."""

from shadowtime.kernels.core.types cimport int64_t, job_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef struct FcfsState:
    int64_t passed      # jobs that have passed the blocked head
    job_t head          # the blocked head; NONE when there is none
    job_t padding


cdef class Fcfs(Policy):
    cdef FcfsState state
    cdef int64_t most   # jobs that may pass a blocked head

    cdef int _leapfrog(self, World world) except -1 nogil


cdef int start_heads(World world) except -1 nogil
