"""What the schedulers of the torus share: jobs come, are loaded into blocks, and their memory takes time to move.

Every job that has come before the machine has a slot, and beside it a place: its block, its wire, its class, since when
it waits. Jobs that NQS holds stand in the queue without a slot. Loading a new job takes half a second a processor,
saving or restoring one 15/16 s, rounded up; transfers overlap, or with serial ones each begins when the last that was
asked for before it is done (docs/schedulers.md, section 11.2).
"""

from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.clock cimport LOADED, SWAPPED_IN, SWAPPED_OUT
from shadowtime.kernels.core.decisions cimport REFUSE, RELEASE, because
from shadowtime.kernels.core.jobs cimport BENCHMARK, DEBUG
from shadowtime.kernels.core.memory cimport put_bytes, resized, take_bytes
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, aligned
from shadowtime.kernels.operator.verbs cimport CANCEL_JOB
from shadowtime.kernels.policies.torus.nqs cimport QUEUES
from shadowtime.kernels.policies.torus.torus cimport PROCESSORS, WIRES, block_at, level_for, take_block

from shadowtime.kernels.core.decisions import reason

cdef int NQS_RELEASED = reason("nqs_released", "needs", "queue")
cdef int NQS_NO_QUEUE = reason("nqs_no_queue", "needs", "estimate", "processors", "longest")
cdef int NOT_INTERACTIVE = reason("not_interactive", "needs", "estimate", "processors", "longest")
cdef int NOT_OFFERED = reason("not_offered")
cdef int NOT_SUBMITTED = reason("not_submitted", "at")
cdef int IS_OVER = reason("is_over")

cdef enum:
    WEEK = 604800
    INTERACTIVE_SIZE = 64       # processors of an interactive job, where that is limited,
    INTERACTIVE_LENGTH = 7200   # and seconds of its estimate


cdef seconds_t load_time(nodes_t size) noexcept nogil:
    """Seconds to load a new job."""
    return size // 2


cdef seconds_t save_time(nodes_t size) noexcept nogil:
    """Seconds to save or to restore one."""
    return (15 * size + 15) // 16


cdef class Placed(Policy):
    def __cinit__(self, *arguments):
        self.floor = Floor()
        self.nqs = Nqs()
        self.state.reserved = NONE

    def __dealloc__(self):
        free(self.places)
        free(self.requests)

    cdef int begin(self, World world) except -1 nogil:
        """A run begins on an empty machine."""
        cdef job_t job
        self.blocks = True
        memset(&self.state, 0, sizeof(PlacedState))
        self.state.reserved = NONE
        self.state.stirred = world.at.now
        with gil:
            self.nqs = Nqs(world.site.nqs, world.site.epoch)
            if not world.site.is_t3d() or world.nodes != PROCESSORS:
                raise ValueError(f"{self.name} schedules a torus of 8 x 4 x 8 processors; the machine is another one")
        for job in range(<job_t> world.jobs.count):
            if level_for(world.jobs.size[job]) <= NONE:
                with gil:
                    raise ValueError(f"row {job}: size is {world.jobs.size[job]}; expected 2, 4, 8, 16, 32, 64, 128 or 256 "
                                     "processors, the sizes of the blocks of the torus")
        with gil:
            self._take_requests(world)
        return 0

    cdef int _take_requests(self, World world) except -1:
        """What jobs ask for, by job. ValueError where there is no such wire or block."""
        cdef Request *request
        self.asking = 0
        self.requests = <Request *> resized(self.requests, (len(world.site.requests) + 1) * sizeof(Request))
        for job, (wire, base, locked) in sorted(world.site.requests.items()):
            if not 0 <= job < world.jobs.count:
                raise ValueError(f"there is no row {job} to ask for anything")
            if not NONE <= wire < WIRES:
                raise ValueError(f"row {job}: wire is {wire}; expected 0 to {WIRES - 1}")
            request = &self.requests[self.asking]
            request.job = job
            request.wire = wire
            request.block = 0 if base == NONE else block_at(world.jobs.size[<job_t> job], base)
            request.locked = locked
            if request.block == 0 and base != NONE:
                raise ValueError(f"row {job}: no block of {world.jobs.size[<job_t> job]} processors begins at {base}")
            self.asking += 1
        return 0

    cdef void _ask(self, job_t job, Place *place) noexcept nogil:
        """Note what a job that comes before the machine asks for."""
        cdef Py_ssize_t i
        place.asked_wire = NONE
        for i in range(self.asking):
            if self.requests[i].job == job:
                place.asked_wire = self.requests[i].wire
                place.only = self.requests[i].block
                place.locked = self.requests[i].locked

    cdef int adopt(self, World world) except -1 nogil:
        """Take over a queue of new jobs. ValueError where jobs are active: they may hold nodes that are no block."""
        cdef int32_t slot
        cdef Py_ssize_t at
        for slot in range(world.running.used):
            if world.running.slots[slot].job != NONE:
                with gil:
                    raise ValueError(f"{self.name} takes over no machine at work; "
                                     f"job {world.running.slots[slot].job} is active")
        Policy.adopt(self, world)
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.job[at] == NONE:
                continue
            self._arrive(world, world.queue.job[at])
            if world.queue.slot[at] != NONE:
                self.places[world.queue.slot[at]].waiting_since = world.jobs.submit[world.queue.job[at]]
        return 0

    cdef bint suits(self, World world) except -1:
        cdef job_t job
        if not world.site.is_t3d() or world.nodes != PROCESSORS:
            return False
        for job in range(<job_t> world.jobs.count):
            if level_for(world.jobs.size[job]) <= NONE:
                return False
        return True

    cdef bint needs_blocks(self, World world) except -1:
        return True

    cdef bint is_new(self, World world, int32_t slot) noexcept nogil:
        return not self.places[slot].loaded and world.queue.find(world.running.slots[slot].job) != NONE

    cdef int leave(self, World world) except -1:
        """Nobody is active: the waiting are in the queue, and nothing else is known of them."""
        cdef int32_t slot
        for slot in range(world.running.used if self.blocks else 0):
            if world.running.slots[slot].job != NONE:
                world.queue.slot[world.queue.find(world.running.slots[slot].job)] = NONE
                world.running.close(slot)
        return 0

    cdef int _grow(self, int32_t capacity) except -1 nogil:
        if capacity <= self.capacity:
            return 0
        self.places = <Place *> resized(self.places, 2 * capacity * sizeof(Place))
        memset(&self.places[self.capacity], 0, (2 * capacity - self.capacity) * sizeof(Place))
        self.capacity = 2 * capacity
        return 0

    cdef Py_ssize_t take_in(self, World world) except -1 nogil:
        """Whoever has come stands before the machine, then whom NQS lets through; returns how many are new there."""
        cdef job_t job
        cdef Py_ssize_t begin = 0, new = 0
        cdef Held held
        for job in range(world.at.seen, world.at.arrivals):
            new += self._arrive(world, job)
        while self.nqs.count and self.nqs.release(world, &begin, &held):
            world.decisions.add(RELEASE, held.job, NQS_RELEASED, world.jobs.size[held.job], held.queue)
            self.seat(world, world.queue.find(held.job), held.service)
            new += 1
        return new

    cdef bint is_moved(self, World world) noexcept nogil:
        """Whether anything but an arrival has happened to the machine in this instant."""
        cdef int32_t slot
        if world.at.changed or self.state.stirred == world.at.now:
            return True
        for slot in range(world.running.used):
            if (world.running.slots[slot].job != NONE and world.running.slots[slot].state == c'R'
                    and world.running.slots[slot].since == world.at.now):
                return True
        return False

    cdef bint _arrive(self, World world, job_t job) except -1 nogil:
        """A job that was submitted comes before the machine, or into its queue of NQS; NQS may have none for it.

        Returns whether it stands before the machine now and did not before.
        """
        cdef Py_ssize_t at = world.queue.find(job)
        cdef int queue
        if at == NONE or world.queue.slot[at] != NONE or self.nqs.find(job) != NULL:
            return False
        if (self.interactive_limits and world.jobs.service(job) <= DEBUG
                and (world.jobs.size[job] > INTERACTIVE_SIZE or world.jobs.estimate[job] > INTERACTIVE_LENGTH)):
            world.decisions.add(REFUSE, job, NOT_INTERACTIVE, world.jobs.size[job], world.jobs.estimate[job],
                                INTERACTIVE_SIZE, INTERACTIVE_LENGTH)
            world.cancel(job)
            return False
        if not self.nqs.takes(world, job):
            self.seat(world, at, world.overrides.service(world.jobs, job))
            return True
        queue = self.nqs.queue_for(world, job)
        if queue != NONE:
            self.nqs.hold(job, queue, world.overrides.service(world.jobs, job))
            return False
        world.decisions.add(REFUSE, job, NQS_NO_QUEUE, world.jobs.size[job], world.jobs.estimate[job],
                            self.nqs.queues[QUEUES - 1].processors, self.nqs.longest_for(world.jobs.size[job]))
        world.cancel(job)
        return False

    cdef int32_t seat(self, World world, Py_ssize_t at, int service) except -1 nogil:
        """The job at a position of the queue comes before the machine: from now on it waits there."""
        cdef int32_t slot = world.seat(at)
        cdef Place *place
        self._grow(slot + 1)
        self.state.used = max(self.state.used, slot + 1)
        place = &self.places[slot]
        memset(place, 0, sizeof(Place))
        place.waiting_since = world.at.now
        place.wire = NONE
        place.service = <uint8_t> service
        self._ask(world.running.slots[slot].job, place)
        return slot

    cdef bint holds(self, World world, int32_t slot) noexcept nogil:
        """Whether the job of a slot holds its block."""
        cdef uint8_t state = world.running.slots[slot].state
        return world.running.slots[slot].job != NONE and (state == c'i' or state == c'R' or state == c'o')

    cdef bint is_guarded(self, int32_t slot) noexcept nogil:
        """Whether the class of a job keeps it from being preempted."""
        return self.places[slot].service == DEBUG or self.places[slot].service == BENCHMARK

    cdef void lay(self, World world) noexcept nogil:
        """Put on the floor what stands on the machine and what is assigned."""
        cdef int32_t slot
        cdef nodes_t node
        self.floor.clear()
        for slot in range(world.running.used):
            if self.holds(world, slot):
                self.floor.take(self.places[slot].block, slot, self.is_guarded(slot))
            elif world.running.slots[slot].job != NONE and self.places[slot].claim != NO_CLAIM:
                self.floor.bar(self.places[slot].block)
        for node in range(world.nodes if world.machine.downs else 0):
            if world.machine.is_down(node):
                self.floor.close(node)

    cdef int load_into(self, World world, int32_t slot, int32_t block) except -1 nogil:
        """A waiting job gets an idle block, and loading it, or restoring its state, begins."""
        cdef Active *active = &world.running.slots[slot]
        cdef Place *place = &self.places[slot]
        world.admit(world.queue.find(active.job), False)
        if place.stored and place.stood != block:
            self.state.relocations += 1
        place.block = block
        place.claim = NO_CLAIM
        place.was = 0
        place.loaded = 1
        if world.owning:
            active.extents = take_block(world.machine, block)
        world.at.free -= active.size
        self.floor.take(block, slot, self.is_guarded(slot))
        return self.transfer(world, slot, c'i')

    cdef seconds_t length_of(self, World world, int32_t slot, int state) noexcept nogil:
        """How long the transfer takes that makes the state of a job i or o."""
        cdef nodes_t size = world.running.slots[slot].size
        return save_time(size) if state == c'o' or self.places[slot].stored else load_time(size)

    cdef int kind_of(self, int32_t slot, int state) noexcept nogil:
        """The kind of the event that ends that transfer."""
        if state == c'o':
            return SWAPPED_OUT
        return SWAPPED_IN if self.places[slot].stored else LOADED

    cdef int transfer(self, World world, int32_t slot, int state) except -1 nogil:
        """The memory of a job begins to move, or waits for the transfers before it: its state is i or o."""
        cdef Place *place = &self.places[slot]
        cdef seconds_t begin = world.at.now
        cdef int32_t other
        if self.serial:
            for other in range(world.running.used):
                if other != slot and moves(world, other):
                    begin = max(begin, self.places[other].until)
        place.until = begin + self.length_of(world, slot, state)
        place.asked = self.state.asked
        self.state.asked += 1
        return world.transfer(slot, state, self.kind_of(slot, state), place.until)

    cdef int close_gap(self, World world) except -1 nogil:
        """Of serial transfers one was called off: those that were to begin after it begin earlier."""
        cdef seconds_t free_at = world.at.now, length
        cdef int64_t last = NONE
        cdef int32_t slot
        cdef Place *place
        cdef uint8_t state
        while self.serial:
            slot = self._next_asked(world, last)
            if slot == NONE:
                return 0
            place = &self.places[slot]
            state = world.running.slots[slot].state
            last = place.asked
            length = self.length_of(world, slot, state)
            if place.until - length > world.at.now and place.until != free_at + length:
                place.until = free_at + length
                world.heap.cancel(slot, self.kind_of(slot, state))
                world.heap.push(place.until, self.kind_of(slot, state), world.at.order, slot)
                world.at.order += 1
            free_at = place.until
        return 0

    cdef int32_t _next_asked(self, World world, int64_t last) noexcept nogil:
        """The transfer that was asked for next after another one."""
        cdef int32_t slot, best = NONE
        for slot in range(world.running.used):
            if (moves(world, slot) and self.places[slot].asked > last
                    and (best == NONE or self.places[slot].asked < self.places[best].asked)):
                best = slot
        return best

    cdef Py_ssize_t rank_of(self, World world, job_t job) noexcept nogil:
        """How many waiting jobs are above a job in the table: the queue stays in order of arrival."""
        cdef Py_ssize_t at, rank = 0
        for at in range(world.queue.first, world.queue.tail):
            rank += world.queue.job[at] != NONE and world.queue.job[at] < job
        return rank

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        self.nqs.forget(job)
        return 0

    cdef int disturbed(self, World world) except -1 nogil:
        if self.blocks:
            self.state.stirred = world.at.now
            self.close_gap(world)
        return 0

    cdef int gone(self, World world, job_t job, int32_t slot) except -1:
        self.nqs.forget(job)
        return 0

    cdef int come_back(self, World world, int32_t slot) except -1:
        """A job that has lost its block waits again; whatever was saved of it is lost, its wire it keeps."""
        cdef Place *place
        if not self.blocks:
            return Policy.come_back(self, world, slot)
        place = &self.places[slot]
        place.block = place.was = 0
        place.claim = NO_CLAIM
        place.stored = place.leaving = 0
        place.waiting_since = world.at.now
        return self.wait_again(world, slot)

    cdef int wait_again(self, World world, int32_t slot) except -1 nogil:
        """A job without a block is in the queue again, at its place: in O, if only its loading ever began."""
        world.rejoin(slot, self.rank_of(world, world.running.slots[slot].job))
        if self.places[slot].loaded:
            world.running.slots[slot].state = c'O'
        return 0

    cdef object refusal(self, World world, int verb, job_t job, int64_t to):
        """All that can be asked of every scheduler of the torus is that a job be over."""
        cdef int state = world.state_of(job)
        if verb != CANCEL_JOB:
            return because(NOT_OFFERED)
        if state == 0:
            return because(NOT_SUBMITTED, world.jobs.submit[job])
        return because(IS_OVER) if state == c'F' else None

    cdef int operate(self, World world, int verb, job_t job, int64_t to) except -1:
        self.nqs.forget(job)
        world.cancel(job)
        return self.disturbed(world)

    cdef seconds_t next_boundary(self, World world) noexcept nogil:
        """The next instant at which the clock on the wall changes the rules, FOREVER for none."""
        return self.nqs.next_period(world.at.now) if self.nqs.count else FOREVER

    cdef bint may_stir(self, World world, bint timed) noexcept nogil:
        """Whether anything may come of another boundary. `timed` tells that a job's own time is still to come.

        When a week has gone by in which nothing happened but boundaries, all rules have been tried in vain.
        """
        return world.queue.live > 0 and (timed or world.heap.count > 0 or world.at.now - self.state.stirred < WEEK)

    cdef size_t bytes(self) noexcept nogil:
        return sizeof(PlacedState) + self.state.used * sizeof(Place) + self.nqs.bytes() + 8

    cdef char *save(self, char *to) noexcept nogil:
        to = put_bytes(to, &self.state, sizeof(PlacedState))
        return aligned(self.nqs.save(put_bytes(to, self.places, self.state.used * sizeof(Place))))

    cdef const char *load(self, const char *source) except NULL nogil:
        source = take_bytes(source, &self.state, sizeof(PlacedState))
        self._grow(self.state.used)
        source = take_bytes(source, self.places, self.state.used * sizeof(Place))
        return aligned(<char *> self.nqs.load(source))


cdef bint moves(World world, int32_t slot) noexcept nogil:
    """Whether the memory of the job of a slot moves, or waits to."""
    cdef uint8_t state = world.running.slots[slot].state
    return world.running.slots[slot].job != NONE and (state == c'i' or state == c'o')
