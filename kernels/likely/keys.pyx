"""Numbers for triples of numbers, in the order in which they are first asked for: an open hash."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.types cimport NONE
from shadowtime.kernels.likely.random cimport mix


cdef inline uint64_t hashed(int64_t a, int64_t b, int64_t c) noexcept nogil:
    return mix(mix(mix(<uint64_t> a) ^ <uint64_t> b) ^ <uint64_t> c)


@cython.final
cdef class Keys:
    def __cinit__(self):
        with nogil:
            self._grow()

    def __dealloc__(self):
        free(self.of)
        free(self._places)

    cdef int32_t find(self, int64_t a, int64_t b, int64_t c) noexcept nogil:
        """The number of a triple, NONE where it has none."""
        cdef uint64_t mask = 2 * <uint64_t> self.capacity - 1, at = hashed(a, b, c) & mask
        cdef int32_t number
        while True:
            number = self._places[at]
            if number == NONE:
                return NONE
            if self.of[number].a == a and self.of[number].b == b and self.of[number].c == c:
                return number
            at = (at + 1) & mask

    cdef int32_t number(self, int64_t a, int64_t b, int64_t c) except -1 nogil:
        """The number of a triple: the next one where it has none yet."""
        cdef int32_t number = self.find(a, b, c)
        if number != NONE:
            return number
        if self.count == self.capacity:
            self._grow()
        number = self.count
        self.of[number].a, self.of[number].b, self.of[number].c = a, b, c
        self.count += 1
        self._put(number)
        return number

    cdef void _put(self, int32_t number) noexcept nogil:
        cdef Key *key = &self.of[number]
        cdef uint64_t mask = 2 * <uint64_t> self.capacity - 1, at = hashed(key.a, key.b, key.c) & mask
        while self._places[at] != NONE:
            at = (at + 1) & mask
        self._places[at] = number

    cdef int _grow(self) except -1 nogil:
        cdef int32_t capacity = max(64, 2 * self.capacity), number
        self.of = <Key *> resized(self.of, capacity * sizeof(Key))
        self._places = <int32_t *> resized(self._places, 2 * capacity * sizeof(int32_t))
        self.capacity = capacity
        memset(self._places, 0xFF, 2 * capacity * sizeof(int32_t))
        for number in range(self.count):
            self._put(number)
        return 0
