"""What an operator does and what fails, as a part of what a run is made from: immutable, all of it known before."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t


cpdef enum OnFailure:
    # What becomes of a job whose node fails; in the order of ON_FAILURE.
    KILL_IT
    REQUEUE_IT
    CHECKPOINT_IT


cdef struct Range:
    nodes_t first
    nodes_t count


cdef struct InterventionRecord:
    # An intervention, without its policy.
    seconds_t time      # when; NONE for a numbered one
    int64_t after       # right after this event; NONE for a timed one
    int64_t to          # a priority, or a class
    int64_t weight      # of a class: what it counts for
    int32_t verb        # a Verb
    job_t job
    int32_t begin       # its ranges are ranges[begin] .. ranges[end - 1]
    int32_t end
    uint8_t service     # of a class: the class of service
    uint8_t interactive
    uint8_t padding[6]


cdef struct Span:
    # An outage.
    seconds_t start
    seconds_t until     # FOREVER where nobody knows
    int32_t begin       # its ranges
    int32_t end
    int32_t kill        # 1: whoever is there is struck
    int32_t down        # the place of its beginning among the changes
    int32_t up          # that of its end; the number of changes where it has none


cdef struct Change:
    seconds_t time
    int32_t kind        # NODE_DOWN or NODE_UP
    int32_t outage


cdef class Intervention:
    cdef readonly str do
    cdef readonly object at
    cdef readonly object after
    cdef readonly int job
    cdef readonly int64_t to
    cdef readonly tuple nodes
    cdef readonly object policy
    cdef readonly tuple columns


cdef class Outage:
    cdef readonly tuple nodes
    cdef readonly int64_t start
    cdef readonly object until
    cdef readonly bint kill


cdef class Steering:
    cdef readonly tuple interventions
    cdef readonly tuple outages
    cdef readonly str on_failure
    cdef readonly int64_t checkpoint_interval
    cdef int failure            # an OnFailure
    cdef tuple by_time          # the timed actions
    cdef tuple by_number        # the numbered ones
    cdef InterventionRecord *timed      # InterventionRecord[times]
    cdef int32_t times
    cdef InterventionRecord *numbered   # InterventionRecord[numbers]
    cdef int32_t numbers
    cdef Span *spans            # Span[len(outages)]
    cdef Change *changes        # Change[count]: beginnings and ends of outages, in their order
    cdef int32_t count
    cdef Range *ranges
    cdef int32_t used           # ranges

    cdef int _take(self, InterventionRecord *record, Intervention intervention) except -1
    cdef int _take_nodes(self, tuple nodes, int32_t *begin, int32_t *end) except -1
    cdef int _order_changes(self) except -1
    cdef const InterventionRecord *record(self, int32_t item) noexcept nogil
    cdef Intervention intervention(self, int32_t item)
    cdef Steering past(self, int32_t timed, int32_t numbered, object further)
    cdef seconds_t first(self) noexcept nogil
    cdef int check(self, nodes_t nodes, job_t jobs) except -1
    cdef bint agrees(self, Steering other, int32_t timed, int32_t numbered, int32_t changes)


cdef inline int32_t as_timed(int32_t i) noexcept nogil:
    """The item of the timed action number i; a policy that it puts in force has that number, plus 1."""
    return 2 * i


cdef inline int32_t as_numbered(int32_t i) noexcept nogil:
    return 2 * i + 1
