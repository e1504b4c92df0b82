"""What the running jobs hold of each node, and what a node can give to one request (docs/slurm-cycle.md, section 6.1).

The CPUs that each node gives are kept for the request under consideration: a job that comes or goes changes those of its own
nodes. Asking every node anew in each step took 86 s a cycle with 10,000 nodes and 5,000 waiting jobs.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport resized, zeros
from shadowtime.kernels.slurm.request cimport FAR, MOST_CPUS, MOST_DEVICES, MOST_MEMORY, bounded


@cython.final
cdef class Holding:
    """What a job holds of each node, by number. It is made once for all cycles: anew in each it took a fifth of a run."""

    def __dealloc__(self):
        free(self.shares)


@cython.final
cdef class Held:
    """A running job. `away`: it is thought to be gone; `suspended`: but for its memory."""


@cython.final
cdef class Occupancy:
    """CPUs, memory and devices by node: configured, held, and free for the request under consideration."""

    def __cinit__(self, object nodes, object rules, holders, partitions):
        cdef Py_ssize_t i, size = len(nodes.cpus)
        cdef object key, devices, holder
        self.nodes = nodes
        self.count = size
        self.memory_counts, self.whole_cores = rules.memory_counts, rules.whole_cores
        self.capping = rules.release != 2205
        self.by_task = self.capping or not self.whole_cores
        self.kinds = {}
        self.capped = {name: number for number, name in enumerate(partitions)}
        self.capped_held = column(size * len(self.capped))
        for devices in nodes.devices:
            for key in devices:
                self.kinds.setdefault(key, len(self.kinds))
        for holder in holders:
            if holder.kept and (<Holding> holder.kept[0]).kinds is None:
                continue
            for take in holder.takes.values():
                for key in take.devices:
                    self.kinds.setdefault(key, len(self.kinds))
        self.columns = len(self.kinds)
        self.cpus, self.threads, self.memory = column(size), column(size), column(size)
        self.weight, self.cpus_held, self.memory_held = column(size), column(size), column(size)
        self.jobs, self.closing = column(size), column(size)
        self.rooms[0], self.rooms[1] = column(size), column(size)
        self.devices, self.devices_held = column(size * self.columns), column(size * self.columns)
        for i in range(size):
            self.cpus[i] = bounded(nodes.cpus[i], MOST_CPUS)
            self.threads[i] = max(1, bounded(nodes.threads[i], MOST_CPUS))
            self.memory[i] = bounded(nodes.memory[i], MOST_MEMORY)
            self.weight[i] = nodes.weight[i]
            for key, number in nodes.devices[i].items():
                self.devices[i * self.columns + <Py_ssize_t> self.kinds[key]] = bounded(number, MOST_DEVICES)
        self.busy = NodeSet((size + 63) // 64)
        self.usable, self.usable_capped = self.busy.copy(), self.busy.copy()

    def __dealloc__(self):
        free(self.cpus)
        free(self.threads)
        free(self.memory)
        free(self.weight)
        free(self.devices)
        free(self.cpus_held)
        free(self.memory_held)
        free(self.devices_held)
        free(self.capped_held)
        free(self.jobs)
        free(self.closing)
        free(self.rooms[0])
        free(self.rooms[1])

    cdef Held held(self, object holder):
        """Return a running job with its shares by number; nothing is held yet."""
        cdef Held made = Held()
        cdef Holding holding = self._holding(holder)
        made.holder, made.holding = holder, holding
        made.shares, made.count, made.nodes, made.devices = holding.shares, holding.count, holding.nodes, holding.devices
        made.end, made.leaves = bounded(holder.end, FAR), bounded(holder.leaves, FAR)
        made.gone = bounded(holder.ends_with or holder.end, FAR)
        made.exclusive = holder.exclusive
        made.capped = self.capped.get(holder.partition, -1)
        made.away = True
        return made

    cdef Holding _holding(self, object holder):
        """What a job holds, by number: as another cycle left it, if the nodes and the kinds of devices have the same numbers."""
        cdef Holding made
        cdef object node, take
        if holder.kept:
            made = holder.kept[0]
            if made.nodes.length == self.busy.length and (made.kinds is None or made.kinds == self.kinds):
                return made
        made = Holding()
        made.nodes, made.devices = NodeSet(self.busy.length), []
        made.shares = <Share *> resized(NULL, max(len(holder.takes), 1) * sizeof(Share))
        for node, take in holder.takes.items():
            made.shares[made.count].node = node
            made.shares[made.count].cpus = bounded(take.cpus, MOST_CPUS)
            made.shares[made.count].memory = bounded(take.memory, MOST_MEMORY)
            made.devices.append(tuple((self.kinds[key], bounded(number, MOST_DEVICES)) for key, number in take.devices.items()))
            made.nodes.put(node, True)
            made.count += 1
        made.kinds = self.kinds if any(made.devices) else None
        holder.kept[:] = [made]
        return made

    cdef void add(self, Held held) noexcept:
        """A job holds its share."""
        if held.away:
            held.away = False
            self._change(held, 1)
            held.suspended = False

    cdef void remove(self, Held held) noexcept:
        """A job is thought away."""
        if held.suspended:
            self.add(held)
        if not held.away:
            held.away = True
            self._change(held, -1)

    cdef void suspend(self, Held held) noexcept:
        """A job is thought away, but for its memory."""
        self.add(held)
        held.away = held.suspended = True
        self._change(held, -1)

    cdef void _change(self, Held held, int64_t sign) noexcept:
        cdef Py_ssize_t i, node
        cdef Py_ssize_t kind
        cdef int64_t number
        for i in range(held.count):
            node = held.shares[i].node
            self.cpus_held[node] += sign * held.shares[i].cpus
            if held.capped >= 0:
                self.capped_held[held.capped * self.count + node] += sign * held.shares[i].cpus
            if not held.suspended:
                self.memory_held[node] += sign * held.shares[i].memory
            self.jobs[node] += sign
            self.closing[node] += sign * held.exclusive
            if held.holding.kinds is not None:
                for kind, number in <tuple> held.devices[i]:
                    self.devices_held[node * self.columns + kind] += sign * number
            self.busy.put(node, self.jobs[node] > 0)
            if self.request is not None:
                self._measure(node)
        self.version += 1

    cdef bint gives_as_much(self, Request request) noexcept:
        """Whether the rooms are those of this request, too: it asks for the same by node as the one under consideration."""
        cdef Request mine = self.request
        if mine is request:
            return True
        if mine is None or mine.wants_devices or request.wants_devices or mine.exclusive != request.exclusive:
            return False
        if (mine.most == 1 or request.most == 1) and (mine.most != request.most or mine.cpus != request.cpus):
            return False
        if mine.capped != request.capped or mine.most_cpus != request.most_cpus or mine.least_cpus != request.least_cpus:
            return False
        if mine.cpus_per_task != request.cpus_per_task or mine.tasks_per_node != request.tasks_per_node:
            return False
        return mine.memory_per_node == request.memory_per_node and mine.memory_per_cpu == request.memory_per_cpu

    cdef void forget(self, Request request) noexcept:
        """Keep no rooms but those of this request: what changes before another is considered is not measured."""
        if not self.gives_as_much(request):
            self.request = None

    cdef void consider(self, Request request):
        """Keep the rooms of another request from here on."""
        cdef Py_ssize_t node
        cdef bint measured = self.gives_as_much(request)
        self.request = request
        if measured:
            return
        self.version += 1
        for node in range(self.count):
            self._measure(node)

    cdef void _measure(self, Py_ssize_t node) noexcept:
        """Compute what a node gives."""
        cdef int64_t room = self._room(node, False)
        self.rooms[0][node] = room
        self.usable.put(node, room > 0)
        if self.request.tasks_per_node and self.capping:
            room = self._room(node, True)
        self.rooms[1][node] = room
        self.usable_capped.put(node, room > 0)

    cdef int64_t _room(self, Py_ssize_t node, bint capped) noexcept:
        cdef Request request = self.request
        cdef int64_t cpus = self.cpus[node] - self.cpus_held[node], least = max(1, request.least_cpus)
        if cpus <= 0 or (self.jobs[node] if request.exclusive else self.closing[node]):
            return 0
        if request.wants_devices and not self._has_devices(node):
            return 0
        cpus = self._by_tasks(cpus, capped)
        if request.capped >= 0:
            if request.exclusive and self.cpus[node] > request.most_cpus:
                return 0
            cpus = min(cpus, request.most_cpus - self.capped_held[request.capped * self.count + node])
            if cpus <= 0:
                return 0
        if self.memory_counts and cpus > 0:
            cpus = self._by_memory(node, cpus)
            if not request.wants_devices:
                cpus -= cpus % request.cpus_per_task
        if request.most == 1 and not request.wants_devices:
            least = max(least, request.cpus)
        return cpus if cpus >= least else 0

    cdef int64_t _by_tasks(self, int64_t cpus, bint capped) noexcept:
        cdef int64_t needed = self.request.tasks_per_node * self.request.cpus_per_task
        if self.by_task and not self.request.wants_devices:
            cpus -= cpus % self.request.cpus_per_task
        if cpus < needed:
            return 0
        return needed if needed and (self.request.wants_devices or (capped and self.capping)) else cpus

    cdef int64_t _by_memory(self, Py_ssize_t node, int64_t cpus) noexcept:
        cdef Request request = self.request
        cdef int64_t left = self.memory[node] - self.memory_held[node], step, over
        if request.memory_per_node:
            return cpus if request.memory_per_node <= left else 0
        if not request.memory_per_cpu:
            return cpus if self.memory_held[node] == 0 else 0
        if request.exclusive:
            return cpus if self.cpus[node] * request.memory_per_cpu <= left else 0
        step = self.threads[node] if self.whole_cores else 1
        over = cpus - max(0, left) // request.memory_per_cpu
        return max(0, cpus - (over + step - 1) // step * step) if over > 0 else cpus

    cdef bint _has_devices(self, Py_ssize_t node) noexcept:
        cdef int64_t wanted, there
        cdef Py_ssize_t kind
        cdef tuple kinds
        for wanted, kinds in self.request.devices:
            there = 0
            for kind in kinds:
                there += self.free_devices(node, kind)
            if there < wanted:
                return False
        return True

    cdef int64_t free_devices(self, Py_ssize_t node, Py_ssize_t kind) noexcept:
        """How many devices of a kind nobody holds."""
        return self.devices[node * self.columns + kind] - self.devices_held[node * self.columns + kind]


cdef int64_t *column(Py_ssize_t size) except NULL:
    return <int64_t *> zeros(size, sizeof(int64_t))
