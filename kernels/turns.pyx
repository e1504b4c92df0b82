"""Whole turns of the rows of a matrix, skipped in one go (policies.md, section 10).

While nobody comes and nobody ends, each turn of the rows does to the state what the turn before did: times move on by its
length, progress and counts by what each job got of it. So two turns are gone through event by event, and what the second
changed is added as often as there are whole turns before anything else can happen. The state is the same to the byte.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memcpy

from kernels.queue cimport resized
from kernels.steered cimport events_before_action, next_steered
from kernels.types cimport NONE

cdef enum:
    # Tally: so many doubles, then so many int64; see its declaration.
    DOUBLES = 13
    INTEGERS = 6


@cython.final
cdef class Turns:
    def __cinit__(self):
        assert sizeof(Tally) == (DOUBLES + INTEGERS) * 8, "the tally has other fields than turns.pyx knows"
        self.row = NONE

    def __dealloc__(self):
        free(self.slots)

    cdef void forget(self) noexcept nogil:
        self.row = NONE

    cdef int remember(self, World world, int32_t row) except -1 nogil:
        """Here a turn begins: that row is current, and the next event is a switch."""
        if world.running.used > self.room:
            self.slots = <Active *> resized(self.slots, 2 * world.running.used * sizeof(Active))
            self.room = 2 * world.running.used
        self.used = world.running.used
        memcpy(self.slots, world.running.slots, self.used * sizeof(Active))
        self.at = world.at
        self.tally = world.tally
        self.row = row
        return 0

    cdef bint is_quiet(self, World world, int32_t row, int32_t rows) noexcept nogil:
        """Whether exactly one turn has passed since, and nothing but its switches and their passes has happened."""
        cdef int32_t slot
        if (self.row != row or world.at.event != self.at.event + 2 * rows or world.running.used != self.used
                or world.at.arrivals != self.at.arrivals or world.tally.finished != self.tally.finished
                or world.tally.preempted != self.tally.preempted):
            return False
        for slot in range(self.used):
            if (world.running.slots[slot].state != self.slots[slot].state
                    or (self.slots[slot].job != NONE and not self.slots[slot].started)):
                return False
        return True

    cdef int64_t count(self, World world, job_t last_arrival, seconds_t until, int64_t events) noexcept nogil:
        """How many whole turns can pass before anything else happens, or a limit is reached."""
        cdef seconds_t length = world.at.now - self.at.now, last = min(until, world.at.switch_at - 1)
        cdef int64_t turns
        cdef int32_t slot
        cdef Py_ssize_t i
        cdef int64_t now, before, whole
        if world.steered:
            last = min(last, next_steered(world) - 1)
            events = min(events, events_before_action(world))
        turns = events // (world.at.event - self.at.event)
        if world.at.arrivals < last_arrival:
            last = min(last, world.jobs.submit[world.at.arrivals] - 1)
        for i in range(world.heap.count):
            if world.running.slots[world.heap.entries[i].item].state != c'R':
                last = min(last, world.heap.entries[i].time - 1)
        turns = min(turns, (last - world.at.now) // length if last > world.at.now else 0)
        for slot in range(self.used):
            if self.slots[slot].job == NONE:
                continue
            now = progress(&world.running.slots[slot], world.at.now)
            before = progress(&self.slots[slot], self.at.now)
            whole = world.jobs.estimate[self.slots[slot].job] if world.forecasting \
                else world.jobs.runtime[self.slots[slot].job]
            if now > before:
                turns = min(turns, (whole - now - 1) // (now - before))
        return max(turns, 0)

    cdef int skip(self, World world, int64_t turns) except -1 nogil:
        """Do to the state what so many more turns would do."""
        cdef int32_t slot
        cdef Py_ssize_t i
        cdef Active *now
        cdef const Active *before
        cdef double *sums = <double *> &world.tally
        cdef int64_t *counts = <int64_t *> (sums + DOUBLES)
        for i in range(DOUBLES):
            sums[i] += turns * (sums[i] - (<double *> &self.tally)[i])
        for i in range(INTEGERS):
            counts[i] += turns * (counts[i] - (<int64_t *> ((<double *> &self.tally) + DOUBLES))[i])
        for slot in range(self.used):
            now = &world.running.slots[slot]
            before = &self.slots[slot]
            if before.job == NONE:
                continue
            now.since += turns * (now.since - before.since)
            now.run_start += turns * (now.run_start - before.run_start)
            now.done += turns * (now.done - before.done)
            now.queued += turns * (now.queued - before.queued)
            now.waited += turns * (now.waited - before.waited)
            now.order += turns * (now.order - before.order)
            now.preemptions += <int32_t> turns * (now.preemptions - before.preemptions)
        world.at.event += turns * (world.at.event - self.at.event)
        world.at.order += turns * (world.at.order - self.at.order)
        world.at.due += turns * (world.at.due - self.at.due)
        world.at.last_time += turns * (world.at.last_time - self.at.last_time)
        world.at.now += turns * (world.at.now - self.at.now)
        return retime(world)


cdef int64_t progress(const Active *active, seconds_t now) noexcept nogil:
    """Seconds of progress that a job has made by now."""
    if active.state != c'R':
        return active.done
    return active.done + max(now - active.run_start - active.lead, 0)


cdef int retime(World world) except -1 nogil:
    """Completions and predicted ends follow from when each present run began."""
    cdef int32_t slot
    cdef Py_ssize_t i
    cdef seconds_t length
    for i in range(world.heap.count):
        slot = world.heap.entries[i].item
        if world.running.slots[slot].state != c'R':
            continue
        length = world.jobs.estimate[world.running.slots[slot].job] if world.forecasting \
            else world.jobs.runtime[world.running.slots[slot].job]
        world.heap.entries[i].time = (world.running.slots[slot].run_start + world.running.slots[slot].lead + length
                                      - world.running.slots[slot].done)
        world.heap.entries[i].key = world.running.slots[slot].order
    world.heap.settle()
    for slot in range(world.running.used):
        if world.running.slots[slot].job != NONE and world.running.slots[slot].listed:
            world.running.delist(slot)
            world.running.slots[slot].end = world.limit(slot)
            world.running.enlist(slot)
    return 0
