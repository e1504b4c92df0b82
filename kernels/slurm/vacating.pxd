"""Which nodes may have room for a job by an instant."""

from shadowtime.kernels.core.types cimport int64_t, seconds_t
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Held, Occupancy


cdef class Vacating:
    cdef Py_ssize_t *nodes      # those that have room at some time, the first to have it first
    cdef seconds_t *since       # when each has it
    cdef Py_ssize_t size
    cdef NodeSet members        # the first `count` of them
    cdef Py_ssize_t count

    cdef void _leave(self, Held held, int64_t *left, const int64_t *cpus) noexcept
    cdef NodeSet before(self, seconds_t instant)
