"""Which nodes are idle, and which belong to whom.

Idle nodes are bitmaps, the nodes of a holder a list of extents in a pool: taking and giving cost a word an idle run,
whatever the machine's size, and a copy is three memcpys. A flat machine gives the lowest idle nodes; blocks with a
fixed place (buddies, shapes of a torus) are taken range by range.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.memory cimport grown, put_bytes, resized, take_bytes, zeros
from shadowtime.kernels.core.types cimport NONE

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(unsigned long long) noexcept nogil


@cython.final
cdef class Machine:
    def __cinit__(self, nodes_t nodes):
        self.nodes = nodes
        self.words = (<Py_ssize_t> nodes + 63) >> 6
        self.spare = NONE
        # The second half: nodes that the operator keeps out of service until `up`.
        self.down = <uint64_t *> zeros(2 * self.words, 8)
        self.set_rows(1)

    def __dealloc__(self):
        free(self.idle)
        free(self.down)
        free(self.lowest)
        free(self.extents)

    cdef int set_rows(self, int32_t rows) except -1 nogil:
        """Have that many rows, 1 or more; new ones are idle wherever a node is up."""
        cdef Py_ssize_t word
        cdef int32_t row
        self.idle = <uint64_t *> resized(self.idle, rows * self.words * 8)
        self.lowest = <Py_ssize_t *> resized(self.lowest, rows * sizeof(Py_ssize_t))
        for row in range(self.rows, rows):
            self.lowest[row] = 0
            memset(&self.idle[row * self.words], 0, self.words * 8)
            set_bits(&self.idle[row * self.words], 0, self.nodes, True)
            for word in range(self.words):
                self.idle[row * self.words + word] &= ~self.down[word]
        self.rows = rows
        return 0

    cdef int32_t _new_extent(self, nodes_t base, nodes_t count) except -2 nogil:
        cdef int32_t at = self.spare
        if at != NONE:
            self.spare = self.extents[at].next
        else:
            if self.used == self.capacity:
                self.extents = <Extent *> grown(self.extents, &self.capacity, self.used + 1, sizeof(Extent))
            at = self.used
            self.used += 1
        self.extents[at].base = base
        self.extents[at].count = count
        self.extents[at].next = NONE
        return at

    cdef int32_t take(self, int32_t row, nodes_t size) except -2 nogil:
        """The `size` lowest idle nodes of the row, as a list of extents; the caller knows that they are there."""
        cdef uint64_t *idle = &self.idle[row * self.words]
        cdef Py_ssize_t word = self.lowest[row]
        cdef int32_t first = NONE, last = NONE, made
        cdef nodes_t base, count, left = size
        cdef uint64_t bits, shifted
        while left > 0:
            bits = idle[word]
            while bits and left > 0:
                base = trailing_zeros(bits)
                shifted = ~(bits >> base)
                count = min(trailing_zeros(shifted) if shifted else 64, left)
                bits &= ~(ones(count) << base)
                base += <nodes_t> (word << 6)
                left -= count
                if last != NONE and self.extents[last].base + self.extents[last].count == base:
                    self.extents[last].count += count
                    continue
                made = self._new_extent(base, count)
                if last == NONE:
                    first = made
                else:
                    self.extents[last].next = made
                last = made
            idle[word] = bits
            if bits == 0 and left > 0:
                word += 1
        self.lowest[row] = word
        return first

    cdef int32_t take_range(self, int32_t row, nodes_t base, nodes_t count, int32_t rest) except -2 nogil:
        """Exactly these idle nodes, as an extent in front of the list `rest` (NONE for none)."""
        cdef int32_t made = self._new_extent(base, count)
        self.extents[made].next = rest
        set_bits(&self.idle[row * self.words], base, count, False)
        return made

    cdef bint is_idle(self, int32_t row, nodes_t base, nodes_t count) noexcept nogil:
        """Whether nodes base .. base + count - 1 are all idle in that row."""
        cdef uint64_t *idle = &self.idle[row * self.words]
        cdef nodes_t node
        for node in range(base, base + count):
            if not (idle[node >> 6] >> (node & 63)) & 1:
                return False
        return True

    cdef bint is_down(self, nodes_t node) noexcept nogil:
        """Whether a node is down, or will be as soon as its job leaves it."""
        return (self.down[node >> 6] >> (node & 63)) & 1

    cdef nodes_t leaving(self, int32_t first) noexcept nogil:
        """How many nodes of a list of extents are to go down."""
        cdef nodes_t node, found = 0
        while first != NONE:
            for node in range(self.extents[first].base, self.extents[first].base + self.extents[first].count):
                found += self.is_down(node)
            first = self.extents[first].next
        return found

    cdef bint is_hit(self, int32_t first, nodes_t base, nodes_t count) noexcept nogil:
        """Whether a list of extents has a node of base .. base + count - 1."""
        while first != NONE:
            if self.extents[first].base < base + count and base < self.extents[first].base + self.extents[first].count:
                return True
            first = self.extents[first].next
        return False

    cdef void give(self, int32_t row, int32_t first) noexcept nogil:
        """Return a list of extents; nodes that went down meanwhile stay out of use."""
        cdef uint64_t *idle = &self.idle[row * self.words]
        cdef Extent *extent = NULL
        cdef Py_ssize_t word, lowest = self.lowest[row]
        cdef int32_t at = first
        while at != NONE:
            extent = &self.extents[at]
            set_bits(idle, extent.base, extent.count, True)
            if self.downs:
                for word in range(extent.base >> 6, ((extent.base + extent.count - 1) >> 6) + 1):
                    idle[word] &= ~self.down[word]
            lowest = min(lowest, <Py_ssize_t> (extent.base >> 6))
            at = extent.next
        if extent != NULL:
            extent.next = self.spare
            self.spare = first
            self.lowest[row] = lowest

    cdef void mark(self, uint64_t *bits, int32_t first, bint value) noexcept nogil:
        """Set or clear the bits of the nodes of a list of extents."""
        while first != NONE:
            set_bits(bits, self.extents[first].base, self.extents[first].count, value)
            first = self.extents[first].next

    cdef void release(self, int32_t first) noexcept nogil:
        """Give up a list of extents."""
        cdef int32_t last = first
        if first == NONE:
            return
        while self.extents[last].next != NONE:
            last = self.extents[last].next
        self.extents[last].next = self.spare
        self.spare = first

    cdef size_t bytes(self) noexcept nogil:
        return (4 * sizeof(int32_t) + self.rows * sizeof(Py_ssize_t)
                + (self.rows + 2) * self.words * 8 + self.used * sizeof(Extent))

    cdef char *save(self, char *to) noexcept nogil:
        (<int32_t *> to)[0] = self.rows
        (<int32_t *> to)[1] = self.used
        (<int32_t *> to)[2] = self.spare
        (<int32_t *> to)[3] = self.downs
        to += 4 * sizeof(int32_t)
        to = put_bytes(to, self.lowest, self.rows * sizeof(Py_ssize_t))
        to = put_bytes(to, self.idle, self.rows * self.words * 8)
        to = put_bytes(to, self.down, 2 * self.words * 8)
        return put_bytes(to, self.extents, self.used * sizeof(Extent))

    cdef const char *load(self, const char *source) except NULL nogil:
        cdef int32_t rows = (<const int32_t *> source)[0]
        self.set_rows(rows)
        self.used = (<const int32_t *> source)[1]
        self.spare = (<const int32_t *> source)[2]
        self.downs = (<const int32_t *> source)[3]
        self.extents = <Extent *> grown(self.extents, &self.capacity, self.used, sizeof(Extent))
        source += 4 * sizeof(int32_t)
        source = take_bytes(source, self.lowest, rows * sizeof(Py_ssize_t))
        source = take_bytes(source, self.idle, rows * self.words * 8)
        source = take_bytes(source, self.down, 2 * self.words * 8)
        return take_bytes(source, self.extents, self.used * sizeof(Extent))
