"""Conservative backfilling."""

from shadowtime.kernels.core.types cimport int32_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.movers cimport Movers
from shadowtime.kernels.planning.plan cimport Plan
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.policies.policy cimport Policy


cdef class Conservative(Policy):
    cdef Profile profile        # free nodes with every running job and every reservation in place
    cdef int32_t loose          # bits ROOM and VOID: what a compression has still to see
    cdef bint replan
    cdef Plan plan              # of a replanning one: scratch
    cdef Movers movers          # who needs a look: not part of the state, and may be dropped at any time

    cdef int _lay(self, World world, job_t arrivals) except -1 nogil
    cdef void _set_timer(self, World world, Py_ssize_t at, seconds_t start) noexcept nogil
    cdef int _compress(self, World world) except -1 nogil
    cdef int _compress_all(self, World world) except -1 nogil
    cdef int _compress_marked(self, World world) except -1 nogil
    cdef int _freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil
    cdef int _move(self, World world, Py_ssize_t at, seconds_t to) except -1 nogil
    cdef int _reserve(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _start_due(self, World world) except -1 nogil
    cdef int _start_first(self, World world) except -1 nogil
    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil
