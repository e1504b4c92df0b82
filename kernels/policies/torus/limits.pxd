"""The limits of the T3D scheduler, and the sums that they are compared with."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, nodes_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.torus.classes cimport SERVICES_COUNT, Classes
from shadowtime.kernels.policies.torus.placed cimport Place
from shadowtime.kernels.policies.torus.torus cimport WIRES

cdef class Limits:
    cdef nodes_t job_limit
    cdef nodes_t system_limit
    cdef nodes_t storage
    cdef Classes classes
    # Sums of sizes at this moment of a pass: scratch, no part of any state.
    cdef nodes_t system                     # jobs that have a block, or had one: W, i, R, o, O and S
    cdef nodes_t large                      # large jobs that have a block: W, i, R and o
    cdef nodes_t service[SERVICES_COUNT]    # jobs of a class that have a block
    cdef nodes_t stored                     # jobs with memory in the storage
    cdef int32_t wires[WIRES]               # jobs with a wire

    cdef void count_all(self, World world, Place *places) noexcept nogil
    cdef void count(self, Place *place, nodes_t size, int sign) noexcept nogil
    cdef void give_wire(self, Place *place, int wires) noexcept nogil
    cdef void take_wire(self, Place *place) noexcept nogil
    cdef int binding(self, Place *place, nodes_t size, bint all_four, bint night, Place *loser, nodes_t lost,
                     int64_t *numbers) noexcept nogil
