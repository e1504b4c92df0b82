"""The blocks of buddy packing: how many jobs have a column in each, and in how many rows each is taken."""

from shadowtime.kernels.core.types cimport int32_t, nodes_t, uint64_t

cdef enum:
    LEVELS = 33     # powers of two up to the number of nodes, and one for the end of the last


cdef class BlockCounts:
    """Block b of level l is the columns b << l to ((b + 1) << l) - 1. Scratch, no part of any state."""
    cdef nodes_t nodes
    cdef Py_ssize_t levels
    cdef Py_ssize_t begin[LEVELS]   # the word at which the bits of a level begin; 64 counts a word
    cdef Py_ssize_t words           # words of all levels
    cdef int32_t rows               # rows that are counted
    cdef Py_ssize_t room            # rows that there is room for
    cdef uint64_t *taken            # uint64[room][words]: bit b set: block b is taken in the row
    cdef int32_t *closed            # int32[64 * words]: rows in which a block is taken
    cdef int32_t *load              # int32[64 * words]: jobs with a column in a block
    cdef uint64_t *mask             # uint64[words]: the blocks of one job

    cdef int lay(self, int32_t rows) except -1 nogil
    cdef int open_row(self) except -1 nogil
    cdef void _spread(self, uint64_t *mask, int level) noexcept nogil
    cdef void take(self, int32_t row, const uint64_t *columns) noexcept nogil
    cdef void forget_loads(self) noexcept nogil
    cdef void weigh(self, const uint64_t *more, const uint64_t *less, int32_t by) noexcept nogil
    cdef int32_t load_of(self, nodes_t base, nodes_t size) noexcept nogil
    cdef nodes_t find(self, nodes_t size, int32_t *row, int32_t *load) noexcept nogil
