"""A pass of the T3D scheduler, and the instants at which there is one (docs/schedulers.md, section 11.6).

Assignments of pass 2 lapse first, and the reservation goes where it has lost its ground. Pass 1 serves those that
have waited for their class's maximum: a free block, else the reservation of the block of least cost, one at a time; a job
of higher priority takes it from one of lower. Pass 2 serves the rest: a free block, else one that can be cleared of
jobs of lower priority at once. A timer brings a pass when a job has waited for its maximum, when a do-not-disturb
time is over, and when another table, or other limits of NQS, come into force.
"""

from libc.stdlib cimport free, qsort

from shadowtime.kernels.core.clock cimport ACTION, BOUNDARY, LOADED, PASS, UNDISTURBED, WAITED
from shadowtime.kernels.core.decisions cimport PLACE, PREEMPT, REFUSE, RELEASE, RESERVE, RESUME, START
from shadowtime.kernels.core.memory cimport grown
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, nodes_t, uint8_t
from shadowtime.kernels.policies.torus.blocks cimport CLAIMED_EARLY, CLAIMED_LATE
from shadowtime.kernels.policies.torus.classes cimport HIGHEST_PRIORITY
from shadowtime.kernels.policies.torus.placed cimport FOR_THIS_PASS, NO_CLAIM, RESERVATION, Place
from shadowtime.kernels.policies.torus.torus cimport CELLS, base_of, level_for

from shadowtime.kernels.core.decisions import reason

cdef int LOADED_BEST = reason("loaded_best", "needs", "free", "base", "enclosing", "wire", "waited")
cdef int LOADED_RESERVED = reason("loaded_reserved", "needs", "free", "base", "wire", "waited")
cdef int LEAST_COST = reason("least_cost", "needs", "base", "level", "sizes", "longest", "waited")
cdef int SAVED_FOR = reason("saved_for", "size", "head", "head_level", "level", "base", "until")
cdef int CLAIM_LOST = reason("claim_lost", "needs", "base", "by")
cdef int CLAIM_NOT_DUE = reason("claim_not_due", "needs", "base", "waited", "max_wait")
cdef int CLAIM_BLOCKED = reason("claim_blocked", "needs", "base", "blocker", "level", "blocker_level")
cdef int CLAIM_LAPSED = reason("claim_lapsed", "needs", "base")
cdef int STORAGE_FULL = reason("storage_full", "size", "stored", "storage")


cdef int by_turn(const void *left, const void *right) noexcept nogil:
    cdef const Turn *a = <const Turn *> left
    cdef const Turn *b = <const Turn *> right
    if a.priority != b.priority:
        return -1 if a.priority > b.priority else 1
    if a.reserved != b.reserved:
        return -1 if a.reserved else 1
    if a.waiting_since != b.waiting_since:
        return -1 if a.waiting_since < b.waiting_since else 1
    return -1 if a.job < b.job else 1


cdef class Passing(Priced):
    def __dealloc__(self):
        free(self.turns)

    cdef int schedule(self, World world) except -1 nogil:
        cdef bint moved = self.is_moved(world) or self._switches(world)
        # Who only came to a queue of NQS is no event of the machine's.
        if self.take_in(world) or moved:
            self.look_around(world)
            self._lapse(world)
            self._review_reservation(world)
            self._first_pass(world)
            self._second_pass(world)
            self._settle(world)
        if world.decisions.count or world.at.changed or world.at.seen < world.at.arrivals:
            self.state.stirred = world.at.now
        self.arm(world, PASS, NONE)
        return 0

    cdef void look_around(self, World world) noexcept nogil:
        """Fill everything that a pass looks things up in."""
        self.night = self.classes.is_night(world.at.now)
        self.lay(world)
        self.limits.count_all(world, self.places)

    cdef bint is_waiting(self, World world, int32_t slot) noexcept nogil:
        """Whether a job stands before the machine and waits: N, O or W."""
        cdef uint8_t state = world.running.slots[slot].state
        return world.running.slots[slot].job != NONE and (state == c'N' or state == c'O' or state == c'W')

    cdef bint is_late(self, World world, int32_t slot) noexcept nogil:
        """Whether a waiting job has waited for the maximum of its class."""
        return (world.at.now - self.places[slot].waiting_since
                >= self.classes.max_wait[self.places[slot].service])

    cdef int binding(self, World world, int32_t slot, bint late, int32_t loser, int64_t *numbers) noexcept nogil:
        """The limit that keeps a job from a block if another one, `loser`, had none; NONE where none does."""
        return self.limits.binding(
            &self.places[slot], world.running.slots[slot].size, self.strict or not late, self.night,
            &self.places[loser] if loser != NONE else NULL,
            world.running.slots[loser].size if loser != NONE else 0, numbers)

    cdef void assign(self, World world, int32_t slot, int32_t block, int claim) noexcept nogil:
        """A waiting job without a block has a claim on one, and a wire."""
        cdef Place *place = &self.places[slot]
        place.block = block
        self.limits.give_wire(place, self.wires_for(world, slot, block))
        self.limits.count(place, world.running.slots[slot].size, 1)
        place.claim = <uint8_t> claim
        self.floor.bar(block)
        if claim == RESERVATION:
            self.state.reserved = slot

    cdef void unassign(self, World world, int32_t slot) noexcept nogil:
        """A waiting job loses its claim; one that was never loaded gives back its wire."""
        cdef Place *place = &self.places[slot]
        self.floor.unbar(place.block)
        self.limits.count(place, world.running.slots[slot].size, -1)
        place.block = 0
        place.claim = NO_CLAIM
        if not place.loaded:
            self.limits.take_wire(place)
        if self.state.reserved == slot:
            self.state.reserved = NONE

    cdef int send_in(self, World world, int32_t slot, int32_t block) except -1 nogil:
        """A waiting job gets an idle block; if it had a reservation, that is gone."""
        cdef Place *place = &self.places[slot]
        cdef Active *active = &world.running.slots[slot]
        cdef int kind = RESUME if place.loaded else START
        cdef nodes_t room = self.floor.enclosing(block, False)
        cdef bint reserved = place.claim == RESERVATION and place.block == block
        if place.claim == NO_CLAIM:
            self.assign(world, slot, block, FOR_THIS_PASS)
        elif self.apart and not place.loaded:
            self.limits.take_wire(place)
            self.limits.give_wire(place, self.wires_for(world, slot, block))
        self.floor.unbar(place.block)
        if self.state.reserved == slot:
            self.state.reserved = NONE
        if reserved:
            world.decisions.add(kind, active.job, LOADED_RESERVED, active.size, world.at.free, base_of(block),
                                place.wire, world.at.now - place.waiting_since)
        else:
            world.decisions.add(kind, active.job, LOADED_BEST, active.size, world.at.free, base_of(block), room,
                                place.wire, world.at.now - place.waiting_since)
        return self.load_into(world, slot, block)

    cdef void _lapse(self, World world) noexcept nogil:
        """Assignments of the last pass 2 are over."""
        cdef int32_t slot
        for slot in range(world.running.used):
            if self.is_waiting(world, slot) and self.places[slot].claim == FOR_THIS_PASS:
                self.places[slot].was = self.places[slot].block
                self.unassign(world, slot)

    cdef int _review_reservation(self, World world) except -1 nogil:
        """The reservation is dropped if its job is not late (any more), or an occupant may not be preempted for it."""
        cdef int32_t slot = self.state.reserved, blocker
        cdef Place *place
        cdef Active *active
        if slot == NONE:
            return 0
        place = &self.places[slot]
        active = &world.running.slots[slot]
        blocker = self.objector(world, slot, place.block, True)
        if self.floor.out[place.block]:
            world.decisions.add(RELEASE, active.job, CLAIM_LAPSED, active.size, base_of(place.block))
            self.unassign(world, slot)
            return 0
        if not self.is_late(world, slot):
            world.decisions.add(RELEASE, active.job, CLAIM_NOT_DUE, active.size, base_of(place.block),
                                world.at.now - place.waiting_since, self.classes.max_wait[place.service])
            self.unassign(world, slot)
        elif blocker != NONE:
            world.decisions.add(RELEASE, active.job, CLAIM_BLOCKED, active.size, base_of(place.block),
                                world.running.slots[blocker].job, self.priority_of(slot), self.priority_of(blocker))
            self.unassign(world, slot)
        return 0

    cdef int _list_turns(self, World world, bint late) except -1 nogil:
        """List the waiting jobs in their order: the late ones, or all without the reservation.

        Those that a limit keeps from a block all through the pass are left out: in pass 2 others only get more, in
        pass 1 no more than the present reservation is lost.
        """
        cdef int64_t numbers[6]
        cdef int32_t slot, reserved = self.state.reserved
        cdef Turn *turn
        self.turns = <Turn *> grown(self.turns, &self.room, world.running.used, sizeof(Turn))
        self.count = 0
        for slot in range(world.running.used):
            if not self.is_waiting(world, slot):
                continue
            if not self.is_late(world, slot) if late else slot == reserved:
                continue
            if slot != reserved and self.binding(world, slot, late, reserved if late else NONE, numbers) != NONE:
                continue
            turn = &self.turns[self.count]
            turn.job = world.running.slots[slot].job
            turn.waiting_since = self.places[slot].waiting_since
            turn.priority = self.priority_of(slot)
            turn.reserved = slot == reserved
            turn.slot = slot
            self.count += 1
        if self.count > 1:
            qsort(self.turns, self.count, sizeof(Turn), by_turn)
        return 0

    cdef int _first_pass(self, World world) except -1 nogil:
        """Serve those that have waited for the maximum of their class."""
        cdef Py_ssize_t i
        cdef int32_t slot
        self._list_turns(world, True)
        for i in range(self.count):
            slot = self.turns[i].slot
            if slot == self.state.reserved:
                self._serve_reserved(world, slot)
            elif self.state.reserved == NONE or self.priority_of(self.state.reserved) < self.priority_of(slot):
                self._serve_late(world, slot)
        return 0

    cdef int _serve_reserved(self, World world, int32_t slot) except -1 nogil:
        """The job with the reservation gets its block or another one, or its block is cleared as far as may be."""
        cdef int64_t numbers[6]
        cdef int32_t block = self.places[slot].block
        if self.binding(world, slot, True, NONE, numbers) != NONE:
            return 0
        if not self.floor.is_open(block, True) or not self.considers(world, slot, block):
            block = self.best_fit(world, slot, False)
        if block:
            return self.send_in(world, slot, block)
        return self._save_occupants(world, slot, self.places[slot].block)

    cdef int _serve_late(self, World world, int32_t slot) except -1 nogil:
        """A late job gets a free block, or an idle one whose reservation is lost, or the reservation."""
        cdef int64_t numbers[6]
        cdef int32_t block = 0
        cdef Cost cost
        if self.binding(world, slot, True, NONE, numbers) == NONE:
            block = self.best_fit(world, slot, False)
            if block:
                return self.send_in(world, slot, block)
        if self.binding(world, slot, True, self.state.reserved, numbers) != NONE:
            return 0
        if self.state.reserved != NONE:
            block = self.best_fit(world, slot, True)
        if block:
            self._take_over(world, slot)
            return self.send_in(world, slot, block)
        cost = self.cheapest(world, slot, CLAIMED_LATE)
        if cost.block == 0:
            return 0
        self._take_over(world, slot)
        self.assign(world, slot, cost.block, RESERVATION)
        self._explain_claim(world, RESERVE, slot, &cost)
        return self._save_occupants(world, slot, cost.block)

    cdef int _take_over(self, World world, int32_t slot) except -1 nogil:
        """The reservation that stands, if there is one, is lost to another job."""
        cdef int32_t loser = self.state.reserved
        if loser == NONE:
            return 0
        world.decisions.add(RELEASE, world.running.slots[loser].job, CLAIM_LOST, world.running.slots[loser].size,
                            base_of(self.places[loser].block), world.running.slots[slot].job)
        self.unassign(world, loser)
        return 0

    cdef int _second_pass(self, World world) except -1 nogil:
        """Serve all but the job with the reservation."""
        cdef Py_ssize_t i
        cdef int level
        self._list_turns(world, False)
        for level in range(LEVELS):
            self.full[level] = False
            self.hopeless[level] = -HIGHEST_PRIORITY - 1
        for i in range(self.count):
            self._serve_early(world, self.turns[i].slot)
        return 0

    cdef int _serve_early(self, World world, int32_t slot) except -1 nogil:
        """A job gets a free block, or one that can be cleared at once is assigned to it for this pass.

        Whoever finds none of all blocks spares those after it the search: free blocks only become fewer, and until
        somebody is saved a job of no higher priority may claim no more.
        """
        cdef int64_t numbers[6]
        cdef int level = level_for(world.running.slots[slot].size)
        cdef int32_t block = 0
        cdef bint choosy = self.is_choosy(slot)
        cdef Cost cost
        if self.full[level] and not choosy and self.priority_of(slot) <= self.hopeless[level]:
            return 0
        if self.binding(world, slot, False, NONE, numbers) != NONE:
            return 0
        if not self.full[level]:
            block = self.best_fit(world, slot, False)
        if block:
            return self.send_in(world, slot, block)
        self.full[level] = self.full[level] or not choosy
        cost = self.cheapest(world, slot, CLAIMED_EARLY)
        if cost.block == 0 and choosy:
            return 0
        if cost.block == 0:
            self.hopeless[level] = max(self.hopeless[level], self.priority_of(slot))
            return 0
        self.assign(world, slot, cost.block, FOR_THIS_PASS)
        if self.places[slot].was != cost.block:
            self._explain_claim(world, PLACE, slot, &cost)
        if cost.sizes:
            for level in range(LEVELS):
                self.hopeless[level] = -HIGHEST_PRIORITY - 1
        return self._save_occupants(world, slot, cost.block)

    cdef int _explain_claim(self, World world, int kind, int32_t slot, const Cost *cost) except -1 nogil:
        return world.decisions.add(kind, world.running.slots[slot].job, LEAST_COST, world.running.slots[slot].size,
                                   base_of(cost.block), cost.priority, cost.sizes, cost.longest,
                                   world.at.now - self.places[slot].waiting_since)

    cdef int _save_occupants(self, World world, int32_t slot, int32_t block) except -1 nogil:
        """Save whoever runs in a block past its do-not-disturb time, in order of arrival."""
        cdef int32_t found[CELLS]
        cdef int32_t other, first
        cdef int i, k, count = self.floor.occupants(block, found)
        for i in range(count):
            first = i
            for k in range(i + 1, count):
                if world.running.slots[found[k]].job < world.running.slots[found[first]].job:
                    first = k
            other = found[first]
            found[first] = found[i]
            if world.running.slots[other].state == c'R' and world.at.now >= self.undisturbed_until(world, other):
                self._save(world, other, slot)
        return 0

    cdef int _save(self, World world, int32_t slot, int32_t head) except -1 nogil:
        """A job is preempted for another one; if the storage cannot take it, it never is."""
        cdef Active *active = &world.running.slots[slot]
        if self.limits.stored + active.size > self.limits.storage:
            self.places[slot].spared = True
            return world.decisions.add(REFUSE, active.job, STORAGE_FULL, active.size, self.limits.stored,
                                       self.limits.storage)
        self.begin_save(world, slot)
        world.count_preemption(slot)
        return world.decisions.add(PREEMPT, active.job, SAVED_FOR, active.size, world.running.slots[head].job,
                                   self.priority_of(head), self.priority_of(slot), base_of(self.places[slot].block),
                                   self.places[slot].until)

    cdef int begin_save(self, World world, int32_t slot) except -1 nogil:
        """The state of a running job begins to move to the storage."""
        world.stop(slot, c'o')
        self.places[slot].stored = True
        self.limits.stored += world.running.slots[slot].size
        return self.transfer(world, slot, c'o')

    cdef int _settle(self, World world) except -1 nogil:
        """The letters of waiting jobs after the pass; a job whose state does not change is in it for as long as before."""
        cdef int32_t slot
        cdef Place *place
        cdef Active *active
        cdef uint8_t letter
        for slot in range(world.running.used):
            if not self.is_waiting(world, slot):
                continue
            place = &self.places[slot]
            active = &world.running.slots[slot]
            letter = c'W' if place.claim != NO_CLAIM else c'O' if place.loaded else c'N'
            if letter != active.state:
                active.state = letter
                active.since = world.at.now
            if place.was and place.claim == NO_CLAIM:
                world.decisions.add(RELEASE, active.job, CLAIM_LAPSED, active.size, base_of(place.was))
            place.was = 0
        return 0

    cdef int swapped_out(self, World world, int32_t slot) except -1 nogil:
        """A job that was saved waits again, or is suspended if the operator wanted it so."""
        cdef Place *place = &self.places[slot]
        place.stood = place.block
        place.block = 0
        if place.leaving:
            place.leaving = False
            world.running.slots[slot].state = c'S'
            return 0
        place.waiting_since = world.at.now
        return world.rejoin(slot, self.rank_of(world, world.running.slots[slot].job))

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        self.nqs.forget(job)
        if world.at.due_job == job:
            self.arm(world, LOADED, NONE)
        return 0

    cdef bint timer_rang(self, World world, int kind, job_t job) except -1 nogil:
        if kind != BOUNDARY:
            self.state.stirred = world.at.now
            self.arm(world, kind, job)
            return True
        self.arm(world, BOUNDARY, NONE)
        return self._switches(world) or self.nqs.may_release(world)

    cdef int disturbed(self, World world) except -1 nogil:
        Priced.disturbed(self, world)
        self.arm(world, ACTION, NONE)
        return 0

    cdef bint _switches(self, World world) noexcept nogil:
        """Whether another table comes into force at this instant."""
        return self.classes.is_night(world.at.now) != self.classes.is_night(world.at.now - 1)

    cdef void arm(self, World world, int kind, job_t after) noexcept nogil:
        """Set the timer to what comes next after what is now: an event of that kind, of that job."""
        cdef seconds_t time, boundary = min(self.classes.next_switch(world.at.now), self.next_boundary(world))
        cdef int32_t slot
        cdef int which
        cdef job_t job
        world.at.due = FOREVER
        world.at.due_kind = UNDISTURBED
        world.at.due_job = NONE
        for slot in range(world.running.used):
            if self.is_waiting(world, slot):
                which = WAITED
                time = self.places[slot].waiting_since + self.classes.max_wait[self.places[slot].service]
            elif world.running.slots[slot].job != NONE and world.running.slots[slot].state == c'R':
                which = UNDISTURBED
                time = self.undisturbed_until(world, slot)
            else:
                continue
            job = world.running.slots[slot].job
            if time < world.at.now or (time == world.at.now and (which < kind or (which == kind and job <= after))):
                continue
            if time < world.at.due or (time == world.at.due and (
                    which < world.at.due_kind or (which == world.at.due_kind and job < world.at.due_job))):
                world.at.due = time
                world.at.due_kind = which
                world.at.due_job = job
        if boundary <= world.at.due and self.may_stir(world, world.at.due < FOREVER):
            world.at.due = boundary
            world.at.due_kind = BOUNDARY
            world.at.due_job = NONE
