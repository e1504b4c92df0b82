"""Flex, slack-based backfilling (Talby & Feitelson 2005; docs/schedulers.md, section 6): a reconstruction.

The formulae of 1999 on which the paper builds were not found; this is the reading of docs/schedulers.md. Every waiting job has
a planned start and a deadline, its first feasible start plus its slack. A new job is tried at every place of the list,
those behind it are planned again, and the plan of least total cost in which nobody passes a deadline is kept.
"""

cimport cython
from libc.math cimport floor
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from shadowtime.kernels.core.decisions cimport BACKFILL, MOVE, RESERVE, START, because
from shadowtime.kernels.core.memory cimport put_bytes, resized, take_bytes
from shadowtime.kernels.core.types cimport FOREVER, NONE, millionths
from shadowtime.kernels.planning.deadlines cimport Deadlines, Given
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport never_fits, pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int COMPRESSED = reason("compressed", "needs", "was", "at")
cdef int RESERVATION_DUE_NOW = reason("reservation_due", "needs", "free", "reserved")
cdef int MISSED_TURN = reason("missed_turn", "needs", "free", "reserved")
cdef int INSERTED = reason("inserted", "needs", "at", "deadline", "earliest", "ahead_of", "waiting")
cdef int PUSHED_BACK = reason("pushed_back", "needs", "was", "at", "deadline", "by")
cdef int PLANNED_BY_DEADLINE = reason("planned_by_deadline", "needs", "free", "planned", "deadline",
                                      "short_at", "short_free")
cdef int TAKEN_OVER = reason("taken_over", "needs", "at", "deadline")

cdef enum Cost:
    WAIT
    SLOWDOWN
    AREA

cdef enum:          # bits of `loose`
    ROOM = 1        # room came free since each job was last tried
    VOID = 2        # nobody is planned, since the machine or the queue was disturbed

MOST = 1e9      # times the mean wait
COSTS = ("wait", "slowdown", "area")


@cython.final
cdef class Flex(Policy):
    def __cinit__(self, name, parameters):
        self.slack = parameters["slack"]
        self.factor = -1.0 if parameters["slack_factor"] is None else parameters["slack_factor"]
        self.cost = COSTS.index(parameters["cost"])
        self.heavy = parameters["heavy"]
        if self.slack < 0:
            raise ValueError(f"slack is {self.slack}; expected 0 seconds or more")
        if parameters["slack_factor"] is not None and not 0 <= self.factor <= MOST:
            raise ValueError(f"slack_factor is {parameters['slack_factor']}; expected 0 to {MOST:.0f}")
        self.promises = True
        self.given = Deadlines()
        self.profile = Profile()
        self.base = Profile()
        self.trial = Profile()
        self.listing = Listing()

    def __dealloc__(self):
        free(self.plan)
        free(self.starts)
        free(self.bounds)

    cdef int _room(self, Py_ssize_t room) except -1 nogil:
        if room <= self.room:
            return 0
        room = max(room, 2 * self.room, 32)
        self.plan = <Planned *> resized(self.plan, room * sizeof(Planned))
        self.starts = <seconds_t *> resized(self.starts, 2 * room * sizeof(seconds_t))
        self.bounds = <int64_t *> resized(self.bounds, room * sizeof(int64_t))
        self.room = room
        return 0

    cdef int reset(self, World world) except -1 nogil:
        self.state.count = self.given.count = self.state.area = 0
        self.state.loose = self.state.completed = 0
        return self.profile.reset(world.at.now, world.nodes)

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        self.state.completed = 1
        if limit > world.at.now:
            self.state.loose |= ROOM
            self.profile.forget(world.at.now)
            self.profile.change(world.at.now, limit, size)
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        cdef job_t job
        if self.state.loose >= VOID:
            self._plan_anew(world, world.at.arrivals)
            self.state.completed = 0
            return self._start_due(world)
        self.profile.forget(world.at.now)
        if self.state.completed and self.state.loose:
            self._round(world)
        self.state.completed = 0
        for job in range(world.at.seen, world.at.arrivals):
            if world.queue.find(job) != NONE:
                self._insert(world, job)
        return self._start_due(world)

    cdef int64_t _cost(self, const Planned *job, seconds_t start) noexcept nogil:
        """What it costs that a job starts then: its wait, in the unit of the cost function; nothing if it never does."""
        cdef int64_t wait = start - job.submit if start < FOREVER else 0
        if self.cost == WAIT:
            return wait
        if self.cost == AREA:
            return job.size * wait
        return millionths(wait, max(job.length, 10))

    cdef seconds_t _slack(self, World world, int64_t area, int64_t submitted) noexcept nogil:
        """The slack of a job that asks for `area` node-seconds, the last of `submitted`, before it is cut to seconds."""
        cdef double slack = <double> self.slack
        if self.factor >= 0:
            slack = (self.factor * world.tally.wait) / world.tally.started if world.tally.started else 0.0
        if self.heavy:
            slack *= min(1.0, (<double> self.state.area / <double> submitted) / <double> area)
        return <seconds_t> floor(min(slack, <double> (FOREVER >> 2)))

    cdef int _round(self, World world) except -1 nogil:
        """In the order of the list each job is taken out and put back at its earliest time, once."""
        cdef Py_ssize_t i
        cdef Planned *job
        cdef seconds_t to
        self.state.loose = 0
        for i in range(self.state.count):
            job = &self.plan[i]
            if job.start == FOREVER:
                continue
            to = self.profile.anchor(world.at.now, job.size, job.length, job.start)
            if to < job.start:
                self.profile.change(to, min(to + job.length, job.start), -job.size)
                self.profile.change(max(to + job.length, job.start), job.start + job.length, job.size)
                self.state.loose = ROOM
                world.decisions.add(MOVE, job.job, COMPRESSED, job.size, job.start, to)
                job.start = to
        return 0

    cdef int _insert(self, World world, job_t job) except -1 nogil:
        """Give a new job its deadline and its place in the list."""
        cdef Py_ssize_t k, at = world.queue.find(job)
        cdef Planned added
        cdef seconds_t earliest
        added.job = job
        added.size = world.queue.size[at]
        added.length = world.queue.estimate[at]
        added.submit = world.jobs.submit[job]
        earliest = self.profile.anchor(world.at.now, added.size, added.length, FOREVER)
        self.state.area += <int64_t> added.size * added.length
        added.start = earliest
        added.deadline = FOREVER
        if earliest < FOREVER:
            added.deadline = earliest + self._slack(world, added.size * added.length, job + 1)
        self._room(self.state.count + 1)
        k = self._search(world, &added)
        self._take(world, k, &added)
        self.state.loose = ROOM
        if added.start == FOREVER:
            return 0
        world.promise(job, added.start)
        return world.decisions.add(RESERVE, job, INSERTED, added.size, added.start, added.deadline, earliest,
                                   self.state.count - 1 - k, self.state.count - 1)

    cdef Py_ssize_t _search(self, World world, Planned *added) except -1 nogil:
        """The place of least cost, ties to the larger one; the starts from there on are left in `starts`."""
        cdef Py_ssize_t k, i, best = self.state.count
        cdef Planned *job
        cdef int64_t cost, least, before = 0, most = self._cost(added, added.start)
        if added.start == FOREVER or best == 0:
            return best
        for i in range(self.state.count):
            before += self._cost(&self.plan[i], self.plan[i].start)
        most += before
        self._bound(world)
        # `before`: what the jobs before k cost; `least`: what the others cost at least.
        self.alone = self.trial.anchor(world.at.now, added.size, added.length, FOREVER)
        self.behind = added.start
        least = self._cost(added, self.alone)
        self.base.copy(self.profile)
        for k in range(self.state.count - 1, -1, -1):
            job = &self.plan[k]
            if job.start == FOREVER:
                continue
            self.base.change(job.start, job.start + job.length, job.size)
            before -= self._cost(job, job.start)
            least += self.bounds[k]
            cost = self._try(world.at.now, k, added, before + least, most)
            if cost >= 0:
                most = cost
                best = k
                memcpy(&self.starts[self.room], self.starts, (self.state.count - k + 1) * sizeof(seconds_t))
        return best

    cdef int _bound(self, World world) except -1 nogil:
        """What each planned job costs at least: as if it were alone with the running ones, whose profile is left in `trial`."""
        cdef Py_ssize_t i
        cdef Planned *job
        world.lay(self.trial)
        for i in range(self.state.count):
            job = &self.plan[i]
            self.bounds[i] = self._cost(job, self.trial.anchor(world.at.now, job.size, job.length, FOREVER))
        return 0

    cdef int64_t _try(self, seconds_t now, Py_ssize_t k, const Planned *added, int64_t least, int64_t most) except -2 nogil:
        """Cost of the plan with the new job before number k, -1 where it is not below `most` or breaks a deadline.

        `least` is what it would cost if the new job and those behind it were each alone with the running ones.
        """
        cdef Py_ssize_t i
        cdef const Planned *job = added
        cdef seconds_t start = self.base.anchor(now, added.size, added.length, FOREVER)
        cdef int64_t cost = least - self._cost(added, self.alone) + self._cost(added, start)
        cdef bint as_behind = start == self.behind
        self.behind = start
        if cost >= most:
            return -1
        self.trial.copy(self.base)
        self.trial.change(start, start + added.length, -added.size)
        self.starts[0] = start
        for i in range(k, self.state.count):
            job = &self.plan[i]
            self.starts[i - k + 1] = FOREVER
            if job.start == FOREVER:
                continue
            start = self.trial.anchor(now, job.size, job.length, FOREVER)
            cost += self._cost(job, start) - self.bounds[i]
            if start > job.deadline or cost >= most:
                return -1
            if as_behind:
                # Neither of the two stands in the other's way: this is the plan with the new job behind number k.
                if start == job.start:
                    return -1
                as_behind = False
            self.trial.change(start, start + job.length, -job.size)
            self.starts[i - k + 1] = start
        return cost

    cdef int _take(self, World world, Py_ssize_t k, Planned *added) except -1 nogil:
        """Put the new job before number k, and those behind it where the search has left them."""
        cdef Py_ssize_t i
        cdef Planned *job
        cdef seconds_t start
        cdef const seconds_t *starts = &self.starts[self.room]
        if k < self.state.count:
            added.start = starts[0]
            for i in range(k, self.state.count):
                job = &self.plan[i]
                start = starts[i - k + 1]
                if start == job.start:
                    continue
                self.profile.change(job.start, job.start + job.length, job.size)
                self.profile.change(start, start + job.length, -job.size)
                if start > job.start:
                    world.decisions.add(MOVE, job.job, PUSHED_BACK, job.size, job.start, start, job.deadline, added.job)
                else:
                    world.decisions.add(MOVE, job.job, COMPRESSED, job.size, job.start, start)
                job.start = start
            memmove(&self.plan[k + 1], &self.plan[k], (self.state.count - k) * sizeof(Planned))
        self.plan[k] = added[0]
        self.state.count += 1
        if added.start < FOREVER:
            self.profile.change(added.start, added.start + added.length, -added.size)
        return 0

    cdef int _start_due(self, World world) except -1 nogil:
        """Start the jobs that are planned for now, in order of arrival; the timer moves to the next one."""
        cdef Py_ssize_t i, at, kept = 0
        cdef Planned *job
        cdef bint backfilled
        world.at.due = FOREVER
        world.at.due_job = NONE
        self.listing.empty(self.state.count)
        for i in range(self.state.count):
            job = &self.plan[i]
            if job.start <= world.at.now:
                at = world.queue.find(job.job)
                self.listing.add(at, at)
                if world.virtual:
                    self.given.add(job.job, job.deadline)
                continue
            if job.start < world.at.due:
                world.at.due = job.start
                world.at.due_job = job.job
            self.plan[kept] = job[0]
            kept += 1
        self.state.count = kept
        self.listing.sort()
        for i in range(self.listing.count):
            at = self.listing.of[i].at
            backfilled = at != world.queue.first
            world.decisions.add(unless_resumed(world, at, BACKFILL if backfilled else START), world.queue.job[at], RESERVATION_DUE_NOW,
                                world.queue.size[at], world.at.free, world.at.now)
            world.start(at, backfilled)
        return 0

    cdef int prune(self, World real) except -1 nogil:
        """Forget the deadlines of jobs that do not wait on the real machine any more."""
        self.given.keep_waiting(real)
        return 0

    cdef int adopt(self, World world) except -1 nogil:
        """A fresh plan in order of arrival; deadlines that were given before hold, unless they cannot be kept."""
        cdef Py_ssize_t i, given
        for i in range(self.state.count):
            self.given.add(self.plan[i].job, self.plan[i].deadline)
        given = self.given.count
        self.given.sort()
        Policy.adopt(self, world)
        self.given.count = given
        if self.heavy:
            self._count(world, 0, world.at.seen)
        return self._plan_anew(world, world.at.seen)

    cdef int take_over(self, World world) except -1:
        """Without a past, but for the deadlines that it may have inherited."""
        cdef Py_ssize_t given = self.given.count
        Policy.adopt(self, world)
        self.given.count = given
        if self.heavy:
            self._count(world, 0, world.at.seen)
        return self.disturbed(world)

    cdef int disturbed(self, World world) except -1 nogil:
        """The plan is void; the next pass makes another one. A deadline holds until its job starts."""
        cdef Py_ssize_t i
        for i in range(self.state.count):
            self.given.add(self.plan[i].job, self.plan[i].deadline)
        self.given.sort()
        self.state.count = 0
        self.state.loose = VOID
        world.at.due = FOREVER
        world.at.due_job = NONE
        return 0

    cdef int _plan_anew(self, World world, job_t arrivals) except -1 nogil:
        """Plan the jobs before row `arrivals` in order of the queue; deadlines hold, unless they cannot be kept."""
        cdef Py_ssize_t at
        cdef job_t counted = world.at.seen, row
        self.state.loose = ROOM
        self._room(world.queue.live + 1)
        world.lay(self.profile)
        for at in range(world.queue.first, world.queue.tail):
            row = world.queue.job[at]
            if row == NONE or row >= arrivals:
                continue
            counted = self._count(world, counted, row + 1)
            self._append(world, at, counted)
        self._count(world, counted, arrivals)
        self.given.keep_held(world)
        return 0

    cdef job_t _count(self, World world, job_t begin, job_t end) noexcept nogil:
        """Count what new jobs ask for, up to a row; returns where to go on."""
        cdef job_t row
        for row in range(begin, end):
            self.state.area += <int64_t> world.jobs.size[row] * world.jobs.estimate[row]
        return max(begin, end)

    cdef int freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        if start < end:
            self.state.loose |= ROOM
            self.profile.change(start, end, size)
        return 0

    cdef int inherit(self, Policy other) except -1:
        """The deadlines that another one has given."""
        cdef Flex flex = other
        cdef Py_ssize_t i
        for i in range(flex.state.count):
            self.given.add(flex.plan[i].job, flex.plan[i].deadline)
        for i in range(flex.given.count):
            self.given.add(flex.given.of[i].job, flex.given.of[i].deadline)
        return 0

    cdef int _append(self, World world, Py_ssize_t at, job_t submitted) except -1 nogil:
        """Plan the job at a position of the queue behind all others, with the deadline that it had."""
        cdef Planned *job = &self.plan[self.state.count]
        self.state.count += 1
        job.job = world.queue.job[at]
        job.size = world.queue.size[at]
        job.length = world.queue.estimate[at]
        job.submit = world.jobs.submit[job.job]
        job.start = self.profile.anchor(world.at.now, job.size, job.length, FOREVER)
        job.deadline = self.given.find(job.job)
        if job.start < FOREVER:
            self.profile.change(job.start, job.start + job.length, -job.size)
            if job.deadline == NONE:
                job.deadline = job.start + self._slack(world, job.size * job.length, submitted)
            job.deadline = max(job.deadline, job.start)
        elif job.deadline == NONE:
            job.deadline = FOREVER
        if job.start < world.at.due:
            world.at.due = job.start
            world.at.due_job = job.job
        if job.start == FOREVER:
            return 0
        world.promise(job.job, job.start)
        return world.decisions.add(RESERVE, job.job, TAKEN_OVER, job.size, job.start, job.deadline)

    cdef Py_ssize_t _find(self, job_t job) noexcept nogil:
        """The place of a job in the list, NONE before its first pass."""
        cdef Py_ssize_t i
        for i in range(self.state.count):
            if self.plan[i].job == job:
                return i
        return NONE

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        cdef nodes_t left = 0
        cdef Py_ssize_t i = self._find(world.queue.job[at])
        cdef seconds_t end, short_at
        cdef const Planned *job
        if i == NONE or self.plan[i].start <= world.at.now:
            return pass_pending(world, at)
        job = &self.plan[i]
        if job.start == FOREVER:
            return never_fits(world, at)
        end = min(world.at.now + job.length, job.start)
        short_at = self.profile.shortage(world.at.now, end, job.size, &left)
        if short_at < end:
            return because(PLANNED_BY_DEADLINE, job.size, world.at.free, job.start, job.deadline, short_at, left)
        return pass_pending(world, at) if world.at.pass_due else because(MISSED_TURN, job.size, world.at.free, job.start)

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        cdef Py_ssize_t i = self._find(world.queue.job[at])
        return None if i == NONE or self.plan[i].start == FOREVER else (self.plan[i].start, "planned")

    cdef object terms(self, World world, Py_ssize_t at):
        cdef Py_ssize_t i = self._find(world.queue.job[at])
        if i == NONE or self.plan[i].start == FOREVER:
            return {}
        return {"deadline": self.plan[i].deadline, "slack_left": self.plan[i].deadline - self.plan[i].start}

    cdef size_t bytes(self) noexcept nogil:
        return (sizeof(FlexState) + self.state.count * sizeof(Planned) + self.given.count * sizeof(Given)
                + self.profile.bytes())

    cdef char *save(self, char *to) noexcept nogil:
        self.state.given = self.given.count
        to = put_bytes(to, &self.state, sizeof(FlexState))
        to = put_bytes(to, self.plan, self.state.count * sizeof(Planned))
        return self.profile.save(put_bytes(to, self.given.of, self.given.count * sizeof(Given)))

    cdef const char *load(self, const char *source) except NULL nogil:
        source = take_bytes(source, &self.state, sizeof(FlexState))
        self._room(self.state.count)
        source = take_bytes(source, self.plan, self.state.count * sizeof(Planned))
        self.given.reserve(self.state.given)
        self.given.count = self.state.given
        return self.profile.load(take_bytes(source, self.given.of, self.given.count * sizeof(Given)))
