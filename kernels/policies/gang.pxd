"""Gang scheduling: jobs share the machine in time slots."""

from kernels.matrix cimport Matrix
from kernels.policies.policy cimport Policy
from kernels.turns cimport Turns
from kernels.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from kernels.world cimport World


cdef struct GangState:
    seconds_t next_switch   # when the next row becomes current; keeps its phase while there is a single row
    seconds_t stalled_until  # before this nobody makes progress: the overhead of the last switch
    int64_t switches        # times that another row became current, by rotation or because one was empty
    int32_t rows            # rows of the matrix
    int32_t current         # the row that has the machine
    int32_t completed       # 1: a job has completed since the last pass
    int32_t switched        # 1: another row has become current since the last pass


cdef class Gang(Policy):
    cdef GangState state
    cdef Matrix matrix          # scratch: the rows as masks
    cdef Turns past             # scratch: the state a turn ago
    cdef seconds_t quantum
    cdef seconds_t overhead
    cdef int packing            # a Packing
    cdef bint alternate
    cdef bint unify
    cdef int32_t slots          # rows at most; 0: no limit

    cdef void _become(self, World world, int32_t row, seconds_t next_switch) noexcept nogil
    cdef int32_t _next_row(self, World world, int32_t after) noexcept nogil
    cdef int _drop_empty_rows(self, World world) except -1 nogil
    cdef int _unify(self, World world) except -1 nogil
    cdef int _place_waiting(self, World world) except -1 nogil
    cdef bint _place(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _run_chosen(self, World world) except -1 nogil
    cdef bint _find_room(self, World world, nodes_t size, int32_t *row, nodes_t *base, int32_t *load) noexcept nogil
    cdef int _set_timer(self, World world) noexcept nogil
    cdef double _running(self, World world, int32_t row) noexcept nogil
    cdef int _preempt(self, World world, int32_t slot) except -1 nogil
    cdef bint _passes(self, World world, job_t job) noexcept nogil
