"""Runs with the same past."""

from shadowtime.kernels.core.world cimport Position
from shadowtime.kernels.operator.steering cimport Steering


cdef int agree(Steering mine, Steering steering, const Position *at) except -1
