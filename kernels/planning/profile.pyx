"""The availability profile: free nodes as a step function of the future.

Two flat sorted arrays with a gap in front; a change moves the shorter side with memmove. A blocked tree was slower
at every size tried. Intervals are half-open. The anchor point of a job is the first time at which its size stays
free for its whole estimate (Feitelson & Weil 1998, Figure 1).
"""

cimport cython
from libc.stdlib cimport free as release
from libc.string cimport memcpy, memmove

from shadowtime.kernels.core.memory cimport put_bytes, resized, take_bytes
from shadowtime.kernels.core.types cimport FOREVER


@cython.final
cdef class Profile:
    def __cinit__(self):
        self.reset(0, 0)

    def __dealloc__(self):
        release(self.time)
        release(self.free)

    cdef int _room(self, Py_ssize_t capacity) except -1 nogil:
        if capacity <= self.capacity:
            return 0
        capacity = max(capacity, 2 * self.capacity, 64)
        self.time = <seconds_t *> resized(self.time, capacity * sizeof(seconds_t))
        self.free = <nodes_t *> resized(self.free, capacity * sizeof(nodes_t))
        self.capacity = capacity
        return 0

    cdef int reset(self, seconds_t now, nodes_t free) except -1 nogil:
        """`free` nodes from `now` on, for ever."""
        self._room(1)
        self.version += 1
        self.first = 0
        self.last = 1
        self.time[0] = now
        self.free[0] = free
        return 0

    cdef int lay(self, seconds_t now, nodes_t free, Running running) except -1 nogil:
        """`free` nodes from `now` on, and more as each running job ends and as nodes come back.

        An end that has passed counts as now + 1.
        """
        cdef Py_ssize_t i, k = 0
        cdef seconds_t end
        self.reset(now, free)
        self._room(running.count + 1)
        for i in range(running.count):
            if running.endings[i].size == 0:
                continue
            end = max(running.endings[i].end, now + 1)
            if end > self.time[k]:
                k += 1
                self.time[k] = end
                self.free[k] = self.free[k - 1]
            self.free[k] += running.endings[i].size
        self.last = k + 1
        for i in range(running.backed):
            self.change(running.backs[i].end, FOREVER, running.backs[i].size)
        return 0

    cdef int copy(self, Profile other) except -1 nogil:
        """Become what another profile is."""
        cdef Py_ssize_t n = other.last - other.first
        self._room(n)
        self.version += 1
        self.first = 0
        self.last = n
        memcpy(self.time, &other.time[other.first], n * sizeof(seconds_t))
        memcpy(self.free, &other.free[other.first], n * sizeof(nodes_t))
        return 0

    cdef void forget(self, seconds_t now) noexcept nogil:
        """Drop the past; the profile begins at `now`. A gap longer than the profile is closed."""
        cdef Py_ssize_t length = self.last - self.first
        while self.first + 1 < self.last and self.time[self.first + 1] <= now:
            self.first += 1
        if self.time[self.first] < now:
            self.time[self.first] = now
        if self.first > length + 64:
            length = self.last - self.first
            memmove(self.time, &self.time[self.first], length * sizeof(seconds_t))
            memmove(self.free, &self.free[self.first], length * sizeof(nodes_t))
            self.first = 0
            self.last = length

    cdef Py_ssize_t locate(self, seconds_t at) noexcept nogil:
        """The step that holds at `at`; the first one for an instant before the profile."""
        # Without a branch on what is compared: halves are taken or left at random, and a wrong guess costs more than a look.
        cdef Py_ssize_t low = self.first, left = self.last - self.first, half
        while left > 1:
            half = left >> 1
            low += half if self.time[low + half] <= at else 0
            left -= half
        return low

    cdef int _split(self, Py_ssize_t k, seconds_t at) except -1 nogil:
        """Cut step k at `at`, strictly inside it: the new step is k + 1, or k where the front moved down."""
        if self.first > 0 and k - self.first < self.last - k:
            memmove(&self.time[self.first - 1], &self.time[self.first], (k + 1 - self.first) * sizeof(seconds_t))
            memmove(&self.free[self.first - 1], &self.free[self.first], (k + 1 - self.first) * sizeof(nodes_t))
            self.first -= 1
            self.time[k] = at
            return 0
        if self.last == self.capacity:
            self._room(self.last + 1)
        memmove(&self.time[k + 1], &self.time[k], (self.last - k) * sizeof(seconds_t))
        memmove(&self.free[k + 1], &self.free[k], (self.last - k) * sizeof(nodes_t))
        self.last += 1
        self.time[k + 1] = at
        return 1

    cdef void _join(self, Py_ssize_t k) noexcept nogil:
        """Drop step k: the one before it goes on."""
        if k - self.first < self.last - k:
            memmove(&self.time[self.first + 1], &self.time[self.first], (k - self.first) * sizeof(seconds_t))
            memmove(&self.free[self.first + 1], &self.free[self.first], (k - self.first) * sizeof(nodes_t))
            self.first += 1
            return
        memmove(&self.time[k], &self.time[k + 1], (self.last - k - 1) * sizeof(seconds_t))
        memmove(&self.free[k], &self.free[k + 1], (self.last - k - 1) * sizeof(nodes_t))
        self.last -= 1

    cdef int change(self, seconds_t start, seconds_t end, nodes_t by) except -1 nogil:
        """Add `by` (negative: reserve) to the free nodes on [start, end); start is not before the profile."""
        cdef Py_ssize_t low, high, k
        if start >= end or by == 0:
            return 0
        self.version += 1
        low = self.locate(start)
        if self.time[low] < start:
            low += self._split(low, start)
        high = low
        while high + 1 < self.last and self.time[high + 1] < end:
            high += 1
        if end < FOREVER and (high + 1 == self.last or self.time[high + 1] > end):
            # The cut leaves [.., end) in step high, or one lower where the front moved down.
            if self._split(high, end) == 0:
                low -= 1
                high -= 1
        for k in range(low, high + 1):
            self.free[k] += by
        if high + 1 < self.last and self.free[high] == self.free[high + 1]:
            k = self.first
            self._join(high + 1)
            low += self.first - k
        if low > self.first and self.free[low - 1] == self.free[low]:
            self._join(low)
        return 0

    cdef seconds_t anchor(self, seconds_t start, nodes_t size, seconds_t length, seconds_t limit) noexcept nogil:
        """Earliest t in [start, limit) with `size` free on [t, min(t + length, limit)); `limit` when there is none.

        A job reserved at `limit` can move to t exactly when this finds one: the rest of its time is its own room.
        """
        cdef Py_ssize_t k = self.locate(start), last = self.last
        cdef seconds_t at = start
        while True:
            while self.free[k] < size:
                k += 1
                if k == last:
                    return limit
                at = self.time[k]
            if at >= limit:
                return limit
            # Every step from here on is free enough until one is not.
            while True:
                k += 1
                if k == last or self.time[k] >= limit or self.time[k] - at >= length:
                    return at
                if self.free[k] < size:
                    break

    cdef seconds_t whole(self, seconds_t start, seconds_t stop, nodes_t size, seconds_t length) noexcept nogil:
        """Earliest t in [start, stop) with `size` free on [t, t + length); FOREVER when there is none."""
        cdef Py_ssize_t k, last = self.last
        cdef seconds_t at = start
        if start >= stop:
            return FOREVER
        k = self.locate(start)
        while True:
            while self.free[k] < size:
                k += 1
                if k == last or self.time[k] >= stop:
                    return FOREVER
                at = self.time[k]
            while True:
                k += 1
                if k == last or self.time[k] - at >= length:
                    return at
                if self.free[k] < size:
                    break

    cdef nodes_t least_free(self, seconds_t start, seconds_t end) noexcept nogil:
        """The fewest nodes that are free at any time in [start, end)."""
        cdef Py_ssize_t k = self.locate(start)
        cdef nodes_t least = self.free[k]
        k += 1
        while k < self.last and self.time[k] < end:
            least = min(least, self.free[k])
            k += 1
        return least

    cdef seconds_t run_before(self, seconds_t end, nodes_t size) noexcept nogil:
        """Earliest t with `size` free on [t, end); `end` when fewer are free right before it."""
        cdef Py_ssize_t k = self.locate(end - 1)
        if end <= self.time[self.first] or self.free[k] < size:
            return end
        while k > self.first and self.free[k - 1] >= size:
            k -= 1
        return self.time[k]

    cdef seconds_t shortage(self, seconds_t start, seconds_t end, nodes_t size, nodes_t *left) noexcept nogil:
        """First instant in [start, end) with fewer than `size` free, and how many are; `end` when there is none."""
        cdef Py_ssize_t k = self.locate(start)
        while k < self.last and self.time[k] < end:
            if self.free[k] < size:
                left[0] = self.free[k]
                return max(self.time[k], start)
            k += 1
        left[0] = size
        return end

    cdef size_t bytes(self) noexcept nogil:
        return sizeof(Py_ssize_t) + (self.last - self.first) * (sizeof(seconds_t) + sizeof(nodes_t))

    cdef char *save(self, char *to) noexcept nogil:
        cdef Py_ssize_t n = self.last - self.first
        (<Py_ssize_t *> to)[0] = n
        to += sizeof(Py_ssize_t)
        to = put_bytes(to, &self.time[self.first], n * sizeof(seconds_t))
        return put_bytes(to, &self.free[self.first], n * sizeof(nodes_t))

    cdef const char *load(self, const char *source) except NULL nogil:
        cdef Py_ssize_t n = (<const Py_ssize_t *> source)[0]
        self._room(n)
        self.first = 0
        self.last = n
        source += sizeof(Py_ssize_t)
        source = take_bytes(source, self.time, n * sizeof(seconds_t))
        return take_bytes(source, self.free, n * sizeof(nodes_t))
