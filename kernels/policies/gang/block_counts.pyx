"""The blocks of buddy packing: how many jobs have a column in each, and in how many rows each is taken.

A job gets the block of least load that is free in some row. Both numbers are kept for the blocks of every size, a level for
each: a column that changes changes one block a level. RICC has 13 rows and 2,000 jobs with columns at a time; 47 % of its run
went into counting the loads anew for each job and into looking at each block of each row.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.memory cimport grown, resized
from shadowtime.kernels.core.types cimport NONE

cdef extern from *:
    int lowest_of "__builtin_ctzll"(unsigned long long) noexcept nogil


cdef inline int level_of(nodes_t size) noexcept nogil:
    """The level whose blocks are large enough for a size."""
    cdef int level = 0
    while (<nodes_t> 1 << level) < size:
        level += 1
    return level


cdef uint64_t halved(uint64_t bits) noexcept nogil:
    """32 bits, one for each two neighbours: set where one of them is."""
    bits = (bits | bits >> 1) & 0x5555555555555555ULL
    bits = (bits | bits >> 1) & 0x3333333333333333ULL
    bits = (bits | bits >> 2) & 0x0F0F0F0F0F0F0F0FULL
    bits = (bits | bits >> 4) & 0x00FF00FF00FF00FFULL
    bits = (bits | bits >> 8) & 0x0000FFFF0000FFFFULL
    return (bits | bits >> 16) & 0x00000000FFFFFFFFULL


@cython.final
cdef class BlockCounts:
    def __cinit__(self, nodes_t nodes):
        cdef Py_ssize_t blocks = 2 * <Py_ssize_t> nodes
        self.nodes = nodes
        while blocks > 1:
            blocks = (blocks + 1) // 2
            self.begin[self.levels + 1] = self.begin[self.levels] + (blocks + 63) // 64
            self.levels += 1
        self.words = self.begin[self.levels]
        self.closed = <int32_t *> resized(self.closed, 64 * self.words * sizeof(int32_t))
        self.load = <int32_t *> resized(self.load, 64 * self.words * sizeof(int32_t))
        self.mask = <uint64_t *> resized(self.mask, self.words * sizeof(uint64_t))
        self.forget_loads()
        self.lay(0)

    def __dealloc__(self):
        free(self.taken)
        free(self.closed)
        free(self.load)
        free(self.mask)

    cdef int lay(self, int32_t rows) except -1 nogil:
        """So many rows, each without a taken block."""
        self.taken = <uint64_t *> grown(self.taken, &self.room, rows, self.words * sizeof(uint64_t))
        self.rows = rows
        memset(self.taken, 0, rows * self.words * sizeof(uint64_t))
        memset(self.closed, 0, 64 * self.words * sizeof(int32_t))
        return 0

    cdef int open_row(self) except -1 nogil:
        """One more row, without a taken block."""
        self.taken = <uint64_t *> grown(self.taken, &self.room, self.rows + 1, self.words * sizeof(uint64_t))
        memset(&self.taken[self.rows * self.words], 0, self.words * sizeof(uint64_t))
        self.rows += 1
        return 0

    cdef void _spread(self, uint64_t *mask, int level) noexcept nogil:
        """The blocks of a level that have a taken block in them."""
        cdef Py_ssize_t word, below, end = self.begin[level]
        for word in range(end, self.begin[level + 1]):
            below = self.begin[level - 1] + 2 * (word - end)
            mask[word] = halved(mask[below])
            if below + 1 < end:
                mask[word] |= halved(mask[below + 1]) << 32

    cdef void take(self, int32_t row, const uint64_t *columns) noexcept nogil:
        """The taken columns of a row are these."""
        cdef uint64_t *taken = &self.taken[row * self.words]
        cdef uint64_t changed, now
        cdef Py_ssize_t word, at
        cdef int level
        for level in range(<int> self.levels):
            if level == 0:
                for word in range(self.begin[1]):
                    self.mask[word] = columns[word]
            else:
                self._spread(self.mask, level)
            for word in range(self.begin[level], self.begin[level + 1]):
                now = self.mask[word]
                changed = taken[word] ^ now
                taken[word] = now
                while changed:
                    at = lowest_of(changed)
                    self.closed[64 * word + at] += 1 if (now >> at) & 1 else -1
                    changed &= changed - 1

    cdef void forget_loads(self) noexcept nogil:
        memset(self.load, 0, 64 * self.words * sizeof(int32_t))

    cdef void weigh(self, const uint64_t *more, const uint64_t *less, int32_t by) noexcept nogil:
        """Add to the load of each block in which a job has a column: its columns are those of `more` that `less` has not."""
        cdef uint64_t bits
        cdef Py_ssize_t word
        cdef int level
        for level in range(<int> self.levels):
            if level == 0:
                for word in range(self.begin[1]):
                    self.mask[word] = more[word] & ~less[word]
            else:
                self._spread(self.mask, level)
            for word in range(self.begin[level], self.begin[level + 1]):
                bits = self.mask[word]
                while bits:
                    self.load[64 * word + lowest_of(bits)] += by
                    bits &= bits - 1

    cdef int32_t load_of(self, nodes_t base, nodes_t size) noexcept nogil:
        """Jobs with a column in the block of a size at a base."""
        cdef int level = level_of(size)
        return self.load[64 * self.begin[level] + (base >> level)]

    cdef nodes_t find(self, nodes_t size, int32_t *row, int32_t *load) noexcept nogil:
        """Base and row of the block for a job: of least load among those that are free in a row, then the lowest row, then the lowest base.

        NONE where no row has one.
        """
        cdef int level = level_of(size)
        cdef nodes_t bases = ((self.nodes - size) >> level) + 1, base, best = NONE
        cdef const int32_t *loads = &self.load[64 * self.begin[level]]
        cdef const int32_t *closed = &self.closed[64 * self.begin[level]]
        cdef const uint64_t *taken = &self.taken[self.begin[level]]
        cdef int32_t least = 0, r
        for base in range(bases):
            if closed[base] < self.rows and (best == NONE or loads[base] < least):
                best = base
                least = loads[base]
        if best == NONE:
            return NONE
        load[0] = least
        row[0] = self.rows
        for base in range(best, bases):
            if loads[base] != least or closed[base] == self.rows:
                continue
            r = 0
            while r < row[0] and (taken[r * self.words + (base >> 6)] >> (base & 63)) & 1:
                r += 1
            if r < row[0]:
                row[0] = r
                best = base
                if r == 0:
                    break
        return best << level
