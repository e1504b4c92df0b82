"""What an operator does and what fails, as a part of what a run is made from (docs/steering.md).

A `Steering` is a value: all actions and outages of a run, known before it begins. Which of them have happened is in the
moving state, as three places in its lists, so that copies are whole and two runs share what they have in common.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.clock cimport NODE_DOWN, NODE_UP
from shadowtime.kernels.core.memory cimport resized, zeros
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.operator.verbs cimport DRAIN_NODES, SET_POLICY, UP_NODES

from shadowtime.kernels.operator.verbs import VERB_NAMES

ON_FAILURE = ("kill", "requeue", "checkpoint")
LATEST = FOREVER


cdef tuple ranges_of(nodes):
    """(first, count) pairs, checked."""
    made = tuple((int(first), int(count)) for first, count in nodes)
    for first, count in made:
        if first < 0 or count < 1 or first + count > 0x7FFFFFFF:
            raise ValueError(f"nodes are {first} and {count} in a row from there; expected 0 or more, and 1 or more")
    return made


@cython.final
cdef class Intervention:
    """An action of the operator as the kernel takes it: a row of the table of jobs in place of an id.

    `do` is one of VERB_NAMES. Either `at` (seconds) or `after` (an event) is set.

    ValueError says what does not go together.
    """

    def __cinit__(self, str do not None, *, at=None, after=None, int job=-1, int64_t to=0, nodes=(), policy=None,
                  columns=None):
        if do not in VERB_NAMES:
            raise ValueError(f"an action is {do!r}; expected one of {', '.join(VERB_NAMES)}")
        if (at is None) == (after is None):
            raise ValueError(f"{do}: at is {at} and after is {after}; expected one of the two")
        if at is not None and not 0 <= at < FOREVER or after is not None and after < 0:
            raise ValueError(f"{do}: at is {at} and after is {after}; expected 0 or later")
        verb = VERB_NAMES.index(do)
        self.do = do
        self.at = at
        self.after = after
        self.job = job
        self.to = to
        self.nodes = ranges_of(nodes)
        self.policy = policy
        self.columns = None if columns is None else tuple(columns)
        if (verb < DRAIN_NODES) != (job >= 0):
            raise ValueError(f"{do}: job is {job}; expected {'a row of the table' if verb < DRAIN_NODES else 'none'}")
        if (DRAIN_NODES <= verb <= UP_NODES) != bool(self.nodes):
            raise ValueError(f"{do}: nodes are {self.nodes}; expected {'some' if verb >= DRAIN_NODES else 'none'}")
        if verb < SET_POLICY and policy is not None:
            raise ValueError(f"{do}: policy is {policy}; expected none")

    def __repr__(self):
        when = f"at={self.at}" if self.after is None else f"after={self.after}"
        return f"Intervention({self.do!r}, {when}, job={self.job}, to={self.to}, nodes={self.nodes})"


@cython.final
cdef class Outage:
    """Nodes that fail at `start` and are back at `until`, None for never; with `kill` the jobs on them are struck."""

    def __cinit__(self, nodes, start, until=None, kill=False):
        self.nodes = ranges_of(nodes)
        self.start = start
        self.until = until
        self.kill = kill
        if not self.nodes:
            raise ValueError("an outage has no nodes; expected some")
        if not 0 <= start < FOREVER:
            raise ValueError(f"an outage starts at {start}; expected 0 or later")
        if until is not None and not start < until < FOREVER:
            raise ValueError(f"an outage from {start} on lasts until {until}; expected a later instant")

    def __repr__(self):
        return f"Outage({self.nodes}, {self.start}, {self.until}, {self.kill})"


cdef bint is_same(Intervention a, Intervention b):
    """Whether two actions do the same at the same point."""
    if (a.policy is None) != (b.policy is None):
        return False
    if a.policy is not None and (a.policy.name != b.policy.name or a.policy.parameters != b.policy.parameters):
        return False
    return (a.do, a.at, a.after, a.job, a.to, a.nodes, a.columns) == (b.do, b.at, b.after, b.job, b.to, b.nodes, b.columns)


cdef bint in_order(tuple instants):
    return all(instants[i] <= instants[i + 1] for i in range(len(instants) - 1))


@cython.final
cdef class Steering:
    """All actions and outages of a run; the timed actions by time, the numbered ones by number, each in order."""

    def __cinit__(self, interventions=(), outages=(), on_failure="kill", checkpoint_interval=3600):
        cdef Py_ssize_t i
        cdef Outage outage
        self.interventions = tuple(interventions)
        self.outages = tuple(outages)
        self.on_failure = on_failure
        self.checkpoint_interval = checkpoint_interval
        if on_failure not in ON_FAILURE:
            raise ValueError(f"on_failure is {on_failure!r}; expected one of {', '.join(ON_FAILURE)}")
        if checkpoint_interval < 1:
            raise ValueError(f"checkpoint_interval is {checkpoint_interval}; expected 1 second or more")
        self.failure = ON_FAILURE.index(on_failure)
        self.by_time = tuple([each for each in self.interventions if (<Intervention?> each).after is None])
        self.by_number = tuple([each for each in self.interventions if (<Intervention?> each).after is not None])
        if not in_order(tuple([each.at for each in self.by_time])):
            raise ValueError("the actions are not in order of time")
        if not in_order(tuple([each.after for each in self.by_number])):
            raise ValueError("the actions are not in order of the events that they follow")
        self.times = <int32_t> len(self.by_time)
        self.numbers = <int32_t> len(self.by_number)
        self.timed = <InterventionRecord *> zeros(self.times + 1, sizeof(InterventionRecord))
        self.numbered = <InterventionRecord *> zeros(self.numbers + 1, sizeof(InterventionRecord))
        self.spans = <Span *> zeros(len(self.outages) + 1, sizeof(Span))
        for i in range(self.times):
            self._take(&self.timed[i], self.by_time[i])
        for i in range(self.numbers):
            self._take(&self.numbered[i], self.by_number[i])
        for i in range(len(self.outages)):
            outage = self.outages[i]
            self.spans[i].start = outage.start
            self.spans[i].until = FOREVER if outage.until is None else outage.until
            self.spans[i].kill = outage.kill
            self._take_nodes(outage.nodes, &self.spans[i].begin, &self.spans[i].end)
        self._order_changes()

    def __dealloc__(self):
        free(self.timed)
        free(self.numbered)
        free(self.spans)
        free(self.changes)
        free(self.ranges)

    cdef int _take(self, InterventionRecord *record, Intervention intervention) except -1:
        record.time = NONE if intervention.at is None else intervention.at
        record.after = NONE if intervention.after is None else intervention.after
        record.verb = VERB_NAMES.index(intervention.do)
        record.job = intervention.job
        record.to = intervention.to
        if intervention.columns is not None:
            record.service, record.interactive, record.weight = intervention.columns
        return self._take_nodes(intervention.nodes, &record.begin, &record.end)

    cdef int _take_nodes(self, tuple nodes, int32_t *begin, int32_t *end) except -1:
        cdef int32_t at = self.used
        self.ranges = <Range *> resized(self.ranges, (at + len(nodes) + 1) * sizeof(Range))
        for first, count in nodes:
            self.ranges[self.used].first = first
            self.ranges[self.used].count = count
            self.used += 1
        begin[0] = at
        end[0] = self.used
        return 0

    cdef int _order_changes(self) except -1:
        """Beginnings and ends of outages, in the order in which they happen."""
        cdef int32_t i = 0
        found = []
        for number in range(len(self.outages)):
            found.append((self.spans[number].start, int(NODE_DOWN), number))
            if self.spans[number].until < FOREVER:
                found.append((self.spans[number].until, int(NODE_UP), number))
        self.count = <int32_t> len(found)
        self.changes = <Change *> zeros(self.count + 1, sizeof(Change))
        for number in range(len(self.outages)):
            self.spans[number].up = self.count
        for i, (time, kind, number) in enumerate(sorted(found)):
            self.changes[i].time = time
            self.changes[i].kind = kind
            self.changes[i].outage = number
            if kind == NODE_DOWN:
                self.spans[number].down = i
            else:
                self.spans[number].up = i
        return 0

    cdef const InterventionRecord *record(self, int32_t item) noexcept nogil:
        return &self.numbered[item // 2] if item % 2 else &self.timed[item // 2]

    cdef Intervention intervention(self, int32_t item):
        return self.by_number[item // 2] if item % 2 else self.by_time[item // 2]

    cdef Steering past(self, int32_t timed, int32_t numbered, further):
        """The actions that have been done, then `further` ones; the outages are the same."""
        return Steering((*self.by_time[:timed], *self.by_number[:numbered], *further), self.outages, self.on_failure,
                        self.checkpoint_interval)

    cdef seconds_t first(self) noexcept nogil:
        """The first instant at which something is certain to happen, FOREVER for none."""
        cdef seconds_t first = self.changes[0].time if self.count else FOREVER
        return min(first, self.timed[0].time) if self.times else first

    cdef int check(self, nodes_t nodes, job_t jobs) except -1:
        """IndexError where there is no such job, ValueError where there is no such node."""
        cdef int32_t i
        for each in self.interventions:
            if (<Intervention> each).job >= jobs:
                raise IndexError(f"job {(<Intervention> each).job}; the table has {jobs} rows")
        for i in range(self.used):
            if self.ranges[i].first + self.ranges[i].count > nodes:
                raise ValueError(f"node {self.ranges[i].first + self.ranges[i].count - 1}; "
                                 f"the machine has {nodes} nodes, numbered from 0")
        return 0

    cdef bint agrees(self, Steering other, int32_t timed, int32_t numbered, int32_t changes):
        """Whether the two are the same in so many timed and numbered actions, beginnings and ends of outages."""
        cdef int32_t i
        cdef const Span *mine
        cdef const Span *others
        if timed > self.times or timed > other.times or numbered > self.numbers or numbered > other.numbers:
            return False
        if changes > self.count or changes > other.count or self.failure != other.failure:
            return False
        for i in range(timed):
            if not is_same(self.by_time[i], other.by_time[i]):
                return False
        for i in range(numbered):
            if not is_same(self.by_number[i], other.by_number[i]):
                return False
        for i in range(changes):
            mine = &self.spans[self.changes[i].outage]
            others = &other.spans[other.changes[i].outage]
            if (self.changes[i].time != other.changes[i].time or self.changes[i].kind != other.changes[i].kind
                    or mine.until != others.until or mine.kill != others.kill
                    or self.outages[self.changes[i].outage].nodes != other.outages[other.changes[i].outage].nodes):
                return False
        return self.checkpoint_interval == other.checkpoint_interval
