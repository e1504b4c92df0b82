"""The waiting jobs, kept sorted in one order from pass to pass."""

from shadowtime.kernels.core.queue cimport Queue
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.planning.ordering cimport Listing

cdef enum:
    WIDTH = 64      # entries a block: one least size and one least estimate stand for so many


cdef class SortedWaiting:
    """Blocks in order, each with entries in order; entry k of block b is b * WIDTH + k. Scratch, no part of any state."""
    cdef job_t *job             # job_t[room * WIDTH]
    cdef nodes_t *size          # nodes_t[room * WIDTH]
    cdef seconds_t *estimate    # seconds_t[room * WIDTH]
    cdef int32_t *filled        # int32[room]: entries in a block
    cdef nodes_t *least_size    # nodes_t[room]
    cdef seconds_t *least_estimate  # seconds_t[room]
    cdef int32_t *chain         # int32[room]: the blocks in order; those from `blocks` on are spare
    cdef Py_ssize_t blocks
    cdef Py_ssize_t room        # blocks that there is room for
    cdef Py_ssize_t count       # entries
    cdef int order              # an Order
    cdef int64_t stirred        # the state of the queue that it follows
    cdef job_t known            # jobs from this row on have not been looked at yet
    cdef bint valid
    cdef bint lasting           # entries of jobs that left may stay, as many as there are jobs that wait
    cdef Listing listing

    cdef void forget(self) noexcept nogil
    cdef int follow(self, Queue queue, int order, bint by_row, job_t arrivals) except -1 nogil
    cdef void remove(self, Py_ssize_t i, Py_ssize_t k) noexcept nogil
    cdef int _sort(self, Queue queue, int order, bint by_row) except -1 nogil
    cdef int _insert(self, job_t job, nodes_t size, seconds_t estimate) except -1 nogil
    cdef int _open(self, Py_ssize_t i) except -1 nogil
    cdef void _put(self, int32_t block, Py_ssize_t k, job_t job, nodes_t size, seconds_t estimate) noexcept nogil
    cdef bint _precedes(self, Py_ssize_t at, int64_t key) noexcept nogil
    cdef void _measure(self, int32_t block) noexcept nogil
