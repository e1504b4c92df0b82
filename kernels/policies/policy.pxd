"""What a scheduling policy is to the kernel."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport World


cdef class Policy:
    cdef readonly str name
    cdef readonly dict parameters
    cdef readonly bint promises     # it promises every waiting job a start in the pass of its submission
    cdef readonly bint alone        # it divides the machine in its own way: no candidate of another policy
    cdef bint candidate             # it is one of several that another policy chooses from
    cdef readonly bint may_fail     # its pass is somebody else's code
    cdef readonly bint turns        # rows take turns: whole turns can be skipped
    cdef readonly bint ranks        # it takes the waiting in the order of the queue: priorities count
    cdef readonly bint classes      # it looks at the class of a job
    cdef readonly bint blocks       # its jobs stand on blocks of a torus: it knows what can be asked of them
    cdef readonly bint decides      # it may change its mind right before a pass
    cdef void *kept                 # what it remembers between passes, if that is one piece of memory
    cdef size_t kept_bytes

    cdef int schedule(self, World world) except -1 nogil
    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil
    cdef bint has_turned(self, World world) noexcept nogil
    cdef bint turn(self, World world) except -1 nogil
    cdef int reset(self, World world) except -1 nogil
    cdef bint timer_rang(self, World world, int kind, job_t job) except -1 nogil
    cdef int swapped_out(self, World world, int32_t slot) except -1 nogil
    cdef object refusal(self, World world, int verb, job_t job, int64_t to)
    cdef int operate(self, World world, int verb, job_t job, int64_t to) except -1
    cdef int adopt(self, World world) except -1 nogil
    cdef int take_over(self, World world) except -1
    cdef bint suits(self, World world) except -1
    cdef bint needs_blocks(self, World world) except -1
    cdef bint is_new(self, World world, int32_t slot) noexcept nogil
    cdef int inherit(self, Policy other) except -1
    cdef int leave(self, World world) except -1
    cdef int disturbed(self, World world) except -1 nogil
    cdef int freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil
    cdef int left(self, World world, job_t job) except -1
    cdef int gone(self, World world, job_t job, int32_t slot) except -1
    cdef int come_back(self, World world, int32_t slot) except -1
    cdef bint has_room(self, World world, Py_ssize_t at) except -1
    cdef int start_now(self, World world, Py_ssize_t at) except -1
    cdef int64_t skip(self, World world, job_t last_arrival, seconds_t until, int64_t events) except -1 nogil
    cdef int prune(self, World real) except -1 nogil
    cdef int foretell(self, World world) except -1 nogil
    cdef int redrawn(self, World world) except -1 nogil
    cdef int forget_runtimes(self, World world) except -1 nogil
    cdef object status(self, World world)
    cdef object terms(self, World world, Py_ssize_t at)
    cdef object active_terms(self, World world, int32_t slot)
    cdef double slots_utilization(self, World world) noexcept nogil
    cdef object explain_active(self, World world, int32_t slot)
    cdef object explain_waiting(self, World world, Py_ssize_t at)
    cdef object promise_waiting(self, World world, Py_ssize_t at)
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil


cdef job_t ending_job(World world, Py_ssize_t ending) noexcept nogil
cdef object pass_pending(World world, Py_ssize_t at)
cdef object never_fits(World world, Py_ssize_t at)
