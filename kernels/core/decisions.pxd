"""What one event decided, and why: codes and numbers."""

cimport cython

from shadowtime.kernels.core.types cimport int64_t, job_t, uint8_t

cpdef enum DecisionKind:
    START
    BACKFILL
    RESERVE
    PREEMPT
    RESUME
    PLACE
    MOVE
    RELEASE
    REFUSE
    SWITCH
    KEEP

cdef enum:
    MOST_NUMBERS = 6            # of a reason

cdef struct Decision:
    int64_t numbers[MOST_NUMBERS]   # in the order in which the reason names them
    job_t job
    uint8_t kind                    # a DecisionKind
    uint8_t reason                  # the code of a reason


@cython.final
cdef class Decisions:
    """The decisions of the last event, in the order in which they were taken."""
    cdef Decision *made         # Decision[capacity]
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef bint unread            # another event follows before anyone can look: decisions are counted, and not written

    # Inlined: to write what nobody reads was 3 % of a run of SDSC-BLUE under EASY.
    cdef inline int add(self, int kind, job_t job, int reason, int64_t a=0, int64_t b=0, int64_t c=0, int64_t d=0,
                        int64_t e=0, int64_t f=0) except -1 nogil:
        if self.unread:
            self.count += 1
            return 0
        return self._write(kind, job, reason, a, b, c, d, e, f)

    cdef int _write(self, int kind, job_t job, int reason, int64_t a, int64_t b, int64_t c, int64_t d,
                    int64_t e, int64_t f) except -1 nogil

cdef object reason_data(int code, const int64_t *numbers)
cdef object because(int code, int64_t a=*, int64_t b=*, int64_t c=*, int64_t d=*, int64_t e=*, int64_t f=*)
cdef int reason_code(object given, int64_t *numbers) except -1
