"""Runs with the same past."""

from kernels.core.world cimport Position
from kernels.operator.steering cimport Steering


cdef int agree(Steering mine, Steering steering, const Position *at) except -1
