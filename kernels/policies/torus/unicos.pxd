"""UNICOS MAX: variable partitioning of a flat machine, and of the blocks of the T3D's torus."""

from shadowtime.kernels.core.types cimport int32_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.ordering cimport Listing
from shadowtime.kernels.policies.torus.placed cimport Placed


cdef class Unicos(Placed):
    cdef seconds_t limit        # who has waited longer holds back those behind
    cdef bint on_torus
    cdef Listing listing        # scratch

    cdef seconds_t _waited(self, World world, Py_ssize_t at) noexcept nogil
    cdef bint _holds_back(self, World world, Py_ssize_t at) noexcept nogil
    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t _scan_old(self, World world) except -2 nogil
    cdef int _scan_young(self, World world, Py_ssize_t begin) except -1 nogil
    cdef int _list_waiting(self, World world) except -1 nogil
    cdef int _load_waiting(self, World world) except -1 nogil
    cdef int _arm(self, World world) noexcept nogil
    cdef bint _ends_scan(self, World world, int32_t slot) noexcept nogil
    cdef object _explain_blocks(self, World world, int32_t slot)
