"""When nodes are back that are down, or will be."""

from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.running cimport Running
from shadowtime.kernels.core.types cimport int32_t, nodes_t, seconds_t, uint64_t
from shadowtime.kernels.operator.steering cimport Span, Steering


cdef class Repairs:
    """Scratch, no part of any state: it follows from the outages that have begun."""
    cdef Steering steering      # None where nobody steers
    cdef int32_t foreseen       # in a forecast: the changes before it, since no other outages are known; NONE elsewhere
    cdef seconds_t *returns     # seconds_t[nodes]: when a node is back if it is down, FOREVER where nobody knows
    cdef uint64_t *covered      # uint64[words]: nodes that an outage covers
    cdef int32_t known_at       # the number of changes for which they are true; NONE
    cdef uint64_t *held         # uint64[words]: nodes of jobs

    cdef int refresh(self, Running running, Machine machine, int32_t changes, seconds_t now) except -1 nogil
    cdef bint is_out(self, const Span *span, int32_t changes) noexcept nogil
    cdef int learn(self, Machine machine, int32_t changes) except -1 nogil
    cdef bint is_held(self, nodes_t node) noexcept nogil
    cdef bint is_covered(self, nodes_t node) noexcept nogil
    cdef void mark_held(self, Running running, Machine machine) noexcept nogil
    cdef nodes_t out_of_service(self, Running running, Machine machine) noexcept nogil
