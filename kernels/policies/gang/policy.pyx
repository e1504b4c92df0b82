"""Gang scheduling by an Ousterhout matrix (Feitelson & Jette 1997, section 3.1; docs/schedulers.md, section 10).

Jobs are packed into the rows of a matrix and keep their columns; one row at a time has the machine, and the jobs of
other rows run beside it where their columns are idle (alternates). Nothing is known of runtimes.
"""

cimport cython

from shadowtime.kernels.core.clock cimport LOADED, SWITCH_SLOT
from shadowtime.kernels.core.decisions cimport PLACE, PREEMPT, RESUME, START, SWITCH, because
from shadowtime.kernels.core.occupancy cimport settle
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, job_t, nodes_t, uint64_t
from shadowtime.kernels.policies.gang.matrix cimport BEST, BUDDY, block_of, has
from shadowtime.kernels.policies.policy cimport never_fits, pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int PASS_PENDING = reason("pass_pending", "needs", "free")
cdef int NEXT_ROW = reason("next_row", "was", "becomes", "rows", "quantum")
cdef int ROW_EMPTY = reason("row_empty", "becomes", "rows")
cdef int PLACED = reason("placed", "needs", "row", "base", "rows", "load")
cdef int PLACED_LOWEST = reason("placed_lowest", "needs", "row", "base", "rows")
cdef int ITS_ROW = reason("its_row", "needs", "row", "base", "rows")
cdef int AS_ALTERNATE = reason("as_alternate", "needs", "row", "base", "rows")
cdef int ROW_OVER = reason("row_over", "needs", "row", "base", "current")
cdef int WAITS_FOR_ROW = reason("waits_for_row", "needs", "row", "base", "current", "rows", "turn")
cdef int NO_ROW = reason("no_row", "needs", "free", "rows", "slots")
cdef int BEHIND_NO_ROW = reason("behind_no_row", "needs", "free", "head", "head_needs", "rows", "slots")
cdef int OPERATOR_PLACES = reason("operator_places", "needs", "free")
cdef int NO_BLOCK = reason("no_block", "needs", "free", "nodes", "block")

MOST_ROWS = 1_000_000
LONGEST = 1 << 40
PACKINGS = ("buddy", "first", "best")


@cython.final
cdef class Gang(Policy):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.state, sizeof(GangState)
        self.quantum = parameters["quantum"]
        self.overhead = parameters["overhead"]
        self.packing = PACKINGS.index(parameters["packing"])
        self.alternate = parameters["alternate"]
        self.unify = parameters["unify"]
        self.placing = parameters["placing"]
        self.turns = self.alone = True
        if not 1 <= self.quantum <= LONGEST:
            raise ValueError(f"quantum is {self.quantum} s; expected 1 to {LONGEST}")
        if not 0 <= self.overhead < self.quantum:
            raise ValueError(f"overhead is {self.overhead} of a quantum of {self.quantum} s; expected 0 or more, and less")
        if not 0 <= parameters["slots"] <= MOST_ROWS:
            raise ValueError(f"slots is {parameters['slots']}; expected 0 (no limit) to {MOST_ROWS}")
        self.slots = parameters["slots"]
        self.rotation = CycleSkip(self.quantum, self.overhead)

    cdef int reset(self, World world) except -1 nogil:
        self.state.next_switch = self.state.stalled_until = self.state.switches = 0
        self.state.rows = self.state.current = self.state.completed = self.state.switched = 0
        world.sliced = True
        world.at.due_kind = SWITCH_SLOT
        with gil:
            self.matrix = Matrix(world.nodes, self.packing, self.alternate)
        return 0

    cdef void _become(self, World world, int32_t row, seconds_t next_switch) noexcept nogil:
        """Another row becomes current: nobody makes progress for the time of the overhead."""
        self.state.current = row
        self.state.next_switch = next_switch
        self.state.stalled_until = world.at.now + self.overhead
        self.state.switches += 1
        self.state.switched = 1

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        """A switch that is due in this instant is called off where no other row, or not the current one, has jobs."""
        self.state.completed = 1
        self.matrix.lay(world, self.state.rows)
        self.matrix.remove(world, job)
        if (self.matrix.jobs[self.state.current] == 0
                or self.matrix.next_row(self.state.current) == self.state.current):
            world.at.due = FOREVER
        return 0

    cdef bint turn(self, World world) except -1 nogil:
        """The quantum is over: the next row has the machine."""
        cdef int32_t was = self.state.current
        self.matrix.lay(world, self.state.rows)
        self._become(world, self.matrix.next_row(was), world.at.now + self.quantum)
        world.decisions.add(SWITCH, NONE, NEXT_ROW, was, self.state.current, self.state.rows, self.quantum)
        return True

    cdef int schedule(self, World world) except -1 nogil:
        self.matrix.lay(world, self.state.rows)
        if self.state.completed:
            self._drop_empty_rows(world)
            if self.unify:
                self._unify(world)
        self._place_waiting(world)
        self._run_chosen(world)
        self.state.completed = self.state.switched = 0
        return self._set_timer(world)

    cdef int _drop_empty_rows(self, World world) except -1 nogil:
        """Rows without jobs go; if the current one does, the next takes over at once, with a whole quantum."""
        cdef int32_t row, to = 0, was = self.state.current
        cdef Py_ssize_t i
        if self.state.rows and not self.matrix.has_empty_row():
            return 0
        if self.state.rows and self.matrix.jobs[was] == 0:
            row = self.matrix.next_row(was)
            if row != was:
                self._become(world, row, world.at.now + self.quantum)
                was = NONE
        for row in range(self.state.rows):
            # `jobs` becomes the new number of each row.
            if self.matrix.jobs[row] == 0:
                self.matrix.jobs[row] = NONE
                continue
            if row == self.state.current:
                self.state.current = to
            self.matrix.jobs[row] = to
            to += 1
        for i in range(self.matrix.count):
            world.running.slots[self.matrix.seats[i].slot].row = self.matrix.jobs[self.matrix.seats[i].row]
        self.state.rows = to
        if was == NONE:
            # Given by the new numbers of the rows, like all that follows.
            world.decisions.add(SWITCH, NONE, ROW_EMPTY, self.state.current, to)
        if to == 0:
            self.state.current = 0
            self.state.stalled_until = world.at.now
        return self.matrix.renumber(world, to)

    cdef int _unify(self, World world) except -1 nogil:
        """While two rows have no column in common, the lexicographically first pair becomes one."""
        cdef int32_t a = 0, b
        cdef Py_ssize_t i
        cdef Active *active
        while a < self.state.rows:
            b = a + 1
            while b < self.state.rows and self.matrix.overlap(a, b):
                b += 1
            if b >= self.state.rows:
                a += 1
                continue
            for i in range(self.matrix.count):
                active = &world.running.slots[self.matrix.seats[i].slot]
                if active.row >= b:
                    active.row = a if active.row == b else active.row - 1
            if self.state.current == b:
                self.state.current = a
            elif self.state.current > b:
                self.state.current -= 1
            self.state.rows -= 1
            self.matrix.renumber(world, self.state.rows)
            a = 0
        return 0

    cdef int _place_waiting(self, World world) except -1 nogil:
        """Waiting jobs get their columns strictly in order of arrival, unless the operator alone places them."""
        while self.placing and world.queue.live and self._place(world, world.queue.first):
            pass
        return 0

    cdef bint _find_room(self, World world, nodes_t size, int32_t *row, nodes_t *base, int32_t *load) noexcept nogil:
        """The row of a job, and in buddy packing its base and the load of its block; False where there is no room."""
        if self.packing == BUDDY:
            base[0] = self.matrix.block_for(world, size, row, load)
            if base[0] == NONE:
                return False
        else:
            row[0] = self.matrix.row_for(size, self.packing)
        return row[0] != NONE and not (row[0] == self.state.rows and self.slots and self.state.rows == self.slots)

    cdef bint has_room(self, World world, Py_ssize_t at) except -1:
        cdef int32_t row = 0, load = 0
        cdef nodes_t base = 0
        self.matrix.lay(world, self.state.rows)
        return self._find_room(world, world.queue.size[at], &row, &base, &load)

    cdef int start_now(self, World world, Py_ssize_t at) except -1:
        """It gets its columns; when it runs is a matter of its row. Rows that are empty go first, as in a pass.

        A quantum that ends in this very instant ends with a switch if the job is given the second row before the
        switch has its turn.
        """
        cdef bint found
        self.matrix.lay(world, self.state.rows)
        if self.state.completed:
            self._drop_empty_rows(world)
        found = self._place(world, at)
        if (self.state.rows > 1 and world.at.due == FOREVER and world.at.passed <= SWITCH_SLOT
                and self.state.next_switch <= world.at.now
                and (world.at.now - self.state.next_switch) % self.quantum == 0):
            world.at.due = self.state.next_switch = world.at.now
        return found

    cdef int left(self, World world, job_t job) except -1:
        """To the matrix a job that leaves its row is one that has ended."""
        return self.completed(world, job, 0, 0)

    cdef int disturbed(self, World world) except -1 nogil:
        """The operator has acted, or an outage began or ended: other columns may be free."""
        self.matrix.forget()
        return 0

    cdef int leave(self, World world) except -1:
        """Whoever runs keeps its nodes; the others that have columns wait, at their places."""
        cdef int32_t slot
        cdef Active *active
        world.sliced = False
        # A copy has it in order, so that a run goes on alike from a copy and without one.
        world.heap.sort(world.heap.entries)
        for slot in range(world.running.used):
            active = &world.running.slots[slot]
            if active.job == NONE or active.extents == NONE:
                continue
            active.row = 0
            if active.state == c'R':
                if active.lead > world.at.now - active.run_start:
                    # The overhead ends with its quantum.
                    world.stall(slot, 0)
                continue
            world.machine.release(active.extents)
            active.extents = NONE
            world.at.awaited -= active.awaited
            active.awaited = 0
            if active.started:
                active.queued = world.at.now
            self.come_back(world, slot)
        return settle(world)

    cdef bint _place(self, World world, Py_ssize_t at) except -1 nogil:
        """Give the job at a position its row and its columns; False where there is no room."""
        cdef nodes_t size = world.queue.size[at], base = 0
        cdef int32_t row, slot, load = 0
        if not self._find_room(world, size, &row, &base, &load):
            return False
        if row == self.state.rows:
            if self.state.rows == 0:
                # A job that enters an empty matrix starts a quantum.
                self.state.next_switch = world.at.now + self.quantum
                self.state.stalled_until = world.at.now
            self.state.rows += 1
        slot = world.admit(at, False)
        world.running.slots[slot].row = row
        if world.running.slots[slot].started:
            end_wait(world, &world.running.slots[slot])
        if self.packing == BUDDY:
            world.running.slots[slot].extents = world.machine._new_extent(base, size)
        else:
            world.running.slots[slot].extents = self.matrix.lowest_free(world, row, size)
            base = world.machine.extents[world.running.slots[slot].extents].base
        self.matrix.add(world, slot)
        world.decisions.add(PLACE, world.running.slots[slot].job, PLACED if self.packing == BUDDY else PLACED_LOWEST,
                            size, row, base, self.state.rows, load)
        return True

    cdef int _run_chosen(self, World world) except -1 nogil:
        """Who runs is a function of the matrix and the current row; whoever ran and is not chosen stops."""
        cdef Py_ssize_t i
        cdef int32_t slot
        cdef Active *active
        cdef seconds_t lead = max(self.state.stalled_until - world.at.now, 0)
        cdef const uint64_t *chosen = self.matrix.choice(world, self.state.current)
        for i in range(self.matrix.count):
            slot = self.matrix.seats[i].slot
            if world.running.slots[slot].state != c'R':
                continue
            if not has(chosen, i):
                self._preempt(world, slot)
            elif self.state.switched and lead:
                world.stall(slot, lead)
        for i in range(self.matrix.count):
            slot = self.matrix.seats[i].slot
            active = &world.running.slots[slot]
            if active.state != c'R' and has(chosen, i):
                world.decisions.add(RESUME if active.started else START, active.job,
                                    ITS_ROW if active.row == self.state.current else AS_ALTERNATE, active.size,
                                    active.row, world.machine.extents[active.extents].base, self.state.rows)
                if not active.started:
                    active.backfilled = self.matrix.passes(world, active.job)
                world.take_turn(slot, lead)
        return 0

    cdef int _preempt(self, World world, int32_t slot) except -1 nogil:
        cdef Active *active = &world.running.slots[slot]
        world.decisions.add(PREEMPT, active.job, ROW_OVER, active.size, active.row,
                            world.machine.extents[active.extents].base, self.state.current)
        active.preemptions += 1
        world.tally.preemptions += 1
        world.tally.preempted += active.preemptions == 1
        return world.yield_turn(slot)

    cdef int _set_timer(self, World world) noexcept nogil:
        """The next switch; with a single row nothing happens at that time, but the phase stays."""
        world.at.due = FOREVER
        world.at.due_job = NONE
        if self.state.rows > 1:
            if self.state.next_switch <= world.at.now:
                self.state.next_switch += ((world.at.now - self.state.next_switch) // self.quantum + 1) * self.quantum
            world.at.due = self.state.next_switch
        return 0

    cdef int adopt(self, World world) except -1 nogil:
        """Whoever has nodes is in the first row with the columns that it has."""
        cdef int32_t slot
        cdef Active *active
        Policy.adopt(self, world)
        self.state.next_switch = world.at.now + self.quantum
        for slot in range(world.running.used):
            active = &world.running.slots[slot]
            if active.job == NONE or active.extents == NONE:
                continue
            active.row = 0
            active.bare = 1
            self.state.rows = 1
            if active.state == c'W':
                # It had its nodes for a run that was to begin.
                world.heap.cancel(slot, LOADED)
                world.run(slot)
        with gil:
            settle(world)
        return 0

    cdef double slots_utilization(self, World world) noexcept nogil:
        """The mean over the rows of the share of nodes that run while a row is current; 0 without rows."""
        cdef int32_t row
        cdef double total = 0.0
        if self.state.rows == 0:
            return 0.0
        self.matrix.lay(world, self.state.rows)
        for row in range(self.state.rows):
            total += self._running(world, row)
        return total / self.state.rows / world.nodes

    cdef double _running(self, World world, int32_t row) noexcept nogil:
        """The nodes that run while a row is current, with its alternates; the matrix is laid."""
        cdef const uint64_t *chosen = self.matrix.choice(world, row)
        cdef Py_ssize_t i
        cdef double nodes = 0.0
        for i in range(self.matrix.count):
            if has(chosen, i):
                nodes += world.running.slots[self.matrix.seats[i].slot].size
        return nodes

    cdef int64_t skip(self, World world, job_t last_arrival, seconds_t until, int64_t events) except -1 nogil:
        self.matrix.lay(world, self.state.rows)
        return self.rotation.run(world, self.matrix, &self.state, last_arrival, until, events)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef nodes_t needs = world.queue.size[at]
        if world.at.pass_due:
            return pass_pending(world, at)
        if not self.placing:
            return because(OPERATOR_PLACES, needs, world.at.free)
        if at == world.queue.first:
            if world.machine.downs:
                self.matrix.lay(world, self.state.rows)
                if self.matrix.row_for(needs, BEST) == NONE:
                    return never_fits(world, at)
                if self.packing == BUDDY and self.matrix.empty_block(needs) == NONE:
                    return because(NO_BLOCK, needs, world.at.free, world.nodes - world.machine.downs, block_of(needs))
            return because(NO_ROW, needs, world.at.free, self.state.rows, self.slots)
        return because(BEHIND_NO_ROW, needs, world.at.free, world.queue.job[world.queue.first],
                       world.queue.size[world.queue.first], self.state.rows, self.slots)

    cdef object explain_active(self, World world, int32_t slot):
        """A job that has its columns waits until its row is current, or until they are idle in another one."""
        cdef Active *active = &world.running.slots[slot]
        cdef int32_t distance = (active.row - self.state.current) % max(self.state.rows, 1)
        if active.state != c'W':
            return Policy.explain_active(self, world, slot)
        if world.at.pass_due:
            return because(PASS_PENDING, active.size, world.at.free)
        return because(WAITS_FOR_ROW, active.size, active.row, world.machine.extents[active.extents].base, self.state.current,
                       self.state.rows,
                       self.state.next_switch + (distance + (self.state.rows if distance < 0 else 0) - 1) * self.quantum)

    cdef object status(self, World world):
        """The matrix: of each row its jobs in trace order, with their columns as (first, count) pairs and their size."""
        rows = [[] for _ in range(self.state.rows)]
        self.matrix.lay(world, self.state.rows)
        for i in range(self.matrix.count):
            rows[self.matrix.seats[i].row].append(self.matrix.seats[i].job)
        utilizations = tuple([self._running(world, row) / world.nodes for row in range(self.state.rows)])
        return {
            "current": self.state.current if self.state.rows else None,
            "rows": tuple(map(tuple, rows)),
            "next_switch": self.state.next_switch if self.state.rows > 1 else None,
            "quantum": self.quantum,
            "switches": self.state.switches,
            "utilization_slots": sum(utilizations) / len(utilizations) if utilizations else 0.0,
            "slot_utilizations": utilizations,
        }

    cdef const char *load(self, const char *source) except NULL nogil:
        self.matrix.forget()
        return Policy.load(self, source)


cdef void end_wait(World world, Active *active) noexcept nogil:
    """A job that ran before has columns again: until its row is on it is preempted, and does not wait."""
    world.at.awaited -= active.awaited
    active.awaited = 0
    active.waited += world.at.now - active.queued
    world.tally.wait += <double> (world.at.now - active.queued)
    active.queued = world.at.now
