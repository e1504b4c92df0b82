"""The types every kernel module shares, each declared once."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

ctypedef int64_t seconds_t      # an instant or a duration, whole seconds
ctypedef int32_t job_t          # a row of the job table; NONE where there is no job
ctypedef int32_t nodes_t        # a number of nodes, or the number of one node

cdef enum:
    NONE = -1                   # no job, no slot, no extent
    DOWN = -2                   # in a node-owner column: the node is down

cdef extern from *:
    """
    #define SHADOWTIME_FOREVER ((int64_t)1 << 62)
    """
    const seconds_t FOREVER "SHADOWTIME_FOREVER"   # later than any instant a reader lets in

cdef inline char *aligned(char *at) noexcept nogil:
    """The next address that is a multiple of 8."""
    return <char *> ((<size_t> at + 7) & ~<size_t> 7)


cdef extern from *:
    """
    /* floor(1,000,000 * a / b) for a >= 0 and b > 0, also where the product passes 2^63. */
    static inline int64_t shadowtime_millionths(int64_t a, int64_t b) { return (int64_t) ((__int128) a * 1000000 / b); }
    """
    int64_t millionths "shadowtime_millionths"(int64_t a, int64_t b) noexcept nogil
