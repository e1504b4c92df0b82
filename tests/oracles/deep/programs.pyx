"""Schedulers for queues of thousands of jobs: every pass looks at every job, and nothing is remembered of the last.

The definitions are those of conservative.py, orders.py and easy.py, which are too slow where thousands wait:
- The free nodes are steps: a time, and how many nodes are free from then until the next step.
- `conservative`: at an instant with a completion each waiting job, in order of arrival, goes to the first time at which
  its size stays free for its whole estimate, if that is before its reservation. With `replan` all reservations
  are taken back instead, and made anew in order of arrival. Then those who have come reserve; then those due start.
- `ordered`: in each pass a fresh plan above the running jobs, each waiting job at its earliest time, shortest estimate
  first (sign 1), longest first (-1) or by arrival (0), ties by arrival; those placed at now start. `decide` is asked
  for the sign before each pass.
- `easy`: heads start while they fit; the shadow time of the first that does not is the first at which it fits, by
  the estimates; the others are tried in the order of the scan, each that fits and ends by then or needs extra nodes only.

Two things are left out, and both by a line of proof. A job that holds its place is not taken out to look for an earlier one:
from its start on the nodes that it holds are free to it, so that only those before it are in question. And a plan
ends when no node is free at now: what is placed later takes more, so that nobody else is placed at now.
"""

from heapq import heappop, heappush

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memmove

from array import array

NEVER = 1 << 62
cdef int64_t FOREVER = NEVER


cdef class Steps:
    """Free nodes from now on, in steps of time."""

    def __cinit__(self, int64_t nodes, int64_t now):
        self.capacity = 64
        self.time = <int64_t *> malloc(self.capacity * sizeof(int64_t))
        self.free = <int64_t *> malloc(self.capacity * sizeof(int64_t))
        if self.time is NULL or self.free is NULL:
            raise MemoryError
        self.count, self.time[0], self.free[0] = 1, now, nodes

    def __dealloc__(self):
        free(self.time)
        free(self.free)

    def steps(self):
        """All steps, as (time, free nodes)."""
        return [(self.time[step], self.free[step]) for step in range(self.count)]

    cdef int grow(self, Py_ssize_t count) except -1:
        """Make room for so many steps."""
        if count <= self.capacity:
            return 0
        self.capacity = 2 * count
        self.time = <int64_t *> realloc(self.time, self.capacity * sizeof(int64_t))
        self.free = <int64_t *> realloc(self.free, self.capacity * sizeof(int64_t))
        if self.time is NULL or self.free is NULL:
            raise MemoryError
        return 0

    cdef int copy(self, Steps other) except -1:
        """Become equal to another one."""
        self.grow(other.count)
        self.count = other.count
        memcpy(self.time, other.time, other.count * sizeof(int64_t))
        memcpy(self.free, other.free, other.count * sizeof(int64_t))
        return 0

    cdef Py_ssize_t at(self, int64_t instant) noexcept:
        """The step in which an instant lies; the first one if it lies before all."""
        cdef Py_ssize_t low = 0, high = self.count, middle
        while high - low > 1:
            middle = (low + high) // 2
            if self.time[middle] <= instant:
                low = middle
            else:
                high = middle
        return low

    cdef Py_ssize_t cut(self, int64_t instant) except -1:
        """Let a step begin at an instant, which is not before the first one; its number."""
        cdef Py_ssize_t step = self.at(instant)
        if self.time[step] == instant:
            return step
        self.grow(self.count + 1)
        step += 1
        memmove(self.time + step + 1, self.time + step, (self.count - step) * sizeof(int64_t))
        memmove(self.free + step + 1, self.free + step, (self.count - step) * sizeof(int64_t))
        self.time[step], self.free[step] = instant, self.free[step - 1]
        self.count += 1
        return step

    cdef void join(self, Py_ssize_t step) noexcept:
        """Drop a step that changes nothing."""
        if step == 0 or self.free[step] != self.free[step - 1]:
            return
        self.count -= 1
        memmove(self.time + step, self.time + step + 1, (self.count - step) * sizeof(int64_t))
        memmove(self.free + step, self.free + step + 1, (self.count - step) * sizeof(int64_t))

    cpdef void advance(self, int64_t now) noexcept:
        """Forget what lies before now."""
        cdef Py_ssize_t step = self.at(now)
        if step > 0:
            self.count -= step
            memmove(self.time, self.time + step, self.count * sizeof(int64_t))
            memmove(self.free, self.free + step, self.count * sizeof(int64_t))
        self.time[0] = now

    cpdef int take(self, int64_t size, int64_t start, int64_t end) except -1:
        """`size` nodes are spoken for in [start, end); with a size below 0 they are given back."""
        cdef Py_ssize_t first, last, step
        if start >= end:
            return 0
        first = self.cut(start)
        last = self.cut(end)
        for step in range(first, last):
            self.free[step] -= size
            assert self.free[step] >= 0, "more nodes are spoken for than there are"
        self.join(last)
        self.join(first)
        return 0

    cpdef int64_t earliest(self, int64_t size, int64_t length, int64_t before=FOREVER) noexcept:
        """The first time before `before` at which `size` nodes stay free for `length` seconds; otherwise `before`.

        From `before` on the job has its nodes: it is not asked whether they are free.
        """
        cdef int64_t start = -1
        cdef Py_ssize_t step
        for step in range(self.count):
            if self.time[step] >= before or (start >= 0 and self.time[step] >= start + length):
                break
            if self.free[step] < size:
                start = -1
            elif start < 0:
                start = self.time[step]
        return start if start >= 0 else before

    cpdef int64_t free_at(self, int64_t instant) noexcept:
        """Free nodes at an instant."""
        return self.free[self.at(instant)]


cdef class Line:
    """Jobs in order of a rank, equals in order of arrival."""

    def __cinit__(self, Py_ssize_t capacity):
        self.capacity = capacity
        self.job = <int64_t *> malloc((capacity + 1) * sizeof(int64_t))
        self.rank = <int64_t *> malloc((capacity + 1) * sizeof(int64_t))
        if self.job is NULL or self.rank is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.job)
        free(self.rank)

    cdef int add(self, int64_t job, int64_t rank) except -1:
        """A job joins the line at its place."""
        cdef Py_ssize_t place = self.count
        assert place < self.capacity, "more jobs wait than there are"
        while place > 0 and (self.rank[place - 1] > rank or (self.rank[place - 1] == rank and self.job[place - 1] > job)):
            self.job[place], self.rank[place] = self.job[place - 1], self.rank[place - 1]
            place -= 1
        self.job[place], self.rank[place] = job, rank
        self.count += 1
        return 0

    cdef void remove(self, Py_ssize_t place) noexcept:
        """The job at a place leaves."""
        self.count -= 1
        memmove(self.job + place, self.job + place + 1, (self.count - place) * sizeof(int64_t))
        memmove(self.rank + place, self.rank + place + 1, (self.count - place) * sizeof(int64_t))

    cdef void drop(self, int64_t job) noexcept:
        """A job leaves."""
        cdef Py_ssize_t place
        for place in range(self.count):
            if self.job[place] == job:
                self.remove(place)
                return


cdef class Run:
    """A workload, its machine, and the order of what happens in an instant: completions, submissions, one pass."""

    def __init__(self, jobs, int64_t nodes):
        columns = [array("q", column) for column in zip(*jobs)]
        self.submit, self.runtime, self.size, self.estimate = columns
        self.start = array("q", [-1] * len(jobs))
        self.nodes, self.running = nodes, []
        self.held = Steps(nodes, self.submit[0])
        self.waiting = Line(len(jobs))

    def starts(self):
        """Start of every job."""
        cdef int64_t coming = 0, count = len(self.submit), now, job
        cdef bint ended
        while coming < count or self.running or self.waiting.count:
            now = self.due()
            if coming < count:
                now = min(now, self.submit[coming])
            if self.running:
                now = min(now, self.running[0][0])
            self.held.advance(now)
            ended = False
            while self.running and self.running[0][0] == now:
                job = heappop(self.running)[1]
                self.held.take(-self.size[job], now, self.start[job] + self.estimate[job])
                ended = True
            if ended:
                self.completed(now)
            while coming < count and self.submit[coming] == now:
                self.submitted(coming, now)
                coming += 1
            self.make_pass(now)
        return list(self.start)

    cdef int begin(self, int64_t job, int64_t now) except -1:
        """A job starts; its nodes are spoken for by whoever calls."""
        assert self.start[job] < 0, "a job starts again"
        self.start[job] = now
        heappush(self.running, (now + self.runtime[job], job))
        return 0

    cdef int64_t due(self) except -1:
        """When something is to be done even if nothing happens."""
        return FOREVER

    cdef int completed(self, int64_t now) except -1:
        """Jobs have ended, all of this instant."""
        return 0

    cdef int submitted(self, int64_t job, int64_t now) except -1:
        """A job has come."""
        return self.waiting.add(job, 0)

    cdef int make_pass(self, int64_t now) except -1:
        """The pass of an instant."""
        raise NotImplementedError


cdef class Reserved(Run):
    """Conservative backfilling. What is held includes what is reserved."""

    def __init__(self, jobs, int64_t nodes, str compress):
        super().__init__(jobs, nodes)
        self.reserved = array("q", [FOREVER] * len(jobs))
        self.replan = compress == "replan"

    cdef int64_t due(self) except -1:
        """The first reservation."""
        cdef int64_t least = FOREVER
        cdef Py_ssize_t place
        for place in range(self.waiting.count):
            least = min(least, self.reserved[self.waiting.job[place]])
        return least

    cdef int put(self, int64_t job) except -1:
        """A job moves to its earliest time, never later than it stands."""
        cdef int64_t length = self.estimate[job], old = self.reserved[job]
        cdef int64_t new = self.held.earliest(self.size[job], length, old)
        if new == old:
            return 0
        if old < FOREVER:
            self.held.take(-self.size[job], old, old + length)
        self.held.take(self.size[job], new, new + length)
        self.reserved[job] = new
        return 0

    cdef int completed(self, int64_t now) except -1:
        """The schedule is compressed once."""
        cdef Py_ssize_t place
        cdef int64_t job
        if self.replan:
            for place in range(self.waiting.count):
                job = self.waiting.job[place]
                self.held.take(-self.size[job], self.reserved[job], self.reserved[job] + self.estimate[job])
                self.reserved[job] = FOREVER
        for place in range(self.waiting.count):
            self.put(self.waiting.job[place])
        return 0

    cdef int submitted(self, int64_t job, int64_t now) except -1:
        """A new job reserves."""
        self.waiting.add(job, 0)
        return self.put(job)

    cdef int make_pass(self, int64_t now) except -1:
        """Those due start, with the nodes that they hold."""
        cdef Py_ssize_t place = 0
        while place < self.waiting.count:
            if self.reserved[self.waiting.job[place]] == now:
                self.begin(self.waiting.job[place], now)
                self.waiting.remove(place)
            else:
                place += 1
        return 0


cdef class Planned(Run):
    """A plan in each pass, in an order that may change from pass to pass."""

    def __init__(self, jobs, int64_t nodes, decide, int64_t interactive):
        super().__init__(jobs, nodes)
        self.decide, self.interactive = decide, interactive
        self.plan = Steps(nodes, 0)

    cdef int sort(self, int64_t sign) except -1:
        """Put the waiting jobs in another order."""
        cdef Line line
        cdef Py_ssize_t place
        if sign == self.sign:
            return 0
        line = Line(len(self.submit))
        for place in range(self.waiting.count):
            line.add(self.waiting.job[place], sign * self.estimate[self.waiting.job[place]])
        self.sign, self.waiting = sign, line
        return 0

    cdef int submitted(self, int64_t job, int64_t now) except -1:
        """A job has come."""
        self.total += self.estimate[job]
        self.short += self.estimate[job] <= self.interactive
        return self.waiting.add(job, self.sign * self.estimate[job])

    cdef int make_pass(self, int64_t now) except -1:
        """Place every job, and start those placed at now."""
        cdef Py_ssize_t place = 0
        cdef int64_t job, start, end
        self.sort(self.decide(self.sign, self.waiting.count, self.total, self.short, self.nodes - self.held.free[0]))
        self.plan.copy(self.held)
        while place < self.waiting.count and self.plan.free[0] > 0:
            job = self.waiting.job[place]
            start = self.plan.earliest(self.size[job], self.estimate[job])
            end = start + self.estimate[job]
            self.plan.take(self.size[job], start, end)
            if start > now:
                place += 1
                continue
            self.held.take(self.size[job], start, end)
            self.begin(job, now)
            self.waiting.remove(place)
            self.total -= self.estimate[job]
            self.short -= self.estimate[job] <= self.interactive
        return 0


cdef class Easy(Run):
    """EASY backfilling."""

    def __init__(self, jobs, int64_t nodes, str scan, bint keeps):
        super().__init__(jobs, nodes)
        self.candidates, self.scan, self.keeps, self.head = Line(len(jobs)), scan, keeps, -1

    cdef int submitted(self, int64_t job, int64_t now) except -1:
        """A job has come."""
        cdef int64_t length = self.estimate[job], size = self.size[job]
        ranks = {"arrival": 0, "shortest": length, "longest": -length, "widest": -size, "narrowest": size}
        self.waiting.add(job, 0)
        return self.candidates.add(job, ranks[self.scan])

    cdef int admit(self, int64_t job, int64_t now) except -1:
        """A job starts and takes its nodes."""
        self.held.take(self.size[job], now, now + self.estimate[job])
        self.waiting.drop(job)
        self.candidates.drop(job)
        return self.begin(job, now)

    cdef int make_pass(self, int64_t now) except -1:
        """Heads, then whoever does not delay the first that does not fit."""
        cdef int64_t head, job
        cdef Py_ssize_t place = 0
        while self.waiting.count and self.size[self.waiting.job[0]] <= self.held.free[0]:
            self.admit(self.waiting.job[0], now)
        if self.waiting.count == 0:
            return 0
        head = self.waiting.job[0]
        if head != self.head or not self.keeps:
            self.head = head
            self.shadow = self.held.earliest(self.size[head], 1)
            self.extra = self.held.free_at(self.shadow) - self.size[head]
        while place < self.candidates.count:
            job = self.candidates.job[place]
            place += 1
            if job == head or self.size[job] > self.held.free[0]:
                continue
            if now + self.estimate[job] > self.shadow:
                if self.size[job] > self.extra:
                    continue
                self.extra -= self.size[job]
            self.admit(job, now)
            place -= 1
        return 0


def conservative(jobs, nodes, compress="arrival"):
    """Start of every job under conservative backfilling."""
    return Reserved(jobs, nodes, compress).starts()


def ordered(jobs, nodes, decide, interactive=0):
    """Start of every job when all are planned anew in each pass.

    `decide` is given the sign in force, how many wait, the sum of their estimates, how many of them have an estimate up to
    `interactive`, and how many nodes are busy; it returns the sign to be in force.
    """
    return Planned(jobs, nodes, decide, interactive).starts()


def easy(jobs, nodes, scan="arrival", reservation="recomputed"):
    """Start of every job under EASY backfilling."""
    return Easy(jobs, nodes, scan, reservation == "kept").starts()
