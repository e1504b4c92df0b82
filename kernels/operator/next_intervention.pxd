"""What comes next of the actions and outages of a run."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, seconds_t
from shadowtime.kernels.core.world cimport World


cdef bint intervene(World world, seconds_t *time, int32_t *kind, int32_t *item) noexcept nogil
cdef seconds_t next_steered(World world) noexcept nogil
cdef int64_t events_before_action(World world) noexcept nogil
