"""The job table: what the trace says, immutable during a run."""

from shadowtime.kernels.core.types cimport NONE, int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t


cpdef enum Service:
    # The classes of service of the T3D (Feitelson & Jette 1997, Table 1).
    INTERACTIVE
    DEBUG
    PRODUCTION
    BENCHMARK
    STANDBY


cdef class Jobs:
    cdef readonly Py_ssize_t count
    # A column that nobody gave is NULL and takes no memory: what stands below with "or" holds for every row then.
    cdef seconds_t *submit      # seconds_t[count], ascending
    cdef seconds_t *runtime     # seconds_t[count], 1 or more, at most the estimate
    cdef seconds_t *estimate    # seconds_t[count]
    cdef nodes_t *size          # nodes_t[count], 1 or more
    cdef uint8_t *_killed       # 1: the job ends because its estimate ran out, or 0
    cdef int32_t *_group        # int32[count]: the month of submission, or 0
    cdef int64_t *_priority     # int64[count]: what the class counts for, or 0
    cdef uint8_t *_interactive  # uint8[count]: 1 where somebody sits in front of the job, or 0
    cdef uint8_t *_service      # uint8[count]: the class of service, or PRODUCTION
    cdef int32_t *_user         # int32[count]: the user, as the scenario numbers them, or NONE
    cdef Jobs _lender           # the table that the columns belong to, if they are borrowed
    cdef bint _borrowed
    cdef readonly bint classed  # it was said which jobs are interactive
    cdef readonly int groups    # number of groups; 1 where the log has no calendar
    cdef readonly nodes_t widest

    cdef _fill_marks(self, killed, group)
    cdef _fill_classes(self, priority, interactive)
    cdef _fill_services(self, service, user)

    cdef void take_row(self, Py_ssize_t row, Jobs other, Py_ssize_t place, seconds_t submit) noexcept nogil
    cdef Jobs roomy(self, Py_ssize_t more)

    cdef inline bint killed(self, job_t job) noexcept nogil:
        return self._killed != NULL and self._killed[job]

    cdef inline int32_t group(self, job_t job) noexcept nogil:
        return 0 if self._group == NULL else self._group[job]

    cdef inline int64_t priority(self, job_t job) noexcept nogil:
        return 0 if self._priority == NULL else self._priority[job]

    cdef inline bint interactive(self, job_t job) noexcept nogil:
        return self._interactive != NULL and self._interactive[job]

    cdef inline int service(self, job_t job) noexcept nogil:
        return <int> PRODUCTION if self._service == NULL else self._service[job]

    cdef inline int32_t user(self, job_t job) noexcept nogil:
        return NONE if self._user == NULL else self._user[job]
