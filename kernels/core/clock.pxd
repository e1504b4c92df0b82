"""The order of an instant, and the heap of events to come."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, seconds_t


cpdef enum EventKind:
    # At equal times events apply in this order (docs/schedulers.md, section 0); finish and kill are one kind there, so
    # the heap ranks both as FINISH and their order is the order in which the jobs started.
    FINISH
    KILL
    SWAPPED_OUT
    SWAPPED_IN
    LOADED
    NODE_DOWN
    NODE_UP
    SWITCH_SLOT
    SWITCH_POLICY
    BOUNDARY
    RESERVATION_DUE
    WAITED
    UNDISTURBED
    ACTION
    SUBMIT
    PASS


cdef struct Entry:
    seconds_t time      # when it happens
    int64_t key         # rank of its kind << 48 | order of creation: equal times resolve by it
    int32_t kind        # an EventKind
    int32_t item        # what it happens to: an active slot, a node, an action


cdef class EventHeap:
    """A 4-ary heap of what is known to come (completions, transfers, timers); submissions are not in it."""
    cdef Entry *entries         # Entry[capacity], heap order on (time, key)
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity

    cdef int push(self, seconds_t time, int32_t kind, int64_t order, int32_t item) except -1 nogil
    cdef void pop(self) noexcept nogil
    cdef bint cancel(self, int32_t item, int32_t kind) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void sort(self, Entry *entries) noexcept nogil
    cdef void postpone_finishes(self, const seconds_t *ends) noexcept nogil
    cdef int reserve(self, Py_ssize_t capacity) except -1 nogil
