"""The waiting jobs whose reservations room that came free may let move."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from shadowtime.kernels.core.queue cimport Queue
from shadowtime.kernels.core.types cimport job_t, nodes_t, seconds_t
from shadowtime.kernels.planning.profile cimport Profile

cdef enum:
    LENGTHS = 52        # length classes: two an octave of seconds, the last open


cdef struct Entry:
    # A reservation.
    seconds_t start
    job_t job
    nodes_t size


cdef struct Holder:
    # A waiting job with a reservation.
    int32_t group       # the jobs of its size and length
    int32_t touched     # bits 1 and 2, see `turn`: there was room right before its start


cdef struct Group:
    # Jobs of the same size and length.
    seconds_t length
    nodes_t size
    int32_t jobs            # how many there are
    int32_t next            # the next group of the class, NONE behind the last
    seconds_t latest        # none begins later
    seconds_t seen          # latest start met by this pass
    # What the rest of this pass may move to: whole windows that begin in [since, until).
    seconds_t since
    seconds_t until
    seconds_t enough        # since + length: a job that begins earlier can use no such window; FOREVER if there is no window
    seconds_t later_since   # the same for the next pass
    seconds_t later_until


cdef struct Class:
    # Groups of about the same size and length; what is said of them is true of each, and may be loose.
    int32_t head            # one of them
    seconds_t shortest      # none is shorter
    seconds_t longest       # none is longer
    seconds_t latest        # no job begins later


cdef class Movers:
    cdef int sizes              # size classes: four an octave of nodes
    cdef Class *classes         # Class[sizes * LENGTHS]
    cdef uint64_t *lengths      # uint64[sizes]: the length classes that have jobs, one bit each
    cdef bint kept              # all below is true; while it is not, nothing needs to be reported
    cdef Entry *order           # Entry[room]: first .. last - 1, by start, then by row
    cdef Py_ssize_t first
    cdef Py_ssize_t last
    cdef Py_ssize_t room
    cdef Holder *holders        # Holder[jobs], by row: true for the jobs in `order`
    cdef Group *groups          # Group[group_room]: group_count in use; those without jobs are linked from `unused`
    cdef int32_t group_count
    cdef Py_ssize_t group_room
    cdef int32_t unused
    cdef int32_t turn           # 1 or 2: the bit of `touched` for this pass; the other one is for the next
    cdef seconds_t full         # in `full_version` of the profile fewer than `full_size` are free right before it
    cdef nodes_t full_size
    cdef int64_t full_version
    cdef Py_ssize_t at          # the position that is being tried; BEHIND outside a pass

    cdef int gather(self, Queue queue, Profile profile, seconds_t now, Py_ssize_t jobs, nodes_t nodes) except -1 nogil
    cdef void drop(self) noexcept nogil
    cdef int reserved(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil
    cdef void moved(self, job_t job, seconds_t was, seconds_t to) noexcept nogil
    cdef Py_ssize_t rank(self, Queue queue, seconds_t now) noexcept nogil
    cdef job_t head_of(self, Queue queue) noexcept nogil
    cdef void started(self) noexcept nogil
    cdef int freed(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) except -1 nogil
    cdef void begin(self) noexcept nogil
    cdef Py_ssize_t following(self, Queue queue) noexcept nogil
    cdef seconds_t earliest(self, Profile profile, job_t job, seconds_t start) noexcept nogil
    cdef void _end(self) noexcept nogil
    cdef int32_t _group(self, nodes_t size, seconds_t length) except -1 nogil
    cdef int _enlist(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil
    cdef void _touched(self, Queue queue, Profile profile, seconds_t start, seconds_t end) noexcept nogil
    cdef void _opened(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) noexcept nogil
    cdef void _run(self, Profile profile, seconds_t begin, seconds_t finish, nodes_t least, nodes_t most,
                   seconds_t start, seconds_t end) noexcept nogil
    cdef void _class(self, Profile profile, Class *those, seconds_t begin, seconds_t finish, nodes_t least,
                     nodes_t most, seconds_t start, seconds_t end) noexcept nogil
    cdef Py_ssize_t _place(self, seconds_t start, job_t job) noexcept nogil
