"""What a simulation tells of itself in columns and sums."""

from shadowtime.kernels.core.types cimport int64_t, job_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy


cdef object known(int64_t event, int64_t value)
cdef object waiting_of(World world)
cdef object running_of(World world)
cdef object held_of(World world)
cdef object owners_of(World world)
cdef object draining_of(World world)
cdef object tally_of(World world, Policy policy)
cdef object results_of(World world, tuple names)
cdef object result_row(World world, job_t job)
cdef list places_of(World world)
cdef object refused_of(World world)
cdef object classes_of(World world)
