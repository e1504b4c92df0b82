"""What the schedulers of the torus share: jobs come, are loaded into blocks, and their memory takes time to move."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, nodes_t, seconds_t, uint8_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.policy cimport Policy
from shadowtime.kernels.policies.torus.nqs cimport Held, Nqs
from shadowtime.kernels.policies.torus.torus cimport Floor

cpdef enum Claim:
    # What a waiting job has of the block that is assigned to it.
    NO_CLAIM
    FOR_THIS_PASS
    RESERVATION


cdef struct Place:
    # What is kept of a job beside its slot.
    seconds_t waiting_since     # true while it waits: N, O and W
    seconds_t until             # end of its present transfer: i and o
    int64_t asked               # order in which transfers were asked for
    int32_t block               # assigned (W) or held (i, R, o); 0 for none
    int32_t wire                # its barrier wire, NONE before it has one
    int32_t was                 # in a pass: the block that it had for the last one; 0 between passes
    int32_t stood               # the block from which it was saved last; 0 before
    uint8_t service             # its class now
    uint8_t claim               # a Claim
    uint8_t loaded              # loading began, once
    uint8_t stored              # its state was saved and is not restored yet (still set when it runs again)
    uint8_t spared              # its save did not fit into the storage: it is never preempted again
    uint8_t leaving             # when it is saved it is suspended
    uint8_t locked              # it is never preempted, and restored where it was saved
    uint8_t padding
    int32_t only                # the one block that is considered for it, 0 for all
    int32_t asked_wire          # the wire that it asks for, NONE for any


cdef struct Request:
    # What a job asks for.
    job_t job
    int32_t wire                # NONE for any
    int32_t block               # 0 for any
    bint locked


cdef struct PlacedState:
    int64_t asked           # transfers that were asked for
    seconds_t stirred       # the last instant at which more than the clock on the wall moved
    int32_t used            # places ever used
    int32_t reserved        # the slot of the job with the reservation, NONE where there is none
    int64_t relocations     # saved jobs that were restored into another block


cdef class Placed(Policy):
    cdef PlacedState state
    cdef Place *places          # Place[capacity]: of each active slot
    cdef int32_t capacity
    cdef bint serial            # one transfer at a time
    cdef Floor floor            # scratch
    cdef Nqs nqs
    cdef Request *requests      # Request[asking], by job
    cdef Py_ssize_t asking
    cdef bint interactive_limits    # interactive jobs that are large or long are refused

    cdef int begin(self, World world) except -1 nogil
    cdef Py_ssize_t take_in(self, World world) except -1 nogil
    cdef bint _arrive(self, World world, job_t job) except -1 nogil
    cdef bint is_moved(self, World world) noexcept nogil
    cdef int _take_requests(self, World world) except -1
    cdef void _ask(self, job_t job, Place *place) noexcept nogil
    cdef int32_t seat(self, World world, Py_ssize_t at, int service) except -1 nogil
    cdef int _grow(self, int32_t capacity) except -1 nogil
    cdef bint holds(self, World world, int32_t slot) noexcept nogil
    cdef bint is_guarded(self, int32_t slot) noexcept nogil
    cdef void lay(self, World world) noexcept nogil
    cdef int load_into(self, World world, int32_t slot, int32_t block) except -1 nogil
    cdef int32_t _next_asked(self, World world, int64_t last) noexcept nogil
    cdef int kind_of(self, int32_t slot, int state) noexcept nogil
    cdef seconds_t length_of(self, World world, int32_t slot, int state) noexcept nogil
    cdef int transfer(self, World world, int32_t slot, int state) except -1 nogil
    cdef int wait_again(self, World world, int32_t slot) except -1 nogil
    cdef int close_gap(self, World world) except -1 nogil
    cdef Py_ssize_t rank_of(self, World world, job_t job) noexcept nogil
    cdef seconds_t next_boundary(self, World world) noexcept nogil
    cdef bint may_stir(self, World world, bint timed) noexcept nogil


cdef seconds_t load_time(nodes_t size) noexcept nogil
cdef seconds_t save_time(nodes_t size) noexcept nogil
