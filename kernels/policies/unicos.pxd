"""UNICOS MAX on a flat machine: variable partitioning."""

from kernels.policies.policy cimport Policy
from kernels.types cimport seconds_t
from kernels.world cimport World


cdef class Unicos(Policy):
    cdef seconds_t limit        # who has waited longer holds back those behind

    cdef bint _holds_back(self, World world, Py_ssize_t at) noexcept nogil
    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil
    cdef Py_ssize_t _scan_old(self, World world) except -2 nogil
    cdef int _scan_young(self, World world, Py_ssize_t begin) except -1 nogil
