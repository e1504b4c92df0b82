"""The Ousterhout matrix as masks: which columns are taken in which row, and who runs while a row is current."""

from shadowtime.kernels.core.types cimport int32_t, job_t, nodes_t, uint64_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.gang.block_counts cimport BlockCounts


cpdef enum Packing:
    BUDDY
    FIRST
    BEST


cdef struct Seat:
    job_t job
    int32_t slot
    int32_t row
    nodes_t base        # its columns, base to base + count - 1
    nodes_t count       # 0: in several stretches


cdef class Matrix:
    """Scratch, no part of any state: it follows from the active jobs, and follows their changes once it is laid."""
    cdef nodes_t nodes
    cdef int packing            # a Packing
    cdef bint alternate         # jobs of other rows run where their columns are idle
    cdef Py_ssize_t words       # 64-bit words a row
    cdef bint laid              # false: to be laid anew before anything is read from it
    cdef int32_t rows
    cdef int32_t room           # rows that there is room for
    cdef uint64_t *columns      # uint64[rows + 1][words]: columns of the jobs of a row; the last row is an empty one
    cdef uint64_t *taken        # uint64[rows + 1][words]: the same with the padding of their blocks, and nodes that are down
    cdef uint64_t *used         # uint64[words]: columns of the jobs chosen to run
    cdef int32_t *jobs          # int32[rows + 1]: jobs in a row
    cdef nodes_t *busy          # nodes_t[rows + 1]: columns of a row that nobody can have
    cdef BlockCounts blocks     # of buddy packing
    cdef uint64_t *was          # uint64[words]: the columns of a row before it changes
    cdef Seat *seats            # Seat[count]: the active jobs in trace order
    cdef Py_ssize_t count
    cdef Py_ssize_t seat_room
    # Who runs while a row is current, each found when it is first asked for.
    cdef bint grouped           # `first` and `member` are those of these seats
    cdef int32_t *first         # int32[rows + 1]: where the members of a row begin
    cdef int32_t *member        # int32[count]: seats by row, in trace order inside a row
    cdef Py_ssize_t bits        # 64-bit words of a choice
    cdef uint64_t *choices      # uint64[rows][bits]: bit i set: seat i runs while the row is current
    cdef unsigned char *chosen  # unsigned char[rows]: 1: the choice of the row has been found
    cdef Py_ssize_t choice_room  # words that there is room for, all choices together

    cdef void forget(self) noexcept nogil
    cdef int lay(self, World world, int32_t rows) except -1 nogil
    cdef int renumber(self, World world, int32_t rows) except -1 nogil
    cdef int add(self, World world, int32_t slot) except -1 nogil
    cdef int remove(self, World world, job_t job) except -1 nogil
    cdef bint has_empty_row(self) noexcept nogil
    cdef int32_t next_row(self, int32_t after) noexcept nogil
    cdef bint overlap(self, int32_t a, int32_t b) noexcept nogil
    cdef nodes_t block_for(self, World world, nodes_t size, int32_t *row, int32_t *load) noexcept nogil
    cdef nodes_t empty_block(self, nodes_t size) noexcept nogil
    cdef void _remember(self, int32_t row) noexcept nogil
    cdef int _weigh_all(self, World world) except -1 nogil
    cdef int32_t row_for(self, nodes_t size, int packing) noexcept nogil
    cdef int32_t lowest_free(self, World world, int32_t row, nodes_t size) except -2 nogil
    cdef const uint64_t *choice(self, World world, int32_t current) noexcept nogil
    cdef bint passes(self, World world, job_t job) noexcept nogil
    cdef int _list(self, World world) except -1 nogil
    cdef int _lay_all(self, World world, int32_t rows) except -1 nogil
    cdef void _lay_row(self, World world, int32_t row) noexcept nogil
    cdef void _bar(self, World world, int32_t row) noexcept nogil
    cdef void _put(self, World world, const Seat *seat) noexcept nogil
    cdef int _change(self) except -1 nogil
    cdef int _reserve(self, int32_t rows) except -1 nogil
    cdef int _reserve_seats(self, Py_ssize_t seats) except -1 nogil
    cdef void _group(self) noexcept nogil
    cdef void _choose(self, World world, int32_t current) noexcept nogil
    cdef bint _fits(self, World world, const Seat *seat) noexcept nogil
    cdef Seat _seat_of(self, World world, int32_t slot) noexcept nogil


cdef nodes_t block_of(nodes_t size) noexcept nogil


cdef inline bint has(const uint64_t *choice, Py_ssize_t seat) noexcept nogil:
    """Whether a seat is in a choice."""
    return (choice[seat >> 6] >> (seat & 63)) & 1
