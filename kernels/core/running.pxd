"""The jobs that hold nodes or have a history, and the running ones in order of their predicted ends."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t


cdef struct Active:
    seconds_t since         # when it entered its state
    seconds_t run_start     # when its present run began
    seconds_t done          # progress made in earlier runs
    seconds_t lead          # seconds at the head of the present run that bring no progress
    seconds_t predicted     # how long its policy expects the present run to last; 0: to the end of the estimate
    seconds_t end           # predicted end of the present run
    seconds_t queued        # since when it waits (true until it runs)
    seconds_t waited        # seconds that it waited before, all segments
    int64_t ahead           # its place among waiting jobs of its priority, where its policy put it in front; 0: by its row
    int64_t order           # order of starts: ties among completions go by it
    job_t job               # NONE: a spare slot
    nodes_t size
    int32_t extents         # its nodes; NONE while it holds none
    int32_t row             # its time slot; 0 where space is shared
    int32_t preemptions
    int32_t next            # the next spare slot
    nodes_t leaving         # nodes of it that are down as soon as it leaves them
    uint8_t state           # one of N W i R S o O H, as its character code
    uint8_t started         # it ran before
    uint8_t backfilled      # it was taken while an earlier job waited
    uint8_t killed          # its end is its estimate's
    uint8_t preemptable     # a blocked head may have it stopped
    uint8_t listed          # it is among the endings
    uint8_t awaited         # it left the queue, and has not run since
    uint8_t bare            # its columns are no block: it had them before there was a matrix
    uint8_t misses          # how often its present run outlived its prediction


cdef struct Ending:
    seconds_t end
    nodes_t size
    int32_t slot


cdef class Running:
    cdef Active *slots          # Active[capacity]
    cdef int32_t used           # slots ever used
    cdef int32_t capacity
    cdef int32_t spare          # first spare slot
    cdef int32_t interrupted    # slots whose jobs do not run
    cdef Ending *endings        # Ending[capacity]: running jobs, and those about to, by predicted end, ties by start
    cdef Py_ssize_t count       # endings
    # Nodes that come back without a job's end: scratch, true right after the world has looked ahead.
    cdef Ending *backs          # Ending[backed], by time
    cdef Py_ssize_t backed
    cdef Py_ssize_t room

    cdef int32_t open(self, job_t job, nodes_t size) except -1 nogil
    cdef void close(self, int32_t slot) noexcept nogil
    cdef void enlist(self, int32_t slot) noexcept nogil
    cdef void delist(self, int32_t slot) noexcept nogil
    cdef Py_ssize_t in_progress(self) noexcept nogil
    cdef Py_ssize_t when_free(self, nodes_t needed, nodes_t free, seconds_t now, seconds_t late, seconds_t *at,
                              nodes_t *extra) noexcept nogil
    cdef Py_ssize_t _when_back(self, nodes_t needed, nodes_t free, seconds_t now, seconds_t late, seconds_t *at,
                               nodes_t *extra) noexcept nogil
    cdef int bring_back(self, seconds_t at, nodes_t count) except -1 nogil
    cdef int _grow(self, int32_t capacity) except -1 nogil
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil
