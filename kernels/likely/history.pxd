"""Who started and who ended, in order, linked by what jobs have in common."""

from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.results cimport Results
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.likely.keys cimport Keys

cdef enum:                  # what jobs have in common
    REQUEST                 # user, estimate and size
    ESTIMATE                # user and estimate
    USER                    # user
    CLASS                   # powers of two of estimate and size
    SORTS


cdef struct Start:
    int64_t event
    job_t job
    int32_t before[3]       # the start before this one with the same REQUEST, ESTIMATE, USER; NONE for none


cdef struct End:
    int64_t event
    job_t job
    int32_t before          # the end before this one in the same CLASS


cdef class History:
    cdef Jobs jobs
    cdef Results results
    cdef Keys keys
    cdef Start *starts      # by event, then by row
    cdef Py_ssize_t started
    cdef End *ends          # of jobs that completed, by event, then by row
    cdef Py_ssize_t ended
    cdef int32_t *last      # int32[keys.capacity]: the last start, or end, with a key
    cdef int32_t _lasts
    cdef Py_ssize_t _room[2]
    cdef job_t _low         # every row before it has started and is over, and is listed
    cdef readonly int64_t event     # followed up to here

    cdef int32_t _number(self, int sort, job_t job) except -1 nogil
    cdef int name_user(self, job_t job) except -1
    cdef int _widen(self) except -1 nogil
    cdef int follow(self, World world) except -1 nogil
    cdef int list_until(self, job_t submitted, int64_t until) except -1 nogil
    cdef int32_t key(self, int sort, Jobs jobs, job_t job) noexcept nogil
    cdef Py_ssize_t ends_until(self, int64_t event) noexcept nogil
    cdef int32_t last_start(self, int sort, int32_t key, int64_t event) noexcept nogil
    cdef int32_t last_end(self, int32_t key, int64_t event) noexcept nogil
