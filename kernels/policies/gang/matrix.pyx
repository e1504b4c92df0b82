"""The Ousterhout matrix as masks: which columns are taken in which row (docs/schedulers.md, section 10).

A job's columns are its extents, its row is that of its slot; everything here follows from them. In buddy packing a job takes
a whole block of a power of two, aligned and cut at the last node; load, alternates and unification look at its columns only.

The matrix is laid once and then kept: a job that is placed or leaves changes its row only. Who runs while a row is current
depends on the matrix alone, so it is found once for each row until the matrix changes. (SDSC-BLUE, quantum 10 s: 69 % of the
time went into laying the rows and choosing anew at each event.) Whoever changes the active jobs in another way calls `forget`.
"""

cimport cython
from libc.stdlib cimport free, qsort
from libc.string cimport memcpy, memmove, memset

from shadowtime.kernels.core.machine cimport set_bits
from shadowtime.kernels.core.memory cimport grown, place_of, resized
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport NONE
from shadowtime.kernels.policies.gang.block_counts cimport BlockCounts

cdef extern from *:
    int ones_of "__builtin_popcountll"(unsigned long long) noexcept nogil


cdef nodes_t block_of(nodes_t size) noexcept nogil:
    """A size rounded up to a power of two."""
    cdef nodes_t block = 1
    while block < size:
        block *= 2
    return block


cdef bint touches(const uint64_t *mask, nodes_t base, nodes_t count) noexcept nogil:
    """Whether any of the bits base .. base + count - 1 is set."""
    cdef nodes_t node = base, end = base + count, part
    while node < end:
        part = min(end - node, 64 - (node & 63))
        if mask[node >> 6] & ((~(<uint64_t> 0) >> (64 - part)) << (node & 63)):
            return True
        node += part
    return False


cdef int by_job(const void *a, const void *b) noexcept nogil:
    return -1 if (<const Seat *> a).job < (<const Seat *> b).job else 1


@cython.final
cdef class Matrix:
    def __cinit__(self, nodes_t nodes, int packing, bint alternate):
        self.nodes = nodes
        self.packing = packing
        self.alternate = alternate
        self.words = (nodes + 63) // 64
        self.blocks = BlockCounts(nodes if packing == BUDDY else 1)
        self.was = <uint64_t *> resized(self.was, self.words * sizeof(uint64_t))
        self._reserve(1)
        self._reserve_seats(1)
        self._change()

    def __dealloc__(self):
        free(self.columns)
        free(self.taken)
        free(self.used)
        free(self.jobs)
        free(self.busy)
        free(self.was)
        free(self.seats)
        free(self.first)
        free(self.member)
        free(self.choices)
        free(self.chosen)

    cdef int _reserve(self, int32_t rows) except -1 nogil:
        """Have room for so many rows, and one more that is empty."""
        cdef size_t masks
        if rows < self.room:
            return 0
        rows = max(rows + 1, 2 * self.room, 8)
        masks = rows * self.words * sizeof(uint64_t)
        self.columns = <uint64_t *> resized(self.columns, masks)
        self.taken = <uint64_t *> resized(self.taken, masks)
        self.used = <uint64_t *> resized(self.used, self.words * sizeof(uint64_t))
        self.jobs = <int32_t *> resized(self.jobs, rows * sizeof(int32_t))
        self.busy = <nodes_t *> resized(self.busy, rows * sizeof(nodes_t))
        self.first = <int32_t *> resized(self.first, (rows + 2) * sizeof(int32_t))
        self.chosen = <unsigned char *> resized(self.chosen, rows)
        self.room = rows
        return 0

    cdef int _reserve_seats(self, Py_ssize_t seats) except -1 nogil:
        if seats > self.seat_room:
            self.seats = <Seat *> resized(self.seats, 2 * seats * sizeof(Seat))
            self.member = <int32_t *> resized(self.member, 2 * seats * sizeof(int32_t))
            self.seat_room = 2 * seats
        return 0

    cdef void forget(self) noexcept nogil:
        """The active jobs, their columns or the nodes in service may be others now."""
        self.laid = False

    cdef int lay(self, World world, int32_t rows) except -1 nogil:
        """The rows as they are: every active job in its row. Nothing to do where they have been kept."""
        if self.laid and self.rows == rows:
            return 0
        self._list(world)
        self._lay_all(world, rows)
        return self._weigh_all(world) if self.packing == BUDDY else 0

    cdef int renumber(self, World world, int32_t rows) except -1 nogil:
        """The same jobs are in other rows."""
        cdef Py_ssize_t i
        for i in range(self.count):
            self.seats[i].row = world.running.slots[self.seats[i].slot].row
        return self._lay_all(world, rows)

    cdef int add(self, World world, int32_t slot) except -1 nogil:
        """A job has got its columns: in one of the rows, or in the empty one after them, which makes a new row."""
        cdef Seat seat = self._seat_of(world, slot)
        cdef Py_ssize_t i = place_of(self.seats, self.count, sizeof(Seat), seat.job)
        if seat.row == self.rows:
            self._reserve(self.rows + 1)
            self.rows += 1
            self._lay_row(world, self.rows)
            if self.packing == BUDDY:
                self.blocks.open_row()
        self._reserve_seats(self.count + 1)
        memmove(&self.seats[i + 1], &self.seats[i], (self.count - i) * sizeof(Seat))
        self.seats[i] = seat
        self.count += 1
        self._remember(seat.row)
        self._put(world, &self.seats[i])
        if self.packing == BUDDY:
            self.blocks.take(seat.row, &self.taken[seat.row * self.words])
            self.blocks.weigh(&self.columns[seat.row * self.words], self.was, 1)
        return self._change()

    cdef int remove(self, World world, job_t job) except -1 nogil:
        """A job is not active any more; its row stays, and may be empty now."""
        cdef Py_ssize_t i = place_of(self.seats, self.count, sizeof(Seat), job)
        cdef int32_t row
        if i == self.count or self.seats[i].job != job:
            return 0
        row = self.seats[i].row
        self.count -= 1
        memmove(&self.seats[i], &self.seats[i + 1], (self.count - i) * sizeof(Seat))
        self._remember(row)
        self._lay_row(world, row)
        if self.packing == BUDDY:
            self.blocks.take(row, &self.taken[row * self.words])
            self.blocks.weigh(self.was, &self.columns[row * self.words], -1)
        return self._change()

    cdef void _remember(self, int32_t row) noexcept nogil:
        """The columns of the jobs of a row, before it changes."""
        memcpy(self.was, &self.columns[row * self.words], self.words * sizeof(uint64_t))

    cdef int _weigh_all(self, World world) except -1 nogil:
        """The loads of blocks, anew."""
        cdef Py_ssize_t i
        # The row after the last one has no job.
        cdef const uint64_t *nothing = &self.columns[self.rows * self.words]
        self.blocks.forget_loads()
        for i in range(self.count):
            memset(self.was, 0, self.words * sizeof(uint64_t))
            world.machine.mark(self.was, world.running.slots[self.seats[i].slot].extents, True)
            self.blocks.weigh(self.was, nothing, 1)
        return 0

    cdef int _list(self, World world) except -1 nogil:
        """The active jobs that have columns, in trace order."""
        cdef int32_t slot
        cdef const Active *active
        self._reserve_seats(world.running.used)
        self.count = 0
        for slot in range(world.running.used):
            active = &world.running.slots[slot]
            if active.job != NONE and active.extents != NONE:
                self.seats[self.count] = self._seat_of(world, slot)
                self.count += 1
        qsort(self.seats, self.count, sizeof(Seat), by_job)
        return 0

    cdef Seat _seat_of(self, World world, int32_t slot) noexcept nogil:
        cdef Seat seat
        cdef const Active *active = &world.running.slots[slot]
        seat.job = active.job
        seat.slot = slot
        seat.row = active.row
        seat.base = world.machine.extents[active.extents].base
        seat.count = world.machine.extents[active.extents].count if world.machine.extents[active.extents].next == NONE else 0
        return seat

    cdef int _lay_all(self, World world, int32_t rows) except -1 nogil:
        cdef int32_t row
        cdef Py_ssize_t i
        self._reserve(rows)
        self.rows = rows
        memset(self.columns, 0, (rows + 1) * self.words * sizeof(uint64_t))
        memset(self.taken, 0, (rows + 1) * self.words * sizeof(uint64_t))
        memset(self.jobs, 0, (rows + 1) * sizeof(int32_t))
        memset(self.busy, 0, (rows + 1) * sizeof(nodes_t))
        for i in range(self.count):
            self._put(world, &self.seats[i])
        if world.machine.downs:
            for row in range(rows + 1):
                self._bar(world, row)
        if self.packing == BUDDY:
            self.blocks.lay(rows)
            for row in range(rows):
                self.blocks.take(row, &self.taken[row * self.words])
        self.laid = True
        return self._change()

    cdef void _lay_row(self, World world, int32_t row) noexcept nogil:
        cdef Py_ssize_t i
        memset(&self.columns[row * self.words], 0, self.words * sizeof(uint64_t))
        memset(&self.taken[row * self.words], 0, self.words * sizeof(uint64_t))
        self.jobs[row] = 0
        self.busy[row] = 0
        for i in range(self.count):
            if self.seats[i].row == row:
                self._put(world, &self.seats[i])
        if world.machine.downs:
            self._bar(world, row)

    cdef void _bar(self, World world, int32_t row) noexcept nogil:
        """Nodes that are down, or to go down, are taken in every row."""
        cdef Py_ssize_t word
        self.busy[row] = 0
        for word in range(self.words):
            self.taken[row * self.words + word] |= world.machine.down[word]
            self.busy[row] += ones_of(self.columns[row * self.words + word] | world.machine.down[word])

    cdef void _put(self, World world, const Seat *seat) noexcept nogil:
        """Put a job into its row."""
        cdef const Active *active = &world.running.slots[seat.slot]
        cdef int32_t extent = active.extents
        cdef nodes_t base = world.machine.extents[extent].base
        cdef uint64_t *columns = &self.columns[seat.row * self.words]
        cdef uint64_t *taken = &self.taken[seat.row * self.words]
        self.jobs[seat.row] += 1
        self.busy[seat.row] += active.size
        world.machine.mark(columns, extent, True)
        world.machine.mark(taken, extent, True)
        if self.packing == BUDDY and not active.bare:
            set_bits(taken, base, min(block_of(active.size), self.nodes - base), True)

    cdef int _change(self) except -1 nogil:
        """No choice is true any more."""
        self.grouped = False
        self.bits = max((self.count + 63) >> 6, 1)
        self.choices = <uint64_t *> grown(self.choices, &self.choice_room, max(self.rows, 1) * self.bits, sizeof(uint64_t))
        memset(self.chosen, 0, max(self.rows, 1))
        return 0

    cdef bint has_empty_row(self) noexcept nogil:
        cdef int32_t row
        for row in range(self.rows):
            if self.jobs[row] == 0:
                return True
        return False

    cdef int32_t next_row(self, int32_t after) noexcept nogil:
        """The next row that has jobs, cyclic; `after` itself where no other has."""
        cdef int32_t distance
        for distance in range(1, self.rows):
            if self.jobs[(after + distance) % self.rows]:
                return (after + distance) % self.rows
        return after

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
        cdef nodes_t base = self.blocks.find(size, row, load)
        if base == NONE:
            row[0] = self.rows
            base = self.empty_block(size)
            load[0] = self.blocks.load_of(base, size) if base != NONE else 0
        return base

    cdef nodes_t empty_block(self, nodes_t size) noexcept nogil:
        """Base of the block of least load, the lowest of several, in a row without jobs; NONE where nodes are down in each."""
        cdef nodes_t block = block_of(size), base = 0, best = NONE
        while base + size <= self.nodes:
            if (best == NONE or self.blocks.load_of(base, size) < self.blocks.load_of(best, size)) and not touches(
                    &self.taken[self.rows * self.words], base, min(block, self.nodes - base)):
                best = base
            base += block
        return best

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

    cdef const uint64_t *choice(self, World world, int32_t current) noexcept nogil:
        """Who runs while a row is current, as bits of seats; true until the matrix changes."""
        if not self.chosen[current]:
            self._choose(world, current)
            self.chosen[current] = 1
        return &self.choices[current * self.bits]

    cdef void _choose(self, World world, int32_t current) noexcept nogil:
        """The jobs of the row, then, as alternates, whoever fits of the rows after it.

        Jobs of one row have no column in common: they all fit, or none, where the whole row does, or has no idle column.
        """
        cdef int32_t distance, row, seat
        cdef uint64_t idle, clash
        cdef const uint64_t *columns
        cdef Py_ssize_t word
        cdef Py_ssize_t i
        cdef uint64_t *choice = &self.choices[current * self.bits]
        if not self.grouped:
            self._group()
        memset(self.used, 0, self.words * sizeof(uint64_t))
        memset(choice, 0, self.bits * sizeof(uint64_t))
        for distance in range(self.rows if self.alternate else min(self.rows, 1)):
            row = (current + distance) % self.rows
            columns = &self.columns[row * self.words]
            idle = clash = 0
            for word in range(self.words):
                idle |= columns[word] & ~self.used[word]
                clash |= columns[word] & self.used[word]
            if not idle:
                continue
            for i in range(self.first[row], self.first[row + 1]):
                seat = self.member[i]
                if not clash or self._fits(world, &self.seats[seat]):
                    choice[seat >> 6] |= (<uint64_t> 1) << (seat & 63)
            if not clash:
                for word in range(self.words):
                    self.used[word] |= columns[word]

    cdef void _group(self) noexcept nogil:
        """Sort the seats by their rows."""
        cdef int32_t row
        cdef Py_ssize_t i
        self.first[0] = 0
        for row in range(self.rows):
            self.first[row + 1] = self.first[row] + self.jobs[row]
        for i in range(self.count - 1, -1, -1):
            # From behind: what is left of `first` is where each row begins.
            row = self.seats[i].row + 1
            self.first[row] -= 1
            self.member[self.first[row]] = <int32_t> i
        for row in range(self.rows):
            self.first[row] = self.first[row + 1]
        self.first[self.rows] = <int32_t> self.count
        self.grouped = True

    cdef bint _fits(self, World world, const Seat *seat) noexcept nogil:
        """Take a job's columns for it, if none of them is in use."""
        cdef int32_t extent
        if self.used[seat.base >> 6] >> (seat.base & 63) & 1:
            return False
        if seat.count:
            if touches(self.used, seat.base, seat.count):
                return False
            set_bits(self.used, seat.base, seat.count, True)
            return True
        extent = world.running.slots[seat.slot].extents
        while extent != NONE:
            if touches(self.used, world.machine.extents[extent].base, world.machine.extents[extent].count):
                return False
            extent = world.machine.extents[extent].next
        world.machine.mark(self.used, world.running.slots[seat.slot].extents, True)
        return True

    cdef bint passes(self, World world, job_t job) noexcept nogil:
        """Whether an earlier job has not run yet: one that waits, or one that has columns."""
        cdef Py_ssize_t i
        if world.queue.live and world.queue.job[world.queue.first] < job:
            return True
        for i in range(self.count):
            if self.seats[i].job >= job:
                break
            if not world.running.slots[self.seats[i].slot].started:
                return True
        return False
