"""Who had, has and will have which nodes from when to when: what a Gantt chart is drawn from."""

from shadowtime.kernels.core.simulation cimport Simulation
from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t, uint64_t


cdef enum:
    WHOLE = 64


cdef struct Stretch:
    seconds_t since         # half-open: [since, until)
    seconds_t until
    job_t job               # DOWN for nodes that are down
    nodes_t first
    nodes_t count
    uint8_t kind            # the letter of the job's state; '.' runs to its estimate, '~' is expected, 'X' is down, '%' in samples
    uint8_t share           # of each node, in parts of WHOLE


cdef struct Open:
    # What an active slot was seen with last: while all is the same, its stretches go on.
    uint64_t mark           # of a running job the order of its start, else a digest of its nodes
    Py_ssize_t at           # its first stretch
    int32_t stretches       # so many from there; 0: it held no nodes
    job_t job
    uint8_t state


cdef struct Coming:
    seconds_t start         # when a waiting job is to start
    seconds_t length        # for how long
    int64_t order           # equal starts go by it
    job_t job
    nodes_t size


cdef class Stretches:
    cdef Stretch *of
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef readonly seconds_t since   # all that was held from here ..
    cdef readonly seconds_t until   # .. to here is among them
    cdef readonly int64_t event     # events done at the end

    cdef int add(self, job_t job, nodes_t first, nodes_t count, seconds_t since, seconds_t until, int kind) \
        except -1 nogil
    cdef int put(self, const Stretch *held, int kind, int share) except -1 nogil


cdef class Recorder:
    cdef Simulation simulation
    cdef readonly Stretches made
    cdef Open *open             # Open[capacity], one a slot
    cdef int32_t slots          # slots that may be open
    cdef Py_ssize_t capacity
    cdef uint64_t *down         # uint64[words]: the nodes that were down, and that nobody held
    cdef uint64_t *seen         # uint64[words]: room to look again
    cdef Py_ssize_t down_at     # the stretches of nodes that are down
    cdef Py_ssize_t down_count
    cdef readonly seconds_t until   # it has recorded to here
    cdef int64_t goal           # stretches after which it looks up

    cdef int _look(self, seconds_t now) except -1 nogil
    cdef int _look_down(self, seconds_t now) except -1 nogil
    cdef int _reopen(self, int32_t slot, uint64_t mark, seconds_t now) except -1 nogil
    cdef int64_t _run(self, seconds_t last, int64_t events) except -1 nogil


cdef class Expectation:
    cdef readonly Stretches standing    # what is held now, to its predicted end
    cdef readonly Stretches made        # the nodes of those that are to start
    cdef readonly Py_ssize_t unplaced   # of these, jobs that found no room
    cdef Coming *coming
    cdef Py_ssize_t count
    cdef nodes_t nodes
    cdef seconds_t now

    cdef int _place(self) except -1
