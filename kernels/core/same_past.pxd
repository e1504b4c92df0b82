"""Runs with the same past."""

from kernels.operator.steering cimport Steering
from kernels.core.world cimport Position


cdef int agree(Steering mine, Steering steering, const Position *at) except -1
