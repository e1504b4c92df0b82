"""UNICOS MAX (Feitelson & Jette 1997, section 4; docs/schedulers.md, section 11): variable partitioning.

The queue is scanned in order of arrival and whatever fits starts, until a job that does not fit has waited for longer
than the limit: it ends the scan. Nothing happens when a job's wait reaches the limit, only at the next event.

Those who waited so long are the first in the queue, so a pass has two parts: one job by one while they are old, then
by the minima of blocks, since nobody behind ends the scan. Nothing need be remembered: where no node came free and
the first is not old, only the jobs that came are tested.

On the T3D's torus a job is loaded into its lowest free block, and one that finds none ends the scan as soon as it has
waited for the limit, to the second; there the order is that of submission to the machine, behind NQS where it is.
"""

cimport cython

from shadowtime.kernels.core.clock cimport BOUNDARY
from shadowtime.kernels.core.decisions cimport BACKFILL, START, because
from shadowtime.kernels.core.queue cimport BLOCK
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, job_t, nodes_t
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport Policy, pass_pending
from shadowtime.kernels.policies.torus.torus cimport base_of, level_for

from shadowtime.kernels.core.decisions import reason

cdef int HEAD_FITS = reason("head_fits", "needs", "free")
cdef int FITS_OUT_OF_ORDER = reason("fits_out_of_order", "needs", "free", "head", "head_needs")
cdef int NO_ROOM_NOW = reason("no_room_now", "needs", "free")
cdef int WAITED_ENDS_SCAN = reason("waited_ends_scan", "needs", "free", "blocker", "blocker_needs", "waited",
                                   "limit")
cdef int LOADED_LOWEST = reason("loaded_lowest", "needs", "free", "base")
cdef int BEING_LOADED = reason("being_loaded", "needs", "base", "at")
cdef int NO_FREE_BLOCK = reason("no_free_block", "needs", "free")


@cython.final
cdef class Unicos(Placed):
    def __cinit__(self, name, parameters):
        if parameters["limit"] < 0:
            raise ValueError(f"limit is {parameters['limit']}; expected 0 or more seconds")
        self.limit = parameters["limit"]
        self.listing = Listing()

    cdef int reset(self, World world) except -1 nogil:
        # The other candidates, and their virtual machines, know nothing of blocks.
        self.on_torus = self.blocks = world.site.is_t3d() and not self.candidate
        return self.begin(world) if self.on_torus else 0

    cdef int adopt(self, World world) except -1 nogil:
        if world.site.is_t3d() and not self.candidate:
            return Placed.adopt(self, world)
        return Policy.adopt(self, world)

    cdef bint suits(self, World world) except -1:
        return not self.needs_blocks(world) or Placed.suits(self, world)

    cdef bint needs_blocks(self, World world) except -1:
        return world.site.is_t3d() and not self.candidate

    cdef bint _holds_back(self, World world, Py_ssize_t at) noexcept nogil:
        """Whether the job at a position has waited so long that it ends the scan if it does not fit."""
        return self._waited(world, at) > self.limit

    cdef seconds_t _waited(self, World world, Py_ssize_t at) noexcept nogil:
        """How long the job at a position has waited, all its stays in the queue together."""
        cdef int32_t slot = world.queue.slot[at]
        if slot == NONE:
            return world.at.now - world.jobs.submit[world.queue.job[at]]
        return world.running.slots[slot].waited + world.at.now - world.running.slots[slot].queued

    cdef int schedule(self, World world) except -1 nogil:
        cdef Py_ssize_t young
        if self.on_torus:
            return self._load_waiting(world)
        young = self._scan_old(world)
        if young == NONE or world.at.free == 0:
            return 0
        if not world.at.changed:
            # Nobody who was refused fits now; those that came are the last of the queue.
            if world.at.seen == world.at.arrivals:
                return 0
            young = max(young, world.queue.find(world.at.seen))
        return self._scan_young(world, young)

    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil:
        """Start the job at a position, which fits."""
        cdef Py_ssize_t first = world.queue.first
        if at == first:
            world.decisions.add(unless_resumed(world, at, START), world.queue.job[at], HEAD_FITS, world.queue.size[at], world.at.free)
        else:
            world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], FITS_OUT_OF_ORDER, world.queue.size[at], world.at.free,
                                world.queue.job[first], world.queue.size[first])
        return world.start(at, at != first)

    cdef Py_ssize_t _scan_old(self, World world) except -2 nogil:
        """Scan while jobs may end the scan; the position at which that is over, NONE where one did end it."""
        cdef Py_ssize_t at, tail = world.queue.tail
        for at in range(world.queue.first, tail):
            if world.queue.job[at] == NONE:
                continue
            if world.queue.size[at] <= world.at.free:
                self._start(world, at)
            elif self._holds_back(world, at):
                return NONE
            elif world.queue.slot[at] == NONE and world.overrides.count == 0:
                # From here on the queue is in order of submission: nobody behind has waited longer.
                return at
        return NONE

    cdef int _scan_young(self, World world, Py_ssize_t begin) except -1 nogil:
        """Start whatever fits, from a position on."""
        cdef Py_ssize_t block, at, tail = world.queue.tail
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if world.queue.least_size[block] > world.at.free:
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if world.queue.size[at] <= world.at.free:
                    self._start(world, at)
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """By a scan of this moment: the first job that it could start or that ends it settles all behind."""
        cdef Py_ssize_t other
        if self.on_torus:
            if world.at.pass_due:
                return pass_pending(world, at)
            if self.nqs.find(world.queue.job[at]) != NULL:
                return self.nqs.explain(world, at) or pass_pending(world, at)
            return self._explain_blocks(world, world.queue.slot[at])
        for other in range(world.queue.first, at + 1):
            if world.queue.job[other] == NONE:
                continue
            if world.queue.size[other] <= world.at.free:
                return pass_pending(world, at)
            if other != at and self._holds_back(world, other):
                return because(WAITED_ENDS_SCAN, world.queue.size[at], world.at.free, world.queue.job[other],
                               world.queue.size[other], self._waited(world, other), self.limit)
        return because(NO_ROOM_NOW, world.queue.size[at], world.at.free)

    cdef int _list_waiting(self, World world) except -1 nogil:
        """The slots of the waiting jobs in order of their submission to the machine."""
        cdef Py_ssize_t at, i
        self.listing.empty(world.queue.live)
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.job[at] != NONE and world.queue.slot[at] != NONE:
                self.listing.add(self.places[world.queue.slot[at]].waiting_since, world.queue.job[at])
        self.listing.sort()
        for i in range(self.listing.count):
            self.listing.of[i].at = world.slot_of(<job_t> self.listing.of[i].at)
        return 0

    cdef bint _ends_scan(self, World world, int32_t slot) noexcept nogil:
        """Whether a job has waited so long before the machine that it ends the scan if it finds no block."""
        return world.at.now - self.places[slot].waiting_since >= self.limit

    cdef int _load_waiting(self, World world) except -1 nogil:
        """Load whoever finds a block, until one that finds none ends the scan."""
        cdef Py_ssize_t i
        cdef int32_t slot, block
        cdef Active *active
        cdef bint passed = False
        self.take_in(world)
        self.lay(world)
        self._list_waiting(world)
        for i in range(self.listing.count):
            slot = <int32_t> self.listing.of[i].at
            active = &world.running.slots[slot]
            block = self.floor.lowest(level_for(active.size))
            if block:
                active.backfilled = passed
                world.decisions.add(BACKFILL if passed else START, active.job, LOADED_LOWEST, active.size,
                                    world.at.free, base_of(block))
                self.load_into(world, slot, block)
            elif self._ends_scan(world, slot):
                break
            else:
                passed = True
        if world.decisions.count or world.at.changed or world.at.seen < world.at.arrivals:
            self.state.stirred = world.at.now
        return self._arm(world)

    cdef int _arm(self, World world) noexcept nogil:
        """The timer: other limits of NQS."""
        world.at.due = self.next_boundary(world) if self.may_stir(world, False) else FOREVER
        world.at.due_kind = BOUNDARY
        world.at.due_job = NONE
        return 0

    cdef bint timer_rang(self, World world, int kind, job_t job) except -1 nogil:
        self._arm(world)
        return self.nqs.may_release(world)

    cdef object _explain_blocks(self, World world, int32_t slot):
        """By a scan of this moment: whoever finds no block and ends the scan settles all behind."""
        cdef Py_ssize_t i
        cdef int32_t other
        cdef nodes_t needs = world.running.slots[slot].size
        self.lay(world)
        self._list_waiting(world)
        for i in range(self.listing.count):
            other = <int32_t> self.listing.of[i].at
            if other == slot:
                break
            if self._ends_scan(world, other):
                return because(WAITED_ENDS_SCAN, needs, world.at.free, world.running.slots[other].job,
                               world.running.slots[other].size, world.at.now - self.places[other].waiting_since, self.limit)
        return because(NO_FREE_BLOCK, needs, world.at.free)

    cdef object explain_active(self, World world, int32_t slot):
        if not self.on_torus or world.running.slots[slot].state != c'i':
            return Policy.explain_active(self, world, slot)
        return because(BEING_LOADED, world.running.slots[slot].size, base_of(self.places[slot].block), self.places[slot].until)

    cdef object status(self, World world):
        return {"nqs": self.nqs.status(world)} if self.nqs.open else {}

    cdef size_t bytes(self) noexcept nogil:
        return Placed.bytes(self) if self.on_torus else 0

    cdef char *save(self, char *to) noexcept nogil:
        return Placed.save(self, to) if self.on_torus else to

    cdef const char *load(self, const char *source) except NULL nogil:
        return Placed.load(self, source) if self.on_torus else source
