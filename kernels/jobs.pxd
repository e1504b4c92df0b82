"""The job table: what the trace says, immutable during a run."""

from kernels.types cimport int32_t, int64_t, nodes_t, seconds_t, uint8_t


cdef class Jobs:
    cdef readonly Py_ssize_t count
    cdef seconds_t *submit      # seconds_t[count], ascending
    cdef seconds_t *runtime     # seconds_t[count], 1 or more, at most the estimate
    cdef seconds_t *estimate    # seconds_t[count]
    cdef nodes_t *size          # nodes_t[count], 1 or more
    cdef uint8_t *killed        # 1: the job ends because its estimate ran out
    cdef int32_t *group         # int32[count]: the month of submission, or 0
    cdef int32_t *klass         # int32[count]: the class, as the scenario numbers them, or NONE
    cdef readonly int groups    # number of groups; 1 where the log has no calendar
    cdef readonly nodes_t widest

    cdef _fill_marks(self, killed, group, klass)
