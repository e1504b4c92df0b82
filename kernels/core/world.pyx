"""The moving state of a machine with its queue, and the verbs that change it.

A policy sees the queue, the running jobs and now; it moves jobs by verbs only: start, assign, run, stop (progress
is kept), vacate, requeue, transfer. What it reserves it writes into the queue's own column and the timer `due`. States are the letters of the console: N new, W nodes assigned, i being
loaded or restored, R running, o being saved, O saved, S suspended, H held.
"""

cimport cython
from libc.stdlib cimport free, llabs
from libc.string cimport memcpy

from shadowtime.kernels.core.clock cimport Entry, FINISH, KILL, LOADED, RESERVATION_DUE, SWAPPED_IN, SWAPPED_OUT
from shadowtime.kernels.core.memory cimport put_bytes, take_bytes, zeros
from shadowtime.kernels.core.results cimport CANCELLED, COMPLETED, Result
from shadowtime.kernels.core.types cimport FOREVER, NONE, aligned
from shadowtime.kernels.operator.overrides cimport Override
from shadowtime.kernels.starting cimport start_new


cdef inline double longer(double a, double b) noexcept nogil:
    return a if a > b else b


@cython.final
cdef class World:
    def __cinit__(self, Jobs jobs, nodes_t nodes, bint forecasting=False, Site site=None, Steering steering=None,
                  Results results=None):
        if nodes < 1:
            raise ValueError(f"nodes is {nodes}; expected 1 or more")
        if jobs.widest > nodes:
            raise ValueError(f"a job needs {jobs.widest} nodes; the machine has {nodes}")
        self.site = Site() if site is None else site
        if self.site.x and self.site.x * self.site.y * self.site.z != nodes:
            raise ValueError(f"a torus of {self.site.x} x {self.site.y} x {self.site.z} has not {nodes} nodes")
        self.jobs = jobs
        self.nodes = nodes
        self.forecasting = forecasting
        self.owning = True
        self.steering = steering
        self.steered = steering is not None
        self.repairs = Repairs(steering)
        self.overrides = Overrides()
        self.policies = {}
        self.queue = Queue(jobs.count)
        self.running = Running()
        self.machine = Machine(nodes)
        self.heap = EventHeap()
        self.decisions = Decisions()
        # A fork has those of its run: its own would take memory for nothing.
        self.results = Results(0, jobs.count) if results is None and not forecasting else results
        self.month_wait = <double *> zeros(jobs.groups, sizeof(double))
        self.month_started = <int64_t *> zeros(jobs.groups, sizeof(int64_t))
        self.at.now = jobs.submit[0] if jobs.count else FOREVER
        if steering is not None:
            steering.check(nodes, <job_t> jobs.count)
            self.at.now = min(self.at.now, steering.first())
        if self.at.now == FOREVER:
            self.at.now = 0
        self.at.due = FOREVER
        self.at.due_kind = RESERVATION_DUE
        self.at.switch_at = FOREVER
        self.at.last_kind = NONE
        self.at.last_job = NONE
        self.at.due_job = NONE
        self.at.free = nodes

    def __dealloc__(self):
        free(self.month_wait)
        free(self.month_started)

    cdef void advance(self, seconds_t to) noexcept nogil:
        """Let time pass: the integrals grow, nothing else changes."""
        cdef double span
        if to == self.at.now:
            return
        span = <double> (to - self.at.now)
        self.tally.busy += span * self.at.busy
        if self.queue.live + self.at.awaited:
            self.tally.queued += span * (self.queue.live + self.at.awaited)
            if self.at.free and self.queue.narrowest() <= self.at.free:
                self.tally.lost += span * self.at.free
        self.at.now = to
        self.at.passed = 0

    cdef int submit(self) except -1 nogil:
        """The next job of the trace enters the queue."""
        cdef job_t job = self.at.arrivals
        cdef Py_ssize_t rank = self.queue.live
        self.at.arrivals = job + 1
        if self.overrides.count:
            rank = self.rank_of(job, 0)
        if rank < self.queue.live:
            # Those behind have a priority below 0; the head may be another one.
            self.queue.insert(job, self.jobs.size[job], self.jobs.estimate[job], NONE, rank)
            self.at.changed |= REORDERED
        else:
            self.queue.append(job, self.jobs.size[job], self.jobs.estimate[job])
        self.results.of[job].submit_event = self.at.event
        self.tally.busy_at_arrival = self.tally.busy
        return 0

    cdef void promise(self, job_t job, seconds_t start) noexcept nogil:
        """The policy promises a waiting job a start, FOREVER for none; the first promise of a job stays."""
        cdef Result *result = &self.results.of[job]
        if start < FOREVER and not result.was_promised and not self.has_started(job):
            result.promised = start
            result.was_promised = self.at.event

    cdef int start(self, Py_ssize_t at, bint backfilled) except -1 nogil:
        """The job at a position of the queue gets the lowest idle nodes and runs; the caller knows that it fits."""
        cdef bint plain = self.queue.slot[at] == NONE and self.queue.size[at] <= self.at.free
        return start_new(self, at, backfilled) if plain else self.run(self.assign(at, backfilled))

    cdef int32_t seat(self, Py_ssize_t at) except -1 nogil:
        """The new job at a position gets a slot and stays in the queue; returns the slot."""
        cdef job_t job = self.queue.job[at]
        cdef int32_t slot = self.running.open(job, self.jobs.size[job])
        cdef Active *active = &self.running.slots[slot]
        active.state = c'N'
        active.since = self.jobs.submit[job]
        active.killed = self.jobs.killed(job)
        active.queued = self.jobs.submit[job]
        self.queue.slot[at] = slot
        return slot

    cdef int32_t admit(self, Py_ssize_t at, bint backfilled) except -1 nogil:
        """The job at a position leaves the queue, in state W and without nodes yet; returns its slot."""
        cdef job_t job = self.queue.job[at]
        cdef int32_t slot = self.queue.slot[at]
        cdef Active *active
        if slot == NONE:
            slot = self.seat(at)
            self.running.slots[slot].backfilled = backfilled
        self.queue.remove(at)
        active = &self.running.slots[slot]
        active.state = c'W'
        active.since = self.at.now
        active.awaited = 1
        self.at.awaited += 1
        active.ahead = 0
        active.bare = active.preemptable = active.lead = active.predicted = 0
        self.queue.place[job] = -2 - slot
        return slot

    cdef int32_t assign(self, Py_ssize_t at, bint backfilled) except -1 nogil:
        """The job at a position leaves the queue for the lowest idle nodes, in state W; returns its slot."""
        cdef int32_t slot
        cdef Active *active
        if self.queue.size[at] > self.at.free:
            with gil:
                raise AssertionError(
                    f"job {self.queue.job[at]} needs {self.queue.size[at]} nodes; {self.at.free} are free")
        slot = self.admit(at, backfilled)
        active = &self.running.slots[slot]
        if self.owning:
            active.extents = self.machine.take(active.row, active.size)
        self.at.free -= active.size
        return slot

    cdef int take_turn(self, int32_t slot, seconds_t lead) except -1 nogil:
        """A job that has its columns runs (on) in its time slot, without progress in the first `lead` seconds."""
        cdef Active *active = &self.running.slots[slot]
        if active.started:
            active.queued = self.at.now     # what lay in between is preempted time, no wait
        active.lead = lead
        self.at.free -= active.size
        return self.run(slot)

    cdef int yield_turn(self, int32_t slot) except -1 nogil:
        """A running job stops until its next turn; it keeps its columns."""
        self.stop(slot, c'W')
        self.at.free += self.running.slots[slot].size
        return 0

    cdef int stall(self, int32_t slot, seconds_t lead) except -1 nogil:
        """A running job runs on, but makes no progress in the next `lead` seconds."""
        cdef Active *active = &self.running.slots[slot]
        cdef seconds_t idle = min(active.lead, self.at.now - active.run_start), length = self.jobs.runtime[active.job]
        cdef int kind = KILL if active.killed and not self.forecasting else FINISH
        if self.forecasting:
            length = self.jobs.estimate[active.job]
        self.running.delist(slot)
        self.heap.cancel(slot, kind)
        self.tally.wasted += <double> idle * active.size
        active.done += self.at.now - active.run_start - idle
        active.run_start = self.at.now
        active.lead = lead
        active.end = self.limit(slot)
        self.running.enlist(slot)
        return self.heap.push(self.at.now + lead + length - active.done, kind, active.order, slot)

    cdef int run(self, int32_t slot) except -1 nogil:
        """A job that holds its nodes runs (on) from here: its completion is scheduled."""
        cdef Active *active = &self.running.slots[slot]
        cdef job_t job = active.job
        cdef seconds_t length = self.jobs.estimate[job] if self.forecasting else self.jobs.runtime[job]
        if active.listed:
            # It held its nodes, idle, from the moment it was given them.
            self.tally.wasted += <double> (self.at.now - active.since) * active.size
        self.at.awaited -= active.awaited
        active.awaited = 0
        active.waited += self.at.now - active.queued
        self.tally.wait += <double> (self.at.now - active.queued)
        if not active.started:
            self._count_start(active)
        elif (self.forecasting or self.sampling) and not self.results.of[job].start_event:
            # What a forecast and a sample give is the next start, also of a job that ran before.
            self.results.of[job].start = self.at.now
            self.results.of[job].start_event = self.at.event
        active.state = c'R'
        active.since = self.at.now
        active.run_start = self.at.now
        active.order = self.at.order
        self.at.order += 1
        self.at.busy += active.size
        self.running.interrupted -= 1
        if not active.listed:
            active.end = self.at.now + (active.predicted or self.limit(slot) - self.at.now)
            self.running.enlist(slot)
        return self.heap.push(self.at.now + active.lead + length - active.done,
                              KILL if active.killed and not self.forecasting else FINISH, active.order, slot)

    cdef int hold(self, int32_t slot, seconds_t until) except -1 nogil:
        """A job that was assigned nodes keeps them, idle, and runs from `until` on, when an event says so."""
        cdef Active *active = &self.running.slots[slot]
        active.run_start = until
        active.end = until + (active.predicted or self.limit(slot) - until)
        self.running.enlist(slot)
        return self.transfer(slot, c'W', LOADED, until)

    cdef inline seconds_t limit(self, int32_t slot) noexcept nogil:
        """When the estimate of a running job runs out: no present run lasts longer."""
        cdef Active *active = &self.running.slots[slot]
        return active.run_start + active.lead + max(self.jobs.estimate[active.job] - active.done, 1)

    cdef void _count_start(self, Active *active) noexcept nogil:
        cdef job_t job = active.job
        cdef Result *result = &self.results.of[job]
        active.started = 1
        result.start = self.at.now
        result.start_event = self.at.event
        result.backfilled = active.backfilled
        self.tally.started += 1
        if result.was_promised and not self.virtual:
            self.tally.promised += 1
            self.tally.misjudged += <double> llabs(result.promised - self.at.now)
        self.tally.backfilled += active.backfilled
        self.month_wait[self.jobs.group(job)] += <double> (self.at.now - active.queued)
        self.month_started[self.jobs.group(job)] += 1

    cdef int finish(self, int32_t slot) except -1 nogil:
        """A running job is done: its nodes are free, its sums are taken."""
        cdef Active *active = &self.running.slots[slot]
        cdef job_t job = active.job
        cdef double runtime = <double> self.jobs.runtime[job]
        cdef double bound = longer(runtime, 10.0)
        cdef double response = <double> (self.at.now - self.jobs.submit[job])
        self.running.delist(slot)
        self.at.busy -= active.size
        self.tally.wasted += <double> active.lead * active.size
        self.vacate(slot)
        self.results.of[job].finish = self.at.now
        self.results.of[job].finish_event = self.at.event
        self.results.of[job].preemptions = active.preemptions
        self.results.of[job].left = COMPLETED
        self.tally.finished += 1
        self.tally.response += response
        self.tally.slowdown += response / runtime
        self.tally.bounded += longer(1.0, response / bound)
        self.tally.bounded_fw98 += response / bound
        self.tally.bounded_n12 += (<double> active.waited + bound) / bound
        self.queue.place[job] = NONE
        self.running.close(slot)
        return 0

    cdef int stop(self, int32_t slot, int state) except -1 nogil:
        """A running job stops and keeps its progress and its nodes; its completion is called off."""
        cdef Active *active = &self.running.slots[slot]
        cdef seconds_t lead = min(active.lead, self.at.now - active.run_start)
        active.done += self.at.now - active.run_start - lead
        self.tally.wasted += <double> lead * active.size
        self.running.delist(slot)
        self.heap.cancel(slot, KILL if active.killed and not self.forecasting else FINISH)
        self.at.busy -= active.size
        self.running.interrupted += 1
        active.end = FOREVER
        active.state = <unsigned char> state
        active.since = self.at.now
        active.queued = self.at.now     # until it runs again it waits
        return 0

    cdef void vacate(self, int32_t slot) noexcept nogil:
        """A job gives its nodes back."""
        cdef Active *active = &self.running.slots[slot]
        if active.extents != NONE:
            if self.sliced:
                self.machine.release(active.extents)
            else:
                self.machine.give(active.row, active.extents)
            active.extents = NONE
        self.at.free += active.size - active.leaving
        active.leaving = 0
        self.at.changed |= NODES_FREED
        if self.sliced and self.machine.downs:
            self.count_idle()

    cdef void count_idle(self) noexcept nogil:
        """Where time is sliced a node goes down when nobody has a column on it any more."""
        self.at.free = self.nodes - self.at.busy
        if self.machine.downs:
            self.at.free -= self.repairs.out_of_service(self.running, self.machine)

    cdef int requeue(self, int32_t slot, Py_ssize_t rank) except -1 nogil:
        """A preempted job without nodes waits again, as number `rank` of the queue, for what is left of its estimate.

        Whoever has a higher priority stays before it; that rank is the front of the queue, or behind those that
        came there in this pass.
        """
        cdef Active *active = &self.running.slots[slot]
        active.queued = self.at.now
        # Before every row, and before whoever came to the front earlier.
        active.ahead = active.job - ((self.at.order + 1) << 31)
        self.count_preemption(slot)
        return self.rejoin(slot, self.rank_of(active.job, active.ahead) if self.overrides.count else rank)

    cdef Py_ssize_t rank_of(self, job_t job, int64_t ahead) noexcept nogil:
        """How many waiting jobs come before a job that is about to join the queue."""
        return self.overrides.rank(self.queue, self.running, job, ahead)

    cdef void count_preemption(self, int32_t slot) noexcept nogil:
        """A scheduler stops a job."""
        cdef Active *active = &self.running.slots[slot]
        active.preemptions += 1
        self.tally.preemptions += 1
        self.tally.preempted += active.preemptions == 1
        self.tally.saved += active.size

    cdef int rejoin(self, int32_t slot, Py_ssize_t rank) except -1 nogil:
        """A job that has its slot, and no nodes, enters the queue as number `rank`, with what is left of its estimate."""
        cdef Active *active = &self.running.slots[slot]
        active.state = c'O' if active.started else c'N'
        active.since = self.at.now
        self.at.changed |= NODES_FREED
        return self.queue.insert(active.job, active.size, max(self.jobs.estimate[active.job] - active.done, 1), slot, rank)

    cdef int transfer(self, int32_t slot, int state, int kind, seconds_t until) except -1 nogil:
        """A job's memory moves until then (state i or o); an event of that kind says when it is done."""
        cdef Active *active = &self.running.slots[slot]
        active.state = <unsigned char> state
        active.since = self.at.now
        self.at.order += 1
        return self.heap.push(until, kind, self.at.order - 1, slot)

    cdef int cancel(self, job_t job) except -1 nogil:
        """A job that was submitted and is not over is over at once, wherever it is; it never finishes."""
        cdef Py_ssize_t at = self.queue.find(job)
        cdef int32_t slot = self.slot_of(job)
        # What happened to it in a course of events that was taken back is not true any more.
        if slot == NONE or not self.running.slots[slot].started:
            self.results.of[job].start_event = 0
        if at != NONE:
            self.queue.remove(at)
        self.at.changed |= NODES_FREED
        if slot != NONE:
            self.at.awaited -= self.running.slots[slot].awaited
            self.evict(slot)
        self.leave(job, slot, CANCELLED)
        return 0

    cdef int evict(self, int32_t slot) except -1 nogil:
        """A job gives its nodes back, wherever it is with them; nothing that was to happen to it does."""
        cdef Active *active = &self.running.slots[slot]
        if active.state == c'R':
            self.stop(slot, c'O')
            self.vacate(slot)
        elif active.listed or active.state == c'i' or active.state == c'o':
            # It held them, idle, for its run, or for a save or a restore that goes no further; a first loading is none.
            if self.heap.cancel(slot, SWAPPED_OUT) or self.heap.cancel(slot, SWAPPED_IN) or active.listed:
                self.tally.wasted += <double> (self.at.now - active.since) * active.size
            if active.listed:
                self.running.delist(slot)
            self.heap.cancel(slot, LOADED)
            self.vacate(slot)
        elif active.extents != NONE:
            # Columns, in a row that is not on: nobody had the nodes for it.
            self.machine.release(active.extents)
            active.extents = NONE
            self.count_idle()
        active.row = 0
        return 0

    cdef int leave(self, job_t job, int32_t slot, int how) except -1 nogil:
        """A job without nodes is over before it is done."""
        cdef Result *result = &self.results.of[job]
        result.finish = self.at.now
        result.finish_event = self.at.event
        result.left = <unsigned char> how
        result.preemptions = self.running.slots[slot].preemptions if slot != NONE else 0
        self.queue.place[job] = NONE
        if slot != NONE:
            self.running.close(slot)
        return 0

    cdef Py_ssize_t when_free(self, nodes_t needed, seconds_t late, seconds_t *at, nodes_t *extra) except -2 nogil:
        """First moment at which `needed` nodes are free, by predicted ends and by the outages that are known."""
        self.repairs.refresh(self.running, self.machine, self.at.changes, self.at.now)
        return self.running.when_free(needed, self.at.free, self.at.now, late, at, extra)

    cdef int lay(self, Profile profile) except -1 nogil:
        """Free nodes from now on, as the running jobs end and nodes come back."""
        self.repairs.refresh(self.running, self.machine, self.at.changes, self.at.now)
        return profile.lay(self.at.now, self.at.free, self.running)

    cdef int32_t slot_of(self, job_t job) noexcept nogil:
        """The slot of an active job, NONE when it has none."""
        cdef int32_t slot = -2 - self.queue.place[job]
        cdef Py_ssize_t at
        if 0 <= slot < self.running.used and self.running.slots[slot].job == job:
            return slot
        at = self.queue.find(job)
        return self.queue.slot[at] if at != NONE else NONE

    cdef int state_of(self, job_t job) noexcept nogil:
        """The letter of a job's state; 0 before submission, F when it is over."""
        cdef int32_t slot
        if job >= self.at.arrivals:
            return 0
        slot = self.slot_of(job)
        if slot != NONE:
            return self.running.slots[slot].state
        return c'N' if self.queue.find(job) != NONE else c'F'

    cdef bint has_started(self, job_t job) noexcept nogil:
        """Whether a job runs or ran before."""
        cdef int32_t slot
        if job >= self.at.arrivals:
            return False
        slot = self.slot_of(job)
        return self.running.slots[slot].started if slot != NONE else self.queue.find(job) == NONE

    # A copy is the bytes of every part, each aligned to 8. Bytes between the parts stay zero.
    cdef size_t bytes(self) noexcept nogil:
        return (sizeof(Position) + sizeof(Tally) + self.jobs.groups * 16 + self.queue.bytes(self.running.interrupted == 0)
                + self.running.bytes() + self.machine.bytes() + 8 + self.heap.count * 24 + 6 * 8
                + self.overrides.count * sizeof(Override))

    cdef char *save(self, char *to) noexcept nogil:
        self.at.overrides = self.overrides.count
        to = put_bytes(to, &self.at, sizeof(Position))
        to = put_bytes(to, &self.tally, sizeof(Tally))
        to = put_bytes(to, self.month_wait, self.jobs.groups * 8)
        to = put_bytes(to, self.month_started, self.jobs.groups * 8)
        to = put_bytes(to, self.overrides.of, self.overrides.count * sizeof(Override))
        (<Py_ssize_t *> to)[0] = self.heap.count
        to += 8
        memcpy(to, self.heap.entries, self.heap.count * 24)
        if self.sliced:
            # Turns may have been skipped: the order inside the heap must not show it.
            self.heap.sort(<Entry *> to)
        to += self.heap.count * 24
        to = aligned(self.queue.save(to, self.running.interrupted == 0))
        to = aligned(self.running.save(to))
        return aligned(self.machine.save(to))

    cdef const char *load(self, const char *source) except NULL nogil:
        cdef int32_t slot
        cdef const char *at = source
        at = take_bytes(at, &self.at, sizeof(Position))
        at = take_bytes(at, &self.tally, sizeof(Tally))
        at = take_bytes(at, self.month_wait, self.jobs.groups * 8)
        at = take_bytes(at, self.month_started, self.jobs.groups * 8)
        self.overrides.reserve(self.at.overrides)
        self.overrides.count = self.at.overrides
        at = take_bytes(at, self.overrides.of, self.overrides.count * sizeof(Override))
        self.repairs.known_at = NONE
        self.heap.reserve((<const Py_ssize_t *> at)[0])
        self.heap.count = (<const Py_ssize_t *> at)[0]
        at += 8
        at = take_bytes(at, self.heap.entries, self.heap.count * 24)
        at = aligned(<char *> self.queue.load(at, self.jobs.size, self.jobs.estimate))
        at = aligned(<char *> self.running.load(at))
        at = aligned(<char *> self.machine.load(at))
        for slot in range(self.running.used):
            if self.running.slots[slot].job != NONE and self.queue.find(self.running.slots[slot].job) == NONE:
                self.queue.place[self.running.slots[slot].job] = -2 - slot
        self.decisions.count = 0
        if self.machine.downs:
            self.repairs.learn(self.machine, self.at.changes)
        return at
