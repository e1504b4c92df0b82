"""EASY backfilling."""

from shadowtime.kernels.core.types cimport int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.sorted_waiting cimport SortedWaiting
from shadowtime.kernels.policies.policy cimport Policy


cdef struct EasyState:
    seconds_t shadow    # the moment at which the blocked head is expected to fit, or was when it became the head
    job_t head          # the blocked head; NONE when there is none
    nodes_t extra       # nodes free at the shadow time beyond the head's need
    int64_t padding


cdef class Easy(Policy):
    cdef EasyState state
    cdef int order              # an Order
    cdef bint keeps             # a blocked head keeps its first reservation
    cdef SortedWaiting waiting  # scratch, in the order of the scan

    cdef int _backfill(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _scan_by_arrival(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _scan_by_key(self, World world) except -1 nogil
    cdef int _scan(self, World world, Py_ssize_t at) except -1 nogil
    cdef int _arrivals(self, World world) except -1 nogil
