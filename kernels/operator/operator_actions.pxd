"""What an operator does to a machine at work."""

from shadowtime.kernels.core.types cimport int32_t, int64_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.operator.steering cimport Intervention, InterventionRecord, Steering
from shadowtime.kernels.policies.policy cimport Policy


cdef int obstacle(World world, Policy policy, Steering steering, int32_t item, int64_t *numbers) except -2
cdef object refusal_of(World world, Policy policy, Intervention intervention)
cdef int act(World world, Policy policy, int32_t item) except -1
cdef Policy policy_of(World world, int32_t number)
