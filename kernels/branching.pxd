"""Runs with the same past."""

from kernels.steering cimport Steering
from kernels.world cimport Position


cdef int agree(Steering mine, Steering steering, const Position *at) except -1
