"""Handles on the inner parts, so that tests can drive each of them by itself. Nothing else imports this."""

cimport cython
from libc.stdlib cimport free, malloc

from shadowtime.kernels.core.clock cimport ACTION
from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.simulation cimport Simulation
from shadowtime.kernels.core.stepping cimport Next, apply, operate, upcoming
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport NODES_FREED
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.policies.torus.torus cimport (
    CELLS,
    Floor,
    base_of,
    level_for,
    level_of,
    ranked,
    size_of,
    take_block,
)

from shadowtime.kernels.operator.verbs import VERB_NAMES

LAST_INSTANT = FOREVER


@cython.final
cdef class MachineHandle:
    """A machine of nodes and rows, by itself."""
    cdef Machine machine

    def __cinit__(self, nodes_t nodes):
        self.machine = Machine(nodes)

    def set_rows(self, int32_t rows):
        self.machine.set_rows(rows)

    def take(self, int32_t row, nodes_t size):
        return self.machine.take(row, size)

    def take_range(self, int32_t row, nodes_t base, nodes_t count, int32_t rest=NONE):
        return self.machine.take_range(row, base, count, rest)

    def give(self, int32_t row, int32_t first):
        self.machine.give(row, first)

    def is_idle(self, int32_t row, nodes_t base, nodes_t count):
        return self.machine.is_idle(row, base, count)

    def idle(self, int32_t row):
        """The idle nodes of a row."""
        cdef nodes_t node
        return [node for node in range(self.machine.nodes) if self.machine.is_idle(row, node, 1)]

    def held(self, int32_t first):
        """The nodes of a list of extents."""
        cdef int32_t at = first
        nodes = []
        while at != NONE:
            nodes.extend(range(self.machine.extents[at].base,
                               self.machine.extents[at].base + self.machine.extents[at].count))
            at = self.machine.extents[at].next
        return nodes

    def twin(self):
        """Another machine, from this one's copy."""
        cdef MachineHandle other = MachineHandle(self.machine.nodes)
        cdef char *room = <char *> malloc(self.machine.bytes() + 8)
        if room == NULL:
            raise MemoryError
        self.machine.save(room)
        other.machine.load(room)
        free(room)
        return other


@cython.final
cdef class ProfileHandle:
    """An availability profile."""
    cdef Profile profile

    def __cinit__(self, seconds_t now, nodes_t free_nodes):
        self.profile = Profile()
        self.profile.reset(now, free_nodes)

    def change(self, seconds_t start, seconds_t end, nodes_t by):
        """Add free nodes on [start, end)."""
        self.profile.change(start, end, by)

    def forget(self, seconds_t now):
        self.profile.forget(now)

    def steps(self):
        """(time, free) of every step."""
        return [(self.profile.time[k], self.profile.free[k]) for k in range(self.profile.first, self.profile.last)]

    def anchor(self, seconds_t start, nodes_t size, seconds_t length, seconds_t limit=FOREVER):
        return self.profile.anchor(start, size, length, limit)

    def run_before(self, seconds_t end, nodes_t size):
        return self.profile.run_before(end, size)

    def shortage(self, seconds_t start, seconds_t end, nodes_t size):
        cdef nodes_t left = 0
        cdef seconds_t at = self.profile.shortage(start, end, size, &left)
        return at, left

    def whole(self, seconds_t start, seconds_t stop, nodes_t size, seconds_t length):
        return self.profile.whole(start, stop, size, length)


@cython.final
cdef class Verbs:
    """The verbs of a simulation's world, for jobs instead of slots. AssertionError where a job has no slot."""
    cdef Simulation simulation

    def __cinit__(self, Simulation simulation not None):
        self.simulation = simulation

    cdef int32_t _slot(self, job) except -1:
        cdef int32_t slot = self.simulation.world.slot_of(job)
        assert slot != NONE, f"job {job} has no slot"
        return slot

    def stop(self, job, state):
        self.simulation.world.stop(self._slot(job), ord(state))

    def vacate(self, job):
        self.simulation.world.vacate(self._slot(job))

    def requeue(self, job, Py_ssize_t rank):
        self.simulation.world.requeue(self._slot(job), rank)

    def assign(self, job):
        self.simulation.world.assign(self.simulation.world.queue.find(job), False)

    def transfer(self, job, state, int kind, seconds_t until):
        self.simulation.world.transfer(self._slot(job), ord(state), kind, until)

    def pass_due(self):
        """Have a pass end this instant."""
        self.simulation.world.at.pass_due = 1
        self.simulation.world.at.changed = NODES_FREED

    def progress(self, job):
        """Seconds of progress before the present run."""
        return self.simulation.world.running.slots[self._slot(job)].done

    def waited(self, job):
        return self.simulation.world.running.slots[self._slot(job)].waited


@cython.final
cdef class Operator:
    """What an operator does to the jobs of a simulation, at instants that do not descend."""
    cdef Simulation simulation

    def __cinit__(self, Simulation simulation not None):
        self.simulation = simulation

    def run_up_to(self, seconds_t time):
        """Do every event that comes before the operator's actions at that instant; returns how many."""
        cdef Next to
        cdef int done = 0
        while True:
            to = upcoming(self.simulation.world, self.simulation.policy, self.simulation.last_arrival)
            if to.kind == NONE or to.time > time or (to.time == time and to.kind >= ACTION):
                return done
            apply(self.simulation.world, self.simulation.policy, to)
            done += 1

    def act(self, seconds_t time, do, job, to=NONE):
        """Do that to a job at that instant, an event of its own; None, or the reason of the refusal."""
        self.run_up_to(time)
        return operate(self.simulation.world, self.simulation.policy, time, VERB_NAMES.index(do), job, to)


@cython.final
cdef class FloorHandle:
    """The blocks of the torus, and what stands on it, by themselves."""
    cdef Floor floor

    def __cinit__(self):
        self.floor = Floor()
        self.floor.clear()

    @staticmethod
    def blocks(nodes_t size):
        """The blocks of a size in order of their bases: (number, base) each."""
        cdef int level = level_for(size)
        assert level != NONE, f"no block has the size {size}"
        return [(ranked(level, rank), base_of(ranked(level, rank))) for rank in range(1 << level)]

    @staticmethod
    def level(nodes_t size):
        return level_for(size)

    @staticmethod
    def size(int32_t block):
        return size_of(block), level_of(block)

    @staticmethod
    def nodes(int32_t block):
        """The nodes of a block as (first, count) ranges in the order in which its job gets them."""
        cdef Machine machine = Machine(256)
        cdef int32_t extent = take_block(machine, block)
        ranges = []
        while extent != NONE:
            ranges.append((machine.extents[extent].base, machine.extents[extent].count))
            extent = machine.extents[extent].next
        return ranges

    def take(self, int32_t block, int32_t slot, bint guarded=False):
        self.floor.take(block, slot, guarded)

    def bar(self, int32_t block):
        self.floor.bar(block)

    def unbar(self, int32_t block):
        self.floor.unbar(block)

    def is_open(self, int32_t block, bint barred_too=False):
        return self.floor.is_open(block, barred_too)

    def best_fit(self, nodes_t size, bint barred_too=False, bint beside=False):
        return self.floor.best_fit(level_for(size), barred_too, beside, NULL)

    def lowest(self, nodes_t size):
        return self.floor.lowest(level_for(size))

    def occupants(self, int32_t block):
        cdef int32_t slots[CELLS]
        cdef int count = self.floor.occupants(block, slots)
        return [slots[i] for i in range(count)]
