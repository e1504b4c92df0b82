"""The availability profile: free nodes as a step function of the future."""

from shadowtime.kernels.core.running cimport Running
from shadowtime.kernels.core.types cimport int64_t, nodes_t, seconds_t


cdef class Profile:
    """Steps first .. last - 1; step k holds on [time[k], time[k + 1]), the last one for ever."""
    cdef seconds_t *time        # seconds_t[capacity], ascending
    cdef nodes_t *free          # nodes_t[capacity], neighbours differ
    cdef Py_ssize_t first       # a gap in front lets the past be dropped, and early steps be inserted, cheaply
    cdef Py_ssize_t last
    cdef Py_ssize_t capacity
    cdef int64_t version        # changes so far: not part of the state

    cdef int reset(self, seconds_t now, nodes_t free) except -1 nogil
    cdef int lay(self, seconds_t now, nodes_t free, Running running) except -1 nogil
    cdef int copy(self, Profile other) except -1 nogil
    cdef void forget(self, seconds_t now) noexcept nogil
    cdef Py_ssize_t locate(self, seconds_t at) noexcept nogil
    cdef int change(self, seconds_t start, seconds_t end, nodes_t by) except -1 nogil
    cdef seconds_t anchor(self, seconds_t start, nodes_t size, seconds_t length, seconds_t limit) noexcept nogil
    cdef seconds_t whole(self, seconds_t start, seconds_t stop, nodes_t size, seconds_t length) noexcept nogil
    cdef nodes_t least_free(self, seconds_t start, seconds_t end) noexcept nogil
    cdef seconds_t run_before(self, seconds_t end, nodes_t size) noexcept nogil
    cdef seconds_t shortage(self, seconds_t start, seconds_t end, nodes_t size, nodes_t *left) noexcept nogil
    cdef int _split(self, Py_ssize_t k, seconds_t at) except -1 nogil
    cdef void _join(self, Py_ssize_t k) noexcept nogil
    cdef int _room(self, Py_ssize_t capacity) except -1 nogil
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil
