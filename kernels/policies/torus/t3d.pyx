"""The LLNL T3D gang scheduler (Feitelson & Jette 1997, section 4; docs/schedulers.md, section 11).

`passes.pyx` has the pass, `blocks.pyx` the choice of a block and the do-not-disturb times, `limits.pyx` the limits,
`placed.pyx` loading and saving. This file has what the operator may ask of the scheduler (suspend, resume, change the
class, cancel) and what the scheduler reports of itself.
"""

cimport cython

from shadowtime.kernels.core.clock cimport ACTION
from shadowtime.kernels.core.decisions cimport RELEASE, because, reason_data
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, job_t, uint8_t
from shadowtime.kernels.operator.verbs cimport CANCEL_JOB, CLASS_OF_JOB, RESUME_JOB, SUSPEND_JOB
from shadowtime.kernels.policies.policy cimport pass_pending
from shadowtime.kernels.policies.torus.blocks cimport WHOEVER_OBJECTS, Cost
from shadowtime.kernels.policies.torus.classes cimport SERVICES_COUNT, Classes
from shadowtime.kernels.policies.torus.limits cimport Limits
from shadowtime.kernels.policies.torus.nqs cimport Held
from shadowtime.kernels.policies.torus.placed cimport NO_CLAIM, RESERVATION, Place
from shadowtime.kernels.policies.torus.torus cimport WIRES, base_of, is_adjacent, learn_neighbours, level_for, ranked

from shadowtime.kernels.core.decisions import reason
from shadowtime.kernels.core.jobs import SERVICES

cdef int CLAIM_LAPSED = reason("claim_lapsed", "needs", "base")
cdef int STORAGE_FULL = reason("storage_full", "size", "stored", "storage")
cdef int BLOCK_RESERVED = reason("block_reserved", "needs", "free", "base", "at", "blocker", "waited")
cdef int BLOCK_CLEARING = reason("block_clearing", "needs", "free", "base", "at", "blocker")
cdef int RESERVED_FOR = reason("reserved_for", "needs", "free", "base", "head", "level", "head_level")
cdef int STILL_UNDISTURBED = reason("still_undisturbed", "needs", "free", "base", "blocker", "at")
cdef int NOTHING_LOWER = reason("nothing_lower", "needs", "free", "base", "blocker", "level", "blocker_level")
cdef int BEING_LOADED = reason("being_loaded", "needs", "base", "at")
cdef int BEING_SAVED = reason("being_saved", "needs", "base", "at")
cdef int SUSPENDED = reason("suspended", "needs", "since")
cdef int NO_FREE_BLOCK = reason("no_free_block", "needs", "free")
cdef int WIRE_BESIDE = reason("wire_beside", "needs", "free", "base", "blocker", "wire")
cdef int NOT_OFFERED = reason("not_offered")
cdef int NOT_SUBMITTED = reason("not_submitted", "at")
cdef int IS_OVER = reason("is_over")
cdef int WRONG_STATE = reason("wrong_state", "state")
cdef int NO_SUCH_CLASS = reason("no_such_class", "service")

TRANSFERS = ("parallel", "serial")
RESTORES = ("best_fit", "same")
NEIGHBOURS = ("shared", "apart")
LARGEST = 1 << 30   # of a number of processors


@cython.final
cdef class T3D(Passing):
    def __cinit__(self, name, parameters):
        for which in ("storage", "job_limit", "system_limit", "large", "large_limit"):
            if not 0 <= parameters[which] <= LARGEST:
                raise ValueError(f"{which} is {parameters[which]}; expected 0 to {LARGEST} processors")
        self.alone = True
        self.interactive_limits = parameters["interactive_limits"]
        self.strict = parameters["strict_limits"]
        self.same_block = RESTORES.index(parameters["restore"]) == 1
        self.apart = NEIGHBOURS.index(parameters["wires"]) == 1
        if self.apart:
            learn_neighbours()
        self.serial = TRANSFERS.index(parameters["io"]) == 1
        self.classes = Classes(parameters)
        self.limits = Limits(parameters, self.classes)

    cdef int reset(self, World world) except -1 nogil:
        self.begin(world)
        self.classes.epoch = world.site.epoch
        return 0

    cdef object refusal(self, World world, int verb, job_t job, int64_t to):
        cdef int32_t slot
        cdef int state = world.state_of(job)
        if verb not in (CANCEL_JOB, CLASS_OF_JOB, RESUME_JOB, SUSPEND_JOB):
            return because(NOT_OFFERED)
        if state == 0:
            return because(NOT_SUBMITTED, world.jobs.submit[job])
        if state == c'F':
            return because(IS_OVER)
        if verb == CLASS_OF_JOB:
            return None if 0 <= to < SERVICES_COUNT else because(NO_SUCH_CLASS, to)
        if verb == CANCEL_JOB:
            return None
        slot = world.slot_of(job)
        if verb == RESUME_JOB:
            if state == c'S' or (state == c'o' and self.places[slot].leaving):
                return None
            return because(WRONG_STATE, state)
        if state == c'R':
            self.look_around(world)
            if world.running.slots[slot].size + self.limits.stored <= self.limits.storage:
                return None
            return because(STORAGE_FULL, world.running.slots[slot].size, self.limits.stored, self.limits.storage)
        if (state == c'O' or (state == c'W' and self.places[slot].loaded)
                or (state == c'o' and not self.places[slot].leaving)):
            return None
        return because(WRONG_STATE, state)

    cdef int operate(self, World world, int verb, job_t job, int64_t to) except -1:
        cdef int32_t slot
        cdef Held *held
        self._arrive(world, job)
        self.look_around(world)
        self.state.stirred = world.at.now
        slot = world.slot_of(job)
        held = self.nqs.find(job)
        if verb == CANCEL_JOB:
            self._give_up_claim(world, slot)
            self.nqs.forget(job)
            world.cancel(job)
            self.close_gap(world)
        elif verb == SUSPEND_JOB:
            self._suspend(world, slot)
        elif verb == RESUME_JOB:
            self._resume(world, slot)
        elif held != NULL:
            held.service = <int32_t> to
        else:
            self.places[slot].service = <uint8_t> to
        self.arm(world, ACTION, NONE)
        return 0

    cdef int _give_up_claim(self, World world, int32_t slot) except -1:
        """A job that waits for a block does not any more."""
        if slot == NONE or self.places[slot].claim == NO_CLAIM:
            return 0
        world.decisions.add(RELEASE, world.running.slots[slot].job, CLAIM_LAPSED, world.running.slots[slot].size,
                            base_of(self.places[slot].block))
        self.unassign(world, slot)
        return 0

    cdef int _suspend(self, World world, int32_t slot) except -1:
        """Move the state of a job to the storage, however long it has run, and keep it there."""
        cdef Active *active = &world.running.slots[slot]
        if active.state == c'o':
            self.places[slot].leaving = True
        elif active.state == c'R':
            self.begin_save(world, slot)
            self.places[slot].leaving = True
        else:
            self._give_up_claim(world, slot)
            world.queue.remove(world.queue.find(active.job))
            world.queue.place[active.job] = -2 - slot
            active.state = c'S'
            active.since = world.at.now
        return 0

    cdef int _resume(self, World world, int32_t slot) except -1:
        """A suspended job, or one that would be, waits again."""
        if world.running.slots[slot].state == c'o':
            self.places[slot].leaving = False
            return 0
        self.places[slot].waiting_since = world.at.now
        return self.wait_again(world, slot)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef int64_t numbers[6]
        cdef int32_t slot = world.queue.slot[at]
        if world.at.pass_due:
            return pass_pending(world, at)
        if slot == NONE:
            return (self.nqs.explain(world, at) if self.nqs.find(world.queue.job[at]) != NULL else None) \
                or pass_pending(world, at)
        self.look_around(world)
        numbers[0] = world.queue.size[at]
        numbers[1] = world.at.free
        if self.places[slot].claim != NO_CLAIM:
            return self._claimed(world, slot, numbers)
        return self._without_block(world, slot, numbers)

    cdef object _claimed(self, World world, int32_t slot, int64_t *numbers):
        """A block is assigned: which, when everybody can have left it, and who will be the last."""
        cdef Place *place = &self.places[slot]
        cdef Cost cost = self.cost_of(world, place.block)
        cdef int32_t other
        cdef int code
        if place.claim == RESERVATION:
            code = self.binding(world, slot, True, NONE, numbers)
            if code != NONE:
                return reason_data(code, numbers)
            other = self.objector(world, slot, place.block, True)
            if other != NONE:
                # There was no room to save it: the reservation goes in the next pass.
                return self._objected(world, slot, place.block, other, numbers)
            if self.apart and self.floor.is_open(place.block, True) and self._is_beside(world, slot, place.block, numbers):
                return reason_data(WIRE_BESIDE, numbers)
        return because(BLOCK_RESERVED if place.claim == RESERVATION else BLOCK_CLEARING, numbers[0], numbers[1],
                       base_of(place.block), world.at.now + cost.longest,
                       world.running.slots[cost.last].job if cost.last != NONE else NONE, world.at.now - place.waiting_since)

    cdef object _without_block(self, World world, int32_t slot, int64_t *numbers):
        """What kept the job from a block in the pass in which its turn was: pass 1 for one that is late."""
        cdef int32_t head = self.state.reserved
        cdef bint late = self.is_late(world, slot)
        cdef int code
        if late and head != NONE and self.priority_of(head) >= self.priority_of(slot):
            return self._reserved_for(world, slot, head, numbers)
        code = self.binding(world, slot, late, head if late else NONE, numbers)
        return reason_data(code, numbers) if code != NONE else self._obstacle(world, slot, numbers)

    cdef object _reserved_for(self, World world, int32_t slot, int32_t head, int64_t *numbers):
        """Another job has a claim that this one respects."""
        return because(RESERVED_FOR, numbers[0], numbers[1], base_of(self.places[head].block), world.running.slots[head].job,
                       self.priority_of(slot), self.priority_of(head))

    cdef object _obstacle(self, World world, int32_t slot, int64_t *numbers):
        """No block is free, and none may be claimed: for how long yet, or who in the cheapest one objects."""
        cdef seconds_t at
        cdef int32_t last, other, block = self._soonest(world, slot, &at, &last)
        cdef bint late = self.is_late(world, slot)
        if self.apart and self._lacks_wire(world, slot, numbers):
            return reason_data(WIRE_BESIDE, numbers)
        if block and not late:
            return because(STILL_UNDISTURBED, numbers[0], numbers[1], base_of(block), world.running.slots[last].job, at)
        other = self._claimant(world, slot)
        if other != NONE and not late and self.best_fit(world, slot, True):
            # What is idle is claimed, or it would be free.
            return self._reserved_for(world, slot, other, numbers)
        block = self.cheapest(world, slot, WHOEVER_OBJECTS).block
        other = self.objector(world, slot, block, late) if block else NONE
        if other != NONE:
            return self._objected(world, slot, block, other, numbers)
        other = self._claimant(world, slot)
        if other != NONE:
            return self._reserved_for(world, slot, other, numbers)
        return reason_data(NO_FREE_BLOCK, numbers)

    cdef bint _is_beside(self, World world, int32_t slot, int32_t block, int64_t *numbers):
        """Whether a job has no wire for a block that it asks for, since others have them beside it; one of these."""
        cdef int32_t other
        if not self.asks_for(slot, block) or self.wires_for(world, slot, block):
            return False
        for other in range(world.running.used):
            if (other != slot and self.holds(world, other) and is_adjacent(block, self.places[other].block)
                    and self._can_have(slot, self.places[other].wire)):
                numbers[2] = base_of(block)
                numbers[3] = world.running.slots[other].job
                numbers[4] = self.places[other].wire
                return True
        return False

    cdef bint _lacks_wire(self, World world, int32_t slot, int64_t *numbers):
        """Whether a block is free that is not considered for a job only for the wires of those beside it."""
        cdef int level = level_for(world.running.slots[slot].size), rank
        for rank in range(1 << level):
            if self.floor.is_open(ranked(level, rank), False) and self._is_beside(world, slot, ranked(level, rank), numbers):
                return True
        return False

    cdef bint _can_have(self, int32_t slot, int32_t wire) noexcept nogil:
        """Whether a waiting job could have a wire if nobody else had it."""
        cdef Place *place = &self.places[slot]
        if place.loaded:
            return wire == place.wire
        return place.asked_wire == NONE or wire == place.asked_wire

    cdef object _objected(self, World world, int32_t slot, int32_t block, int32_t other, int64_t *numbers):
        """Somebody in a block is not preempted for this job."""
        return because(NOTHING_LOWER, numbers[0], numbers[1], base_of(block), world.running.slots[other].job,
                       self.priority_of(slot), self.priority_of(other))

    cdef int32_t _claimant(self, World world, int32_t slot) noexcept nogil:
        """Another job that has a claim on a block; NONE where nobody has one."""
        cdef int32_t other
        for other in range(world.running.used):
            if other != slot and world.running.slots[other].job != NONE and self.places[other].claim != NO_CLAIM:
                return other
        return NONE

    cdef int32_t _soonest(self, World world, int32_t slot, seconds_t *at, int32_t *last) noexcept nogil:
        """The block, without a claim on it, in which only do-not-disturb times object, and those not for long.

        `at` gets the end of the last of them, `last` the slot of its job. 0 where there is no such block.
        """
        cdef int level = level_for(world.running.slots[slot].size), rank, i, count
        cdef int32_t block, best = 0, other, latest
        cdef seconds_t until, end
        for rank in range(1 << level):
            block = ranked(level, rank)
            if self.floor.barred[block] or self.floor.out[block] or not self.considers(world, slot, block):
                continue
            end = 0
            latest = NONE
            count = self.floor.occupants(block, self.standing)
            for i in range(count):
                other = self.standing[i]
                if world.running.slots[other].state == c'o':
                    continue
                if not self.is_preemptable(other) or self.priority_of(other) >= self.priority_of(slot):
                    end = FOREVER
                    break
                until = world.at.now + self.gone_in(world, other) - self.length_of(world, other, c'o')
                if latest == NONE or until > end:
                    end = until
                    latest = other
            if latest != NONE and end < FOREVER and (best == 0 or end < at[0]):
                best = block
                at[0] = end
                last[0] = latest
        return best

    cdef object explain_active(self, World world, int32_t slot):
        cdef Active *active = &world.running.slots[slot]
        if active.state == c'S':
            return because(SUSPENDED, active.size, active.since)
        if active.state == c'R':
            return None
        return because(BEING_LOADED if active.state == c'i' else BEING_SAVED, active.size, base_of(self.places[slot].block),
                       self.places[slot].until)

    cdef object terms(self, World world, Py_ssize_t at):
        """Its class, how long it has waited of how long it may, and what it has of a block."""
        cdef int32_t slot = world.queue.slot[at]
        cdef Held *held
        if slot == NONE:
            held = self.nqs.find(world.queue.job[at])
            return {} if held == NULL else {"service": held.service, "queue": held.queue}
        facts = self._facts(world, slot)
        facts["waited"] = world.at.now - self.places[slot].waiting_since
        facts["max_wait"] = self.classes.max_wait[self.places[slot].service]
        facts["reserved"] = int(self.places[slot].claim == RESERVATION)
        return facts

    cdef object active_terms(self, World world, int32_t slot):
        """Its class and block, and when its transfer, or its do-not-disturb time, is over."""
        facts = self._facts(world, slot)
        if world.running.slots[slot].state == c'R':
            facts["undisturbed_until"] = self.undisturbed_until(world, slot)
            facts["preemptable"] = int(self.is_preemptable(slot))
        elif self.holds(world, slot):
            facts["until"] = self.places[slot].until
        return facts

    cdef object _facts(self, World world, int32_t slot):
        cdef Place *place = &self.places[slot]
        self.night = self.classes.is_night(world.at.now)
        facts = {"service": place.service, "level": self.priority_of(slot)}
        if place.wire != NONE:
            facts["wire"] = place.wire
        if place.locked:
            facts["locked"] = 1
        if place.block:
            facts["base"] = base_of(place.block)
        elif place.stood:
            facts["stood"] = base_of(place.stood)
        if world.running.slots[slot].started:
            facts["done"] = world.running.slots[slot].done
        return facts

    cdef object status(self, World world):
        """The table in force, the reservation, and what the limits, the wires and the storage have to bear."""
        cdef int32_t slot
        self.look_around(world)
        until = self.classes.next_switch(world.at.now)
        blocks = [(world.running.slots[slot].job, base_of(self.places[slot].block), self.places[slot].wire)
                  for slot in range(world.running.used)
                  if world.running.slots[slot].job != NONE and self.places[slot].block]
        facts = {
            "table": "night" if self.night else "day",
            "until": until if until < FOREVER else None,
            "reservation": self._reservation(world),
            "blocks": tuple({"job": job, "base": base, "wire": wire} for job, base, wire in sorted(blocks)),
            "wires": tuple(self.limits.wires[wire] for wire in range(WIRES)),
            "processors": {name: self.limits.service[i] for i, name in enumerate(SERVICES)},
            "large": self.limits.large,
            "system": self.limits.system,
            "stored": self.limits.stored,
            "large_limit": self.classes.large_limit[self.night],
            "system_limit": self.limits.system_limit,
            "storage": self.limits.storage,
            "relocations": self.state.relocations,
        }
        if self.nqs.open:
            facts["nqs"] = self.nqs.status(world)
        return facts

    cdef object _reservation(self, World world):
        """Who has the reservation, of which block, and when that can be clear; None where nobody has it."""
        cdef int32_t slot = self.state.reserved
        if slot == NONE:
            return None
        return {
            "job": world.running.slots[slot].job,
            "base": base_of(self.places[slot].block),
            "size": world.running.slots[slot].size,
            "clear_at": world.at.now + self.cost_of(world, self.places[slot].block).longest,
        }
