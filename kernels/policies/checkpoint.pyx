"""Checkpoint-based backfilling (Niu et al. 2012, Algorithms 1 to 3; docs/schedulers.md, section 8).

EASY on predicted ends that are bolder than the estimates: a backfilled job is predicted to take a share of its
estimate only. When the reserve time comes and a prediction was wrong, backfilled jobs stop, the largest first, until
the blocked head fits; they keep their progress. The head has its nodes at once and runs `delay` seconds
later; a restarted run makes no progress in its first `extend` seconds. With a memory both go by the nodes of the jobs
that stop. A job that runs as a head is never stopped, nor is one that was stopped as often as it may be.

A pass needs little where no node came free since the last one and the reserve time has not come: it stands, whoever
was refused is refused again, and only the jobs that arrived since are tested. A prediction that passes in
between moves nothing, since it lies before the reserve time.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport BACKFILL, RESERVE, START
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.planning.explain_head cimport behind_head, blocked_head
from shadowtime.kernels.planning.preemption cimport not_enough_to_stop, progress_of, unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int WITHIN_EXTRA = reason("within_extra", "needs", "free", "end", "shadow", "extra", "head")
cdef int HEAD_SHADOW = reason("head_shadow", "needs", "free", "shadow", "extra")
cdef int AFTER_PREEMPTION = reason("after_preemption", "needs", "free", "stopped", "freed", "at")
cdef int PREDICTED_BY_SHADOW = reason("predicted_by_shadow", "needs", "free", "end", "shadow", "limit",
                                      "head")

cdef enum:
    WHOLE = 1000000     # shares are in millionths

LONGEST = 1 << 40   # the longest delay, in seconds: no instant can overflow
LARGEST = 1 << 20   # the largest memory of a node, in gigabytes, and the largest bandwidth: products stay below 2^63
MOST = (1 << 31) - 1


@cython.final
cdef class Checkpoint(Policy):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.state, sizeof(CheckpointState)
        if not 0.000001 <= parameters["p"] <= 1:
            raise ValueError(f"p is {parameters['p']}; expected 0.000001 to 1")
        for which in ("threshold", "delay", "extend"):
            if not 0 <= parameters[which] <= LONGEST:
                raise ValueError(f"{which} is {parameters[which]}; expected 0 to {LONGEST} seconds")
        if not 0 <= parameters["limit"] <= MOST:
            raise ValueError(f"limit is {parameters['limit']}; expected 0 to {MOST}")
        self.share = round(parameters["p"] * WHOLE)
        self.threshold = parameters["threshold"]
        self.delay = parameters["delay"]
        self.extend = parameters["extend"]
        self.most = parameters["limit"]
        self._read_memory(parameters)
        self.state.head = NONE
        self.preemption = Preemption()

    def _read_memory(self, parameters):
        """How long saving takes: microseconds a node, and through how many nodes it adds up."""
        memory, bandwidth, group = (parameters[name] for name in ("memory", "bandwidth", "group"))
        if not 0 <= memory <= LARGEST:
            raise ValueError(f"memory is {memory}; expected 0 to {LARGEST} gigabytes")
        if not 0.000001 <= bandwidth <= LARGEST:
            raise ValueError(f"bandwidth is {bandwidth}; expected 0.000001 to {LARGEST} gigabytes a second")
        if not 1 <= group <= MOST:
            raise ValueError(f"group is {group}; expected 1 to {MOST} nodes")
        if memory and (self.delay or self.extend):
            raise ValueError(f"memory is {memory}; expected neither delay nor extend beside it")
        self.each = round(memory / bandwidth * WHOLE)
        self.group = group
        if self.each * group > LONGEST * WHOLE:
            raise ValueError(f"memory is {memory}; expected less: saving a job would take more than {LONGEST} seconds")

    @property
    def head_delay(self):
        """With a memory, the longest that it can be."""
        return self._saving(self.group) if self.each else self.delay

    cdef int reset(self, World world) except -1 nogil:
        self.state.head = NONE
        self.state.reserve = FOREVER
        self.state.extra = 0
        self.state.padding = 0
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef seconds_t reserve
        cdef job_t head
        if world.at.due != FOREVER and not world.at.changed:
            return self._arrivals(world)
        world.at.due = FOREVER
        world.at.due_job = NONE
        while True:
            self._start_heads(world)
            if world.queue.live == 0:
                self.state.head = NONE
                self.state.reserve = FOREVER
                return 0
            world.when_free(world.queue.size[world.queue.first], world.at.now, &reserve, &self.state.extra)
            if reserve > world.at.now:
                break
            if not self._preempt_for_head(world):
                # Nodes are down or with other jobs than a trace tells of: the next event brings another try.
                reserve = FOREVER
                break
        head = world.queue.job[world.queue.first]
        if reserve < FOREVER and (head != self.state.head or reserve != self.state.reserve):
            world.decisions.add(RESERVE, head, HEAD_SHADOW, world.queue.size[world.queue.first], world.at.free,
                                reserve, self.state.extra)
        self.state.head = head
        self.state.reserve = reserve
        if reserve < FOREVER:
            world.at.due = reserve
            world.at.due_job = head
        if world.queue.live > 1 and world.at.free:
            return self._scan(world, world.queue.first + 1)
        return 0

    cdef int disturbed(self, World world) except -1 nogil:
        world.at.due = FOREVER
        world.at.due_job = NONE
        return 0

    cdef int start_now(self, World world, Py_ssize_t at) except -1:
        return world.run(self._assign(world, at))

    cdef int _arrivals(self, World world) except -1 nogil:
        """Nothing came free and the reserve time has not come: test only the jobs that came."""
        cdef Py_ssize_t at
        cdef job_t job
        if world.at.free == 0:
            return 0
        for job in range(world.at.seen, world.at.arrivals):
            at = world.queue.find(job)
            if at != NONE:
                self._backfill(world, at)
        return 0

    cdef seconds_t _cut(self, seconds_t estimate) noexcept nogil:
        """ceil(estimate * p), in steps that cannot overflow."""
        return estimate // WHOLE * self.share + (estimate % WHOLE * self.share + WHOLE - 1) // WHOLE

    cdef seconds_t _saving(self, int64_t size) noexcept nogil:
        """Seconds to save so many nodes, to the nearest second, halves up."""
        return (min(size, self.group) * self.each + WHOLE // 2) // WHOLE

    cdef seconds_t _restart(self, int64_t size) noexcept nogil:
        """Seconds without progress at the head of a restarted run: it is saved, and loaded in the same time."""
        return 2 * self._saving(size) if self.each else self.extend

    cdef seconds_t _delay(self, World world) noexcept nogil:
        """Seconds until all that were just stopped are saved, which they are at the same time."""
        cdef seconds_t longest = 0
        cdef Py_ssize_t rank
        if not self.each:
            return self.delay
        for rank in range(self.preemption.stopped.count):
            longest = max(longest, self._saving(world.running.slots[self.preemption.stopped.of[rank].at].size))
        return longest

    cdef bint _protected(self, World world, Py_ssize_t at) noexcept nogil:
        """Whether the job at a position was stopped as often as it may be."""
        cdef int32_t slot = world.queue.slot[at]
        return self.most and slot != NONE and world.running.slots[slot].preemptions >= self.most

    cdef seconds_t _lead(self, World world, Py_ssize_t at) noexcept nogil:
        """Seconds without progress at the head of the run that the job at a position would begin."""
        cdef int32_t slot = world.queue.slot[at]
        if slot == NONE or not world.running.slots[slot].preemptions:
            return 0
        return self._restart(world.queue.size[at])

    cdef seconds_t _prediction(self, World world, Py_ssize_t at) noexcept nogil:
        """How long the job at a position is predicted to run when it is backfilled."""
        cdef seconds_t estimate = world.jobs.estimate[world.queue.job[at]]
        cdef int32_t slot = world.queue.slot[at]
        if estimate < self.threshold and not self._protected(world, at):
            return estimate
        if slot != NONE and world.running.slots[slot].preemptions:
            return world.queue.estimate[at] + self._restart(world.queue.size[at])
        return self._cut(estimate)

    cdef int32_t _assign(self, World world, Py_ssize_t at) except -1 nogil:
        """The job at a position leaves the queue for its nodes; its slot, with what a restart costs."""
        cdef seconds_t lead = self._lead(world, at)
        cdef int32_t slot = world.assign(at, at != world.queue.first)
        world.running.slots[slot].lead = lead
        return slot

    cdef int _start_heads(self, World world) except -1 nogil:
        """Start heads while they fit: they run to their end."""
        cdef Py_ssize_t at
        while world.queue.live and world.queue.size[world.queue.first] <= world.at.free:
            at = world.queue.first
            world.decisions.add(unless_resumed(world, at, START), world.queue.job[at], HEAD_FITS,
                                world.queue.size[at], world.at.free)
            world.run(self._assign(world, at))
        return 0

    cdef bint _preempt_for_head(self, World world) except -1 nogil:
        """Stop backfilled jobs for the head, if that is enough; it has its nodes now and runs after the delay."""
        cdef Py_ssize_t at = world.queue.first
        cdef int32_t slot
        cdef seconds_t delay
        if not self.preemption.make_room(world, at):
            return False
        delay = self._delay(world)
        world.decisions.add(unless_resumed(world, at, START), world.queue.job[at], AFTER_PREEMPTION,
                            world.queue.size[at], world.at.free, self.preemption.stopped.count,
                            self.preemption.freed, world.at.now + delay)
        slot = self._assign(world, at)
        if delay:
            world.hold(slot, world.at.now + delay)
        else:
            world.run(slot)
        self.preemption.requeue(world)
        return True

    cdef int _scan(self, World world, Py_ssize_t begin) except -1 nogil:
        """Backfill in the order of the queue, from a position on."""
        cdef Py_ssize_t block, at, tail = world.queue.tail
        cdef seconds_t left = self.state.reserve - world.at.now
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            # No prediction of the block is shorter than the cut of its least estimate.
            if (world.queue.least_size[block] > world.at.free
                    or (world.queue.least_size[block] > self.state.extra
                        and self._cut(world.queue.least_estimate[block]) > left)):
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if world.queue.size[at] <= world.at.free:
                    self._backfill(world, at)
                    if world.at.free == 0:
                        return 0
        return 0

    cdef int _backfill(self, World world, Py_ssize_t at) except -1 nogil:
        """Start the job at a position if it fits now and, by its prediction, does not delay the head."""
        cdef nodes_t size = world.queue.size[at]
        cdef seconds_t length, end
        cdef int32_t slot
        cdef bint protected
        if size > world.at.free:
            return 0
        protected = self._protected(world, at)
        length = self._prediction(world, at)
        end = world.at.now + length
        if end <= self.state.reserve:
            world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], PREDICTED_BY_SHADOW, size,
                                world.at.free, end, self.state.reserve,
                                world.at.now + self._lead(world, at) + world.queue.estimate[at], self.state.head)
        elif size <= self.state.extra:
            world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], WITHIN_EXTRA, size,
                                world.at.free, end, self.state.reserve, self.state.extra, self.state.head)
            self.state.extra -= size
        else:
            return 0
        slot = self._assign(world, at)
        world.running.slots[slot].predicted = length
        world.running.slots[slot].preemptable = not protected
        return world.run(slot)

    cdef object status(self, World world):
        """The blocked head, and when it gets its nodes whatever the jobs in front of it do."""
        if self.state.head == NONE or self.state.reserve == FOREVER:
            return {}
        return {"head": self.state.head, "reserve_time": self.state.reserve}

    cdef object terms(self, World world, Py_ssize_t at):
        return progress_of(world, at)

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef seconds_t reserve
        cdef nodes_t extra
        cdef Py_ssize_t head = world.queue.first
        if world.queue.size[head] <= world.at.free:
            return pass_pending(world, at)
        world.when_free(world.queue.size[head], world.at.now, &reserve, &extra)
        if reserve <= world.at.now and world.at.pass_due:
            return pass_pending(world, at)
        if at == head:
            return blocked_head(world, at, world.at.now) if reserve > world.at.now else not_enough_to_stop(world, at)
        return behind_head(world, at, head, self._prediction(world, at), world.at.now)
