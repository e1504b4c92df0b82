"""The limits of the T3D scheduler, and the sums that they are compared with (docs/schedulers.md, sections 11.4 and 11.7)."""

cimport cython
from libc.string cimport memset

from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport NONE
from shadowtime.kernels.policies.torus.placed cimport NO_CLAIM

from shadowtime.kernels.core.decisions import reason

cdef int OVER_JOB_LIMIT = reason("over_job_limit", "needs", "free", "limit")
cdef int OVER_SYSTEM_LIMIT = reason("over_system_limit", "needs", "free", "in_use", "limit")
cdef int OVER_CLASS_LIMIT = reason("over_class_limit", "needs", "free", "in_use", "limit", "service")
cdef int OVER_LARGE_LIMIT = reason("over_large_limit", "needs", "free", "in_use", "limit", "large")


@cython.final
cdef class Limits:
    def __cinit__(self, parameters, Classes classes):
        self.job_limit = parameters["job_limit"]
        self.system_limit = parameters["system_limit"]
        self.storage = parameters["storage"]
        self.classes = classes

    cdef void count_all(self, World world, Place *places) noexcept nogil:
        """Begin anew with the jobs as they stand."""
        cdef int32_t slot
        cdef Active *active
        cdef Place *place
        self.system = self.large = self.stored = 0
        memset(self.service, 0, sizeof(self.service))
        memset(self.wires, 0, sizeof(self.wires))
        for slot in range(world.running.used):
            active = &world.running.slots[slot]
            place = &places[slot]
            if active.job == NONE:
                continue
            if place.wire != NONE:
                self.wires[place.wire] += 1
            if place.stored and active.state != c'R':
                self.stored += active.size
            if place.loaded:
                self.system += active.size
            if place.block:
                self.count(place, active.size, 1)

    cdef void count(self, Place *place, nodes_t size, int sign) noexcept nogil:
        """A job gets a block (1) or loses it (-1)."""
        if not place.loaded:
            self.system += sign * size
        self.service[place.service] += sign * size
        if size >= self.classes.large:
            self.large += sign * size

    cdef void give_wire(self, Place *place, int wires) noexcept nogil:
        """A job without a wire gets, of some (a bit each), the one with the fewest jobs, of these the lowest."""
        cdef int32_t wire, best = NONE
        if place.wire != NONE:
            return
        for wire in range(WIRES):
            if wires >> wire & 1 and (best == NONE or self.wires[wire] < self.wires[best]):
                best = wire
        place.wire = best
        self.wires[best] += 1

    cdef void take_wire(self, Place *place) noexcept nogil:
        """A job gives its wire back."""
        self.wires[place.wire] -= 1
        place.wire = NONE

    cdef int binding(self, Place *place, nodes_t size, bint all_four, bint night, Place *loser, nodes_t lost,
                     int64_t *numbers) noexcept nogil:
        """The limit that keeps a waiting job from a block, NONE where none does; otherwise only the first two count.

        It is as if `loser` (NULL for none), of the size `lost`, had no block. `numbers` gets, from the third on, what
        others have already, the limit, and what the limit is about.
        """
        cdef nodes_t own = size if place.claim != NO_CLAIM else 0
        cdef nodes_t others
        if size > self.job_limit:
            numbers[2] = self.job_limit
            return OVER_JOB_LIMIT
        others = self.system - own - (lost if loser != NULL and not loser.loaded else 0)
        if not place.loaded and others + size > self.system_limit:
            numbers[2] = others
            numbers[3] = self.system_limit
            return OVER_SYSTEM_LIMIT
        if not all_four:
            return NONE
        others = self.service[place.service] - own
        if loser != NULL and loser.service == place.service:
            others -= lost
        if others + size > self.classes.limit[place.service]:
            numbers[2] = others
            numbers[3] = self.classes.limit[place.service]
            numbers[4] = place.service
            return OVER_CLASS_LIMIT
        others = self.large - own - (lost if loser != NULL and lost >= self.classes.large else 0)
        if size >= self.classes.large and others + size > self.classes.large_limit[night]:
            numbers[2] = others
            numbers[3] = self.classes.large_limit[night]
            numbers[4] = self.classes.large
            return OVER_LARGE_LIMIT
        return NONE
