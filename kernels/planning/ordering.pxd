"""Waiting jobs in another order than that of their arrival."""

from shadowtime.kernels.core.queue cimport Queue
from shadowtime.kernels.core.types cimport int64_t, nodes_t, seconds_t


cpdef enum Order:
    ARRIVAL
    SHORTEST
    LONGEST
    WIDEST
    NARROWEST


cdef struct Candidate:
    int64_t key         # by what the list is sorted
    Py_ssize_t at       # position in the queue
    Py_ssize_t tie      # ties go by it: the position, or the row


cdef class Listing:
    """A list of positions of the queue, to be sorted: scratch, no part of any state."""
    cdef Candidate *of          # Candidate[count]
    cdef Py_ssize_t count
    cdef Py_ssize_t room

    cdef int empty(self, Py_ssize_t room) except -1 nogil
    cdef void add(self, int64_t key, Py_ssize_t at) noexcept nogil
    cdef void sort(self) noexcept nogil
    cdef int take_all(self, Queue queue, int order, bint by_row) except -1 nogil


cdef int64_t key_of(Queue queue, Py_ssize_t at, int order) noexcept nogil
cdef int64_t rank_of(nodes_t size, seconds_t estimate, int order) noexcept nogil
