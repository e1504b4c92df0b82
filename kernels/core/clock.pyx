"""The order of an instant, and the heap of events to come (docs/schedulers.md, section 0).

The enumeration `EventKind` IS the order of an instant: completions (and kills), transfers done, nodes down and up,
timers, operator actions, submissions, then one scheduling pass. Ties inside a kind: order of creation.
"""

cimport cython
from libc.stdlib cimport free, qsort

from shadowtime.kernels.core.memory cimport grown

EVENT_NAMES = (
    "finish", "kill", "swapped_out", "swapped_in", "loaded", "node_down", "node_up", "switch_slot",
    "switch_policy", "boundary", "reservation_due", "waited", "undisturbed", "action", "submit", "pass",
)


cdef inline bint before(const Entry *a, const Entry *b) noexcept nogil:
    return a.time < b.time or (a.time == b.time and a.key < b.key)


cdef void sift_up(Entry *entries, Py_ssize_t i) noexcept nogil:
    cdef Entry moving = entries[i]
    cdef Py_ssize_t parent
    while i > 0:
        parent = (i - 1) >> 2
        if not before(&moving, &entries[parent]):
            break
        entries[i] = entries[parent]
        i = parent
    entries[i] = moving


cdef void sift_down(Entry *entries, Py_ssize_t count, Py_ssize_t i) noexcept nogil:
    cdef Entry moving = entries[i]
    cdef Py_ssize_t child, last, best
    while True:
        child = 4 * i + 1
        if child >= count:
            break
        best = child
        last = min(child + 4, count)
        for child in range(child + 1, last):
            if before(&entries[child], &entries[best]):
                best = child
        if not before(&entries[best], &moving):
            break
        entries[i] = entries[best]
        i = best
    entries[i] = moving


cdef int compare(const void *a, const void *b) noexcept nogil:
    if before(<const Entry *> a, <const Entry *> b):
        return -1
    return 1 if before(<const Entry *> b, <const Entry *> a) else 0


@cython.final
cdef class EventHeap:
    def __dealloc__(self):
        free(self.entries)

    cdef int reserve(self, Py_ssize_t capacity) except -1 nogil:
        """Make room for `capacity` entries; MemoryError when there is none."""
        self.entries = <Entry *> grown(self.entries, &self.capacity, capacity, sizeof(Entry))
        return 0

    cdef int push(self, seconds_t time, int32_t kind, int64_t order, int32_t item) except -1 nogil:
        cdef int64_t rank = FINISH if kind == KILL else kind
        cdef Entry *entry
        if self.count == self.capacity:
            self.reserve(self.count + 1)
        entry = &self.entries[self.count]
        entry.time = time
        entry.key = (rank << 48) | order
        entry.kind = kind
        entry.item = item
        sift_up(self.entries, self.count)
        self.count += 1
        return 0

    cdef void pop(self) noexcept nogil:
        """Remove the first entry; the heap must not be empty."""
        self.count -= 1
        if self.count:
            self.entries[0] = self.entries[self.count]
            sift_down(self.entries, self.count, 0)

    cdef bint cancel(self, int32_t item, int32_t kind) noexcept nogil:
        """Remove the entry of that item and kind; whether there was one. A linear search, since it is rare."""
        cdef Py_ssize_t i
        for i in range(self.count):
            if self.entries[i].item == item and self.entries[i].kind == kind:
                self.count -= 1
                if i < self.count:
                    self.entries[i] = self.entries[self.count]
                    sift_down(self.entries, self.count, i)
                    sift_up(self.entries, i)
                return True
        return False

    cdef void postpone_finishes(self, const seconds_t *ends) noexcept nogil:
        """Move every completion to `ends[item]` and call it a finish: what a forecast assumes of running jobs."""
        cdef Py_ssize_t i
        for i in range(self.count):
            if self.entries[i].kind <= KILL:
                self.entries[i].kind = FINISH
                self.entries[i].time = ends[self.entries[i].item]
        self.settle()

    cdef void settle(self) noexcept nogil:
        """Put the entries in order again after times have changed."""
        cdef Py_ssize_t i
        for i in range((self.count - 2) // 4 if self.count > 1 else -1, -1, -1):
            sift_down(self.entries, self.count, i)

    cdef void sort(self, Entry *entries) noexcept nogil:
        """Sort a copy of the entries: still a heap, and the same one however it came about."""
        qsort(entries, self.count, sizeof(Entry), compare)
