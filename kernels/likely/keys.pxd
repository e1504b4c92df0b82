"""Numbers for triples of numbers."""

from shadowtime.kernels.core.types cimport int32_t, int64_t


cdef struct Key:
    int64_t a
    int64_t b
    int64_t c


cdef class Keys:
    cdef Key *of            # Key[count]: the triple with a number
    cdef int32_t count
    cdef int32_t capacity
    cdef int32_t *_places   # int32[2 * capacity]: numbers by hash, NONE for an empty place

    cdef int32_t find(self, int64_t a, int64_t b, int64_t c) noexcept nogil
    cdef int32_t number(self, int64_t a, int64_t b, int64_t c) except -1 nogil
    cdef void _put(self, int32_t number) noexcept nogil
    cdef int _grow(self) except -1 nogil
