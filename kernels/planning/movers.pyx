"""The waiting jobs whose reservations room that came free may let move: what lets a compression try only these.

A reservation that found no earlier start when it was last tried finds one only in room that came free since. The
start it moves to is of one of two kinds:

- *Touching*: the new time reaches into the old one. Then the job's size is free right before its old start. Jobs that
  begin where room came free and have as much right before are marked one by one.
- *Whole*: the new time ends before the old one begins. Then a run of free enough steps at least as long as the job
  lies before its old start, and reaches into the room that came free. Jobs of the same size and length are a group:
  the earliest window of all of them is searched once, and a look at a job's start shows whether it can use it.

Marks are never too few, and may be too many. A pass looks at every job once, in order of the queue, and tries the
marked ones. Room that a job leaves marks the later jobs for this pass, the earlier ones for the next. Nothing of this
is saved: `gather` finds from the profile alone who can move.

All of RICC (1,000 to 8,000 waiting, 290 of them moved by a compression) takes 27 s, against 105 s for trying every
job and 79 s with every job marked by itself.
"""

cimport cython
from libc.stdlib cimport free, qsort
from libc.string cimport memmove, memset

from shadowtime.kernels.core.memory cimport grown, resized
from shadowtime.kernels.core.types cimport FOREVER, NONE

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(unsigned long long) noexcept nogil
    int leading_zeros "__builtin_clzll"(unsigned long long) noexcept nogil

    const Py_ssize_t BEHIND "PY_SSIZE_T_MAX"    # after every position

cdef enum:
    LOOK = 32           # steps to look for the ends of a run before it counts as longer than any job


cdef int wide(nodes_t size) noexcept nogil:
    """The size class of a job: a quarter of an octave."""
    cdef int octave = 63 - leading_zeros(size)
    return 4 * octave + <int> (((<seconds_t> size - ((<seconds_t> 1) << octave)) * 4) >> octave)


cdef int long_(seconds_t length) noexcept nogil:
    """The length class of a job: half an octave."""
    cdef int octave = 63 - leading_zeros(length)
    return 2 * octave + <int> (((length - ((<seconds_t> 1) << octave)) * 2) >> octave) if octave < 26 else LENGTHS - 1


cdef nodes_t least_size(int c) noexcept nogil:
    """The least size in a class. Below 4 nodes the quarters of an octave coincide: some classes stay empty there."""
    cdef int octave = c // 4
    return (1 << octave) + <nodes_t> ((((<seconds_t> 1) << octave) * (c % 4) + 3) // 4)


cdef int by_start(const void *left, const void *right) noexcept nogil:
    cdef const Entry *a = <const Entry *> left
    cdef const Entry *b = <const Entry *> right
    if a.start != b.start:
        return -1 if a.start < b.start else 1
    return -1 if a.job < b.job else 1


@cython.final
cdef class Movers:
    def __cinit__(self):
        self.at = BEHIND

    def __dealloc__(self):
        free(self.order)
        free(self.holders)
        free(self.classes)
        free(self.lengths)
        free(self.groups)

    cdef void drop(self) noexcept nogil:
        """Forget everything."""
        self.kept = False

    cdef int gather(self, Queue queue, Profile profile, seconds_t now, Py_ssize_t jobs, nodes_t nodes) except -1 nogil:
        """Take up every reservation, and mark whatever can move in the profile as it is."""
        cdef Py_ssize_t at
        if self.holders == NULL:
            self.sizes = wide(nodes) + 1
            self.classes = <Class *> resized(self.classes, self.sizes * LENGTHS * sizeof(Class))
            self.lengths = <uint64_t *> resized(self.lengths, self.sizes * sizeof(uint64_t))
            self.holders = <Holder *> resized(NULL, max(jobs, 1) * sizeof(Holder))
        self.first = self.last = 0
        self.group_count = 0
        self.unused = NONE
        self.turn = 1
        self.full_version = NONE
        memset(self.lengths, 0, self.sizes * sizeof(uint64_t))
        for at in range(queue.first, queue.tail):
            if queue.reserved[at] < FOREVER:
                self._enlist(queue.job[at], queue.size[at], queue.estimate[at], queue.reserved[at])
        qsort(self.order, self.last, sizeof(Entry), by_start)
        self.kept = True
        self._touched(queue, profile, now, FOREVER)
        self._run(profile, now, FOREVER, 1, nodes, now, FOREVER)
        return 0

    cdef int32_t _group(self, nodes_t size, seconds_t length) except -1 nogil:
        """The group of a size and a length, made if it is new."""
        cdef int i = wide(size), j = long_(length)
        cdef Class *those = &self.classes[i * LENGTHS + j]
        cdef bint known = self.lengths[i] >> j & 1
        cdef int32_t g = those.head if known else NONE
        cdef Group *group
        while g != NONE and (self.groups[g].size != size or self.groups[g].length != length):
            g = self.groups[g].next
        if g != NONE:
            return g
        g = self.unused
        if g != NONE:
            self.unused = self.groups[g].next
        else:
            self.groups = <Group *> grown(self.groups, &self.group_room, self.group_count + 1, sizeof(Group))
            g = self.group_count
            self.group_count += 1
        group = &self.groups[g]
        group.length = length
        group.size = size
        group.jobs = 0
        group.latest = group.seen = 0
        group.since = group.enough = group.later_since = FOREVER
        group.until = group.later_until = 0
        if known:
            group.next = those.head
            those.shortest = min(those.shortest, length)
            those.longest = max(those.longest, length)
        else:
            group.next = NONE
            those.shortest = those.longest = length
            those.latest = 0
            self.lengths[i] |= <uint64_t> 1 << j
        those.head = g
        return g

    cdef int _enlist(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil:
        """Put a job behind the last entry, and into its group."""
        cdef int32_t g = self._group(size, length)
        cdef Class *those = &self.classes[wide(size) * LENGTHS + long_(length)]
        if self.last == self.room:
            if self.first > self.room // 2:
                memmove(self.order, &self.order[self.first], (self.last - self.first) * sizeof(Entry))
                self.last -= self.first
                self.first = 0
            else:
                self.order = <Entry *> grown(self.order, &self.room, self.last + 1, sizeof(Entry))
        self.order[self.last].start = start
        self.order[self.last].job = job
        self.order[self.last].size = size
        self.last += 1
        self.holders[job].group = g
        self.holders[job].touched = 0
        self.groups[g].jobs += 1
        self.groups[g].latest = max(self.groups[g].latest, start)
        those.latest = max(those.latest, start)
        return 0

    cdef Py_ssize_t _place(self, seconds_t start, job_t job) noexcept nogil:
        """The first entry that is not before (start, job)."""
        cdef Py_ssize_t low = self.first, left = self.last - self.first, half
        cdef const Entry *middle
        while left > 0:
            half = (left + 1) >> 1
            middle = &self.order[low + half - 1]
            low += half if (middle.start < start) | ((middle.start == start) & (middle.job < job)) else 0
            left -= half
        return low

    cdef int reserved(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil:
        """A job has been given a reservation: its earliest one."""
        cdef Py_ssize_t place
        cdef Entry entry
        self._enlist(job, size, length, start)
        self.last -= 1
        entry = self.order[self.last]
        place = self._place(start, job)
        memmove(&self.order[place + 1], &self.order[place], (self.last - place) * sizeof(Entry))
        self.order[place] = entry
        self.last += 1
        return 0

    cdef void moved(self, job_t job, seconds_t was, seconds_t to) noexcept nogil:
        """A reservation begins earlier."""
        cdef Py_ssize_t old = self._place(was, job), new = self._place(to, job)
        cdef Entry entry = self.order[old]
        memmove(&self.order[new + 1], &self.order[new], (old - new) * sizeof(Entry))
        entry.start = to
        self.order[new] = entry

    cdef Py_ssize_t rank(self, Queue queue, seconds_t now) noexcept nogil:
        """Put the jobs that begin by now into the order of the queue; returns how many there are."""
        cdef Py_ssize_t end = self.first, i
        cdef Entry entry
        while end < self.last and self.order[end].start <= now:
            entry = self.order[end]
            i = end
            while i > self.first and queue.place[self.order[i - 1].job] > queue.place[entry.job]:
                self.order[i] = self.order[i - 1]
                i -= 1
            self.order[i] = entry
            end += 1
        return end - self.first

    cdef job_t head_of(self, Queue queue) noexcept nogil:
        """The job that begins first, the one before in the queue of several; NONE where nobody does."""
        cdef Py_ssize_t i
        cdef job_t job = NONE
        for i in range(self.first, self.last):
            if self.order[i].start > self.order[self.first].start:
                break
            if job == NONE or queue.place[self.order[i].job] < queue.place[job]:
                job = self.order[i].job
        return job

    cdef void started(self) noexcept nogil:
        """The job of the first entry has left the queue."""
        cdef int32_t g = self.holders[self.order[self.first].job].group
        cdef Group *group = &self.groups[g]
        cdef int32_t *link
        cdef int i, j
        self.first += 1
        group.jobs -= 1
        if group.jobs > 0:
            return
        i = wide(group.size)
        j = long_(group.length)
        link = &self.classes[i * LENGTHS + j].head
        while link[0] != g:
            link = &self.groups[link[0]].next
        link[0] = group.next
        if self.classes[i * LENGTHS + j].head == NONE:
            self.lengths[i] &= ~(<uint64_t> 1 << j)
        group.next = self.unused
        self.unused = g

    cdef int freed(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        """`size` nodes have come free on [start, end), as the profile shows."""
        if start < end and self.first < self.last:
            self._touched(queue, profile, start, end)
            self._opened(queue, profile, start, end, size)
        return 0

    cdef void _touched(self, Queue queue, Profile profile, seconds_t start, seconds_t end) noexcept nogil:
        """Mark the jobs that begin in (start, end] and have room right before: for this pass where their turn is to come."""
        cdef Py_ssize_t i = self._place(start + 1, NONE), k
        cdef seconds_t until
        cdef const Entry *entry
        if i == self.last or self.order[i].start > end:
            return
        k = profile.locate(start)
        while True:
            until = min(end, profile.time[k + 1]) if k + 1 < profile.last else end
            while self.order[i].start <= until:
                entry = &self.order[i]
                if entry.size <= profile.free[k]:
                    self.holders[entry.job].touched |= self.turn if queue.place[entry.job] > self.at else 3 - self.turn
                i += 1
                if i == self.last:
                    return
            if until >= end:
                return
            k += 1

    cdef void _opened(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) noexcept nogil:
        """Mark the groups that may find a whole window, by the runs of free enough steps that reach into [start, end)."""
        cdef Py_ssize_t first = profile.locate(start), k = first, low, high
        cdef nodes_t least = profile.free[first], most
        # Only a size that was not free somewhere in there can gain.
        while k + 1 < profile.last and profile.time[k + 1] < end:
            k += 1
            least = min(least, profile.free[k])
        least = max(least - size + 1, queue.narrowest())
        k = first
        while k < profile.last and profile.time[k] < end:
            if profile.free[k] < least:
                k += 1
                continue
            low = k
            while low > profile.first and k - low < LOOK and profile.free[low - 1] >= least:
                low -= 1
            most = profile.free[k]
            high = k + 1
            while high < profile.last and profile.free[high] >= least:
                if profile.time[high] < end:
                    most = max(most, profile.free[high])
                elif high - k >= LOOK:
                    break
                high += 1
            self._run(profile,
                      profile.time[low] if k - low < LOOK else profile.time[profile.first],
                      profile.time[high] if high < profile.last and profile.free[high] < least else FOREVER,
                      least, most, start, end)
            k = high

    cdef void _run(self, Profile profile, seconds_t begin, seconds_t finish, nodes_t least, nodes_t most,
                   seconds_t start, seconds_t end) noexcept nogil:
        """Mark who may use the run [begin, finish), of sizes from least to most: what it has in [start, end) is new."""
        cdef int c
        cdef uint64_t left
        cdef Class *those
        for c in range(wide(least), wide(most) + 1):
            left = self.lengths[c]
            while left:
                those = &self.classes[c * LENGTHS + trailing_zeros(left)]
                if those.shortest > finish - begin:
                    break
                if those.latest > start and those.latest - begin >= those.shortest:
                    self._class(profile, those, begin, finish, max(least, least_size(c)), most, start, end)
                left &= left - 1

    cdef void _class(self, Profile profile, Class *those, seconds_t begin, seconds_t finish, nodes_t least,
                     nodes_t most, seconds_t start, seconds_t end) noexcept nogil:
        """The same, for one class: nobody can where its least size and length cannot."""
        cdef seconds_t since = profile.whole(max(begin, start - those.longest + 1, profile.time[profile.first]),
                                             min(end, those.latest - those.shortest + 1), least, those.shortest), own
        cdef int32_t g
        cdef Group *group
        if since == FOREVER:
            return
        g = those.head
        while g != NONE:
            group = &self.groups[g]
            g = group.next
            if (least <= group.size <= most and group.latest - since >= group.length and group.latest > start
                    and group.length <= finish - begin):
                own = max(since, start - group.length + 1)
                group.later_since = min(group.later_since, own)
                group.later_until = max(group.later_until, end)
                if own < group.since:
                    group.since = own
                    group.enough = own + group.length
                group.until = max(group.until, end)

    cdef void begin(self) noexcept nogil:
        """A pass begins: the marks made before it are for it."""
        cdef int32_t g
        cdef Group *group
        for g in range(self.group_count):
            group = &self.groups[g]
            group.since = group.later_since
            group.until = group.later_until
            group.enough = group.since + group.length if group.since < FOREVER else FOREVER
            group.later_since = FOREVER
            group.later_until = 0
            group.seen = 0
        self.turn = 3 - self.turn
        self.at = -1

    cdef Py_ssize_t following(self, Queue queue) noexcept nogil:
        """The next position to be tried; NONE when the pass is over."""
        cdef Py_ssize_t at
        cdef seconds_t start
        cdef Holder *holder
        cdef Group *group
        for at in range(max(self.at + 1, queue.first), queue.tail):
            start = queue.reserved[at]
            if start == FOREVER or queue.job[at] == NONE:
                continue
            holder = &self.holders[queue.job[at]]
            group = &self.groups[holder.group]
            group.seen = max(group.seen, start)
            if start >= group.enough or holder.touched & self.turn:
                self.at = at
                return at
        self._end()
        return NONE

    cdef void _end(self) noexcept nogil:
        """The pass is over; what it has seen tightens the bounds."""
        cdef int i
        cdef uint64_t left
        cdef Class *those
        cdef int32_t g
        self.at = BEHIND
        for i in range(self.sizes):
            left = self.lengths[i]
            while left:
                those = &self.classes[i * LENGTHS + trailing_zeros(left)]
                left &= left - 1
                those.latest = those.longest = 0
                those.shortest = FOREVER
                g = those.head
                while g != NONE:
                    self.groups[g].latest = self.groups[g].seen
                    those.latest = max(those.latest, self.groups[g].seen)
                    those.longest = max(those.longest, self.groups[g].length)
                    those.shortest = min(those.shortest, self.groups[g].length)
                    g = self.groups[g].next

    cdef seconds_t earliest(self, Profile profile, job_t job, seconds_t start) noexcept nogil:
        """Try a marked job that begins at `start`: the earliest start it can move to, its own where it can move to none."""
        cdef Holder *holder = &self.holders[job]
        cdef Group *group = &self.groups[holder.group]
        cdef bint touched = holder.touched & self.turn
        cdef seconds_t since
        holder.touched &= 3 - self.turn
        if start >= group.enough:
            group.since = profile.whole(max(group.since, profile.time[profile.first]),
                                        min(group.until, group.latest - group.length + 1), group.size, group.length)
            group.enough = group.since + group.length if group.since < FOREVER else FOREVER
            if start >= group.enough:
                return group.since
        if not touched:
            return start
        if start == self.full and group.size >= self.full_size and profile.version == self.full_version:
            return start
        since = profile.run_before(start, group.size)
        if since == start:
            self.full = since
            self.full_size = group.size
            self.full_version = profile.version
        return since
