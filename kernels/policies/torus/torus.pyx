"""Blocks of the T3D's torus of 8 x 4 x 8 processors, and what stands on it (docs/schedulers.md, section 11.1).

Processor X, Y, Z has the number X + 8 Y + 32 Z, so the order of bases by Z, then Y, then X is that of their numbers, and
a block of 64 or more is one range. The shapes halve each other (256 along Z into two of 128, then Z, Y, X, Z, Y, X down to
2 x 1 x 1), so blocks are the nodes of a binary tree, numbered as in a heap. Each halving settles one bit of a
processor's number: the processors of a block are those whose settled bits are the bits of its base.
"""

cimport cython
from libc.string cimport memset

from shadowtime.kernels.core.types cimport NONE

SIDES = (8, 4, 8)
SIZES = (2, 4, 8, 16, 32, 64, 128, 256)

# The bit that the halving into each level settles: Z + 4, Z + 2, Y + 2, X + 4, Z + 1, Y + 1, X + 2.
HALVINGS = (128, 64, 16, 4, 32, 8, 2)

cdef nodes_t bits[LEVELS]           # the settled bits of the bases of a level
cdef nodes_t bases[BLOCKS]
cdef uint8_t adjacent[BLOCKS][BLOCKS]
cdef int32_t in_order[BLOCKS]       # in_order[2**level + rank]: the blocks of a level by their bases


cdef int fill_tables() except -1:
    bits[0] = bases[0] = bases[1] = 0
    for level, bit in enumerate(HALVINGS, 1):
        bits[level] = bits[level - 1] | bit
        for block in range(1 << level, 2 << level):
            bases[block] = bases[block // 2] + (bit if block % 2 else 0)
    for level in range(LEVELS):
        first = 1 << level
        for rank, block in enumerate(sorted(range(first, 2 * first), key=lambda block: bases[block])):
            in_order[first + rank] = block
    return 0


cdef int learn_neighbours() except -1:
    """Fill the table of adjacent blocks, which few runs need."""
    cdef object processor, block, other, x, y, z, here, held = [0] * BLOCKS, beside = [0] * BLOCKS
    for block in range(1, BLOCKS):
        for processor in range(PROCESSORS):
            if processor & bits[level_of(block)] != bases[block]:
                continue
            held[block] |= 1 << processor
            x, y, z = processor & 7, processor >> 3 & 3, processor >> 5
            for here in ((x + 1, y, z), (x + 7, y, z), (x, y + 1, z), (x, y + 3, z), (x, y, z + 1), (x, y, z + 7)):
                beside[block] |= 1 << ((here[0] & 7) + 8 * (here[1] & 3) + 32 * (here[2] & 7))
    for block in range(1, BLOCKS):
        for other in range(1, BLOCKS):
            adjacent[block][other] = (beside[block] & held[other]) != 0 and (held[block] & held[other]) == 0
    return 0


fill_tables()


cdef int level_for(nodes_t size) noexcept nogil:
    cdef int level
    for level in range(LEVELS):
        if PROCESSORS >> level == size:
            return level
    return NONE


cdef int level_of(int32_t block) noexcept nogil:
    cdef int level = 0
    while block >> (level + 1):
        level += 1
    return level


cdef nodes_t size_of(int32_t block) noexcept nogil:
    return PROCESSORS >> level_of(block)


cdef nodes_t base_of(int32_t block) noexcept nogil:
    return bases[block]


cdef int32_t block_at(nodes_t size, nodes_t base) noexcept nogil:
    cdef int level = level_for(size), rank
    for rank in range(1 << level if level > NONE else 0):
        if bases[ranked(level, rank)] == base:
            return ranked(level, rank)
    return 0


cdef bint is_adjacent(int32_t block, int32_t other) noexcept nogil:
    return adjacent[block][other]


cdef int32_t ranked(int level, int rank) noexcept nogil:
    return in_order[(1 << level) + rank]


cdef int32_t take_block(Machine machine, int32_t block) except -2 nogil:
    """The processors of a block, all idle, as a list of extents, lowest first."""
    cdef nodes_t settled = bits[level_of(block)]
    cdef nodes_t length = settled & -settled if settled else <nodes_t> PROCESSORS, first = PROCESSORS
    cdef int32_t extents = NONE
    while first:
        first -= length
        if first & settled == bases[block]:
            extents = machine.take_range(0, first, length, extents)
    return extents


cdef void count(nodes_t *of, int32_t block, int sign) noexcept nogil:
    """Add the processors of a block to, or take them from, the sums of all blocks that share some with it."""
    cdef nodes_t size = sign * size_of(block)
    cdef int32_t other = block >> 1, first = block, past = block + 1
    while other:
        of[other] += size
        other >>= 1
    while first < BLOCKS:
        for other in range(first, past):
            of[other] += size
        size //= 2
        first *= 2
        past *= 2


def is_base(nodes_t size, nodes_t base):
    return block_at(size, base) != 0


@cython.final
cdef class Floor:
    cdef void clear(self) noexcept nogil:
        memset(self.taken, 0, sizeof(self.taken))
        memset(self.guarded, 0, sizeof(self.guarded))
        memset(self.barred, 0, sizeof(self.barred))
        memset(self.out, 0, sizeof(self.out))
        memset(self.holder, 0xFF, sizeof(self.holder))

    cdef void take(self, int32_t block, int32_t slot, bint guarded) noexcept nogil:
        """The job of a slot holds an idle block."""
        cdef int below = LEVELS - 1 - level_of(block)
        cdef int32_t cell
        count(self.taken, block, 1)
        if guarded:
            count(self.guarded, block, 1)
        for cell in range((block << below) - CELLS, ((block + 1) << below) - CELLS):
            self.holder[cell] = slot

    cdef void close(self, nodes_t processor) noexcept nogil:
        """A processor is out of service: a block with it is taken for nobody."""
        cdef int32_t block = ranked(LEVELS - 1, processor >> 1)
        while block:
            self.out[block] += 1
            block >>= 1

    cdef void bar(self, int32_t block) noexcept nogil:
        """A block is assigned to a job that waits for it."""
        count(self.barred, block, 1)

    cdef void unbar(self, int32_t block) noexcept nogil:
        count(self.barred, block, -1)

    cdef bint is_open(self, int32_t block, bint barred_too) noexcept nogil:
        """Whether a block is idle, in service and, unless barred ones count too, assigned to nobody."""
        return self.taken[block] == 0 and self.out[block] == 0 and (barred_too or self.barred[block] == 0)

    cdef nodes_t enclosing(self, int32_t block, bint barred_too) noexcept nogil:
        """The size of the largest open block around an open block."""
        while block > 1 and self.is_open(block >> 1, barred_too):
            block >>= 1
        return size_of(block)

    cdef int32_t lowest(self, int level) noexcept nogil:
        """The free block of the lowest base, 0 where there is none."""
        cdef int rank
        for rank in range(1 << level):
            if self.is_open(ranked(level, rank), False):
                return ranked(level, rank)
        return 0

    cdef int32_t best_fit(self, int level, bint barred_too, bint beside, const uint8_t *left_out) noexcept nogil:
        """The open block whose largest open enclosing block is smallest, then the lowest base; 0 where there is none.

        `left_out`, unless it is NULL, marks blocks that are not considered. With `beside` first the one around which the guarded jobs hold most: in the block of 128, of 64, and so on.
        """
        cdef int rank, above
        cdef int32_t block, best = 0
        cdef nodes_t room, least = 0, difference
        for rank in range(1 << level):
            block = ranked(level, rank)
            if not self.is_open(block, barred_too) or (left_out != NULL and left_out[block]):
                continue
            room = self.enclosing(block, barred_too)
            difference = 0
            if best and beside:
                for above in range(level - 1, 0, -1):
                    # That many halvings above: first the block of 128, last the one of twice the size.
                    difference = self.guarded[block >> above] - self.guarded[best >> above]
                    if difference:
                        break
            if best == 0 or difference > 0 or (difference == 0 and room < least):
                best = block
                least = room
        return best

    cdef int occupants(self, int32_t block, int32_t *slots) noexcept nogil:
        """Who holds processors of a block: so many slots, CELLS at most, each once."""
        cdef int below = LEVELS - 1 - level_of(block), found = 0
        cdef int32_t cell
        for cell in range((block << below) - CELLS, ((block + 1) << below) - CELLS):
            if self.holder[cell] != NONE and (found == 0 or slots[found - 1] != self.holder[cell]):
                slots[found] = self.holder[cell]
                found += 1
        return found
