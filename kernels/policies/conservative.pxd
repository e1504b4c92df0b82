"""Conservative backfilling."""

from kernels.policies.policy cimport Policy
from kernels.profile cimport Profile
from kernels.types cimport int32_t, nodes_t, seconds_t
from kernels.world cimport World


cdef class Conservative(Policy):
    cdef Profile profile        # free nodes with every running job and every reservation in place
    cdef int32_t loose          # 1: room came free since each job was last asked whether it can move
    cdef bint replan

    cdef int _compress(self, World world) except -1 nogil
    cdef int _move(self, World world, Py_ssize_t at, seconds_t to) except -1 nogil
    cdef int _reserve(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _start_due(self, World world) except -1 nogil
    cdef int _plan(self, World world) except -1 nogil
