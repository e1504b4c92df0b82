"""Nodes go out of service, and come back."""

from shadowtime.kernels.core.types cimport int32_t, nodes_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.operator.steering cimport Range
from shadowtime.kernels.policies.policy cimport Policy


cdef nodes_t count_marked(World world, const Range *ranges, int32_t count) noexcept nogil
cdef nodes_t count_down(World world, const Range *ranges, int32_t count) except -1
cdef nodes_t count_kept(World world, const Range *ranges, int32_t count) noexcept nogil
cdef void keep(World world, const Range *ranges, int32_t count, bint kept) noexcept nogil
cdef int take_out(World world, Policy policy, const Range *ranges, int32_t count, bint strikes) except -1
cdef int bring_back(World world, const Range *ranges, int32_t count, bint covered_too) except -1
cdef int change(World world, Policy policy, int32_t item) except -1
cdef int finish_leaving(World world, Policy policy, int32_t slot) except -1
