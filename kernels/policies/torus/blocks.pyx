"""Which block a job of the T3D gets, and what clearing it costs (docs/schedulers.md, section 11.5).

A block that no job holds and nobody has a claim on is free; the best fit is taken. Where there is none, the block of
least cost may be claimed: in pass 1 (`late`: the job has waited for its class's maximum) if the occupants that run or are
loaded are preemptable and of no higher priority, in pass 2 if all of them are being saved, or run past their
do-not-disturb time, preemptable and of lower priority.
"""

from shadowtime.kernels.core.types cimport NONE
from shadowtime.kernels.policies.torus.placed cimport Place
from shadowtime.kernels.policies.torus.torus cimport BLOCKS, WIRES, is_adjacent, level_for, ranked


cdef class Priced(Placed):
    cdef int priority_of(self, int32_t slot) noexcept nogil:
        return self.classes.priority[self.night][self.places[slot].service]

    cdef bint is_preemptable(self, int32_t slot) noexcept nogil:
        return not self.is_guarded(slot) and not self.places[slot].spared and not self.places[slot].locked

    cdef seconds_t undisturbed_until(self, World world, int32_t slot) noexcept nogil:
        """When the do-not-disturb time of a running job is over, or was."""
        return (world.running.slots[slot].run_start
                + self.classes.undisturbed[self.places[slot].service] * world.running.slots[slot].size)

    cdef seconds_t gone_in(self, World world, int32_t slot) noexcept nogil:
        """Seconds until a job that holds a block can have left it."""
        cdef uint8_t state = world.running.slots[slot].state
        cdef seconds_t saving = self.length_of(world, slot, c'o')
        if state == c'R':
            return max(self.undisturbed_until(world, slot) - world.at.now, 0) + saving
        if state == c'o':
            return self.places[slot].until - world.at.now
        return (self.places[slot].until - world.at.now + saving
                + self.classes.undisturbed[self.places[slot].service] * world.running.slots[slot].size)

    cdef bint is_choosy(self, int32_t slot) noexcept nogil:
        """Whether not all blocks of its size are considered for a waiting job."""
        cdef Place *place = &self.places[slot]
        return self.apart or place.only or (place.locked and place.stored)

    cdef int wires_for(self, World world, int32_t slot, int32_t block) noexcept nogil:
        """The wires that a waiting job can have in a block, a bit each."""
        cdef Place *place = &self.places[slot]
        cdef int wires = (1 << WIRES) - 1
        cdef int32_t other
        if place.loaded:
            wires = 1 << place.wire
        elif place.asked_wire != NONE:
            wires = 1 << place.asked_wire
        for other in range(world.running.used if self.apart else 0):
            if other != slot and self.holds(world, other) and is_adjacent(block, self.places[other].block):
                wires &= ~(1 << self.places[other].wire)
        return wires

    cdef bint asks_for(self, int32_t slot, int32_t block) noexcept nogil:
        """Whether a waiting job can be loaded into a block as far as it is its own affair."""
        cdef Place *place = &self.places[slot]
        if place.locked and place.stored:
            return block == place.stood
        return place.only == 0 or block == place.only

    cdef bint considers(self, World world, int32_t slot, int32_t block) noexcept nogil:
        """Whether a block is considered for a waiting job (docs/schedulers.md, section 11.11)."""
        return self.asks_for(slot, block) and self.wires_for(world, slot, block) != 0

    cdef int32_t best_fit(self, World world, int32_t slot, bint barred_too) noexcept nogil:
        """The free block (or, with `barred_too`, idle one) that a waiting job gets, 0 where there is none."""
        cdef Place *place = &self.places[slot]
        cdef int level = level_for(world.running.slots[slot].size), rank
        cdef bint choosy = self.is_choosy(slot)
        cdef uint8_t left_out[BLOCKS]
        for rank in range(1 << level if choosy else 0):
            left_out[ranked(level, rank)] = not self.considers(world, slot, ranked(level, rank))
        if (self.same_block and place.stored and self.floor.is_open(place.stood, barred_too)
                and not (choosy and left_out[place.stood])):
            return place.stood
        return self.floor.best_fit(level, barred_too, self.is_guarded(slot), left_out if choosy else NULL)

    cdef Cost cost_of(self, World world, int32_t block) noexcept nogil:
        """What it costs to clear a block."""
        cdef Cost cost
        cdef seconds_t gone
        cdef int i
        cdef int32_t slot
        cost.block = block
        cost.priority = cost.sizes = 0
        cost.longest = 0
        cost.last = NONE
        for i in range(self.floor.occupants(block, self.standing)):
            slot = self.standing[i]
            gone = self.gone_in(world, slot)
            if cost.last == NONE or gone > cost.longest:
                cost.longest = gone
                cost.last = slot
            if world.running.slots[slot].state == c'o':
                continue
            cost.priority = self.priority_of(slot) if cost.sizes == 0 else max(cost.priority, self.priority_of(slot))
            cost.sizes += world.running.slots[slot].size
        return cost

    cdef int32_t objector(self, World world, int32_t slot, int32_t block, bint late) noexcept nogil:
        """The first occupant of a block for whose sake a waiting job may not claim it; NONE where nobody objects."""
        cdef int i, priority = self.priority_of(slot)
        cdef int32_t other
        cdef uint8_t state
        for i in range(self.floor.occupants(block, self.standing)):
            other = self.standing[i]
            state = world.running.slots[other].state
            if state == c'o':
                continue
            if not self.is_preemptable(other) or self.priority_of(other) > priority:
                return other
            if not late and (state == c'i' or self.priority_of(other) == priority
                             or world.at.now < self.undisturbed_until(world, other)):
                return other
        return NONE

    cdef Cost cheapest(self, World world, int32_t slot, int among) noexcept nogil:
        """The block of least cost of those that a waiting job may claim; block 0 where there is none."""
        cdef int level = level_for(world.running.slots[slot].size), rank
        cdef int32_t block
        cdef bint choosy = self.is_choosy(slot)
        cdef Cost cost, least
        least.block = least.priority = least.sizes = 0
        least.longest = 0
        least.last = NONE
        for rank in range(1 << level):
            block = ranked(level, rank)
            if self.floor.out[block] or (among != CLAIMED_LATE and self.floor.barred[block]):
                continue
            if choosy and not self.considers(world, slot, block):
                continue
            if among != WHOEVER_OBJECTS and self.objector(world, slot, block, among == CLAIMED_LATE) != NONE:
                continue
            cost = self.cost_of(world, block)
            if least.block == 0 or is_less(&cost, &least):
                least = cost
        return least


cdef bint is_less(const Cost *a, const Cost *b) noexcept nogil:
    """Whether one cost is below another; bases are compared by the order in which blocks are looked at."""
    if a.priority != b.priority:
        return a.priority < b.priority
    return a.sizes < b.sizes or (a.sizes == b.sizes and a.longest < b.longest)
