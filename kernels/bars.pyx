"""Who had, has and will have which nodes from when to when: what a Gantt chart is drawn from.

The kernel does not keep where a job ran. A `Recorder` runs a fork over a stretch of the past and writes down who
holds what; `Expectation` says what is held now, to its predicted end, and places those that are to start; a `Grid`
sums the node-seconds in cells of so many nodes by so many seconds. All of it can work without the lock.
"""

cimport cython
from libc.stdlib cimport calloc, free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

from kernels.clock cimport EventHeap, FINISH, LOADED, SWAPPED_IN, SWAPPED_OUT
from kernels.machine cimport Machine
from kernels.running cimport Active
from kernels.simulation cimport Simulation
from kernels.types cimport DOWN, FOREVER, NONE
from kernels.world cimport World

cdef enum:
    SEVERAL = -3            # in a grid: nobody has half of what is taken


@cython.final
cdef class Stretches:
    def __dealloc__(self):
        free(self.of)

    cdef int add(self, job_t job, nodes_t first, nodes_t count, seconds_t since, seconds_t until, int kind) \
            except -1 nogil:
        cdef Stretch *grown
        cdef Stretch *made
        if self.count == self.capacity:
            grown = <Stretch *> realloc(self.of, max(2 * self.capacity, 64) * sizeof(Stretch))
            if grown == NULL:
                with gil:
                    raise MemoryError
            self.of = grown
            self.capacity = max(2 * self.capacity, 64)
        made = &self.of[self.count]
        made.job = job
        made.first = first
        made.count = count
        made.since = since
        made.until = until
        made.kind = <uint8_t> kind
        self.count += 1
        return 0

    @property
    def last(self):
        """The latest end, those for ever not counted; None where there is none."""
        return max((self.of[i].until for i in range(self.count) if self.of[i].until < FOREVER), default=None)

    def rows(self):
        """(job, first node, nodes, since, until, kind) of each."""
        cdef Py_ssize_t i
        return [(self.of[i].job, self.of[i].first, self.of[i].count, self.of[i].since, self.of[i].until,
                 chr(self.of[i].kind)) for i in range(self.count)]


def outages(periods):
    """The stretches of nodes that are going to be down: (first node, nodes, since, until or None) each."""
    made = Stretches()
    for first, count, since, until in periods:
        made.add(DOWN, first, count, since, FOREVER if until is None else until, c"X")
    return made


cdef uint64_t digest(Machine machine, int32_t extent) noexcept nogil:
    """What tells one list of nodes from another (FNV-1a over the extents)."""
    cdef uint64_t found = 14695981039346656037ULL
    while extent != NONE:
        found = (found ^ <uint64_t> machine.extents[extent].base) * 1099511628211ULL
        found = (found ^ <uint64_t> machine.extents[extent].count) * 1099511628211ULL
        extent = machine.extents[extent].next
    return found


cdef int add_down(Stretches made, Machine machine, seconds_t since, seconds_t until) except -1 nogil:
    """A stretch for each run of nodes that are down."""
    cdef nodes_t node = 0, first
    while node < machine.nodes:
        if machine.down[node >> 6] == 0:
            node = (node | 63) + 1
            continue
        if not (machine.down[node >> 6] >> (node & 63)) & 1:
            node += 1
            continue
        first = node
        while node < machine.nodes and (machine.down[node >> 6] >> (node & 63)) & 1:
            node += 1
        made.add(DOWN, first, node - first, since, until, c"X")
    return 0


@cython.final
cdef class Recorder:
    """Writes down who holds which nodes along a run. The simulation becomes its own, best a fork.

    For policies that share space: of jobs that share nodes in turns it sees those that have columns.
    """

    def __cinit__(self, Simulation simulation not None):
        self.simulation = simulation
        self.made = Stretches()
        self.down = <uint64_t *> calloc(simulation.world.machine.words, 8)
        if self.down == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.open)
        free(self.down)

    def begin(self, seconds_t at, copy=None):
        """Begin to record at an instant, from a copy that is not later (None: from where it stands)."""
        if copy is not None:
            self.simulation.restore(copy)
        self.simulation.run(until=at)
        self.until = at
        self._restart()

    def record(self, seconds_t until, int64_t events, Py_ssize_t stretches=1 << 20):
        """Record up to an instant; stops after so many events or new stretches. Whether it has come to the instant.

        Without the lock. Where the policy fails, what was recorded before stays.
        """
        cdef World world = self.simulation.world
        cdef int64_t before = world.at.event, done
        self.goal = self.made.count + stretches
        try:
            with nogil:
                done = self._run(until - 1, events)
        finally:
            # Before the first event now is the first submission: nothing has come to pass by then.
            if world.at.event > before:
                self.until = max(world.at.now, self.until)
        if done == events or self.made.count >= self.goal:
            return False
        self.until = max(until, self.until)
        return True

    def take(self, bint on=False):
        """What was recorded since the last time; what lasts is cut here. `on`: and the next time all of it again."""
        cdef Stretches made = Stretches()
        cdef Stretch *held
        cdef Py_ssize_t i
        for i in range(self.made.count):
            held = &self.made.of[i]
            if held.since < min(held.until, self.until):
                made.add(held.job, held.first, held.count, held.since, min(held.until, self.until), held.kind)
        made.since = self.made.since
        made.until = self.until
        made.event = self.simulation.world.at.event
        if not on:
            self._restart()
        return made

    def _restart(self):
        self.made = Stretches()
        self.made.since = self.until
        self.slots = 0
        self.down_count = 0
        memset(self.down, 0, self.simulation.world.machine.words * 8)
        self._look(self.until)

    cdef int64_t _run(self, seconds_t last, int64_t events) except -1 nogil:
        """Events up to the instant `last`, one by one."""
        cdef int64_t done = 0
        while done < events and self.made.count < self.goal:
            if self.simulation._run(last, 1, False) == 0:
                break
            done += 1
            self._look(self.simulation.world.at.now)
        return done

    cdef int _look(self, seconds_t now) except -1 nogil:
        """See who holds what since the last event."""
        cdef int32_t slot, used = self.simulation.world.running.used, capacity
        cdef Active *active
        cdef Open *open
        cdef uint64_t mark
        if used > self.capacity:
            capacity = max(used, 2 * self.capacity, 64)
            open = <Open *> realloc(self.open, capacity * sizeof(Open))
            if open == NULL:
                with gil:
                    raise MemoryError
            self.open = open
            self.capacity = capacity
        while self.slots < used:
            memset(&self.open[self.slots], 0, sizeof(Open))
            self.slots += 1
        for slot in range(used):
            active = &self.simulation.world.running.slots[slot]
            open = &self.open[slot]
            if active.job == NONE or active.extents == NONE:
                if open.stretches:
                    self._reopen(slot, 0, now)
                continue
            # Nobody moves while it runs: the order of its start stands for its nodes.
            mark = <uint64_t> active.order if active.state == c'R' else digest(
                self.simulation.world.machine, active.extents)
            if not open.stretches or open.job != active.job or open.state != active.state or open.mark != mark:
                self._reopen(slot, mark, now)
        return self._look_down(now)

    cdef int _reopen(self, int32_t slot, uint64_t mark, seconds_t now) except -1 nogil:
        """End the stretches of a slot, and begin those that it has now."""
        cdef Open *open = &self.open[slot]
        cdef Active *active = &self.simulation.world.running.slots[slot]
        cdef int32_t i, extent = active.extents if active.job != NONE else NONE
        for i in range(open.stretches):
            self.made.of[open.at + i].until = now
        open.at = self.made.count
        open.job = active.job
        open.state = active.state
        open.mark = mark
        while extent != NONE:
            self.made.add(active.job, self.simulation.world.machine.extents[extent].base,
                          self.simulation.world.machine.extents[extent].count, now, FOREVER, active.state)
            extent = self.simulation.world.machine.extents[extent].next
        open.stretches = <int32_t> (self.made.count - open.at)
        return 0

    cdef int _look_down(self, seconds_t now) except -1 nogil:
        """See which nodes went down or came up since the last event."""
        cdef size_t size = self.simulation.world.machine.words * 8
        cdef Py_ssize_t i
        if not self.simulation.world.machine.downs and not self.down_count:
            return 0
        if memcmp(self.down, self.simulation.world.machine.down, size) == 0:
            return 0
        for i in range(self.down_at, self.down_at + self.down_count):
            self.made.of[i].until = now
        memcpy(self.down, self.simulation.world.machine.down, size)
        self.down_at = self.made.count
        add_down(self.made, self.simulation.world.machine, now, FOREVER)
        self.down_count = self.made.count - self.down_at
        return 0


cdef int stand(Stretches made, World world) except -1 nogil:
    """What each job holds now, and until when: what runs to its estimate, what moves until it has moved."""
    cdef int32_t slot, extent
    cdef Active *active
    cdef seconds_t now = world.at.now, turn, end
    cdef Py_ssize_t i
    cdef int kind
    for slot in range(world.running.used):
        active = &world.running.slots[slot]
        if active.job == NONE or active.extents == NONE:
            continue
        kind = active.state
        turn, end = FOREVER, FOREVER
        if active.state == c'R':
            turn, kind = max(world.limit(slot), now + 1), c'.'
        else:
            for i in range(world.heap.count):
                if world.heap.entries[i].item == slot and SWAPPED_OUT <= world.heap.entries[i].kind <= LOADED:
                    turn = world.heap.entries[i].time
                    if world.heap.entries[i].kind != SWAPPED_OUT:
                        end = turn + world.jobs.estimate[active.job] - active.done
        extent = active.extents
        while extent != NONE:
            made.add(active.job, world.machine.extents[extent].base, world.machine.extents[extent].count, now, turn, kind)
            if end < FOREVER:
                made.add(active.job, world.machine.extents[extent].base, world.machine.extents[extent].count,
                         turn, end, c'.')
            extent = world.machine.extents[extent].next
    return add_down(made, world.machine, now, FOREVER)


cdef int compare(const void *one, const void *other) noexcept nogil:
    cdef const Coming *a = <const Coming *> one
    cdef const Coming *b = <const Coming *> other
    cdef int sooner = (a.start > b.start) - (a.start < b.start)
    return sooner if sooner else (a.order > b.order) - (a.order < b.order)


cdef seconds_t leaves(Stretches standing, Py_ssize_t at, seconds_t now) noexcept nogil:
    """When the holder of a stretch gives its nodes back; what is late does so at once."""
    cdef Stretch *held = &standing.of[at]
    if at + 1 < standing.count and held[1].job == held.job and held[1].since == held.until:
        return held[1].until
    return now if held.until == now + 1 else held.until


cdef nodes_t released(Machine machine, EventHeap ends, seconds_t now) noexcept nogil:
    """Give back the nodes of those that are over by now; how many these are."""
    cdef nodes_t found = 0
    cdef int32_t extent
    while ends.count and ends.entries[0].time <= now:
        extent = ends.entries[0].item
        ends.pop()
        found += size_of(machine, extent)
        machine.give(0, extent)
    return found


cdef nodes_t size_of(Machine machine, int32_t extent) noexcept nogil:
    cdef nodes_t found = 0
    while extent != NONE:
        found += machine.extents[extent].count
        extent = machine.extents[extent].next
    return found


@cython.final
cdef class Expectation:
    """What is held now, to its predicted end; and those that are to start, on nodes that they may get.

    A forecast has no owners. So each job is placed at its start as a flat machine places it: on the lowest nodes
    that are idle then, if all runs as predicted. One that finds too few (it will start because others are stopped,
    or the predictions are of another event) is left out and counted.
    """

    def __cinit__(self, Simulation simulation not None, jobs=(), starts=()):
        """`jobs` are to start at the instants `starts`; those that hold nodes by now are passed over."""
        cdef World world = simulation.world
        cdef Coming *coming
        cdef Py_ssize_t at
        cdef int32_t slot
        cdef job_t job
        self.nodes = world.nodes
        self.now = world.at.now
        self.standing = Stretches()
        self.made = Stretches()
        stand(self.standing, world)
        self.coming = <Coming *> calloc(max(len(jobs), 1), sizeof(Coming))
        if self.coming == NULL:
            raise MemoryError
        for job, start in zip(jobs, starts):
            at = world.queue.find(simulation._check(job))
            slot = world.slot_of(job)
            if at == NONE and (slot == NONE or world.running.slots[slot].extents != NONE):
                continue
            coming = &self.coming[self.count]
            coming.job = job
            coming.order = self.count
            coming.start = max(<seconds_t> start, self.now)
            coming.size = world.queue.size[at] if at != NONE else world.running.slots[slot].size
            coming.length = world.queue.estimate[at] if at != NONE else (
                world.jobs.estimate[job] - world.running.slots[slot].done)
            self.count += 1

    def __dealloc__(self):
        free(self.coming)

    def place(self):
        """Find nodes for those that are to start; in any thread, without the lock."""
        self._place()

    cdef int _place(self) except -1:
        cdef Machine machine = Machine(self.nodes)
        cdef EventHeap ends = EventHeap()
        cdef Py_ssize_t i
        cdef Stretch *held
        cdef Coming *coming
        cdef nodes_t idle = self.nodes
        cdef int32_t extent
        with nogil:
            qsort(self.coming, self.count, sizeof(Coming), compare)
            for i in range(self.standing.count):
                held = &self.standing.of[i]
                if held.since > self.now or not machine.is_idle(0, held.first, held.count):
                    # The second part of what a job holds, and nodes of a job that are going down.
                    continue
                extent = machine.take_range(0, held.first, held.count, NONE)
                ends.push(leaves(self.standing, i, self.now), FINISH, i, extent)
                idle -= held.count
            for i in range(self.count):
                coming = &self.coming[i]
                idle += released(machine, ends, coming.start)
                if coming.size > idle:
                    self.unplaced += 1
                    continue
                extent = machine.take(0, coming.size)
                idle -= coming.size
                ends.push(coming.start + coming.length, FINISH, self.standing.count + i, extent)
                while extent != NONE:
                    self.made.add(coming.job, machine.extents[extent].base, machine.extents[extent].count,
                                  coming.start, coming.start + coming.length, c'~')
                    extent = machine.extents[extent].next
        return 0


@cython.final
cdef class Grid:
    """Rows of `per` nodes from node `first` on, columns of `span` seconds from `since` on; and who has each cell.

    `add` what was and will be held, then `fill`. O(stretches + cells that they touch), without the lock.
    """

    def __cinit__(self, nodes_t nodes, nodes_t first, nodes_t per, int32_t rows, seconds_t since, seconds_t span,
                  int32_t columns):
        self.nodes = nodes
        self.first = first
        self.per = per
        self.rows = max(0, min(rows, (nodes - first + per - 1) // per))
        self.since = since
        self.span = span
        self.columns = max(0, columns)
        self.parts = []
        self.cells = <Cell *> calloc(max(1, self.rows * self.columns), sizeof(Cell))
        if self.cells == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.cells)

    def add(self, Stretches stretches not None, low=None, high=None):
        """Take these stretches in, as far as they lie in [low, high)."""
        cdef seconds_t end = self.since + self.span * self.columns
        begin = self.since if low is None else max(<seconds_t> low, self.since)
        end = end if high is None else min(<seconds_t> high, end)
        if begin < end:
            self.parts.append((stretches, begin, end))

    def fill(self):
        """Sum the node-seconds of every cell."""
        cdef Stretches stretches
        cdef seconds_t low, high
        cdef bint counting
        for counting in (False, True):
            for stretches, low, high in self.parts:
                with nogil:
                    self._vote(stretches, low, high, counting)

    cdef void _vote(self, Stretches stretches, seconds_t low, seconds_t high, bint counting) noexcept nogil:
        """First find for each cell the one job that may have half or more; then count what it has."""
        cdef Py_ssize_t i
        cdef Stretch *held
        cdef Cell *cell
        cdef seconds_t since, until, from_, to
        cdef nodes_t first, end, low_node, high_node
        cdef int64_t row, column, last_row, last_column, area
        cdef nodes_t stop = min(self.nodes, <nodes_t> (self.first + <int64_t> self.per * self.rows))
        for i in range(stretches.count):
            held = &stretches.of[i]
            since, until = max(held.since, low), min(held.until, high)
            first, end = max(held.first, self.first), min(held.first + held.count, stop)
            if since >= until or first >= end:
                continue
            last_row = (end - 1 - self.first) // self.per
            last_column = (until - 1 - self.since) // self.span
            for row in range((first - self.first) // self.per, last_row + 1):
                low_node = <nodes_t> max(first, self.first + row * self.per)
                high_node = <nodes_t> min(end, self.first + (row + 1) * self.per)
                for column in range((since - self.since) // self.span, last_column + 1):
                    from_ = max(since, self.since + column * self.span)
                    to = min(until, self.since + (column + 1) * self.span)
                    area = (to - from_) * (high_node - low_node)
                    cell = &self.cells[row * self.columns + column]
                    if not counting:
                        vote(cell, held, area)
                    elif cell.job == held.job:
                        cell.own += area
                        if area > cell.most:
                            cell.most = area
                            cell.kind = held.kind

    def runs(self, int32_t row):
        """(first column, columns, job, kind, eighths taken) of each run of alike cells of a row, without the idle.

        The job is -3 where nobody has half of what is taken. Eighths are rounded up.
        """
        cdef Cell *cell
        cdef int32_t column, begun = 0
        cdef int64_t area
        cdef int job = NONE, kind = 0, eighths = 0, its, its_kind, its_eighths
        if not 0 <= row < self.rows:
            raise IndexError(f"row {row} of {self.rows}")
        area = <int64_t> min(self.per, self.nodes - self.first - row * self.per) * self.span
        found = []
        for column in range(self.columns):
            cell = &self.cells[<int64_t> row * self.columns + column]
            its = NONE if not cell.busy else cell.job if 2 * cell.own >= cell.busy else SEVERAL
            its_kind = cell.kind if its != NONE else 0
            its_eighths = <int> min(8, (8 * cell.busy + area - 1) // area)
            if its != job or its_kind != kind or its_eighths != eighths:
                if job != NONE:
                    found.append((begun, column - begun, job, chr(kind), eighths))
                begun, job, kind, eighths = column, its, its_kind, its_eighths
        if job != NONE:
            found.append((begun, self.columns - begun, job, chr(kind), eighths))
        return found


cdef inline void vote(Cell *cell, Stretch *held, int64_t area) noexcept nogil:
    cell.busy += area
    if cell.job == held.job and cell.weight:
        cell.weight += area
    elif cell.weight >= area:
        cell.weight -= area
        if not cell.weight and held.job < cell.job:
            cell.job = held.job     # two that have half each: the lower, whatever the order
    else:
        cell.weight = area - cell.weight
        cell.job = held.job
