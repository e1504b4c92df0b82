"""Who may have which nodes from a moment on."""

from shadowtime.kernels.charts.bars cimport Recorder, Stretches
from shadowtime.kernels.core.simulation cimport Simulation
from shadowtime.kernels.core.types cimport job_t

cdef enum:
    MOST = 65536            # stretches of one sample, and of all together


cdef class Chances:
    cdef readonly Stretches made    # of all samples, each node with the share of its sample
    cdef readonly int samples
    cdef readonly int drawn
    cdef readonly bint crowded      # there was too much to record: nothing is shown
    cdef Recorder recorder          # of the sample that is drawn

    cdef Recorder begin(self, Simulation runner)
    cdef int end(self, job_t rows) except -1
