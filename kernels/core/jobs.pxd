"""The job table: what the trace says, immutable during a run."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, nodes_t, seconds_t, uint8_t


cpdef enum Service:
    # The classes of service of the T3D (Feitelson & Jette 1997, Table 1).
    INTERACTIVE
    DEBUG
    PRODUCTION
    BENCHMARK
    STANDBY


cdef class Jobs:
    cdef readonly Py_ssize_t count
    cdef seconds_t *submit      # seconds_t[count], ascending
    cdef seconds_t *runtime     # seconds_t[count], 1 or more, at most the estimate
    cdef seconds_t *estimate    # seconds_t[count]
    cdef nodes_t *size          # nodes_t[count], 1 or more
    cdef uint8_t *killed        # 1: the job ends because its estimate ran out
    cdef int32_t *group         # int32[count]: the month of submission, or 0
    cdef int32_t *klass         # int32[count]: the class, as the scenario numbers them, or NONE
    cdef int64_t *priority      # int64[count]: what the class counts for, 0 where it counts for nothing
    cdef uint8_t *interactive   # uint8[count]: 1 where somebody sits in front of the job; 0 without classes
    cdef uint8_t *service       # uint8[count]: the class of service, PRODUCTION where the job has none of the five
    cdef int32_t *user          # int32[count]: the user, as the scenario numbers them, or NONE
    cdef readonly bint classed  # it was said which jobs are interactive
    cdef readonly int groups    # number of groups; 1 where the log has no calendar
    cdef readonly nodes_t widest

    cdef _fill_marks(self, killed, group, klass)
    cdef _fill_classes(self, priority, interactive)
    cdef _fill_services(self, service, user)
