"""The profile of a backfill cycle."""

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.slurm.nodeset cimport NodeSet


cdef class Profile:
    cdef seconds_t *begins
    cdef seconds_t *ends
    cdef list free              # NodeSet of each record
    cdef list licenses          # licence -> free, of each record
    cdef Py_ssize_t count, capacity
    cdef Py_ssize_t records     # 1 and the splits
    cdef seconds_t resolution

    cdef int reserve(self, seconds_t begin, seconds_t end, NodeSet nodes, object licenses) except -1
    cdef Py_ssize_t ending_after(self, seconds_t time) noexcept
    cdef bint lacks(self, Py_ssize_t place, object wanted)
    cdef int _room(self, Py_ssize_t capacity) except -1
    cdef int _split(self, Py_ssize_t place, seconds_t time) except -1
    cdef void _merge(self, Py_ssize_t first, Py_ssize_t last) noexcept
