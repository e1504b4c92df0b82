"""Runs with the same past."""

from kernels.steering cimport Steering
from kernels.world cimport Position, World


cdef int agree(World world, Steering steering, const Position *at) except -1
