"""What happened to each job: columns written once, shared by all copies of one simulation."""

from kernels.types cimport int32_t, int64_t, seconds_t, uint8_t


cdef class Results:
    cdef readonly Py_ssize_t count
    cdef seconds_t *start           # first start; NONE while it never started
    cdef seconds_t *finish
    cdef seconds_t *promised        # the first start its policy promised; NONE for none
    cdef int64_t *submit_event      # number of the event
    cdef int64_t *start_event
    cdef int64_t *finish_event
    cdef int32_t *preemptions
    cdef uint8_t *backfilled        # 1: it started while an earlier job waited
