"""PBAS: the candidate that would have done best in the last frame."""

from kernels.core.types cimport int64_t, job_t, seconds_t
from kernels.core.world cimport World
from kernels.policies.meta cimport Meta
from kernels.policies.policy cimport Policy


cdef struct FrameSums:
    # What a candidate's machine has done since the last review.
    double busy_before      # busy node-seconds until then
    int64_t completed       # jobs
    int64_t response        # seconds, of those jobs
    int64_t slowdown        # millionths, of those jobs
    double score            # that of the frame before
    int64_t scored          # 1: there is one


cdef class Pbas(Meta):
    cdef FrameSums *sums        # FrameSums[count]
    cdef Py_ssize_t count       # candidates
    cdef list worlds            # the virtual machine of each candidate; that of the one in force is out of use
    cdef int metric             # a Metric

    cdef int _advance(self, World world, Policy policy, FrameSums *sums, seconds_t until, job_t arrivals) except -1 nogil
    cdef int _begin_anew(self, World world) except -1 nogil
    cdef int _set_up(self, World world) except -1
    cdef int _catch_up(self, World real) except -1
    cdef int _clone(self, World world, World virtual) except -1
    cdef void _score(self, World world, FrameSums *sums) noexcept nogil
    cdef Py_ssize_t _best(self) noexcept nogil
