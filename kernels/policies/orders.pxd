"""Planning anew in every pass, in the order that is in force: SJF, LJF, dynP, IVS."""

from shadowtime.kernels.core.types cimport int64_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.plan cimport Plan
from shadowtime.kernels.policies.policy cimport Policy


cdef class Ordered(Policy):
    cdef int order              # the Order in force: ARRIVAL (FCFS), SHORTEST (SJF) or LONGEST (LJF)
    cdef Plan plan              # scratch

    cdef int wanted(self, World world) noexcept nogil
    cdef int tell(self, World world, int becomes) except -1 nogil


cdef class DynP(Ordered):
    cdef seconds_t lower        # up to this AERT: SJF
    cdef seconds_t upper        # up to this one: FCFS; beyond: LJF
    cdef int64_t threshold      # with fewer waiting jobs the order is kept


cdef class Ivs(Ordered):
    cdef int64_t delta          # by so many must one class outnumber the other
    cdef double utilized        # share of busy nodes from which on the machine counts as utilized
    cdef seconds_t interactive  # without classes: a job with an estimate up to this is interactive

    cdef void count(self, World world, int64_t *interactive, int64_t *batch) noexcept nogil
