"""The Ousterhout matrix as masks: which columns are taken in which row (policies.md, section 10).

A job's columns are its extents, its row is that of its slot; everything here follows from them. In buddy packing a job takes
a whole block of a power of two, aligned and cut at the last node; load, alternates and unification look at its columns only.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from kernels.queue cimport resized
from kernels.running cimport Active
from kernels.types cimport NONE

cdef extern from *:
    int ones_of "__builtin_popcountll"(unsigned long long) noexcept nogil


cdef nodes_t block_of(nodes_t size) noexcept nogil:
    """A size rounded up to a power of two."""
    cdef nodes_t block = 1
    while block < size:
        block *= 2
    return block


cdef void mark(uint64_t *mask, nodes_t base, nodes_t count) noexcept nogil:
    """Set the bits base .. base + count - 1."""
    cdef nodes_t node = base, end = base + count, part
    while node < end:
        part = min(end - node, 64 - (node & 63))
        mask[node >> 6] |= (~(<uint64_t> 0) >> (64 - part)) << (node & 63)
        node += part


cdef bint touches(const uint64_t *mask, nodes_t base, nodes_t count) noexcept nogil:
    """Whether any of the bits base .. base + count - 1 is set."""
    cdef nodes_t node = base, end = base + count, part
    while node < end:
        part = min(end - node, 64 - (node & 63))
        if mask[node >> 6] & ((~(<uint64_t> 0) >> (64 - part)) << (node & 63)):
            return True
        node += part
    return False


@cython.final
cdef class Matrix:
    def __cinit__(self, nodes_t nodes):
        self.nodes = nodes
        self.words = (nodes + 63) // 64
        self.order = Listing()
        self.chosen = Listing()
        self._reserve(1)

    def __dealloc__(self):
        free(self.columns)
        free(self.taken)
        free(self.used)
        free(self.jobs)
        free(self.busy)
        free(self.load)
        free(self.first)
        free(self.member)

    cdef int _reserve(self, int32_t rows) except -1 nogil:
        cdef size_t masks
        if rows <= self.room:
            return 0
        rows = max(rows, 2 * self.room, 8)
        masks = rows * self.words * sizeof(uint64_t)
        self.columns = <uint64_t *> resized(self.columns, masks)
        self.taken = <uint64_t *> resized(self.taken, masks)
        self.used = <uint64_t *> resized(self.used, self.words * sizeof(uint64_t))
        self.jobs = <int32_t *> resized(self.jobs, rows * sizeof(int32_t))
        self.busy = <nodes_t *> resized(self.busy, rows * sizeof(nodes_t))
        self.load = <int32_t *> resized(self.load, self.nodes * sizeof(int32_t))
        self.first = <int32_t *> resized(self.first, (rows + 2) * sizeof(int32_t))
        self.room = rows
        return 0

    cdef int lay(self, World world, int32_t rows, int packing) except -1 nogil:
        """The rows as they are: every active job in its row."""
        cdef int32_t slot
        self._reserve(rows + 1)
        self.rows = rows
        memset(self.columns, 0, (rows + 1) * self.words * sizeof(uint64_t))
        memset(self.taken, 0, (rows + 1) * self.words * sizeof(uint64_t))
        memset(self.jobs, 0, (rows + 1) * sizeof(int32_t))
        memset(self.busy, 0, (rows + 1) * sizeof(nodes_t))
        self.order.empty(world.running.used)
        for slot in range(world.running.used):
            if world.running.slots[slot].job != NONE and world.running.slots[slot].extents != NONE:
                self.add(world, slot, packing)
                self.order.add(world.running.slots[slot].job, slot)
        self.order.sort()
        if world.machine.downs:
            self._bar(world)
        return self._group(world)

    cdef void _bar(self, World world) noexcept nogil:
        """Nodes that are down, or to go down, are taken in every row."""
        cdef int32_t row
        cdef Py_ssize_t word
        for row in range(self.rows + 1):
            self.busy[row] = 0
            for word in range(self.words):
                self.taken[row * self.words + word] |= world.machine.down[word]
                self.busy[row] += ones_of(self.columns[row * self.words + word] | world.machine.down[word])

    cdef int _group(self, World world) except -1 nogil:
        """Sort the active jobs by their rows."""
        cdef int32_t row, slot
        cdef Py_ssize_t i
        if self.order.count > self.members:
            self.members = 2 * self.order.count
            self.member = <int32_t *> resized(self.member, self.members * sizeof(int32_t))
        self.first[0] = 0
        for row in range(self.rows):
            self.first[row + 1] = self.first[row] + self.jobs[row]
        for i in range(self.order.count - 1, -1, -1):
            # From behind: what is left of `first` is where each row begins.
            slot = <int32_t> self.order.of[i].at
            row = world.running.slots[slot].row + 1
            self.first[row] -= 1
            self.member[self.first[row]] = slot
        for row in range(self.rows):
            self.first[row] = self.first[row + 1]
        self.first[self.rows] = <int32_t> self.order.count
        return 0

    cdef void add(self, World world, int32_t slot, int packing) noexcept nogil:
        """Put a job into its row."""
        cdef Active *active = &world.running.slots[slot]
        cdef int32_t extent = active.extents
        cdef nodes_t base = world.machine.extents[extent].base
        cdef uint64_t *columns = &self.columns[active.row * self.words]
        cdef uint64_t *taken = &self.taken[active.row * self.words]
        self.jobs[active.row] += 1
        self.busy[active.row] += active.size
        while extent != NONE:
            mark(columns, world.machine.extents[extent].base, world.machine.extents[extent].count)
            mark(taken, world.machine.extents[extent].base, world.machine.extents[extent].count)
            extent = world.machine.extents[extent].next
        if packing == BUDDY and not active.bare:
            mark(taken, base, min(block_of(active.size), self.nodes - base))

    cdef bint overlap(self, int32_t a, int32_t b) noexcept nogil:
        """Whether two rows have a column in common."""
        cdef Py_ssize_t word
        for word in range(self.words):
            if self.columns[a * self.words + word] & self.columns[b * self.words + word]:
                return True
        return False

    cdef nodes_t block_for(self, World world, nodes_t size, int32_t *row, int32_t *load) noexcept nogil:
        """Base and row of the block for a job: least load, then lowest row, then lowest base; a new row where none is free.

        NONE where there is none in a new row either: nodes are down.
        """
        cdef nodes_t block = block_of(size), bases = (self.nodes - size) // block + 1, base, best = NONE
        cdef int32_t extent, r
        cdef Py_ssize_t i
        cdef nodes_t first, last, counted
        memset(self.load, 0, bases * sizeof(int32_t))
        for i in range(self.order.count):
            extent = world.running.slots[self.order.of[i].at].extents
            counted = NONE
            while extent != NONE:
                # A job counts once, however many stretches of a block it has.
                first = max(world.machine.extents[extent].base // block, counted + 1)
                last = (world.machine.extents[extent].base + world.machine.extents[extent].count - 1) // block
                for base in range(first, min(last + 1, bases)):
                    self.load[base] += 1
                counted = last
                extent = world.machine.extents[extent].next
        row[0] = self.rows
        for r in range(self.rows + 1):
            if r == self.rows and best != NONE:
                break
            for base in range(bases):
                if (best == NONE or self.load[base] < self.load[best]) and not touches(
                        &self.taken[r * self.words], base * block, min(block, self.nodes - base * block)):
                    best = base
                    row[0] = r
        load[0] = self.load[best] if best != NONE else 0
        return best * block if best != NONE else NONE

    cdef bint has_block(self, nodes_t size) noexcept nogil:
        """Whether a row without jobs has a block for that size: nodes that are out take part in none."""
        cdef nodes_t block = block_of(size), base
        for base in range((self.nodes - size) // block + 1):
            if not touches(&self.taken[self.rows * self.words], base * block, min(block, self.nodes - base * block)):
                return True
        return False

    cdef int32_t row_for(self, nodes_t size, int packing) noexcept nogil:
        """The row for a job: the first with enough free columns, or the one with the fewest that are; else a new one; NONE."""
        cdef int32_t row, best = self.rows
        for row in range(self.rows):
            if self.nodes - self.busy[row] >= size and (best == self.rows or self.busy[row] > self.busy[best]):
                best = row
                if packing == FIRST:
                    break
        return NONE if best == self.rows and self.nodes - self.busy[best] < size else best

    cdef int32_t lowest_free(self, World world, int32_t row, nodes_t size) except -2 nogil:
        """The lowest free columns of a row, as extents."""
        cdef const uint64_t *taken = &self.taken[row * self.words]
        cdef nodes_t node, base = NONE, left = size
        cdef int32_t first = NONE, last = NONE, made
        cdef bint is_taken
        for node in range(self.nodes + 1):
            is_taken = node == self.nodes or (taken[node >> 6] >> (node & 63)) & 1
            if base == NONE and not is_taken:
                base = node
            if base != NONE and (is_taken or node - base == left):
                made = world.machine._new_extent(base, node - base)
                left -= node - base
                base = NONE
                if last == NONE:
                    first = made
                else:
                    world.machine.extents[last].next = made
                last = made
                if left == 0:
                    break
        return first

    cdef int choose(self, World world, int32_t current, bint alternate) except -1 nogil:
        """Find who runs while a row is current: its jobs, then, as alternates, whoever fits of the rows after it."""
        cdef int32_t distance, row, slot
        cdef Py_ssize_t i
        memset(self.used, 0, self.words * sizeof(uint64_t))
        self.chosen.empty(self.order.count)
        for distance in range(self.rows if alternate else min(self.rows, 1)):
            row = (current + distance) % self.rows
            for i in range(self.first[row], self.first[row + 1]):
                slot = self.member[i]
                if self._fits(world, slot):
                    self.chosen.add(world.running.slots[slot].job, slot)
        self.chosen.sort()
        return 0

    cdef bint _fits(self, World world, int32_t slot) noexcept nogil:
        """Take a job's columns for it, if none of them is in use."""
        cdef int32_t extent = world.running.slots[slot].extents
        while extent != NONE:
            if touches(self.used, world.machine.extents[extent].base, world.machine.extents[extent].count):
                return False
            extent = world.machine.extents[extent].next
        extent = world.running.slots[slot].extents
        while extent != NONE:
            mark(self.used, world.machine.extents[extent].base, world.machine.extents[extent].count)
            extent = world.machine.extents[extent].next
        return True
