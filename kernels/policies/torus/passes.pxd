"""A pass of the T3D scheduler, and the instants at which there is one."""

from shadowtime.kernels.core.types cimport int32_t, int64_t, job_t, seconds_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.policies.torus.blocks cimport Cost, Priced
from shadowtime.kernels.policies.torus.limits cimport Limits
from shadowtime.kernels.policies.torus.torus cimport LEVELS


cdef struct Turn:
    # A waiting job's turn in a pass: by priority, the reserved job, the time waited, the order of arrival.
    seconds_t waiting_since
    int32_t priority
    job_t job
    int32_t slot
    int32_t reserved


cdef class Passing(Priced):
    cdef Limits limits
    cdef bint strict            # pass 1 tests the limits of classes and of large jobs too
    cdef Turn *turns            # Turn[count]: scratch, as all below
    cdef Py_ssize_t count
    cdef Py_ssize_t room
    cdef bint full[LEVELS]      # in pass 2: no block of that level is free any more
    cdef int hopeless[LEVELS]   # in pass 2: up to this priority nobody may claim a block of that level

    cdef void look_around(self, World world) noexcept nogil
    cdef bint is_waiting(self, World world, int32_t slot) noexcept nogil
    cdef bint is_late(self, World world, int32_t slot) noexcept nogil
    cdef void assign(self, World world, int32_t slot, int32_t block, int claim) noexcept nogil
    cdef void unassign(self, World world, int32_t slot) noexcept nogil
    cdef int send_in(self, World world, int32_t slot, int32_t block) except -1 nogil
    cdef bint _switches(self, World world) noexcept nogil
    cdef void _lapse(self, World world) noexcept nogil
    cdef int _review_reservation(self, World world) except -1 nogil
    cdef int _list_turns(self, World world, bint late) except -1 nogil
    cdef int _first_pass(self, World world) except -1 nogil
    cdef int _serve_reserved(self, World world, int32_t slot) except -1 nogil
    cdef int _serve_late(self, World world, int32_t slot) except -1 nogil
    cdef int _take_over(self, World world, int32_t slot) except -1 nogil
    cdef int _second_pass(self, World world) except -1 nogil
    cdef int _serve_early(self, World world, int32_t slot) except -1 nogil
    cdef int _explain_claim(self, World world, int kind, int32_t slot, const Cost *cost) except -1 nogil
    cdef int _save_occupants(self, World world, int32_t slot, int32_t block) except -1 nogil
    cdef int _save(self, World world, int32_t slot, int32_t head) except -1 nogil
    cdef int begin_save(self, World world, int32_t slot) except -1 nogil
    cdef int _settle(self, World world) except -1 nogil
    cdef void arm(self, World world, int kind, job_t job) noexcept nogil
    cdef int binding(self, World world, int32_t slot, bint late, int32_t loser, int64_t *numbers) noexcept nogil
