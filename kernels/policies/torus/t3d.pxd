"""The T3D scheduler as the operator knows it: what can be asked of it, and its account of itself."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.torus.passes cimport Passing


cdef class T3D(Passing):
    cdef int _give_up_claim(self, World world, int32_t slot) except -1
    cdef int _suspend(self, World world, int32_t slot) except -1
    cdef int _resume(self, World world, int32_t slot) except -1
    cdef object _reserved_for(self, World world, int32_t slot, int32_t head, int64_t *numbers)
    cdef object _claimed(self, World world, int32_t slot, int64_t *numbers)
    cdef object _without_block(self, World world, int32_t slot, int64_t *numbers)
    cdef object _obstacle(self, World world, int32_t slot, int64_t *numbers)
    cdef int32_t _soonest(self, World world, int32_t slot, seconds_t *at, int32_t *last) noexcept nogil
    cdef bint _is_beside(self, World world, int32_t slot, int32_t block, int64_t *numbers)
    cdef bint _lacks_wire(self, World world, int32_t slot, int64_t *numbers)
    cdef bint _can_have(self, int32_t slot, int32_t wire) noexcept nogil
    cdef object _objected(self, World world, int32_t slot, int32_t block, int32_t other, int64_t *numbers)
    cdef int32_t _claimant(self, World world, int32_t slot) noexcept nogil
    cdef object _facts(self, World world, int32_t slot)
    cdef object _reservation(self, World world)
