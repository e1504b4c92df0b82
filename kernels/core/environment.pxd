"""What surrounds a machine of so many nodes."""

from shadowtime.kernels.core.types cimport nodes_t, seconds_t


cdef class Site:
    cdef readonly nodes_t x, y, z       # the sides of a torus, in the unit of the jobs; 0 where the machine is flat
    cdef readonly str nqs               # the limits of the front end, before or after; None where there is none
    cdef readonly seconds_t epoch       # the second of the week at second 0: 0 is Monday 00:00
    cdef readonly dict requests         # row of a job -> (wire, base, locked); -1 for no wire, no base

    cdef bint is_t3d(self) noexcept nogil
