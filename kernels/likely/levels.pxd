"""The levels of history at one moment, and draws of runtimes from them."""

from libc.stdint cimport uint64_t

from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, seconds_t
from shadowtime.kernels.likely.history cimport History

cdef enum:
    WIDEST = 49             # the widest window of levels 1 to 3
    QUEUED = 32             # jobs of the queue that count


cdef struct Window:
    int32_t first           # its rows in the pool, the newest first
    int32_t count


cdef struct Ratio:
    double ratio
    double weight           # of this one; after the sums, of all up to this one
    int32_t rank


cdef struct Ladder:         # level 4 of a class, or level 5
    int32_t first           # its ratios among all, falling
    int32_t count


cdef struct Entry:
    double ratio
    double weight


cdef struct Mixture:        # the constants of a sample
    double kappa[6]         # by level, from 1
    int decay
    int window
    bint near


cdef class Levels:
    cdef History history
    cdef Jobs table             # of the samples: rows 0 .. submitted - 1 are those of the history, arrivals follow
    cdef int64_t event
    # By key number, for this moment.
    cdef Window *_windows
    cdef Ladder *_ladders
    cdef int64_t *_looked       # the moment at which the entry above was made
    cdef int32_t _keys
    cdef int64_t _moment        # moments so far
    cdef job_t *_pool
    cdef Py_ssize_t _pooled
    cdef Py_ssize_t _pool_room
    cdef Ratio *_ratios
    cdef Py_ssize_t _rated
    cdef Py_ssize_t _ratio_room
    cdef Ladder _everybody
    # By row, for this sample.
    cdef int64_t *_weighed      # the sample for which `_weights` is
    cdef double *_weights
    cdef int64_t *known         # the sample for which the table has a runtime drawn
    cdef int32_t *_before       # the job of the same user drawn before, in the queue
    cdef job_t *_latest         # by key number of a user
    cdef int64_t *_queued       # the sample for which `_latest` is
    cdef int64_t sample         # samples so far, over all moments
    cdef uint64_t _stream
    cdef Mixture _mixture
    cdef double _fading[WIDEST]
    cdef Entry _entries[3][WIDEST + QUEUED]

    cdef int moment(self, int64_t event) except -1 nogil
    cdef void begin(self, uint64_t seed, int64_t k) noexcept nogil
    cdef seconds_t draw(self, job_t job, seconds_t progress, uint64_t turn) except -1 nogil
    cdef void in_queue(self, job_t job) noexcept nogil
    cdef int _room_for_keys(self) except -1 nogil
    cdef int _window(self, int sort, int32_t key, Window *made) except -1 nogil
    cdef int _ladder(self, int32_t key, Ladder *made) except -1 nogil
    cdef Ladder _sorted(self, int32_t first) noexcept nogil
    cdef int _rate(self, job_t job, double weight, int32_t rank) except -1 nogil
    cdef double _boot(self, job_t job) noexcept nogil
    cdef int _gather(self, int level, job_t job, int32_t key) except -1 nogil
    cdef double _nearness(self, job_t job, job_t other) noexcept nogil
    cdef int32_t _passing(self, Ladder ladder, double r0) noexcept nogil
    cdef double _chosen(self, int level, const int *counts, const Ladder *ladders, double r0, double wanted) noexcept nogil
    cdef double _jittered(self, double ratio, double r0, job_t job, uint64_t turn) noexcept nogil
