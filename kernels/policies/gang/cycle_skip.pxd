"""Rows that take turns while nothing else happens, without an event a switch."""

from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, seconds_t, uint64_t
from shadowtime.kernels.core.world cimport Position, Tally, World
from shadowtime.kernels.policies.gang.matrix cimport Matrix


cdef struct GangState:
    seconds_t next_switch   # when the next row becomes current; keeps its phase while there is a single row
    seconds_t stalled_until  # before this nobody makes progress: the overhead of the last switch
    int64_t switches        # times that another row became current, by rotation or because one was empty
    int32_t rows            # rows of the matrix
    int32_t current         # the row that has the machine
    int32_t completed       # 1: a job has completed since the last pass
    int32_t switched        # 1: another row has become current since the last pass


cdef class CycleSkip:
    """The switches of one gang scheduler; what it remembers is scratch, no part of any state."""
    cdef seconds_t quantum
    cdef seconds_t overhead
    cdef seconds_t safe         # before this instant no job can complete
    # What a world was like when its last whole turn began.
    cdef Active *slots          # Active[seats]
    cdef Py_ssize_t room
    cdef Position at
    cdef Tally tally

    cdef int64_t run(self, World world, Matrix matrix, GangState *state, job_t last_arrival, seconds_t until,
                     int64_t events) except -1 nogil
    cdef int64_t _switch_until(self, World world, Matrix matrix, GangState *state, seconds_t last, int64_t most) \
        except -1 nogil
    cdef bint _is_safe(self, World world, Matrix matrix) noexcept nogil
    cdef int _switch(self, World world, Matrix matrix, GangState *state) except -1 nogil
    cdef int _remember(self, World world, Matrix matrix) except -1 nogil
    cdef int64_t _whole_turns(self, World world, Matrix matrix, seconds_t last, int64_t most) noexcept nogil
    cdef void _skip(self, World world, Matrix matrix, GangState *state, int64_t turns) noexcept nogil


cdef seconds_t quiet_until(World world, job_t last_arrival) noexcept nogil
