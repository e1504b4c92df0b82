"""Who had, has and will have which nodes from when to when: what a Gantt chart is drawn from.

The kernel does not keep where a job ran. A `Recorder` runs a fork over a stretch of the past and writes down who
holds what; `Expectation` says what is held now, to its predicted end, and places those that are to start. Both can work
without the lock.
"""

cimport cython
from libc.stdlib cimport free, qsort
from libc.string cimport memcmp, memcpy, memset

from shadowtime.kernels.core.clock cimport EventHeap, FINISH, LOADED, SWAPPED_OUT
from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.memory cimport grown, zeros
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.simulation cimport Simulation
from shadowtime.kernels.core.types cimport DOWN, FOREVER, NONE
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.operator.kept cimport is_kept


@cython.final
cdef class Stretches:
    def __dealloc__(self):
        free(self.of)

    cdef int add(self, job_t job, nodes_t first, nodes_t count, seconds_t since, seconds_t until, int kind) \
            except -1 nogil:
        cdef Stretch *made
        self.of = <Stretch *> grown(self.of, &self.capacity, self.count + 1, sizeof(Stretch))
        made = &self.of[self.count]
        made.job = job
        made.first = first
        made.count = count
        made.since = since
        made.until = until
        made.kind = <uint8_t> kind
        made.share = WHOLE
        self.count += 1
        return 0

    cdef int put(self, const Stretch *held, int kind, int share) except -1 nogil:
        """Add a stretch as another kind, with another share of each node."""
        self.add(held.job, held.first, held.count, held.since, held.until, kind)
        self.of[self.count - 1].share = <uint8_t> share
        return 0

    @property
    def last(self):
        """The latest end, those for ever not counted; None where there is none."""
        cdef Py_ssize_t i
        cdef int64_t latest = 0
        cdef bint some = False
        for i in range(self.count):
            if self.of[i].until < FOREVER and (not some or self.of[i].until > latest):
                some, latest = True, self.of[i].until
        return latest if some else None

    def rows(self):
        """(job, first node, nodes, since, until, kind) of each."""
        cdef Py_ssize_t i
        return [(self.of[i].job, self.of[i].first, self.of[i].count, self.of[i].since, self.of[i].until,
                 chr(self.of[i].kind)) for i in range(self.count)]


def stretches(held):
    """The stretches of what is held: (job, first node, nodes, since, until or None, kind, share of each node) each.

    A share is in parts of 64, which is a whole node; ValueError for one that is not from 1 to 64.
    """
    made = Stretches()
    for job, first, count, since, until, kind, share in held:
        if not 1 <= share <= WHOLE:
            raise ValueError(f"{share} is no share of a node; expected 1 to {WHOLE}")
        made.add(job, first, count, since, FOREVER if until is None else until, ord(kind))
        made.of[made.count - 1].share = share
    return made


@cython.overflowcheck(False)
cdef uint64_t digest(Machine machine, int32_t extent) noexcept nogil:
    """What tells one list of nodes from another (FNV-1a over the extents): it wraps around on purpose."""
    cdef uint64_t found = 14695981039346656037ULL
    while extent != NONE:
        found = (found ^ <uint64_t> machine.extents[extent].base) * 1099511628211ULL
        found = (found ^ <uint64_t> machine.extents[extent].count) * 1099511628211ULL
        extent = machine.extents[extent].next
    return found


cdef void see_down(World world, uint64_t *down) noexcept nogil:
    """The nodes that are down and that nobody holds: those that jobs still run on go down when these leave."""
    cdef int32_t slot
    memcpy(down, world.machine.down, world.machine.words * 8)
    for slot in range(world.running.used):
        if world.running.slots[slot].job != NONE:
            world.machine.mark(down, world.running.slots[slot].extents, False)


cdef int add_down(Stretches made, nodes_t nodes, const uint64_t *down, seconds_t since, seconds_t until) \
        except -1 nogil:
    """A stretch for each run of these nodes."""
    cdef nodes_t node = 0, first
    while node < nodes:
        if down[node >> 6] == 0:
            node = (node | 63) + 1
            continue
        if not (down[node >> 6] >> (node & 63)) & 1:
            node += 1
            continue
        first = node
        while node < nodes and (down[node >> 6] >> (node & 63)) & 1:
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
        self.down = <uint64_t *> zeros(simulation.world.machine.words, 8)
        self.seen = <uint64_t *> zeros(simulation.world.machine.words, 8)

    def __dealloc__(self):
        free(self.open)
        free(self.down)
        free(self.seen)

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

    def leap(self, copy):
        """Record the next event from a copy of the state right after it, without a step."""
        self.simulation.restore(copy)
        self._look(self.simulation.world.at.now)
        self.until = max(self.simulation.world.at.now, self.until)

    @property
    def event(self):
        """Events done."""
        return self.simulation.world.at.event

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
        cdef int32_t slot, used = self.simulation.world.running.used
        cdef Active *active
        cdef Open *open
        cdef uint64_t mark
        self.open = <Open *> grown(self.open, &self.capacity, used, sizeof(Open))
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
        see_down(self.simulation.world, self.seen)
        if memcmp(self.down, self.seen, size) == 0:
            return 0
        for i in range(self.down_at, self.down_at + self.down_count):
            self.made.of[i].until = now
        memcpy(self.down, self.seen, size)
        self.down_at = self.made.count
        add_down(self.made, self.simulation.world.nodes, self.down, now, FOREVER)
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
    return stand_down(made, world)


cdef inline seconds_t return_of(World world, nodes_t node) noexcept nogil:
    """When a node that is down is known to be back; FOREVER if the operator keeps it out."""
    return FOREVER if is_kept(world.machine, node) else world.repairs.returns[node]


cdef int stand_down(Stretches made, World world) except -1 nogil:
    """The nodes that are down now, each until it is known to be back."""
    cdef uint64_t *down
    cdef uint64_t *together
    cdef nodes_t node, other
    cdef seconds_t until
    if not world.machine.downs:
        return 0
    if world.repairs.known_at != world.at.changes:
        world.repairs.learn(world.machine, world.at.changes)
    down = <uint64_t *> zeros(2 * world.machine.words, 8)
    together = down + world.machine.words
    see_down(world, down)
    try:
        for node in range(world.nodes):
            if not (down[node >> 6] >> (node & 63)) & 1:
                continue
            until = return_of(world, node)
            memset(together, 0, world.machine.words * 8)
            for other in range(node, world.nodes):
                if (down[other >> 6] >> (other & 63)) & 1 and return_of(world, other) == until:
                    together[other >> 6] |= (<uint64_t> 1) << (other & 63)
                    down[other >> 6] &= ~((<uint64_t> 1) << (other & 63))
            add_down(made, world.nodes, together, world.at.now, max(until, world.at.now + 1))
    finally:
        free(down)
    return 0


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
        self.coming = <Coming *> zeros(len(jobs), sizeof(Coming))
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
