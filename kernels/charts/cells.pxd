"""Cells of so many nodes by so many seconds, and who has each: what a Gantt chart is drawn from."""

from shadowtime.kernels.charts.bars cimport Stretches
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t


cdef struct Cell:
    int64_t weight          # of the candidate for half or more (Boyer and Moore's vote)
    int64_t own             # node-seconds of the candidate
    int64_t busy            # node-seconds of all
    int64_t most            # of its longest part
    job_t job
    uint8_t kind            # that of its longest part


cdef class Grid:
    cdef Cell *cells            # Cell[rows * columns]
    cdef readonly nodes_t first
    cdef readonly nodes_t per
    cdef readonly int32_t rows
    cdef readonly seconds_t since
    cdef readonly seconds_t span
    cdef readonly int32_t columns
    cdef nodes_t nodes
    cdef list parts

    cdef void _vote(self, Stretches stretches, seconds_t low, seconds_t high, job_t job, bint counting) noexcept nogil
