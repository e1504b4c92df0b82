"""Which nodes may have room for a job by an instant, as the running jobs leave: a bound that looks at no request.

Most tries of a cycle fail because too few nodes are both left by the running jobs and not reserved. This bound
shows it before the nodes that are reserved in the time of the run are known, and before anybody is thought away.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.types cimport int64_t
from shadowtime.kernels.slurm.occupancy cimport column


@cython.final
cdef class Vacating:
    """The nodes by when they have a free CPU; `whole`: by when no job is left there."""

    def __cinit__(self, Occupancy occupancy, list held, bint whole):
        cdef Held each
        cdef Py_ssize_t i, node, nodes = occupancy.count
        cdef int64_t *left = column(nodes)
        self.nodes, self.since = <Py_ssize_t *> column(nodes), <seconds_t *> column(nodes)
        self.members = NodeSet(occupancy.busy.length)
        for each in held:
            for i in range(each.count):
                left[each.shares[i].node] += 1 if whole else each.shares[i].cpus
        for node in range(nodes):
            if left[node] < (1 if whole else occupancy.cpus[node]):
                self.nodes[self.size] = node
                self.size += 1
        for each in sorted(held, key=_leaves):
            self._leave(each, left, NULL if whole else occupancy.cpus)
        free(left)

    def __dealloc__(self):
        free(self.nodes)
        free(self.since)

    cdef void _leave(self, Held held, int64_t *left, const int64_t *cpus) noexcept:
        """A job leaves: its nodes have room if they had none. `cpus`: of each node; NULL: room is a node without jobs."""
        cdef Py_ssize_t i, node
        cdef int64_t before, bound
        for i in range(held.count):
            node = held.shares[i].node
            before, bound = left[node], 1 if cpus == NULL else cpus[node]
            left[node] -= 1 if cpus == NULL else held.shares[i].cpus
            if left[node] < bound <= before:
                self.nodes[self.size], self.since[self.size] = node, min(held.leaves, held.gone)
                self.size += 1

    cdef NodeSet before(self, seconds_t instant):
        """The nodes that have room once all are away who leave before an instant."""
        while self.count < self.size and self.since[self.count] < instant:
            self.members.put(self.nodes[self.count], True)
            self.count += 1
        while self.count and self.since[self.count - 1] >= instant:
            self.count -= 1
            self.members.put(self.nodes[self.count], False)
        return self.members


def _leaves(held):
    """When a job is first thought away."""
    return min((<Held> held).leaves, (<Held> held).gone)
