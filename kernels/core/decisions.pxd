"""What one event decided, and why: codes and numbers."""

cimport cython

from kernels.core.types cimport int64_t, job_t, uint8_t

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

cpdef enum ReasonCode:
    HEAD_FITS
    ENDS_BY_SHADOW
    WITHIN_EXTRA
    HEAD_SHADOW
    ANCHOR
    COMPRESSED
    RESERVATION_DUE_NOW
    PLANNED_NOW
    HEAD_BLOCKED
    BEHIND_HEAD
    NO_ROOM
    WOULD_DELAY_HEAD
    RESERVED
    PLANNED
    PASS_PENDING
    MISSED_TURN
    OPERATOR
    OWN_CHOICE
    AERT
    CLASSES_WAITING
    AFTER_PREEMPTION
    PREEMPTED_FOR
    PREDICTED_BY_SHADOW
    FITS_OUT_OF_ORDER
    ABOUT_TO_RUN
    ELIGIBLE
    TOO_LARGE_FOR_PRIME
    TOO_LONG_FOR_PRIME
    PRIME_RESERVE
    SCAN_ENDED
    NO_ROOM_NOW
    WAITED_ENDS_SCAN
    INSERTED
    PUSHED_BACK
    PLANNED_BY_DEADLINE
    TAKEN_OVER
    SCORES
    NOBODY_COMPLETED
    SIZES
    NO_ARRIVALS
    NEXT_ROW
    ROW_EMPTY
    PLACED
    PLACED_LOWEST
    ITS_ROW
    AS_ALTERNATE
    ROW_OVER
    WAITS_FOR_ROW
    NO_ROW
    BEHIND_NO_ROW
    NOT_ENOUGH_TO_STOP
    LOADED_BEST
    LOADED_RESERVED
    LOADED_LOWEST
    LEAST_COST
    SAVED_FOR
    CLAIM_LOST
    CLAIM_NOT_DUE
    CLAIM_BLOCKED
    CLAIM_LAPSED
    STORAGE_FULL
    BLOCK_RESERVED
    BLOCK_CLEARING
    OVER_JOB_LIMIT
    OVER_SYSTEM_LIMIT
    OVER_CLASS_LIMIT
    OVER_LARGE_LIMIT
    RESERVED_FOR
    STILL_UNDISTURBED
    NOTHING_LOWER
    BEING_LOADED
    BEING_SAVED
    SUSPENDED
    NO_FREE_BLOCK
    NQS_RELEASED
    NQS_NO_QUEUE
    NQS_USER
    NQS_QUEUE_USER
    NQS_RUN
    NQS_QUEUE_RUN
    NQS_PROCESSORS
    NQS_AGGREGATE
    NOT_OFFERED
    NOT_SUBMITTED
    IS_OVER
    WRONG_STATE
    NO_SUCH_CLASS
    ONLY_WAITING_HELD
    ONLY_HELD_RELEASED
    ONLY_RUNNING_SUSPENDED
    ONLY_SUSPENDED_RESUMED
    ONLY_WAITING_STARTED
    NO_ROOM_TO_START
    OWN_ORDER
    CLASSES_IGNORED
    ALL_IN_SERVICE
    ALL_DOWN
    ALL_LEAVING
    JOB_ACTIVE
    OTHER_MACHINE
    OTHER_POLICY
    OPERATOR_HELD
    OPERATOR_RELEASED
    OPERATOR_CANCELLED
    OPERATOR_SUSPENDED
    OPERATOR_RESUMED
    OPERATOR_RANKED
    OPERATOR_CLASSED
    NODES_DOWN
    NODES_BACK
    STRUCK_KILLED
    STRUCK_REQUEUED
    POLICY_SET
    PARAMETER_SET
    ON_HOLD
    HEAD_WAITS_FOR_NODES
    OUT_OF_SERVICE
    NO_BLOCK

cdef struct Decision:
    int64_t numbers[6]      # in the order of NUMBERS[reason]
    job_t job
    uint8_t kind            # a DecisionKind
    uint8_t reason          # a ReasonCode


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

cdef object reason_data(int reason, const int64_t *numbers)
cdef int reason_code(object reason, int64_t *numbers) except -1
