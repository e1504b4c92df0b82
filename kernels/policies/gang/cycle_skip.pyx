"""Rows that take turns while nothing else happens, without an event a switch (docs/schedulers.md, section 10).

While nobody comes and nobody ends the matrix stays as it is, and a switch stops those that run in one row but not in the
next, and starts the others. That much is done for each switch, with what its two events and the pass would have added to
clocks, sums and counts; the jobs that were stopped meanwhile return to the endings and to the heap of completions when the
last switch is done. From the second whole turn on each does to the state what the turn before did: times move on by its
length, progress and counts by what each job got of it. What the second changed is added as often as there are whole turns
left. The state is the same to the byte as event by event.

SDSC-BLUE with a quantum of 10 s has 17 switches between an arrival or an end and the next one, and 4 rows: most switches
belong to no turn that could be skipped.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.clock cimport FINISH, KILL, PASS
from shadowtime.kernels.core.memory cimport grown
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.operator.next_intervention cimport events_before_action, next_steered

cdef enum:
    # Tally: so many doubles, then so many int64; see its declaration.
    DOUBLES = 13
    INTEGERS = 6

cdef extern from *:
    int lowest_of "__builtin_ctzll"(unsigned long long) noexcept nogil


cdef inline seconds_t length_of(World world, const Active *active) noexcept nogil:
    """Seconds of progress after which a job completes."""
    return world.jobs.estimate[active.job] if world.forecasting else world.jobs.runtime[active.job]


cdef inline seconds_t completion(World world, const Active *active) noexcept nogil:
    """When a running job completes."""
    return active.run_start + active.lead + length_of(world, active) - active.done


cdef inline int kind_of_end(World world, const Active *active) noexcept nogil:
    return KILL if active.killed and not world.forecasting else FINISH


@cython.final
cdef class CycleSkip:
    def __cinit__(self, seconds_t quantum, seconds_t overhead):
        assert sizeof(Tally) == (DOUBLES + INTEGERS) * 8, "the tally has other fields than cycle_skip.pyx knows"
        self.quantum = quantum
        self.overhead = overhead

    def __dealloc__(self):
        free(self.slots)

    cdef int64_t run(self, World world, Matrix matrix, GangState *state, job_t last_arrival, seconds_t until,
                     int64_t events) except -1 nogil:
        """Do the switches, each with its pass, before anything else can happen; returns the events that they are.

        At least one event is left to be done on its own, before `until` and within `events`: it says what it decided. The
        next event is a switch and the matrix is laid.
        """
        cdef int64_t done, most = events - 1
        cdef seconds_t last = min(until - self.quantum, quiet_until(world, last_arrival) - 1)
        cdef Py_ssize_t i
        cdef Active *active
        if world.steered:
            most = min(most, events_before_action(world))
        if world.at.pass_due or world.at.due <= world.at.now or world.at.due > last:
            return 0
        done = self._switch_until(world, matrix, state, last, most // 2)
        if done == 0:
            return 0
        for i in range(matrix.count):
            active = &world.running.slots[matrix.seats[i].slot]
            if active.state == c'R' and not active.listed:
                active.end = world.limit(matrix.seats[i].slot)
                world.running.enlist(matrix.seats[i].slot)
                world.heap.push(completion(world, active), kind_of_end(world, active), active.order, matrix.seats[i].slot)
        # The last event was a pass.
        world.at.passed = PASS + 1
        world.at.last_time = world.at.now
        world.at.last_kind = PASS
        world.at.last_job = NONE
        world.at.seen = world.at.arrivals
        world.at.changed = 0
        return 2 * done

    cdef int64_t _switch_until(self, World world, Matrix matrix, GangState *state, seconds_t last, int64_t most) \
            except -1 nogil:
        """Do the switches up to an instant, at most so many; stop before a job completes. Returns how many."""
        cdef int64_t done = 0, turns
        cdef int64_t rows = matrix.rows
        # What began before the first whole turn may be out of step: the second is the measure of those that follow.
        cdef bint measured = most > 4 * rows and last - world.at.now > 4 * rows * self.quantum
        self.safe = 0
        while done < most and world.at.due <= last and (world.at.due < self.safe or self._is_safe(world, matrix)):
            self._switch(world, matrix, state)
            done += 1
            if not measured:
                continue
            if done == rows:
                self._remember(world, matrix)
            elif done == 2 * rows:
                measured = False
                turns = self._whole_turns(world, matrix, last, most - done)
                if turns:
                    self._skip(world, matrix, state, turns)
                    done += turns * rows
                    self.safe = 0
        return done

    cdef bint _is_safe(self, World world, Matrix matrix) noexcept nogil:
        """Whether no job completes up to the next switch; finds out when one can complete at the earliest."""
        cdef const Active *active
        cdef Py_ssize_t i
        cdef seconds_t safe = FOREVER
        for i in range(matrix.count):
            active = &world.running.slots[matrix.seats[i].slot]
            if active.state == c'R':
                safe = min(safe, completion(world, active))
            else:
                safe = min(safe, world.at.due + length_of(world, active) - active.done)
        self.safe = safe
        return world.at.due < safe

    cdef int _switch(self, World world, Matrix matrix, GangState *state) except -1 nogil:
        """The next row has the machine: the switch and its pass."""
        cdef const uint64_t *was = matrix.choice(world, state.current)
        cdef const uint64_t *now
        cdef uint64_t rest
        cdef Py_ssize_t word
        world.at.event += 2
        world.advance(world.at.due)
        state.current = matrix.next_row(state.current)
        state.next_switch = world.at.now + self.quantum
        state.stalled_until = world.at.now + self.overhead
        state.switches += 1
        world.at.due = state.next_switch
        now = matrix.choice(world, state.current)
        call_off(world, matrix, was, now, self.overhead > 0)
        for word in range(matrix.bits):
            rest = was[word] & ~now[word]
            while rest:
                halt(world, matrix.seats[word * 64 + lowest_of(rest)].slot)
                rest &= rest - 1
            rest = was[word] & now[word] if self.overhead else 0
            while rest:
                stall(world, matrix.seats[word * 64 + lowest_of(rest)].slot, self.overhead)
                rest &= rest - 1
        for word in range(matrix.bits):
            # In trace order: so they are numbered.
            rest = now[word] & ~was[word]
            while rest:
                go_on(world, matrix, matrix.seats[word * 64 + lowest_of(rest)].slot, self.overhead)
                rest &= rest - 1
        return 0

    cdef int _remember(self, World world, Matrix matrix) except -1 nogil:
        """Here the turn begins that is the measure of the others."""
        cdef Py_ssize_t i
        self.slots = <Active *> grown(self.slots, &self.room, matrix.count, sizeof(Active))
        for i in range(matrix.count):
            self.slots[i] = world.running.slots[matrix.seats[i].slot]
        self.at = world.at
        self.tally = world.tally
        return 0

    cdef int64_t _whole_turns(self, World world, Matrix matrix, seconds_t last, int64_t most) noexcept nogil:
        """How many whole turns can pass up to an instant, with at most so many switches, before a job completes."""
        cdef seconds_t length = world.at.now - self.at.now
        cdef int64_t turns = min(most // matrix.rows, (last - world.at.now) // length)
        cdef Py_ssize_t i
        cdef const Active *active
        cdef int64_t now, before
        for i in range(matrix.count):
            active = &world.running.slots[matrix.seats[i].slot]
            if active.listed:
                # It runs in every row, and has done so from before the first switch on.
                turns = min(turns, (completion(world, active) - 1 - world.at.now) // length)
                continue
            now = progress(active, world.at.now)
            before = progress(&self.slots[i], self.at.now)
            turns = min(turns, (length_of(world, active) - now - 1) // (now - before))
        return max(turns, 0)

    cdef void _skip(self, World world, Matrix matrix, GangState *state, int64_t turns) noexcept nogil:
        """Do to the state what so many more turns would do."""
        cdef Py_ssize_t i
        cdef Active *now
        cdef const Active *before
        cdef seconds_t length = turns * (world.at.now - self.at.now)
        cdef double *sums = <double *> &world.tally
        cdef int64_t *counts = <int64_t *> (sums + DOUBLES)
        for i in range(DOUBLES):
            sums[i] += turns * (sums[i] - (<double *> &self.tally)[i])
        for i in range(INTEGERS):
            counts[i] += turns * (counts[i] - (<int64_t *> ((<double *> &self.tally) + DOUBLES))[i])
        for i in range(matrix.count):
            now = &world.running.slots[matrix.seats[i].slot]
            before = &self.slots[i]
            now.since += turns * (now.since - before.since)
            now.run_start += turns * (now.run_start - before.run_start)
            now.done += turns * (now.done - before.done)
            now.queued += turns * (now.queued - before.queued)
            now.order += turns * (now.order - before.order)
            now.preemptions += <int32_t> turns * (now.preemptions - before.preemptions)
        world.at.event += turns * (world.at.event - self.at.event)
        world.at.order += turns * (world.at.order - self.at.order)
        world.at.now += length
        world.at.due += length
        state.next_switch += length
        state.stalled_until += length
        state.switches += turns * matrix.rows


cdef seconds_t quiet_until(World world, job_t last_arrival) noexcept nogil:
    """The next instant at which something else can happen than a switch or a completion."""
    cdef seconds_t next = world.at.switch_at
    cdef Py_ssize_t i
    if world.steered:
        next = min(next, next_steered(world))
    if world.at.arrivals < last_arrival:
        next = min(next, world.jobs.submit[world.at.arrivals])
    for i in range(world.heap.count):
        if world.running.slots[world.heap.entries[i].item].state != c'R':
            next = min(next, world.heap.entries[i].time)
    return next


cdef int64_t progress(const Active *active, seconds_t now) noexcept nogil:
    """Seconds of progress that a job has made by now."""
    if active.state != c'R':
        return active.done
    return active.done + max(now - active.run_start - active.lead, 0)


cdef void call_off(World world, Matrix matrix, const uint64_t *was, const uint64_t *now, bint all) noexcept nogil:
    """Take the completions of those that stop, or of all that run, out of the endings and the heap: all in one walk.

    One after the other, each was looked for: on RICC a switch stops hundreds of jobs.
    """
    cdef Py_ssize_t word, i, kept = 0, called_off = 0
    cdef uint64_t rest
    cdef Active *active
    for word in range(matrix.bits):
        rest = was[word] if all else was[word] & ~now[word]
        while rest:
            active = &world.running.slots[matrix.seats[word * 64 + lowest_of(rest)].slot]
            called_off += active.listed
            active.listed = 0
            rest &= rest - 1
    if called_off == 0:
        return
    for i in range(world.running.count):
        if world.running.slots[world.running.endings[i].slot].listed:
            world.running.endings[kept] = world.running.endings[i]
            kept += 1
    world.running.count = kept
    kept = 0
    for i in range(world.heap.count):
        if world.heap.entries[i].kind > KILL or world.running.slots[world.heap.entries[i].item].listed:
            world.heap.entries[kept] = world.heap.entries[i]
            kept += 1
    world.heap.count = kept
    world.heap.settle()


cdef void pause(World world, int32_t slot) noexcept nogil:
    """The progress of a running job so far is taken down."""
    cdef Active *active = &world.running.slots[slot]
    cdef seconds_t idle = min(active.lead, world.at.now - active.run_start)
    world.tally.wasted += <double> idle * active.size
    active.done += world.at.now - active.run_start - idle


# What follows is `yield_turn`, `stall` and `take_turn` of the world, but that the job is neither listed nor in the heap.

cdef void halt(World world, int32_t slot) noexcept nogil:
    """A running job is preempted."""
    cdef Active *active = &world.running.slots[slot]
    pause(world, slot)
    active.preemptions += 1
    world.tally.preemptions += 1
    world.tally.preempted += active.preemptions == 1
    world.at.busy -= active.size
    world.at.free += active.size
    world.running.interrupted += 1
    active.end = FOREVER
    active.state = c'W'
    active.since = active.queued = world.at.now


cdef void stall(World world, int32_t slot, seconds_t lead) noexcept nogil:
    """A running job runs on, but makes no progress in the next `lead` seconds."""
    pause(world, slot)
    world.running.slots[slot].run_start = world.at.now
    world.running.slots[slot].lead = lead


cdef int go_on(World world, Matrix matrix, int32_t slot, seconds_t lead) except -1 nogil:
    """A job runs on where it was preempted, or runs for the first time."""
    cdef Active *active = &world.running.slots[slot]
    if not active.started:
        active.backfilled = matrix.passes(world, active.job)
        return world.take_turn(slot, lead)
    if (world.forecasting or world.sampling) and not world.results.of[active.job].start_event:
        # A forecast and a sample take down the next start of a job that ran before.
        return world.take_turn(slot, lead)
    active.lead = lead
    active.state = c'R'
    active.since = active.run_start = active.queued = world.at.now
    active.order = world.at.order
    world.at.order += 1
    world.at.busy += active.size
    world.at.free -= active.size
    world.running.interrupted -= 1
    return 0
