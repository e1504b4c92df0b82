"""Gang scheduling: jobs share the machine in time slots."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.gang.cycle_skip cimport GangState, CycleSkip
from shadowtime.kernels.policies.gang.matrix cimport Matrix
from shadowtime.kernels.policies.policy cimport Policy


cdef class Gang(Policy):
    cdef GangState state
    cdef Matrix matrix          # scratch: the rows as masks, and who runs in each
    cdef CycleSkip rotation         # switches between which nothing else happens
    cdef seconds_t quantum
    cdef seconds_t overhead
    cdef int packing            # a Packing
    cdef bint alternate
    cdef bint unify
    cdef bint placing           # false: only the operator gives waiting jobs their columns
    cdef int32_t slots          # rows at most; 0: no limit

    cdef void _become(self, World world, int32_t row, seconds_t next_switch) noexcept nogil
    cdef int _drop_empty_rows(self, World world) except -1 nogil
    cdef int _unify(self, World world) except -1 nogil
    cdef int _place_waiting(self, World world) except -1 nogil
    cdef bint _place(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _run_chosen(self, World world) except -1 nogil
    cdef bint _find_room(self, World world, nodes_t size, int32_t *row, nodes_t *base, int32_t *load) noexcept nogil
    cdef int _set_timer(self, World world) noexcept nogil
    cdef double _running(self, World world, int32_t row) noexcept nogil
    cdef int _preempt(self, World world, int32_t slot) except -1 nogil
