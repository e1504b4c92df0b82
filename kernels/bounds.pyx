"""Lower bounds of the earliest anchor point, by size and by length: what lets a compression skip most jobs.

A class stands for all jobs at least as large and as long as its least ones, so the anchor of those least ones bounds
every anchor of the class from below. Reservations only push anchors later, so a bound stays true until room is
freed; freeing lowers it, and the next look at it (`raised`) makes it exact again for the profile of the moment.
"""

cimport cython
from libc.stdlib cimport free, malloc

from kernels.types cimport FOREVER, NONE

cdef extern from *:
    int leading_zeros "__builtin_clzll"(unsigned long long) noexcept nogil

cdef enum:
    LOOK = 32           # steps to look for the ends of a free run before settling for a looser bound


@cython.final
cdef class AnchorBounds:
    def __cinit__(self, nodes_t nodes):
        cdef int i, octave
        self.sizes = 4 * (64 - leading_zeros(nodes))
        self.least_size = <nodes_t *> malloc(self.sizes * sizeof(nodes_t))
        self.least_length = <seconds_t *> malloc(LENGTHS * sizeof(seconds_t))
        self.bound = <seconds_t *> malloc(self.sizes * LENGTHS * sizeof(seconds_t))
        self.made = <int64_t *> malloc(self.sizes * LENGTHS * sizeof(int64_t))
        if (self.least_size == NULL or self.least_length == NULL or self.bound == NULL or self.made == NULL):
            raise MemoryError
        for i in range(self.sizes):
            octave = i // 4
            # Below 4 nodes the quarters of an octave coincide: some classes stay empty there.
            self.least_size[i] = (1 << octave) + <nodes_t> ((((<seconds_t> 1) << octave) * (i % 4) + 3) // 4)
        for i in range(LENGTHS):
            octave = i // 2
            self.least_length[i] = ((<seconds_t> 1) << octave) + (((<seconds_t> 1) << octave) * (i % 2) + 1) // 2
        self.forget_all(0)

    def __dealloc__(self):
        free(self.least_size)
        free(self.least_length)
        free(self.bound)
        free(self.made)

    cdef Py_ssize_t classify(self, nodes_t size, seconds_t length) noexcept nogil:
        """The class of a job: its least size and least length are at most the job's."""
        cdef int octave = 63 - leading_zeros(size), wide, long_
        wide = 4 * octave + <int> (((<seconds_t> size - ((<seconds_t> 1) << octave)) * 4) >> octave)
        octave = 63 - leading_zeros(length)
        long_ = 2 * octave + <int> (((length - ((<seconds_t> 1) << octave)) * 2) >> octave) if octave < 26 else LENGTHS
        return wide * LENGTHS + min(long_, LENGTHS - 1)

    cdef void forget_all(self, seconds_t now) noexcept nogil:
        """Know nothing: an anchor may be as early as now."""
        cdef Py_ssize_t i
        for i in range(self.sizes * LENGTHS):
            self.bound[i] = now
            self.made[i] = NONE

    cdef void lower(self, Profile profile, seconds_t start, seconds_t end) noexcept nogil:
        """[start, end) has come free: lower the bounds of the classes that could use it.

        A new whole anchor lies in a run of free enough steps that reaches into the room, and its length with it.
        """
        cdef Py_ssize_t k, first = profile.locate(start), low, high
        cdef int c
        cdef seconds_t begin, finish, until
        for c in range(self.sizes):
            # Room that begins after the highest bound of the class lowers none of them.
            until = min(end, self._highest(c))
            k = first
            while k < profile.last and profile.time[k] < until and profile.free[k] < self.least_size[c]:
                k += 1
            if k == profile.last or profile.time[k] >= end:
                return      # no larger class fits either
            while k < profile.last and profile.time[k] < until:
                low = k
                while low > profile.first and k - low < LOOK and profile.free[low - 1] >= self.least_size[c]:
                    low -= 1
                high = k + 1
                while high < profile.last and profile.free[high] >= self.least_size[c]:
                    high += 1
                    if high - k >= LOOK and profile.time[high - 1] >= end:
                        break
                # A run that goes on out of sight counts as endless: the bound is then looser, never wrong.
                begin = profile.time[low] if k - low < LOOK else profile.time[profile.first]
                finish = profile.time[high] if high < profile.last and profile.free[high] < self.least_size[c] \
                    else FOREVER
                self._lower_class(c, max(begin, profile.time[profile.first]), finish, start)
                k = high
                while k < profile.last and profile.time[k] < until and profile.free[k] < self.least_size[c]:
                    k += 1

    cdef seconds_t _highest(self, int c) noexcept nogil:
        """The latest bound of a size class."""
        cdef int i
        cdef seconds_t highest = self.bound[c * LENGTHS]
        for i in range(c * LENGTHS + 1, (c + 1) * LENGTHS):
            if self.bound[i] > highest:
                highest = self.bound[i]
        return highest

    cdef void _lower_class(self, int c, seconds_t begin, seconds_t finish, seconds_t start) noexcept nogil:
        """The run [begin, finish) is free enough for size class c, and newly so from `start` on."""
        cdef int i
        cdef seconds_t at
        for i in range(c * LENGTHS, (c + 1) * LENGTHS):
            if self.least_length[i - c * LENGTHS] > finish - begin:
                return
            at = max(begin, start - self.least_length[i - c * LENGTHS] + 1)
            if at < self.bound[i]:
                self.bound[i] = at
                self.made[i] = NONE

    cdef seconds_t raised(self, Profile profile, Py_ssize_t at, seconds_t now) noexcept nogil:
        """The bound of a class, made exact for its least size and length if it may be too low."""
        if self.made[at] != profile.version or self.bound[at] < now:
            self.made[at] = profile.version
            self.bound[at] = profile.anchor(max(self.bound[at], now), self.least_size[at // LENGTHS],
                                            self.least_length[at % LENGTHS], FOREVER)
        return self.bound[at]
