"""Which nodes are idle, and which belong to whom: mechanism, separate from policy."""

from shadowtime.kernels.core.types cimport int32_t, nodes_t, uint64_t


cdef struct Extent:
    nodes_t base        # first node
    nodes_t count       # nodes in a row from there
    int32_t next        # next extent of the same holder, or of the spare list; NONE at the end


cdef inline uint64_t ones(nodes_t count) noexcept nogil:
    """The lowest bits, 1 to 64 of them."""
    return ~(<uint64_t> 0) >> (64 - count)


cdef inline void set_bits(uint64_t *bits, nodes_t base, nodes_t count, bint value) noexcept nogil:
    """Set or clear the bits of nodes base .. base + count - 1."""
    cdef Py_ssize_t word = base >> 6
    cdef nodes_t shift = base & 63, part
    cdef uint64_t mask
    while count > 0:
        part = min(<nodes_t> (64 - shift), count)
        mask = ones(part) << shift
        if value:
            bits[word] |= mask
        else:
            bits[word] &= ~mask
        count -= part
        word += 1
        shift = 0


cdef class Machine:
    """Rows of node bitmaps (one row where space is shared, one a time slot where time is sliced)."""
    cdef readonly nodes_t nodes
    cdef readonly int32_t rows
    cdef Py_ssize_t words       # 64-bit words a row
    cdef uint64_t *idle         # uint64[rows * words], bit set: the node is idle in that row, and up
    cdef uint64_t *down         # uint64[words], bit set: the node is down
    cdef nodes_t downs          # nodes that are down
    cdef Py_ssize_t *lowest     # Py_ssize_t[rows]: no word below this one has an idle node
    cdef Extent *extents        # Extent[capacity]: holders' extents and the spare ones
    cdef int32_t used           # extents ever used: the rest is untouched
    cdef Py_ssize_t capacity
    cdef int32_t spare          # first spare extent

    cdef int32_t take(self, int32_t row, nodes_t size) except -2 nogil
    cdef int32_t take_range(self, int32_t row, nodes_t base, nodes_t count, int32_t rest) except -2 nogil
    cdef bint is_idle(self, int32_t row, nodes_t base, nodes_t count) noexcept nogil
    cdef void mark(self, uint64_t *bits, int32_t first, bint value) noexcept nogil
    cdef void release(self, int32_t first) noexcept nogil
    cdef bint is_down(self, nodes_t node) noexcept nogil
    cdef nodes_t leaving(self, int32_t first) noexcept nogil
    cdef bint is_hit(self, int32_t first, nodes_t base, nodes_t count) noexcept nogil
    cdef void give(self, int32_t row, int32_t first) noexcept nogil
    cdef int set_rows(self, int32_t rows) except -1 nogil
    cdef int32_t _new_extent(self, nodes_t base, nodes_t count) except -2 nogil
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil
