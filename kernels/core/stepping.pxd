"""What happens next, and doing it: the functions that advance a world under a policy."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef struct Next:
    seconds_t time
    int32_t kind        # an EventKind, NONE when nothing is left
    int32_t item        # a slot or a job, NONE where there is none


cdef Next upcoming(World world, Policy policy, job_t last_arrival) noexcept nogil
cdef int64_t go_on(World world, Policy policy, job_t last_arrival, seconds_t until, int64_t events, Next *then) except -1 nogil
cdef int apply(World world, Policy policy, Next to) except -1 nogil
cdef job_t happens_to(World world, Next to) noexcept nogil
cdef object operate(World world, Policy policy, seconds_t time, int verb, job_t job, int64_t to)
