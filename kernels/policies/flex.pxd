"""Slack-based backfilling: every waiting job has a planned start and a deadline."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.planning.deadlines cimport Deadlines
from shadowtime.kernels.planning.ordering cimport Listing
from shadowtime.kernels.planning.profile cimport Profile
from shadowtime.kernels.policies.policy cimport Policy


cdef struct Planned:
    seconds_t start     # planned start
    seconds_t deadline  # the plan never lets it start later
    seconds_t length    # what is left of its estimate
    seconds_t submit
    job_t job
    nodes_t size


cdef struct FlexState:
    int64_t count       # planned jobs
    int64_t given       # jobs that started on a virtual machine, and may yet wait on the real one
    int64_t area        # node-seconds asked for by all jobs submitted so far; kept where heavy jobs get less slack
    int32_t loose       # bit 0: something changed since a round last found that nobody can move; bit 1: the plan is void
    int32_t completed   # 1: a job has completed since the last pass


cdef class Flex(Policy):
    cdef FlexState state
    cdef Planned *plan          # Planned[state.count]: the list, in its own order
    cdef Deadlines given        # of those, and of jobs that are held
    cdef Profile profile        # free nodes with every running and every planned job in place
    cdef seconds_t slack
    cdef double factor          # of the mean wait, in place of `slack`; negative for none
    cdef int cost               # a Cost
    cdef bint heavy             # jobs of more work than the mean get less slack
    # Scratch.
    cdef Profile base, trial
    cdef Listing listing
    cdef seconds_t *starts      # seconds_t[2 * room]: starts of a trial, and of the best one so far
    cdef int64_t *bounds        # int64[room]: the least that each planned job can cost
    cdef seconds_t alone        # the start of the new job if nobody else waited
    cdef seconds_t behind       # its start in the last trial, one place further back
    cdef Py_ssize_t room

    cdef int _room(self, Py_ssize_t room) except -1 nogil
    cdef int _append(self, World world, Py_ssize_t at, job_t submitted) except -1 nogil
    cdef int _plan_anew(self, World world, job_t arrivals) except -1 nogil
    cdef job_t _count(self, World world, job_t begin, job_t end) noexcept nogil
    cdef int64_t _cost(self, const Planned *job, seconds_t start) noexcept nogil
    cdef seconds_t _slack(self, World world, int64_t area, int64_t submitted) noexcept nogil
    cdef int _round(self, World world) except -1 nogil
    cdef int _insert(self, World world, job_t job) except -1 nogil
    cdef Py_ssize_t _search(self, World world, Planned *added) except -1 nogil
    cdef int _bound(self, World world) except -1 nogil
    cdef int64_t _try(self, seconds_t now, Py_ssize_t k, const Planned *added, int64_t least, int64_t most) except -2 nogil
    cdef int _take(self, World world, Py_ssize_t k, Planned *added) except -1 nogil
    cdef int _start_due(self, World world) except -1 nogil
    cdef Py_ssize_t _find(self, job_t job) noexcept nogil
