"""Which nodes a job gets: the best fit over neighbouring nodes (docs/slurm-cycle.md, sections 6.2 and 6.3)."""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memmove, memset

from shadowtime.kernels.core.memory cimport resized, zeros


@cython.final
cdef class Choice:
    """Choices on one machine, one at a time: after `find` the nodes taken and what each gives."""

    def __cinit__(self, Occupancy occupancy, int64_t release):
        cdef Py_ssize_t node, size = occupancy.count
        self.occupancy, self.release = occupancy, release
        self.usable, self.taken = NodeSet(occupancy.busy.length), NodeSet(occupancy.busy.length)
        self.breaks = NodeSet(occupancy.busy.length)
        for node in range(1, size):
            self.breaks.put(node, occupancy.weight[node] != occupancy.weight[node - 1])
        self.summed = -1
        self.sums = <int64_t *> zeros(size + 1, sizeof(int64_t))
        self.runs = <Run *> zeros(size + 1, sizeof(Run))
        self.node = <Py_ssize_t *> zeros(size + 1, sizeof(Py_ssize_t))
        self.given = <int64_t *> zeros(size + 1, sizeof(int64_t))
        self.poorest = <Py_ssize_t *> zeros(size + 1, sizeof(Py_ssize_t))

    def __dealloc__(self):
        free(self.sums)
        free(self.runs)
        free(self.node)
        free(self.given)
        free(self.poorest)
        free(self.begin)

    cdef bint find(self, Request request, NodeSet available, bint capped, NodeSet busy) except -1:
        """Choose among available nodes, as they are in the occupancy now. `busy`: the nodes that go first (section 6.3)."""
        self.request = request
        self.usable.assign(self.occupancy.usable_capped if capped else self.occupancy.usable)
        self.usable.keep(available)
        if not self.usable.holds(max(request.least, 1)) or not request.required.within(self.usable):
            return False
        self.rooms = self.occupancy.rooms[capped]
        self.run_count = -1
        self._cut()
        if self.release == 2605 and request.most == 1 and not request.required_nodes and busy is None:
            return self._first() and self._holds_tasks()
        self._add_up(capped)
        self.richest = self._richest()
        if self._once(busy) or self._without_the_poorest(busy):
            return self._holds_tasks()
        return False

    cdef int64_t _weight(self, Py_ssize_t node) noexcept:
        """The weight of a node; of one that the request does not prefer one more (section 10)."""
        cdef NodeSet near = self.request.near
        return self.occupancy.weight[node] + (near is not None and not near.has(node))

    cdef int _cut(self) except -1:
        """Set which nodes begin a new weight."""
        cdef Py_ssize_t node
        self.cuts = self.breaks
        if self.request.near is not None:
            self.cuts = NodeSet(self.breaks.length)
            for node in range(1, self.occupancy.count):
                self.cuts.put(node, self._weight(node) != self._weight(node - 1))
        return 0

    cdef bint _holds_tasks(self) noexcept:
        """Whether the CPUs taken are enough for the tasks, where MaxCPUsPerNode has cut them."""
        cdef int64_t tasks = 0
        cdef Py_ssize_t i
        if self.request.capped < 0 or self.release == 2205 or self.request.wants_devices:
            return True
        for i in range(self.count):
            tasks += self.given[i] // self.request.cpus_per_task
        return tasks >= self.request.tasks

    cdef void _add_up(self, bint capped) noexcept:
        cdef Py_ssize_t node
        if self.summed == self.occupancy.version and self.summed_capped == capped:
            return
        for node in range(self.occupancy.count):
            self.sums[node + 1] = self.sums[node] + self.rooms[node]
        self.summed, self.summed_capped = self.occupancy.version, capped

    cdef int64_t _richest(self) noexcept:
        cdef Py_ssize_t node = self.usable.following(0)
        cdef int64_t most = 0
        while node >= 0:
            most = max(most, self.rooms[node])
            node = self.usable.following(node + 1)
        return most

    cdef bint _first(self) noexcept:
        """Take the first node by weight, then index, that gives enough."""
        cdef Py_ssize_t node = self.usable.following(0), best = -1
        while node >= 0:
            if self.rooms[node] >= self.request.cpus and (
                best < 0 or self._weight(node) < self._weight(best)
            ):
                best = node
            node = self.usable.following(node + 1)
        if best < 0:
            return False
        self._begin()
        self.node[0] = best
        self.given[0] = self.rooms[best] if self.request.exclusive else self.request.cpus
        self.taken.put(best, True)
        self.count = 1
        return True

    cdef bint _without_the_poorest(self, NodeSet busy) except -1:
        """Drop the poorest nodes one by one until a choice succeeds."""
        cdef Py_ssize_t i, members = self._sort_by_room()
        cdef Py_ssize_t most = self.usable.count() - self.request.least
        if not self._richest_suffice(members):
            return False
        for i in range(min(members, most)):
            self._leave_out(self.poorest[i])
            if self._once(busy):
                return True
        return False

    cdef Py_ssize_t _sort_by_room(self) except -1:
        """Order the nodes that are not required by what they give, then by index; returns how many they are."""
        cdef Py_ssize_t node, place, size = 0
        cdef int64_t room
        if self.richest + 2 > self.levels:
            self.begin = <Py_ssize_t *> resized(self.begin, (self.richest + 2) * sizeof(Py_ssize_t))
            self.levels = self.richest + 2
        memset(self.begin, 0, (self.richest + 2) * sizeof(Py_ssize_t))
        node = self.usable.following(0)
        while node >= 0:
            if not self.request.required.has(node):
                self.begin[self.rooms[node] + 1] += 1
                size += 1
            node = self.usable.following(node + 1)
        for room in range(1, self.richest + 1):
            self.begin[room + 1] += self.begin[room]
        node = self.usable.following(0)
        while node >= 0:
            if not self.request.required.has(node):
                place = self.begin[self.rooms[node]]
                self.poorest[place] = node
                self.begin[self.rooms[node]] += 1
            node = self.usable.following(node + 1)
        return size

    cdef bint _richest_suffice(self, Py_ssize_t members) noexcept:
        """Whether as many nodes as may be taken could give the CPUs: else no choice among them or fewer succeeds."""
        cdef int64_t given = 0, left = self.request.most
        cdef Py_ssize_t node
        if self.request.contiguous:
            return True
        for node in self.request.required_nodes:
            given += self.rooms[node]
            left -= 1
        while members > 0 and left > 0 and given < self.request.cpus:
            members -= 1
            left -= 1
            given += self.rooms[self.poorest[members]]
        return given >= self.request.cpus

    cdef void _begin(self) noexcept:
        self.taken.clear()
        self.count = 0
        self.cpus, self.nodes, self.left = self.request.cpus, self.request.wanted, self.request.most

    cdef bint _once(self, NodeSet busy) except -1:
        cdef Py_ssize_t node
        self._begin()
        if busy is not None or not self.request.contiguous:
            for node in self.request.required_nodes:
                self._take(node)
        if busy is None:
            self._by_runs()
        else:
            self._in_turn(busy)
        return self.cpus <= 0 and self.count >= self.request.least

    cdef int _in_turn(self, NodeSet busy) except -1:
        cdef Py_ssize_t node = self.usable.following(0)
        cdef list order = []
        while node >= 0:
            order.append((self._weight(node), not busy.has(node), node))
            node = self.usable.following(node + 1)
        order.sort()
        for _, _, node in order:
            if self._done():
                break
            if not self.taken.has(node):
                self._take(node)
        return 0

    cdef bint _done(self) noexcept:
        """Whether nodes and CPUs suffice, or no more nodes may be taken."""
        return self.left <= 0 or (self.cpus <= 0 and self.nodes <= 0)

    cdef void _take(self, Py_ssize_t node) noexcept:
        cdef int64_t cpus = self.rooms[node]
        if not self.request.exclusive:
            cpus = min(cpus, self.cpus - max(0, self.nodes - 1) * self.occupancy.threads[node])
            cpus = max(cpus, self.request.least_cpus, 1)
        self.node[self.count] = node
        self.given[self.count] = cpus
        self.count += 1
        self.taken.put(node, True)
        self.cpus -= cpus
        self.nodes -= 1
        self.left -= 1

    cdef void _by_runs(self) noexcept:
        """Take nodes, set by set, the best first."""
        cdef Run *best
        cdef Py_ssize_t i, remaining
        if self._done():
            return
        if self.run_count < 0 or self.request.required_nodes:
            self._find_runs()
        for i in range(self.run_count):
            self.runs[i].used = False
        remaining = self.run_count
        while remaining and not self._done() and not self._hopeless():
            if self.left == 1 and self.nodes <= 1 and self.alike and not self.request.contiguous:
                self._use_last()
                return
            best = self._best()
            if self.request.contiguous and not self._enough(best):
                return
            self._use(best)
            best.used = True
            remaining -= 1

    cdef void _use_last(self) noexcept:
        """Take the last node: of the sets that have one which is enough, the smallest. Others would be used in vain."""
        cdef Run *best = NULL
        cdef Run *run
        cdef Py_ssize_t i
        for i in range(self.run_count):
            run = &self.runs[i]
            if not run.used and run.cpus >= self.cpus and (best == NULL or run.cpus < best.cpus) and self._tightest(run) >= 0:
                best = run
        if best != NULL:
            self._use(best)

    cdef bint _hopeless(self) noexcept:
        """Whether the nodes that may still be taken are too few, even if each gave as much as the richest does."""
        return self.cpus > self.left * self.richest

    cdef void _find_runs(self) noexcept:
        """The sets: neighbours that are usable and, unless one set must be enough, have one weight.

        The one set that must be enough has all required nodes; of others those count that are not required.
        """
        cdef Py_ssize_t first = self.usable.following(0), last, cut
        self.run_count, self.alike = 0, not self.request.required_nodes
        while first >= 0:
            last = min(self.usable.run_end(first), self.occupancy.count)
            if not self.request.contiguous:
                cut = self.cuts.following(first + 1)
                if 0 <= cut < last:
                    last = cut
            self._set_run(self.run_count, first, last, 0 if self.request.contiguous else self._weight(first))
            if not self.request.required_nodes or self._set_required_apart(&self.runs[self.run_count]):
                self.alike &= self.runs[self.run_count].weight == self.runs[0].weight
                self.run_count += 1
            first = self.usable.following(last)

    cdef void _set_run(self, Py_ssize_t place, Py_ssize_t first, Py_ssize_t last, int64_t weight) noexcept:
        cdef Run *run = &self.runs[place]
        run.first, run.last, run.weight = first, last, weight
        run.cpus, run.nodes, run.required = self.sums[last] - self.sums[first], last - first, -1

    cdef void _leave_out(self, Py_ssize_t node) noexcept:
        """A node is usable no more. The sets are cut there: found anew for each node they took a third of a cycle."""
        cdef Py_ssize_t low = 0, high = self.run_count, middle, first, last, parts
        cdef int64_t weight
        self.usable.put(node, False)
        if self.run_count < 0 or self.request.required_nodes:
            return
        while low + 1 < high:
            middle = (low + high) // 2
            if self.runs[middle].first <= node:
                low = middle
            else:
                high = middle
        first, last, weight = self.runs[low].first, self.runs[low].last, self.runs[low].weight
        parts = (first < node) + (node + 1 < last)
        if parts != 1:
            memmove(&self.runs[low + parts], &self.runs[low + 1], (self.run_count - low - 1) * sizeof(Run))
            self.run_count += parts - 1
        if first < node:
            self._set_run(low, first, node, weight)
        if node + 1 < last:
            self._set_run(low + parts - 1, node + 1, last, weight)

    cdef bint _set_required_apart(self, Run *run) noexcept:
        """Leave out the required nodes, which are taken; returns whether there is a set."""
        cdef Py_ssize_t node, outside = 0
        for node in self.request.required_nodes:
            if run.first <= node < run.last:
                run.required = node if run.required < 0 else run.required
                if not self.request.contiguous:
                    run.cpus -= self.rooms[node]
                    run.nodes -= 1
            else:
                outside += 1
        return outside == 0 if self.request.contiguous else run.nodes > 0

    cdef bint _enough(self, Run *run) noexcept:
        return run.cpus >= self.cpus and run.nodes >= self.nodes

    cdef Run *_best(self) noexcept:
        cdef Run *best = self._largest() if self.alike else NULL
        cdef Run *run
        cdef Py_ssize_t i
        cdef bint better, enough, best_enough = False
        if best != NULL and best.cpus < self.cpus:
            return best     # none is enough
        best = NULL
        for i in range(self.run_count):
            run = &self.runs[i]
            if run.used:
                continue
            enough = self._enough(run)
            if best == NULL or (run.required >= 0 and best.required < 0):
                better = True
            elif run.weight != best.weight:
                better = run.weight < best.weight
            elif enough:
                better = not best_enough or run.cpus < best.cpus
            else:
                better = run.cpus > best.cpus
            if better:
                best, best_enough = run, enough
        return best

    cdef Run *_largest(self) noexcept:
        """The set with the most CPUs, the first of several."""
        cdef Run *best = NULL
        cdef Py_ssize_t i
        for i in range(self.run_count):
            if not self.runs[i].used and (best == NULL or self.runs[i].cpus > best.cpus):
                best = &self.runs[i]
        return best

    cdef void _use(self, Run *run) noexcept:
        """Take the nodes of a set in their order, as long as some are needed."""
        cdef Py_ssize_t node
        if run.required >= 0:
            for node in range(run.required, run.last):
                self._consider(node)
            for node in range(run.required - 1, run.first - 1, -1):
                self._consider(node)
            return
        if self.nodes <= 1 and self._enough(run):
            node = self._tightest(run)
            if node >= 0:
                self._consider(node)
                return
        for node in range(run.first, run.last):
            if self._done():
                return
            self._consider(node)

    cdef void _consider(self, Py_ssize_t node) noexcept:
        if not self._done() and not self.taken.has(node) and (self.left > 1 or self.rooms[node] >= self.cpus):
            self._take(node)

    cdef Py_ssize_t _tightest(self, Run *run) noexcept:
        """The node that gives the fewest CPUs that are enough, -1 if none is enough."""
        cdef Py_ssize_t node, best = -1
        for node in range(run.first, run.last):
            if self.rooms[node] >= self.cpus and (best < 0 or self.rooms[node] < self.rooms[best]):
                best = node
        return best
