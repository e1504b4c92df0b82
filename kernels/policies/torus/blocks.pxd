"""Which block a job of the T3D gets, and what clearing it costs."""

from shadowtime.kernels.core.types cimport int32_t, nodes_t, seconds_t, uint8_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.torus.classes cimport Classes
from shadowtime.kernels.policies.torus.placed cimport Placed
from shadowtime.kernels.policies.torus.torus cimport CELLS


cdef enum Among:
    CLAIMED_LATE        # blocks that a job may claim in pass 1
    CLAIMED_EARLY       # in pass 2
    WHOEVER_OBJECTS     # all that nobody has a claim on


cdef struct Cost:
    int32_t block
    int32_t priority        # (1) the highest among the occupants in R or i, 0 if none
    nodes_t sizes           # (2) the sum of their sizes
    seconds_t longest       # (3) seconds until the last occupant is gone
    int32_t last            # the slot of that occupant, NONE where the block is empty


cdef class Priced(Placed):
    cdef Classes classes
    cdef bint same_block    # a saved job goes back to its block if it can
    cdef bint apart         # two jobs on one wire hold no adjacent blocks
    cdef bint night         # which table is in force in this pass: scratch
    cdef int32_t standing[CELLS]    # scratch

    cdef int priority_of(self, int32_t slot) noexcept nogil
    cdef bint is_preemptable(self, int32_t slot) noexcept nogil
    cdef seconds_t undisturbed_until(self, World world, int32_t slot) noexcept nogil
    cdef seconds_t gone_in(self, World world, int32_t slot) noexcept nogil
    cdef bint is_choosy(self, int32_t slot) noexcept nogil
    cdef int wires_for(self, World world, int32_t slot, int32_t block) noexcept nogil
    cdef bint asks_for(self, int32_t slot, int32_t block) noexcept nogil
    cdef bint considers(self, World world, int32_t slot, int32_t block) noexcept nogil
    cdef int32_t best_fit(self, World world, int32_t slot, bint barred_too) noexcept nogil
    cdef Cost cost_of(self, World world, int32_t block) noexcept nogil
    cdef int32_t objector(self, World world, int32_t slot, int32_t block, bint late) noexcept nogil
    cdef Cost cheapest(self, World world, int32_t slot, int among) noexcept nogil
