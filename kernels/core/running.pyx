"""The jobs that hold nodes or have a history, and the running ones in order of their predicted ends.

An active job has a slot; the slot keeps what a trace does not say: its state, its nodes, its progress. The endings
are one flat sorted array: a start and an end move a few hundred bytes, and the shadow time reads it in order.
"""

cimport cython
from libc.stdlib cimport free as release
from libc.string cimport memmove

from shadowtime.kernels.core.memory cimport grown, put_bytes, resized, take_bytes
from shadowtime.kernels.core.types cimport FOREVER, NONE

cdef Active BLANK       # All zero: to copy it took 5 ns where a memset of so many bytes took 19.


@cython.final
cdef class Running:
    def __cinit__(self):
        self.spare = NONE

    def __dealloc__(self):
        release(self.slots)
        release(self.endings)
        release(self.backs)

    cdef int _grow(self, int32_t capacity) except -1 nogil:
        if capacity <= self.capacity:
            return 0
        capacity = max(capacity, 2 * self.capacity, 64)
        self.slots = <Active *> resized(self.slots, capacity * sizeof(Active))
        self.endings = <Ending *> resized(self.endings, capacity * sizeof(Ending))
        self.capacity = capacity
        return 0

    cdef int32_t open(self, job_t job, nodes_t size) except -1 nogil:
        """A slot for a job that does not run yet, with no history."""
        cdef int32_t slot = self.spare
        if slot != NONE:
            self.spare = self.slots[slot].next
        else:
            if self.used == self.capacity:
                self._grow(self.used + 1)
            slot = self.used
            self.used += 1
        self.slots[slot] = BLANK
        self.slots[slot].job = job
        self.slots[slot].size = size
        self.slots[slot].extents = NONE
        self.interrupted += 1
        return slot

    cdef void close(self, int32_t slot) noexcept nogil:
        """Give up the slot of a job that is over."""
        self.interrupted -= self.slots[slot].state != c'R'
        self.slots[slot].job = NONE
        self.slots[slot].next = self.spare
        self.spare = slot

    cdef void enlist(self, int32_t slot) noexcept nogil:
        """Put a job among the endings, behind those of the same predicted end that started before it."""
        cdef int64_t order = self.slots[slot].order
        cdef seconds_t end = self.slots[slot].end
        cdef Py_ssize_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) >> 1
            if self.endings[middle].end < end or (
                    self.endings[middle].end == end and self.slots[self.endings[middle].slot].order <= order):
                low = middle + 1
            else:
                high = middle
        memmove(&self.endings[low + 1], &self.endings[low], (self.count - low) * sizeof(Ending))
        self.endings[low].end = end
        self.endings[low].size = self.slots[slot].size - self.slots[slot].leaving
        self.endings[low].slot = slot
        self.count += 1
        self.slots[slot].listed = 1

    cdef void delist(self, int32_t slot) noexcept nogil:
        """Take a job that stops running out of the endings."""
        cdef seconds_t end = self.slots[slot].end
        cdef Py_ssize_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) >> 1
            if self.endings[middle].end < end:
                low = middle + 1
            else:
                high = middle
        while self.endings[low].slot != slot:
            low += 1
        self.count -= 1
        self.slots[slot].listed = 0
        memmove(&self.endings[low], &self.endings[low + 1], (self.count - low) * sizeof(Ending))

    cdef Py_ssize_t in_progress(self) noexcept nogil:
        """How many jobs run: the endings but for jobs that are only about to."""
        cdef Py_ssize_t i, running = self.count
        if self.interrupted:
            for i in range(self.count):
                running -= self.slots[self.endings[i].slot].state != c'R'
        return running

    cdef Py_ssize_t when_free(self, nodes_t needed, nodes_t free, seconds_t now, seconds_t late, seconds_t *at,
                              nodes_t *extra) noexcept nogil:
        """First moment, by predicted ends, at which `needed` nodes are free, counting all jobs that end by then.

        `at` gets the moment, `extra` the nodes free at it beyond `needed`; returned is the ending that brings
        enough. A job whose predicted end has passed counts as ending at `late`. FOREVER and NONE when
        even the last ending does not bring enough (nodes are down).
        """
        cdef Py_ssize_t i = 0, enough
        if self.backed:
            return self._when_back(needed, free, now, late, at, extra)
        while i < self.count and free < needed:
            free += self.endings[i].size
            i += 1
        enough = i - 1
        if free < needed:
            at[0] = FOREVER
            extra[0] = 0
            return NONE
        at[0] = max(self.endings[enough].end, late) if enough >= 0 else now
        while i < self.count and max(self.endings[i].end, late) <= at[0]:
            free += self.endings[i].size
            i += 1
        extra[0] = free - needed
        return enough

    cdef Py_ssize_t _when_back(self, nodes_t needed, nodes_t free, seconds_t now, seconds_t late, seconds_t *at,
                               nodes_t *extra) noexcept nogil:
        """The same where nodes come back, too; NONE where it is they that bring enough.

        Draining nodes come back when the job on them ends: it is the ending that brings both.
        """
        cdef Py_ssize_t i = 0, k = 0, enough = NONE
        at[0] = now
        extra[0] = 0
        while free < needed and (i < self.count or k < self.backed):
            if k == self.backed or (i < self.count and max(self.endings[i].end, late) <= self.backs[k].end):
                at[0] = max(self.endings[i].end, late)
                free += self.endings[i].size
                enough = i
                i += 1
            else:
                if self.backs[k].end > at[0]:
                    enough = NONE
                at[0] = self.backs[k].end
                free += self.backs[k].size
                k += 1
        if free < needed:
            at[0] = FOREVER
            return NONE
        while i < self.count and max(self.endings[i].end, late) <= at[0]:
            free += self.endings[i].size
            i += 1
        while k < self.backed and self.backs[k].end <= at[0]:
            free += self.backs[k].size
            k += 1
        extra[0] = free - needed
        return enough

    cdef int bring_back(self, seconds_t at, nodes_t count) except -1 nogil:
        """So many nodes more come back at an instant."""
        cdef Py_ssize_t k = 0
        while k < self.backed and self.backs[k].end < at:
            k += 1
        if k < self.backed and self.backs[k].end == at:
            self.backs[k].size += count
            return 0
        self.backs = <Ending *> grown(self.backs, &self.room, self.backed + 1, sizeof(Ending))
        memmove(&self.backs[k + 1], &self.backs[k], (self.backed - k) * sizeof(Ending))
        self.backs[k].end = at
        self.backs[k].size = count
        self.backs[k].slot = NONE
        self.backed += 1
        return 0

    cdef size_t bytes(self) noexcept nogil:
        return 4 * sizeof(int32_t) + self.used * sizeof(Active) + self.count * sizeof(Ending)

    cdef char *save(self, char *to) noexcept nogil:
        (<int32_t *> to)[0] = self.used
        (<int32_t *> to)[1] = self.spare
        (<int32_t *> to)[2] = self.interrupted
        (<int32_t *> to)[3] = <int32_t> self.count
        to += 4 * sizeof(int32_t)
        to = put_bytes(to, self.slots, self.used * sizeof(Active))
        return put_bytes(to, self.endings, self.count * sizeof(Ending))

    cdef const char *load(self, const char *source) except NULL nogil:
        self._grow((<const int32_t *> source)[0])
        self.used = (<const int32_t *> source)[0]
        self.spare = (<const int32_t *> source)[1]
        self.interrupted = (<const int32_t *> source)[2]
        self.count = (<const int32_t *> source)[3]
        source += 4 * sizeof(int32_t)
        source = take_bytes(source, self.slots, self.used * sizeof(Active))
        return take_bytes(source, self.endings, self.count * sizeof(Ending))
