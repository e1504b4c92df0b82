"""A plan from scratch: every waiting job at its earliest time, in some order, above the running jobs.

This is how CCS schedules (Streit 2002): nothing is kept from one pass to the next, so nothing is guaranteed. A pass
needs only the jobs that start now, which a part of the plan decides (partial_plan.pyx). When somebody asks why a job
waits, the plan is made as far as that job.
"""

cimport cython
from libc.stdlib cimport free as release

from shadowtime.kernels.core.decisions cimport BACKFILL, START, because
from shadowtime.kernels.core.memory cimport grown
from shadowtime.kernels.core.types cimport FOREVER, NONE, nodes_t, seconds_t
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport never_fits, pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int PLANNED_NOW = reason("planned_now", "needs", "free")
cdef int PLANNED = reason("planned", "needs", "free", "planned", "short_at", "short_free", "place")


@cython.final
cdef class Plan:
    def __cinit__(self):
        self.profile = Profile()
        self.listing = Listing()
        self.waiting = SortedWaiting()
        self.partial = PartialPlan()
        self.bounds = PlanBounds()
        self.made_at = NONE

    def __dealloc__(self):
        release(self.jobs)

    cdef int start_due(self, World world, int order) except -1 nogil:
        """Plan in that order, and start the jobs that are placed at now, in order of arrival."""
        cdef Py_ssize_t i
        if world.queue.live == 0 or world.queue.narrowest() > world.at.free:
            return 0
        self.waiting.follow(world.queue, order, self.own_order and world.overrides.count > 0, world.at.arrivals)
        self.partial.decide(world, self.waiting)
        self.listing.empty(self.partial.due_count)
        for i in range(self.partial.due_count):
            self.listing.add(0, world.queue.find(self.waiting.job[self.partial.due[i].entry]))
        # From behind, since entries move up.
        for i in range(self.partial.due_count - 1, -1, -1):
            self.waiting.remove(self.partial.due[i].block, self.partial.due[i].k)
        return self._start(world)

    cdef int _start(self, World world) except -1 nogil:
        """Start the jobs at the positions in the listing, in order of arrival."""
        cdef Py_ssize_t i, at
        cdef bint backfilled
        self.listing.sort()
        for i in range(self.listing.count):
            at = self.listing.of[i].at
            backfilled = at != world.queue.first
            world.decisions.add(unless_resumed(world, at, BACKFILL if backfilled else START), world.queue.job[at], PLANNED_NOW,
                                world.queue.size[at], world.at.free)
            world.start(at, backfilled)
        return 0

    cdef int _begin(self, World world, int order) except -1 nogil:
        """Begin a plan of all the waiting jobs."""
        self.jobs = <Planned *> grown(self.jobs, &self.room, world.queue.live, sizeof(Planned))
        world.lay(self.profile)
        self.bounds.begin(self.profile, world.nodes)
        self.listing.take_all(world.queue, order, self.own_order and world.overrides.count > 0)
        self.planned = 0
        return 0

    cdef int _plan_next(self, World world) except -1 nogil:
        """Plan one more job."""
        cdef Py_ssize_t at = self.listing.of[self.planned].at
        cdef seconds_t length = world.queue.estimate[at], now = world.at.now
        cdef nodes_t size = world.queue.size[at]
        cdef Planned *job = &self.jobs[self.planned]
        job.start = self.profile.whole(self.bounds.least(self.profile, size, length, FOREVER), FOREVER, size, length)
        job.short_at = self.profile.shortage(now, min(now + length, job.start), size, &job.short_free)
        if job.start < FOREVER:
            self.profile.change(job.start, job.start + length, -size)
        self.planned += 1
        return 0

    cdef void forget(self) noexcept nogil:
        """The plan that is at hand is of another moment."""
        self.made_at = NONE
        self.waiting.forget()

    cdef object explain(self, World world, Py_ssize_t at, int order):
        """Why the job at a position waits, by a plan of this moment in that order: it is as far as that job, so that those
        before it alone are in its way.
        """
        cdef Py_ssize_t i = 0
        cdef Planned *job
        with nogil:
            if self.made_at != world.at.event:
                self._begin(world, order)
                self.made_at = world.at.event
            while self.listing.of[i].at != at:
                i += 1
            while self.planned <= i:
                self._plan_next(world)
        job = &self.jobs[i]
        if job.start == FOREVER:
            return never_fits(world, at)
        if job.start <= world.at.now or job.short_at == min(world.at.now + world.queue.estimate[at], job.start):
            return pass_pending(world, at)
        return because(PLANNED, world.queue.size[at], world.at.free, job.start, job.short_at, job.short_free, i + 1)
