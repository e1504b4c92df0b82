"""Blocks of the T3D's torus of 8 x 4 x 8 processors, and what stands on it."""

from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.types cimport int32_t, nodes_t, uint8_t

cdef enum:
    PROCESSORS = 256    # 8 x 4 x 8 in X, Y, Z
    BLOCKS = 256        # blocks are numbered from 1 (the whole machine): the halves of block b are 2 b and 2 b + 1
    LEVELS = 8          # level 0 is the whole machine, level 7 the blocks of 2 processors
    CELLS = 128         # blocks of the last level
    WIRES = 4           # barrier wires


cdef int level_for(nodes_t size) noexcept nogil             # the level whose blocks have that size; NONE for none
cdef int level_of(int32_t block) noexcept nogil
cdef nodes_t size_of(int32_t block) noexcept nogil
cdef nodes_t base_of(int32_t block) noexcept nogil          # its lowest processor
cdef int32_t block_at(nodes_t size, nodes_t base) noexcept nogil    # the block of that size and base; 0 for none
cdef int learn_neighbours() except -1                               # to be called before is_adjacent
cdef bint is_adjacent(int32_t block, int32_t other) noexcept nogil  # whether they touch and have no processor in common
cdef int32_t ranked(int level, int rank) noexcept nogil     # the blocks of a level in order of their bases
cdef int32_t take_block(Machine machine, int32_t block) except -2 nogil


cdef class Floor:
    """What stands on the torus at one moment of one pass: scratch, no part of any state."""
    cdef nodes_t taken[BLOCKS]      # of each block: its processors that jobs hold
    cdef nodes_t guarded[BLOCKS]    # of these, the ones of jobs that are never preempted by class
    cdef nodes_t barred[BLOCKS]     # its processors that are assigned to waiting jobs, once for each of them
    cdef nodes_t out[BLOCKS]        # its processors that are down, or go down when they are left
    cdef int32_t holder[CELLS]      # who holds each block of the last level; NONE

    cdef void clear(self) noexcept nogil
    cdef void take(self, int32_t block, int32_t slot, bint guarded) noexcept nogil
    cdef void close(self, nodes_t processor) noexcept nogil
    cdef void bar(self, int32_t block) noexcept nogil
    cdef void unbar(self, int32_t block) noexcept nogil
    cdef bint is_open(self, int32_t block, bint barred_too) noexcept nogil
    cdef nodes_t enclosing(self, int32_t block, bint barred_too) noexcept nogil
    cdef int32_t lowest(self, int level) noexcept nogil
    cdef int32_t best_fit(self, int level, bint barred_too, bint beside, const uint8_t *left_out) noexcept nogil
    cdef int occupants(self, int32_t block, int32_t *slots) noexcept nogil
