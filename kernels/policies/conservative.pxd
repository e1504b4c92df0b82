"""Conservative backfilling."""

from kernels.bounds cimport AnchorBounds
from kernels.policies.policy cimport Policy
from kernels.plan cimport Plan
from kernels.profile cimport Profile
from kernels.types cimport int32_t, job_t, nodes_t, seconds_t
from kernels.world cimport World


cdef class Conservative(Policy):
    cdef Profile profile        # free nodes with every running job and every reservation in place
    cdef int32_t loose          # bit 0: room came free since each job was last asked whether it can move; bit 1: all is void
    cdef bint replan
    cdef Plan plan              # of a replanning one: scratch
    # Not part of the state: what follows only says which jobs need no look, and may be forgotten at any time.
    cdef AnchorBounds bounds
    cdef bint bounded           # the bounds are true

    cdef int _lay(self, World world, job_t arrivals) except -1 nogil
    cdef int _compress(self, World world) except -1 nogil
    cdef int _compress_all(self, World world) except -1 nogil
    cdef int _compress_some(self, World world) except -1 nogil
    cdef void _freed(self, seconds_t start, seconds_t end) noexcept nogil
    cdef int _move(self, World world, Py_ssize_t at, seconds_t to) except -1 nogil
    cdef int _reserve(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _start_due(self, World world) except -1 nogil
