"""Conservative backfilling (Feitelson & Weil 1998, Figure 1 and text; docs/schedulers.md, section 3).

Every job gets a reservation when it is submitted, at its anchor point, and keeps it: after completions the schedule
is compressed once, in order of arrival, and no reservation ever moves later. `replan` makes the plan from scratch in
every pass instead (Figure 1 read literally): it guarantees nothing.

In an instant: completions, compression, arrivals, starts. One compression is not idempotent: room that a later
job leaves is seen by an earlier one only at the next completion; `loose` carries that over. Where many wait, only the
jobs that can move are tried (`kernels/planning/movers.pyx`); the result is that of trying every job.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport BACKFILL, MOVE, RESERVE, START, because
from shadowtime.kernels.core.types cimport FOREVER, NONE, int64_t, job_t
from shadowtime.kernels.core.world cimport NODES_FREED
from shadowtime.kernels.planning.movers cimport Movers
from shadowtime.kernels.planning.ordering cimport ARRIVAL
from shadowtime.kernels.planning.plan cimport Plan
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport never_fits, pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int ANCHOR = reason("anchor", "needs", "at")
cdef int COMPRESSED = reason("compressed", "needs", "was", "at")
cdef int RESERVATION_DUE_NOW = reason("reservation_due", "needs", "free", "reserved")
cdef int RESERVED = reason("reserved", "needs", "free", "reserved", "short_at", "short_free")
cdef int MISSED_TURN = reason("missed_turn", "needs", "free", "reserved")

cdef enum:          # bits of `loose`
    ROOM = 1        # room came free since each job was last tried
    VOID = 2        # nobody has a reservation, since the machine or the queue was disturbed

cdef enum:
    # Jobs that wait from which on marks are kept. Below, trying every job costs about as much and is simpler.
    CROWD = 400


@cython.final
cdef class Conservative(Policy):
    def __cinit__(self, name, parameters):
        self.replan = parameters["compress"] == "replan"
        self.promises = not self.replan
        self.profile = Profile()
        self.plan = Plan()
        self.movers = Movers()

    cdef int reset(self, World world) except -1 nogil:
        self.loose = 0
        with gil:
            self.movers = Movers()
        return self.profile.reset(world.at.now, world.nodes)

    cdef int adopt(self, World world) except -1 nogil:
        """Reservations in order of arrival, each at its earliest time in a fresh plan."""
        Policy.adopt(self, world)
        return 0 if self.replan else self._lay(world, world.at.seen)

    cdef int take_over(self, World world) except -1:
        Policy.adopt(self, world)
        return self.disturbed(world)

    cdef int disturbed(self, World world) except -1 nogil:
        """The reservations are void; the next pass makes new ones, in order of the queue, which may be later."""
        cdef Py_ssize_t at
        if self.replan:
            return 0
        for at in range(world.queue.first, world.queue.tail):
            world.queue.reserved[at] = FOREVER
        world.at.due = FOREVER
        world.at.due_job = NONE
        self.loose = VOID
        self.movers.drop()
        return 0

    cdef int freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        if self.replan or start >= end:
            return 0
        self.loose |= ROOM
        self.profile.change(start, end, size)
        return self._freed(world, start, end, size)

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        if self.replan or limit <= world.at.now:
            return 0
        self.loose |= ROOM
        self.profile.forget(world.at.now)
        self.profile.change(world.at.now, limit, size)
        return self._freed(world, world.at.now, limit, size)

    cdef int _freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        """Room has come free, as the profile shows."""
        return self.movers.freed(world.queue, self.profile, start, end, size) if self.movers.kept else 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef job_t job
        cdef Py_ssize_t at
        cdef bint nobody_due = world.at.due == FOREVER      # the timer has gone off, or nobody had a reservation
        if self.replan:
            return self.plan.start_due(world, ARRIVAL)
        if self.loose >= VOID:
            self.loose = 0
            self._lay(world, world.at.arrivals)
            return self._start_due(world)
        self.profile.forget(world.at.now)
        if world.at.changed & NODES_FREED and self.loose:
            self._compress(world)
        for job in range(world.at.seen, world.at.arrivals):
            at = world.queue.find(job)
            if at != NONE:
                self._reserve(world, at)
        if nobody_due or world.at.due <= world.at.now:
            return self._start_due(world)
        return 0

    cdef int _reserve(self, World world, Py_ssize_t at) except -1 nogil:
        """Give the job at a position its reservation, at its anchor point."""
        cdef seconds_t start = world.at.now
        start = self.profile.anchor(start, world.queue.size[at], world.queue.estimate[at], FOREVER)
        world.queue.reserved[at] = start
        if start < FOREVER:
            self.profile.change(start, start + world.queue.estimate[at], -world.queue.size[at])
        if start == FOREVER:
            return 0
        self._set_timer(world, at, start)
        if self.movers.kept:
            self.movers.reserved(world.queue.job[at], world.queue.size[at], world.queue.estimate[at], start)
        world.promise(world.queue.job[at], start)
        return world.decisions.add(RESERVE, world.queue.job[at], ANCHOR, world.queue.size[at], start)

    cdef void _set_timer(self, World world, Py_ssize_t at, seconds_t start) noexcept nogil:
        """The job at a position begins at `start`: the timer is for the first to begin, in order of the queue."""
        if start < world.at.due or (start == world.at.due and world.at.due_job != NONE
                                    and at < world.queue.place[world.at.due_job]):
            world.at.due = start
            world.at.due_job = world.queue.job[at]

    cdef int _compress(self, World world) except -1 nogil:
        """In order of arrival each job is taken out and put back at its earliest time; one round."""
        self.loose = 0
        if world.queue.live < CROWD:
            self.movers.drop()
            return self._compress_all(world)
        return self._compress_marked(world)

    cdef int _compress_all(self, World world) except -1 nogil:
        cdef seconds_t to
        cdef Py_ssize_t at
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.reserved[at] == FOREVER:
                continue
            to = self.profile.anchor(world.at.now, world.queue.size[at], world.queue.estimate[at],
                                     world.queue.reserved[at])
            if to < world.queue.reserved[at]:
                self._move(world, at, to)
        return 0

    cdef int _compress_marked(self, World world) except -1 nogil:
        """The same, trying only the jobs that can possibly move."""
        cdef Py_ssize_t at
        cdef seconds_t to
        if not self.movers.kept:
            self.movers.gather(world.queue, self.profile, world.at.now, world.jobs.count, world.nodes)
        self.movers.begin()
        at = self.movers.following(world.queue)
        while at != NONE:
            to = self.movers.earliest(self.profile, world.queue.job[at], world.queue.reserved[at])
            if to < world.queue.reserved[at]:
                self._move(world, at, to)
            at = self.movers.following(world.queue)
        return 0

    cdef int _move(self, World world, Py_ssize_t at, seconds_t to) except -1 nogil:
        """The reservation at a position moves to an earlier time; only what changes hands is changed."""
        cdef seconds_t was = world.queue.reserved[at], length = world.queue.estimate[at]
        cdef nodes_t size = world.queue.size[at]
        self.profile.change(to, min(to + length, was), -size)
        self.profile.change(max(to + length, was), was + length, size)
        world.queue.reserved[at] = to
        if self.movers.kept:
            self.movers.moved(world.queue.job[at], was, to)
            self.movers.freed(world.queue, self.profile, max(to + length, was), was + length, size)
        self.loose = ROOM
        self._set_timer(world, at, to)
        return world.decisions.add(MOVE, world.queue.job[at], COMPRESSED, size, was, to)

    cdef int _start_due(self, World world) except -1 nogil:
        """Start the jobs whose reservation begins now, in order of arrival; the timer moves to the next one."""
        cdef Py_ssize_t at, tail = world.queue.tail
        if self.movers.kept:
            return self._start_first(world)
        world.at.due = FOREVER
        world.at.due_job = NONE
        for at in range(world.queue.first, tail):
            if world.queue.reserved[at] > world.at.now:
                if world.queue.reserved[at] < world.at.due:
                    world.at.due = world.queue.reserved[at]
                    world.at.due_job = world.queue.job[at]
                continue
            self._start(world, at)
        return 0

    cdef int _start_first(self, World world) except -1 nogil:
        """The same, without a look at the others."""
        cdef Py_ssize_t n = self.movers.rank(world.queue, world.at.now)
        while n > 0:
            self._start(world, world.queue.place[self.movers.order[self.movers.first].job])
            self.movers.started()
            n -= 1
        world.at.due_job = self.movers.head_of(world.queue)
        world.at.due = world.queue.reserved[world.queue.place[world.at.due_job]] if world.at.due_job != NONE else FOREVER
        return 0

    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil:
        """Start the job at a position, whose reservation begins now."""
        world.decisions.add(unless_resumed(world, at, START if at == world.queue.first else BACKFILL), world.queue.job[at],
                            RESERVATION_DUE_NOW,
                            world.queue.size[at], world.at.free, world.queue.reserved[at])
        return world.start(at, at != world.queue.first)

    cdef int _lay(self, World world, job_t arrivals) except -1 nogil:
        """Reserve for the jobs before row `arrivals`, in order of the queue, in a fresh plan above the running jobs."""
        cdef Py_ssize_t at
        world.lay(self.profile)
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.job[at] != NONE and world.queue.job[at] < arrivals:
                self._reserve(world, at)
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef seconds_t start = world.queue.reserved[at], end, short_at
        cdef nodes_t left = 0
        if self.replan:
            return self.plan.explain(world, at, ARRIVAL)
        if start == FOREVER and not world.at.pass_due:
            return never_fits(world, at)
        if start == FOREVER or start <= world.at.now:
            return pass_pending(world, at)
        end = min(world.at.now + world.queue.estimate[at], start)
        short_at = self.profile.shortage(world.at.now, end, world.queue.size[at], &left)
        if short_at < end:
            return because(RESERVED, world.queue.size[at], world.at.free, start, short_at, left)
        return pass_pending(world, at) if world.at.pass_due else because(MISSED_TURN, world.queue.size[at], world.at.free, start)

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        if self.replan or world.queue.reserved[at] == FOREVER:
            return None
        return world.queue.reserved[at], "guaranteed"

    cdef size_t bytes(self) noexcept nogil:
        return 8 + self.profile.bytes()

    cdef char *save(self, char *to) noexcept nogil:
        (<int64_t *> to)[0] = self.loose
        return self.profile.save(to + 8)

    cdef const char *load(self, const char *source) except NULL nogil:
        self.loose = <int32_t> (<const int64_t *> source)[0]
        self.movers.drop()
        self.plan.forget()
        return self.profile.load(source + 8)
