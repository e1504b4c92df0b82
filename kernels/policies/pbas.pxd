"""PBAS: the candidate that would have done best in the last frame."""

from shadowtime.kernels.core.types cimport int64_t, job_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.meta cimport Meta
from shadowtime.kernels.policies.policy cimport Policy


cdef struct FrameSums:
    # What a candidate's machine has done since the last review.
    double busy_before      # busy node-seconds until then
    int64_t completed       # jobs
    int64_t total           # of those jobs, by the metric: seconds, or millionths
    double score            # that of the last review
    int64_t scored          # 1: there is one


cdef struct Frame:
    # What a candidate's machine did from one review to the next.
    double busy             # node-seconds
    int64_t completed       # jobs
    int64_t total           # of those jobs, by the metric


cdef class Pbas(Meta):
    cdef FrameSums *sums        # FrameSums[count]
    cdef Py_ssize_t count       # candidates
    cdef list worlds            # the virtual machine of each candidate; that of the one in force is out of use
    cdef int metric             # a Metric
    cdef Frame *past            # Frame[count][covered]: the last frames of each candidate, in a ring
    cdef Py_ssize_t covered        # frames that a score covers
    cdef int64_t reviewed       # frames that are over, since the candidates began anew

    cdef int _advance(self, World world, Policy policy, FrameSums *sums, seconds_t until, job_t arrivals) except -1 nogil
    cdef int _begin_anew(self, World world) except -1 nogil
    cdef int _set_up(self, World world) except -1
    cdef int _catch_up(self, World real) except -1
    cdef int _clone(self, World world, World virtual) except -1
    cdef void _completed(self, World world, FrameSums *sums, job_t job) noexcept nogil
    cdef int64_t _covered(self) noexcept nogil
    cdef void _score(self, World world, Py_ssize_t i) noexcept nogil
    cdef Py_ssize_t _best(self) noexcept nogil
