"""The Ousterhout matrix as masks: which columns are taken in which row."""

from kernels.ordering cimport Listing
from kernels.types cimport int32_t, nodes_t, uint64_t
from kernels.world cimport World


cpdef enum Packing:
    BUDDY
    FIRST
    BEST


cdef class Matrix:
    """Scratch, made anew from the active jobs whenever it is needed: no part of any state."""
    cdef nodes_t nodes
    cdef Py_ssize_t words       # 64-bit words a row
    cdef int32_t rows
    cdef int32_t room           # rows that there is room for
    cdef uint64_t *columns      # uint64[rows * words]: columns of the jobs of a row
    cdef uint64_t *taken        # uint64[rows * words]: the same with the padding of their blocks
    cdef uint64_t *used         # uint64[words]: columns of the jobs chosen to run
    cdef int32_t *jobs          # int32[rows]: jobs in a row
    cdef nodes_t *busy          # nodes_t[rows]: columns of a row
    cdef int32_t *load          # int32[nodes]: unfinished jobs with a column in each block of a size
    cdef int32_t *first         # int32[rows + 1]: where the members of a row begin
    cdef int32_t *member        # int32[order.count]: slots by row, in trace order inside a row
    cdef Py_ssize_t members     # room for so many
    cdef Listing order          # the active jobs in trace order; `at` is the slot
    cdef Listing chosen         # those of them that run, in trace order

    cdef int lay(self, World world, int32_t rows, int packing) except -1 nogil
    cdef int _reserve(self, int32_t rows) except -1 nogil
    cdef void _bar(self, World world) noexcept nogil
    cdef int _group(self, World world) except -1 nogil
    cdef void add(self, World world, int32_t slot, int packing) noexcept nogil
    cdef bint overlap(self, int32_t a, int32_t b) noexcept nogil
    cdef nodes_t block_for(self, World world, nodes_t size, int32_t *row, int32_t *load) noexcept nogil
    cdef bint has_block(self, nodes_t size) noexcept nogil
    cdef int32_t row_for(self, nodes_t size, int packing) noexcept nogil
    cdef int32_t lowest_free(self, World world, int32_t row, nodes_t size) except -2 nogil
    cdef int choose(self, World world, int32_t current, bint alternate) except -1 nogil
    cdef bint _fits(self, World world, int32_t slot) noexcept nogil


cdef nodes_t block_of(nodes_t size) noexcept nogil
