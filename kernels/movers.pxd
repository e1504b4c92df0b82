"""The waiting jobs whose reservations room that came free may let move."""

from libc.stdint cimport int64_t, uint64_t

from kernels.profile cimport Profile
from kernels.queue cimport Queue
from kernels.types cimport job_t, nodes_t, seconds_t

cdef enum:
    LENGTHS = 52        # length classes: two an octave of seconds, the last open


cdef struct Entry:
    # A reservation.
    seconds_t start
    job_t job
    nodes_t size


cdef struct Holder:
    # A waiting job with a reservation.
    seconds_t start
    seconds_t length
    nodes_t size
    bint marked         # it is to be tried
    bint touched        # marked: there was room right before its start
    seconds_t since     # marked: a whole window may have come free that begins in [since, until)
    seconds_t until
    job_t next          # neighbours in its class
    job_t previous


cdef struct Class:
    # Jobs of about the same size and length; what is said of them is true of each, and may be loose.
    job_t head              # one of them, NONE where there is none
    seconds_t shortest      # none is shorter
    seconds_t longest       # none is longer
    seconds_t latest        # none begins later
    # No whole window of (size, length) or more begins in [searched, searched_until); `searched` FOREVER: nothing is known.
    nodes_t size
    seconds_t length
    seconds_t searched
    seconds_t searched_until


cdef class Movers:
    cdef nodes_t nodes
    cdef int sizes              # size classes: four an octave of nodes
    cdef Class *classes         # Class[sizes * LENGTHS]
    cdef uint64_t *lengths      # uint64[sizes]: the length classes that have jobs, one bit each
    cdef bint kept              # all below is true; while it is not, nothing needs to be reported
    cdef Entry *order           # Entry[room]: first .. last - 1, by start, then by row
    cdef Py_ssize_t first
    cdef Py_ssize_t last
    cdef Py_ssize_t room
    cdef Holder *holders        # Holder[jobs], by row: true for the jobs in `order`
    cdef uint64_t *bits         # the positions to be tried in this pass, one bit each: none outside a pass
    cdef Py_ssize_t words
    cdef job_t *later           # job_t[later_room]: the jobs to be tried in the next pass
    cdef Py_ssize_t later_count
    cdef Py_ssize_t later_room
    cdef seconds_t full         # in `full_version` of the profile fewer than `full_size` are free right before it
    cdef nodes_t full_size
    cdef int64_t full_version
    cdef Py_ssize_t at          # the position that is being tried; BEHIND outside a pass

    cdef int gather(self, Queue queue, Profile profile, seconds_t now, Py_ssize_t jobs, nodes_t nodes) except -1 nogil
    cdef void drop(self) noexcept nogil
    cdef int reserved(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil
    cdef void moved(self, job_t job, seconds_t to) noexcept nogil
    cdef Py_ssize_t rank(self, Queue queue, seconds_t now) noexcept nogil
    cdef job_t head_of(self, Queue queue) noexcept nogil
    cdef void started(self) noexcept nogil
    cdef int freed(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) except -1 nogil
    cdef int begin(self, Queue queue) except -1 nogil
    cdef Py_ssize_t following(self) noexcept nogil
    cdef seconds_t earliest(self, Profile profile, job_t job) noexcept nogil
    cdef int _mark(self, Queue queue, job_t job, bint touched, seconds_t since, seconds_t until) except -1 nogil
    cdef int _touched(self, Queue queue, Profile profile, seconds_t start, seconds_t end) except -1 nogil
    cdef int _opened(self, Queue queue, Profile profile, seconds_t start, seconds_t end, nodes_t size) except -1 nogil
    cdef int _run(self, Queue queue, Profile profile, seconds_t begin, seconds_t finish, nodes_t least, nodes_t most,
                  seconds_t start, seconds_t end) except -1 nogil
    cdef int _class(self, Queue queue, Profile profile, Class *those, seconds_t begin, seconds_t finish, nodes_t least,
                    nodes_t most, seconds_t start, seconds_t end) except -1 nogil
    cdef Py_ssize_t _place(self, seconds_t start, job_t job) noexcept nogil
    cdef int _enlist(self, job_t job, nodes_t size, seconds_t length, seconds_t start) except -1 nogil
