"""The moving state of a machine with its queue, and the verbs that change it.

Everything a copy holds is here or in the policy's own state; the job table is immutable and the results are
written once.
"""

from shadowtime.kernels.core.clock cimport EventHeap
from shadowtime.kernels.core.decisions cimport Decisions
from shadowtime.kernels.core.environment cimport Site
from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.machine cimport Machine
from shadowtime.kernels.core.queue cimport Queue
from shadowtime.kernels.core.results cimport Results
from shadowtime.kernels.core.running cimport Active, Running
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.operator.overrides cimport Overrides
from shadowtime.kernels.operator.repairs cimport Repairs
from shadowtime.kernels.operator.steering cimport Steering
from shadowtime.kernels.planning.profile cimport Profile


cdef enum:              # bits of `changed`
    NODES_FREED = 1     # nodes came free, or the machine changed
    REORDERED = 2       # the order of the queue changed


cdef struct Tally:
    # Integrals over time, and sums over jobs, since the first submission. Doubles: exact up to 2**53, no overflow.
    double busy             # node-seconds of running jobs
    double busy_at_arrival  # the same, at the last submission so far
    double queued           # job-seconds of waiting jobs
    double lost             # idle node-seconds while some waiting job would have fitted
    double wait             # of jobs that started
    double response         # of jobs that finished, as all below
    double slowdown
    double bounded          # max(1, response / max(runtime, 10))
    double bounded_fw98     # response / max(runtime, 10)
    double bounded_n12      # (wait + max(runtime, 10)) / max(runtime, 10)
    double wasted           # node-seconds held without progress, for preemptions
    double saved            # nodes of the jobs that were preempted, a job as often as it was
    double misjudged        # seconds between the first promised start and the start, of jobs that were promised one
    int64_t started
    int64_t promised        # of these, jobs that were promised a start
    int64_t backfilled
    int64_t finished
    int64_t preemptions
    int64_t preempted       # jobs preempted at least once


cdef struct Position:
    seconds_t now           # instant of the last event; before the first, of the first submission
    seconds_t due           # the policy's own timer, FOREVER for none
    seconds_t switch_at     # the next moment at which the policy reviews which scheduler is in force, FOREVER for none
    int64_t event           # events done
    int64_t order           # order of creation of the next entry of the heap
    int64_t passed          # 1 + the last of the kinds that have had their turn in this instant, 0 for none
    seconds_t last_time     # the last event
    int32_t last_kind       # NONE before the first
    job_t last_job
    job_t arrivals          # jobs submitted so far: rows 0 .. arrivals - 1
    job_t seen              # of these, the ones that a pass has seen
    nodes_t free            # idle nodes
    nodes_t busy            # nodes of running jobs
    int32_t pass_due        # 1: a pass ends this instant
    int32_t changed         # since the last pass: NODES_FREED, REORDERED
    int32_t due_job         # whose reservation is due, NONE for a timer of all
    int32_t due_kind        # RESERVATION_DUE, or another kind of timer
    int32_t awaited         # jobs that left the queue and wait, with their nodes, for the run that this was for
    int32_t timed           # timed actions done or refused
    int32_t numbered        # numbered ones
    int32_t changes         # beginnings and ends of outages so far
    int32_t in_force        # the policy: 0, or the item of the action that put it in force, plus 1
    int32_t overrides       # jobs whose priority or class the operator has changed


cdef class World:
    cdef Position at
    cdef Tally tally
    cdef readonly Jobs jobs
    cdef readonly nodes_t nodes
    cdef Site site
    cdef Queue queue
    cdef Running running
    cdef Machine machine
    cdef EventHeap heap
    cdef Decisions decisions
    cdef Results results
    cdef Overrides overrides
    cdef Repairs repairs            # when nodes are back
    cdef Steering steering          # None where nobody steers
    cdef readonly dict policies     # the policies of this runner, by the number in `at.in_force`
    cdef double *month_wait         # double[jobs.groups]: sum of waits by group of submission
    cdef int64_t *month_started     # int64[jobs.groups]
    cdef bint virtual               # its results are nobody's
    cdef bint sliced                # jobs share nodes in time slots: their extents are columns, and they outnumber the nodes
    cdef bint forecasting           # every estimate is a runtime, arrivals are cut, nobody acts
    cdef bint expecting             # a run of its own in which no outage begins that had not begun before it
    cdef bint sampling              # a sample of what may come: the next start of a job that ran before counts, too
    cdef bint owning                # nodes have owners; in a forecast they need none while no node is down
    cdef bint steered               # actions and outages are events here; false on a virtual machine

    cdef void advance(self, seconds_t to) noexcept nogil
    cdef Py_ssize_t when_free(self, nodes_t needed, seconds_t late, seconds_t *at, nodes_t *extra) except -2 nogil
    cdef int lay(self, Profile profile) except -1 nogil
    cdef Py_ssize_t rank_of(self, job_t job, int64_t ahead) noexcept nogil
    cdef int submit(self) except -1 nogil
    cdef void promise(self, job_t job, seconds_t start) noexcept nogil
    cdef int start(self, Py_ssize_t at, bint backfilled) except -1 nogil
    cdef int32_t seat(self, Py_ssize_t at) except -1 nogil
    cdef int32_t admit(self, Py_ssize_t at, bint backfilled) except -1 nogil
    cdef int32_t assign(self, Py_ssize_t at, bint backfilled) except -1 nogil
    cdef int finish(self, int32_t slot) except -1 nogil
    cdef int hold(self, int32_t slot, seconds_t until) except -1 nogil
    cdef int take_turn(self, int32_t slot, seconds_t lead) except -1 nogil
    cdef int yield_turn(self, int32_t slot) except -1 nogil
    cdef int stall(self, int32_t slot, seconds_t lead) except -1 nogil
    cdef int stop(self, int32_t slot, int state) except -1 nogil
    cdef void vacate(self, int32_t slot) noexcept nogil
    cdef void count_idle(self) noexcept nogil
    cdef int requeue(self, int32_t slot, Py_ssize_t rank) except -1 nogil
    cdef int rejoin(self, int32_t slot, Py_ssize_t rank) except -1 nogil
    cdef void count_preemption(self, int32_t slot) noexcept nogil
    cdef int cancel(self, job_t job) except -1 nogil
    cdef int evict(self, int32_t slot) except -1 nogil
    cdef int leave(self, job_t job, int32_t slot, int how) except -1 nogil
    cdef int transfer(self, int32_t slot, int state, int kind, seconds_t until) except -1 nogil
    cdef int run(self, int32_t slot) except -1 nogil
    cdef int32_t slot_of(self, job_t job) noexcept nogil
    cdef int state_of(self, job_t job) noexcept nogil
    cdef bint has_started(self, job_t job) noexcept nogil
    cdef seconds_t limit(self, int32_t slot) noexcept nogil
    cdef void _count_start(self, Active *active) noexcept nogil
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil
