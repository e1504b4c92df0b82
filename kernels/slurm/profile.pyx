"""The profile: the nodes that nobody has reserved, by time (docs/slurm-cycle.md, section 3)."""

cimport cython
from libc.stdlib cimport free as release
from libc.string cimport memmove

from shadowtime.kernels.core.memory cimport resized


@cython.final
cdef class Profile:
    """Records [begins[i], ends[i]) with the free nodes and the free licences of each."""

    def __cinit__(self, seconds_t begin, seconds_t end, NodeSet up, object licenses, seconds_t resolution):
        self._room(64)
        self.begins[0], self.ends[0] = begin, end
        self.free, self.licenses = [up.copy()], [licenses]
        self.count = self.records = 1
        self.resolution = resolution

    def __dealloc__(self):
        release(self.begins)
        release(self.ends)

    cdef int _room(self, Py_ssize_t capacity) except -1:
        if capacity > self.capacity:
            self.begins = <seconds_t *> resized(self.begins, capacity * sizeof(seconds_t))
            self.ends = <seconds_t *> resized(self.ends, capacity * sizeof(seconds_t))
            self.capacity = capacity
        return 0

    cdef int reserve(self, seconds_t begin, seconds_t end, NodeSet nodes, object licenses) except -1:
        """Take nodes and licences out of [begin, end), at least one step of the resolution long. `nodes` may be None."""
        cdef Py_ssize_t place, first
        begin = max(begin, self.begins[0])
        end = max(end, begin + self.resolution)
        place = self.ending_after(begin - 1)
        if place == self.count:
            return 0
        first = max(0, place - 1)
        if self.ends[place] > begin:
            self._split(place, begin)
        place += 1
        while place < self.count and self.begins[place] < end:
            if self.ends[place] > end:
                self._split(place, end)
            if nodes is not None:
                (<NodeSet> self.free[place]).drop(nodes)
            if licenses:
                left = self.licenses[place]
                self.licenses[place] = {name: left[name] - licenses.get(name, 0) for name in left}
            if self.ends[place] == end:
                break
            place += 1
        self._merge(first, min(place + 1, self.count - 1))
        return 0

    cdef Py_ssize_t ending_after(self, seconds_t time) noexcept:
        """The place of the first record that ends after a time; the number of records if none does."""
        cdef Py_ssize_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) // 2
            if self.ends[middle] > time:
                high = middle
            else:
                low = middle + 1
        return low

    cdef bint lacks(self, Py_ssize_t place, object wanted):
        """Whether a record has too few licences."""
        free = self.licenses[place]
        return any([free.get(name, 0) < count for name, count in wanted.items()])

    cdef int _split(self, Py_ssize_t place, seconds_t time) except -1:
        cdef size_t after = (self.count - place) * sizeof(seconds_t)
        if self.count == self.capacity:
            self._room(2 * self.capacity)
        memmove(&self.begins[place + 1], &self.begins[place], after)
        memmove(&self.ends[place + 1], &self.ends[place], after)
        self.begins[place + 1] = self.ends[place] = time
        self.free.insert(place, (<NodeSet> self.free[place]).copy())
        self.licenses.insert(place, self.licenses[place])
        self.count += 1
        self.records += 1
        return 0

    cdef void _merge(self, Py_ssize_t first, Py_ssize_t last) noexcept:
        """Merge the first two neighbours that are alike."""
        cdef Py_ssize_t place
        for place in range(first, last):
            if (<NodeSet> self.free[place]).same(<NodeSet> self.free[place + 1]) \
                    and self.licenses[place] == self.licenses[place + 1]:
                self.ends[place] = self.ends[place + 1]
                memmove(&self.begins[place + 1], &self.begins[place + 2], (self.count - place - 2) * sizeof(seconds_t))
                memmove(&self.ends[place + 1], &self.ends[place + 2], (self.count - place - 2) * sizeof(seconds_t))
                del self.free[place + 1], self.licenses[place + 1]
                self.count -= 1
                return
