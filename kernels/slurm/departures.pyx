"""When the running jobs leave, and which nodes a job could then have (docs/slurm-cycle.md, section 5)."""

cimport cython
from cpython.pythread cimport PyThread_get_thread_ident
from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.types cimport FOREVER

cdef enum:
    STEP = 30           # seconds: the first width of a step, and the grid of its beginning


@cython.final
cdef class Found:
    """A start with its nodes."""

    def __dealloc__(self):
        free(self.given)


@cython.final
cdef class Departures:
    """The running jobs of a cycle. `earliest` thinks some of them away; `restore` brings them back.

    Who is away stays away until the next question: those of `by_gone` that are before `cut`, and `others`. A try a
    little later asks for a few more. Asking each job anew at each try took half of a cycle with 1,500 running jobs.
    """

    def __cinit__(self, cluster):
        cdef Held held
        cdef object holder, nodes = cluster.nodes, rules = cluster.rules, holders = cluster.holders
        cdef object places = cluster.places
        self.holders, self.rules, self.capped = holders, rules, cluster.capped
        self.thread, self.next_end = PyThread_get_thread_ident(), FOREVER
        self.now, self.release, self.linear = cluster.now, rules.release, rules.window_linear
        self.busy_first, self.licensed = rules.busy_nodes, rules.licenses and rules.release != 2205
        self.occupancy = Occupancy(nodes, rules, holders, cluster.capped)
        self.choice = Choice(self.occupancy, self.release)
        self.indexed, self.scoped, self.others = [], {}, []
        self.overdue, self.straight = FOREVER, True
        self.open = self.occupancy.busy.copy()
        self.open.fill(self.occupancy.count)
        for holder in holders:
            held = self.occupancy.held(holder)
            held.place = places[holder.job]
            self._add(held)
            self.indexed.append(held)
            self._note(held)
        self.held = sorted(self.indexed, key=_leaves)
        self.by_gone = self.held.copy() if self.straight else sorted(self.indexed, key=_gone)

    cdef int _note(self, Held held) except -1:
        """Keep what is asked of all running jobs together."""
        if held.end <= self.now:
            self.overdue = min(self.overdue, held.gone)
        self.next_end = min(self.next_end, held.end)
        self.straight &= held.gone == held.leaves
        for scope in held.holder.scopes:
            self.scoped.setdefault(scope, []).append(held)
        return 0

    cdef void _add(self, Held held) noexcept:
        """A job runs beside all others."""
        cdef Py_ssize_t i, node
        self.occupancy.add(held)
        for i in range(held.count):
            node = held.shares[i].node
            self.open.put(node, self.occupancy.cpus[node] > self.occupancy.cpus_held[node])

    cdef bint stands_for(self, cluster) except -1:
        """Whether these are the running jobs of a cluster, too: the same ones, none past its end."""
        cdef tuple mine = self.holders, theirs = cluster.holders
        cdef Py_ssize_t i
        if len(mine) != len(theirs) or self.next_end <= cluster.now or self.thread != PyThread_get_thread_ident():
            return False
        for i in range(0 if mine is theirs else len(mine)):
            if mine[i] is not theirs[i]:
                return False
        return self.rules is cluster.rules and self.capped == cluster.capped

    cdef bint has_room(self, Request request) except -1:
        """Whether the nodes that a job may have give now what it asks for, whatever is reserved of them."""
        cdef Py_ssize_t node
        cdef NodeSet usable
        cdef int64_t *rooms = self.occupancy.rooms[0]
        cdef int64_t given = 0, lacking = max(request.least, 1)
        if not self.open.shares(request.candidates, lacking):
            return False
        self.occupancy.forget(request)
        self.restore()
        self.occupancy.consider(request)
        usable = self.occupancy.usable
        node = usable.following(0)
        while node >= 0 and (lacking > 0 or given < request.cpus):
            if request.candidates.has(node):
                lacking -= 1
                given = max(given, rooms[node]) if request.most == 1 else given + rooms[node]
            node = usable.following(node + 1)
        return lacking <= 0 and given >= request.cpus

    cdef NodeSet vacated(self, Request request, seconds_t instant):
        """No other nodes have room for a job once all are away who leave before an instant; who has started since counts for nothing."""
        if request.exclusive:
            if self.emptied is None:
                self.emptied = Vacating(self.occupancy, self.held, True)
            return self.emptied.before(instant)
        if self.opened is None:
            self.opened = Vacating(self.occupancy, self.held, False)
        return self.opened.before(instant)

    cdef int start(self, object holder, Py_ssize_t place) except -1:
        """A job runs from now on; `place` is its own in the list of jobs."""
        cdef Held held = self.occupancy.held(holder)
        cdef Py_ssize_t index = len(self.held)
        self.restore()
        held.place = place
        while index and after(<Held> self.held[index - 1], held):
            index -= 1
        self.held.insert(index, held)
        index = len(self.by_gone)
        while index and (<Held> self.by_gone[index - 1]).gone > held.gone:
            index -= 1
        self.by_gone.insert(index, held)
        self._note(held)
        self._add(held)
        return 0

    cdef void restore(self) noexcept:
        """Every job is present again."""
        self._cut(0)

    cdef void _cut(self, seconds_t until) noexcept:
        """Exactly the jobs that are gone before a time are away."""
        cdef Held held
        cdef Py_ssize_t size = len(self.by_gone)
        if self.others:
            for held in self.others:
                self.occupancy.add(held)
            self.others = []
        while self.cut < size and (<Held> self.by_gone[self.cut]).gone < until:
            self.occupancy.remove(<Held> self.by_gone[self.cut])
            self.cut += 1
        while self.cut and (<Held> self.by_gone[self.cut - 1]).gone >= until:
            self.cut -= 1
            self.occupancy.add(<Held> self.by_gone[self.cut])

    cdef Py_ssize_t _first(self, seconds_t until) noexcept:
        """The first place of a job that may not be gone before a time."""
        cdef Py_ssize_t low = 0, high = len(self.held) if self.straight else 0, middle
        while low < high:
            middle = (low + high) // 2
            if (<Held> self.held[middle]).leaves < until:
                low = middle + 1
            else:
                high = middle
        return low

    cdef Found immediate(self, Request request, NodeSet available, bint in_full):
        """A start now, beside all running jobs. `in_full`: tasks by node do not bound what a node counts for."""
        if not self.open.shares(available, max(request.least, 1)):
            return None
        self.occupancy.forget(request)
        self.restore()
        self.occupancy.consider(request)
        return self._choose(request, available, not in_full, None, self.now)

    cdef Found beside(self, Request request, NodeSet available, list suspended, list away):
        """A start now beside the running jobs, but for some of them: those suspended keep their memory."""
        cdef Held held
        self.occupancy.forget(request)
        self.restore()
        self.others = [*suspended, *away]
        for held in suspended:
            self.occupancy.suspend(held)
        for held in away:
            self.occupancy.remove(held)
        self.occupancy.consider(request)
        return self._choose(request, available, True, None, self.now)

    cdef int preempt(self, list victims) except -1:
        """The jobs with these indexes end now: they complete until the next second."""
        cdef Held held
        self.restore()
        self.emptied = self.opened = None
        for index in victims:
            held = self.indexed[index]
            held.end = held.gone = self.now
            # Who is past its end already is so still.
            self.overdue = min(self.overdue, self.now)
            held.leaves = self.now + 1
            self.straight = False
        self.held.sort(key=_leaves)
        self.by_gone.sort(key=_gone)
        return 0

    cdef Found earliest(self, Request request, NodeSet available, seconds_t since, seconds_t later, list away):
        """The earliest start from a time on, on available nodes; `later` bounds the search, FOREVER does not.

        `away`: who may be preempted, and is no obstacle after now.
        """
        cdef bint old = self.release == 2205
        cdef seconds_t until = since + (self.release == 2605)
        cdef Found found = None
        if since <= self.now or old:
            found = self.immediate(request, available, True)
            if found is not None:
                return found
        self.occupancy.forget(request)
        self._cut(0 if old else until)
        self.occupancy.consider(request)
        if old:
            self._remove(away, 0)
            return self._in_steps(request, available, 0, FOREVER, away)
        if since > self.now:
            self._remove(away, until)
        found = self._choose(request, available, False, None, since)
        if found is not None:
            found.overdue = self.overdue < until
            return found
        if since <= self.now:
            self._remove(away, until)
        return self._in_steps(request, available, until, later, away)

    cdef int _remove(self, list away, seconds_t until) except -1:
        """These jobs are away, too; those that are gone before a time are already."""
        cdef Held held
        for held in away:
            if held.gone >= until:
                self.occupancy.remove(held)
                self.others.append(held)
        return 0

    cdef Found _choose(self, Request request, NodeSet available, bint capped, NodeSet busy, seconds_t at):
        cdef Found made
        cdef Py_ssize_t i
        if not self.choice.find(request, available, capped, busy):
            return None
        made = Found()
        made.at = at
        made.nodes = self.choice.taken.copy()
        made.count = self.choice.count
        made.given = <Given *> resized(NULL, max(made.count, 1) * sizeof(Given))
        for i in range(made.count):
            made.given[i].node, made.given[i].cpus = self.choice.node[i], self.choice.given[i]
        return made

    cdef Found _in_steps(self, Request request, NodeSet available, seconds_t since, seconds_t later, list away):
        """Take jobs away that are not gone before a time, step by step, until the job fits."""
        cdef list rest = self.held
        cdef Py_ssize_t place = self._first(since), size = len(rest), before
        cdef seconds_t width = STEP, base = 0
        cdef bint last
        cdef Held held
        cdef Found found
        cdef list gone = []
        cdef NodeSet busy = self._in_use() if self.busy_first else None
        while True:
            before = len(gone)
            last = True
            while True:
                while place < size:
                    held = <Held> rest[place]
                    if held.leaves > later or (self._counts(held, request, available, since) and held not in away):
                        break
                    place += 1
                if place == size or held.leaves > later:
                    break
                self.occupancy.remove(held)
                gone.append(held)
                self.others.append(held)
                place += 1
                # Who is gone before the start is not in the list, though those past their end leave later.
                while place < size and (<Held> rest[place]).gone < since:
                    place += 1
                if base == 0:
                    base = (held.end // STEP + 1) * STEP
                if place < size and (<Held> rest[place]).leaves > base + width:
                    last = False
                    break
            if len(gone) > before:
                found = self._choose(request, available, True, busy, 0)
                if found is not None:
                    found.at = self._moment(gone, found.nodes)
                    return found
            if last:
                return None
            width = self._wider(width, (<Held> rest[place]).leaves - base)

    cdef bint _counts(self, Held held, Request request, NodeSet available, seconds_t since) except -1:
        """Whether it matters to a job that another one leaves, from a time on: it has one of its nodes, or of its licences."""
        if held.gone < since:
            return False
        if held.count == 1:
            if available.has(held.shares[0].node):
                return True
        elif stands_on(held, available):
            return True
        return self.licensed and bool(request.licenses) and not request.licenses.isdisjoint(held.holder.licenses)

    cdef NodeSet _in_use(self):
        """The nodes of all running jobs, gone or not."""
        cdef NodeSet busy = NodeSet(self.occupancy.busy.length)
        cdef Held held
        for held in self.held:
            busy.join(held.nodes)
        return busy

    cdef seconds_t _wider(self, seconds_t width, seconds_t needed) noexcept:
        """The width of the next step, which reaches the next job."""
        if self.linear:
            return width + self.linear * max(0, (needed - width + self.linear - 1) // self.linear)
        while width < needed:
            width *= 2
        return width

    cdef seconds_t _moment(self, list gone, NodeSet nodes):
        cdef Held held
        if self.release == 2605:
            for held in reversed(gone):
                if held.nodes.meets(nodes):
                    return held.leaves
        return (<Held> gone[len(gone) - 1]).leaves


cdef Departures departures_of(cluster):
    """Return the running jobs of a cluster: as the last cycle on these nodes has them, if they are the same."""
    cdef Departures made
    cdef list kept = cluster.nodes.kept
    if kept:
        made = kept[0]
        if made.stands_for(cluster):
            made.now = cluster.now
            return made
    made = Departures(cluster)
    kept[:] = [made]
    return made


def _leaves(held):
    """When a job leaves, and its place among those of the same second."""
    return (<Held> held).leaves, (<Held> held).place


def _gone(held):
    """When rule 2 of section 5 has a job away."""
    return (<Held> held).gone


cdef bint after(Held one, Held other) noexcept:
    """Whether a job comes after another one."""
    return one.leaves > other.leaves or (one.leaves == other.leaves and one.place > other.place)


cdef bint stands_on(Held held, NodeSet nodes) noexcept:
    """Whether a job holds one of the nodes: most jobs have fewer nodes than a set has words."""
    cdef Py_ssize_t i
    if held.count > nodes.length:
        return held.nodes.meets(nodes)
    for i in range(held.count):
        if nodes.has(held.shares[i].node):
            return True
    return False
