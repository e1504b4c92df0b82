"""When nodes are back that are down, or will be as soon as their jobs have left them (docs/steering.md, Nodes).

Nobody foresees an outage; once it has begun, its end is known. A node is back when the last outage on it is over, and
at no known time where it is none or one without an end, or if the operator keeps it out.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.clock cimport NODE_DOWN
from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.operator.kept cimport is_kept

cdef extern from *:
    int ones_of "__builtin_popcountll"(unsigned long long) noexcept nogil
    int lowest "__builtin_ctzll"(unsigned long long) noexcept nogil


@cython.final
cdef class Repairs:
    def __cinit__(self, Steering steering=None):
        self.steering = steering
        self.foreseen = self.known_at = NONE

    def __dealloc__(self):
        free(self.returns)
        free(self.held)
        free(self.covered)

    cdef bint is_out(self, const Span *span, int32_t changes) noexcept nogil:
        """Whether an outage has begun and is not over, after so many changes."""
        return span.down < (changes if self.foreseen == NONE else self.foreseen) and span.up >= changes

    cdef int learn(self, Machine machine, int32_t changes) except -1 nogil:
        """Find out when each node is back if it is down."""
        cdef nodes_t node, first
        cdef int32_t i, k
        cdef const Span *span
        self.returns = <seconds_t *> resized(self.returns, machine.nodes * sizeof(seconds_t))
        self.held = <uint64_t *> resized(self.held, machine.words * sizeof(uint64_t))
        self.covered = <uint64_t *> resized(self.covered, machine.words * sizeof(uint64_t))
        memset(self.covered, 0, machine.words * sizeof(uint64_t))
        for node in range(machine.nodes):
            self.returns[node] = NONE
        for i in range(self.steering.count if self.steering is not None else 0):
            span = &self.steering.spans[self.steering.changes[i].outage]
            if self.steering.changes[i].kind != NODE_DOWN or not self.is_out(span, changes):
                continue
            for k in range(span.begin, span.end):
                first = self.steering.ranges[k].first
                for node in range(first, first + self.steering.ranges[k].count):
                    self.returns[node] = max(self.returns[node], span.until)
                    self.covered[node >> 6] |= (<uint64_t> 1) << (node & 63)
        for node in range(machine.nodes):
            if self.returns[node] == NONE:
                self.returns[node] = FOREVER
        self.known_at = changes
        return 0

    cdef bint is_held(self, nodes_t node) noexcept nogil:
        """Whether a job has a node; true when the held ones have been marked."""
        return (self.held[node >> 6] >> (node & 63)) & 1

    cdef bint is_covered(self, nodes_t node) noexcept nogil:
        """Whether an outage covers a node that has begun and is not over."""
        return (self.covered[node >> 6] >> (node & 63)) & 1

    cdef void mark_held(self, Running running, Machine machine) noexcept nogil:
        """Find the nodes that jobs hold, or have columns on."""
        cdef int32_t slot
        memset(self.held, 0, machine.words * sizeof(uint64_t))
        for slot in range(running.used):
            if running.slots[slot].job != NONE:
                machine.mark(self.held, running.slots[slot].extents, True)

    cdef nodes_t out_of_service(self, Running running, Machine machine) noexcept nogil:
        """How many nodes are down already; the scratch is there."""
        cdef Py_ssize_t word
        cdef nodes_t found = 0
        self.mark_held(running, machine)
        for word in range(machine.words):
            found += ones_of(machine.down[word] & ~self.held[word])
        return found

    cdef int refresh(self, Running running, Machine machine, int32_t changes, seconds_t now) except -1 nogil:
        """Find out when nodes come back that no job's end brings.

        Asked in every pass: only words with down nodes are looked into (Curie's 93,312 nodes, one of them out: 10.5 s for
        300,000 events node by node, 0.09 s so). A node that is down and held is one that its job is leaving.
        """
        cdef nodes_t node
        cdef int32_t slot, extent
        cdef Py_ssize_t word
        cdef uint64_t rest
        cdef Active *active
        running.backed = 0
        if machine.downs == 0 or changes == 0:
            return 0
        if self.known_at != changes:
            self.learn(machine, changes)
        memset(self.held, 0, machine.words * sizeof(uint64_t))
        for slot in range(running.used):
            active = &running.slots[slot]
            extent = active.extents if active.job != NONE and active.leaving else NONE
            while extent != NONE:
                for node in range(machine.extents[extent].base,
                                  machine.extents[extent].base + machine.extents[extent].count):
                    self.held[node >> 6] |= (<uint64_t> 1) << (node & 63)
                    if machine.is_down(node) and not is_kept(machine, node) and self.returns[node] < FOREVER:
                        running.bring_back(max(active.end, self.returns[node], now + 1), 1)
                extent = machine.extents[extent].next
        for word in range(machine.words):
            rest = machine.down[word] & ~machine.down[machine.words + word] & ~self.held[word]
            while rest:
                node = <nodes_t> (word * 64 + lowest(rest))
                rest &= rest - 1
                if self.returns[node] < FOREVER:
                    running.bring_back(max(self.returns[node], now + 1), 1)
        return 0
