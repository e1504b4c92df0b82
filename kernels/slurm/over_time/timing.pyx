"""When main passes and backfill cycles come on a cluster over time (docs/slurm-cycle.md, section 13)."""

cimport cython

from shadowtime.kernels.core.types cimport int64_t, seconds_t

from shadowtime.kernels.slurm.over_time.moments import Due, PassKind

cdef enum:
    SECOND = 1000000    # microseconds
    STILL = 3           # so many times bf_resolution after a change the grid moves nothing more
    NOBODY = -1         # no pass is asked for


@cython.final
cdef class Timing:
    """What has changed, and what is due. Instants are whole seconds; a cycle is counted in microseconds.

    A cycle comes every `bf_interval` while entries wait, even if nothing has changed. `until` is when such a
    cycle can no longer find anything new: then it is counted, and not run.
    """

    def __init__(self, capture, seconds_t now):
        self.cost = capture.entry_cost
        self._read(capture, now)
        self.until = self.restless
        self.minutes = any(["TRESRunMins" in name for limits in capture.limits for name, _ in limits])
        for job in capture.jobs:
            if job.holding:
                self.count_minutes(job.end)
        self.asked = NOBODY
        self.passed = now - self.delay
        self.whole_after = now + self.interval
        self.cycle_after = SECOND * now
        self.cycle_changed = self.pass_changed = True

    cdef Timing fork(self):
        """Return the same, to go on with on its own."""
        cdef Timing other = Timing.__new__(Timing)
        other.cost, other.delay, other.interval, other.age = self.cost, self.delay, self.interval, self.age
        other.backfill, other.minutes = self.backfill, self.minutes
        other.between, other.grid, other.restless, other.spans = self.between, self.grid, self.restless, self.spans
        other.until, other.counting, other.asked, other.passed = self.until, self.counting, self.asked, self.passed
        other.whole_after, other.cycle_after, other.steady = self.whole_after, self.cycle_after, self.steady
        other.cycle_changed, other.pass_changed = self.cycle_changed, self.pass_changed
        return other

    cdef int _read(self, capture, seconds_t now) except -1:
        """Take the parameters of a cluster."""
        settings = capture.settings
        self.delay, self.interval = settings.batch_delay, settings.sched_interval
        self.backfill = settings.backfills
        self.between = SECOND * <int64_t> settings.backfill.interval
        self.grid = STILL * <int64_t> settings.backfill.resolution
        self.age = settings.backfill.min_age_reserve
        self.restless = 0
        for job in capture.jobs:
            if job.holding and settings.over_time_limit is None and job.end <= now:
                self.restless = max(self.restless, now + 60 * <int64_t> (job.limit or 0) + 1)
            if job.waiting:
                self.grow_old(job.eligible)
        self.reserve(capture)
        return 0

    cdef int reserve(self, capture) except -1:
        """Take the reservations of a cluster: time alone changes what a cycle finds near them."""
        window = 60 * capture.settings.backfill.window
        self.spans = [(each.begin - window, each.end + self.grid) for each in capture.reservations if not each.floats]
        return 0

    cdef int configure(self, capture, seconds_t now, bint begun) except -1:
        """The cluster has other parameters: the next pass and cycle are counted from the last ones.

        Unless the run has begun, the first cycle comes at once all the same.
        """
        cdef seconds_t interval = self.interval
        cdef int64_t between = self.between
        self._read(capture, now)
        self.until = max(self.until, self.restless)
        self.whole_after += self.interval - interval
        if begun:
            self.cycle_after += self.between - between
        return 0

    cdef void change(self) noexcept:
        """Something has changed."""
        self.cycle_changed = self.pass_changed = True
        self.steady = 0

    cdef void settle(self, seconds_t until) noexcept:
        """Before an instant a cycle finds what the last one has found."""
        self.steady = until

    cdef void stir(self, seconds_t now) noexcept:
        """A job ends: a cycle in this second finds something new, but none comes for it."""
        self.until = max(self.until, now + 1)

    cdef void count_minutes(self, seconds_t end) noexcept:
        """A job runs until an end: if a limit counts what is left of it, time alone lets others start."""
        if self.minutes:
            self.counting = max(self.counting, end + 1)

    cdef void grow_old(self, seconds_t eligible) noexcept:
        """A job waits: until it has the least age for a reservation time alone changes what a cycle finds."""
        if self.age:
            self.restless = max(self.restless, eligible + self.age + 1)

    cdef void ask_for_pass(self, seconds_t now) noexcept:
        """Nodes may have come free, or jobs into the queue."""
        if self.asked == NOBODY:
            self.asked = now

    cdef void ask_at_once(self, seconds_t now) noexcept:
        """The nodes of preempted jobs are free: the pass comes in this second."""
        self.asked, self.passed = now - 1, now - self.delay

    cdef object next(self, Py_ssize_t entries):
        """When the cycle and the whole pass come next, with so many entries in the queue."""
        return Due(
            self.cycle_after,
            self.whole_after,
            self.cycle_changed,
            self.pass_changed or self.whole_after < self.counting,
            cycle_period=self.between + self.cost * entries if entries else 0,
            pass_period=self.interval,
        )

    cdef seconds_t due(self, seconds_t now, entries) except? -1:
        """The first second in which a pass or a cycle is due, if nothing changes before; FAR: none is.

        `entries` returns how many wait.
        """
        cdef seconds_t found = FAR, at
        if self.asked != NOBODY:
            found = min(found, max(self.asked + 1, self.passed + self.delay))
        if self.interval and (self.pass_changed or self.whole_after < self.counting):
            found = min(found, self.whole_after)
        if self.backfill:
            at = self.cycle_after // SECOND
            if at < self.steady and not self.cycle_changed:
                at = self._counted_until_steady(self.between + self.cost * <int64_t> entries())
            if self.cycle_changed or (self._moves(at) and (at > now or entries() > 0)):
                found = min(found, at)
            for begin, _ in self.spans:
                if begin > now:
                    found = min(found, <seconds_t> begin)
        return found

    cdef seconds_t _counted_until_steady(self, int64_t period) noexcept:
        """The second of the first cycle that may find something new, if one comes every so many microseconds."""
        cdef int64_t left
        if self.steady > FAR // SECOND:
            return FAR
        left = SECOND * self.steady - self.cycle_after
        return (self.cycle_after + (left + period - 1) // period * period) // SECOND

    cdef object take_pass(self, seconds_t now):
        """Begin the pass that is due now, if one is; a whole pass without a change is only counted."""
        cdef bint asked = self.asked != NOBODY and self.asked < now
        cdef bint whole = self.interval > 0 and now >= self.whole_after
        cdef bint idle
        if not whole and not (asked and now >= self.passed + self.delay):
            return None
        idle = not asked and not self.pass_changed and now >= self.counting
        if whole:
            self.whole_after, self.pass_changed = now + self.interval, False
        if asked:
            self.asked = NOBODY
        self.passed = now
        if idle:
            return None
        return PassKind.WHOLE if whole else PassKind.QUICK

    cdef bint cycle_due(self, seconds_t now) except -1:
        """Whether a cycle begins now if entries wait, and after a change even if none does."""
        if not self.backfill or self.cycle_after >= SECOND * (now + 1):
            return False
        return self.cycle_changed or (self.steady <= now and self._moves(now))

    cdef int take_cycle(self, seconds_t now, Py_ssize_t entries) except -2:
        """Begin a cycle over so many entries. Returns whether anything has changed since the last one.

        -1: there is no cycle, as nothing waits, and nothing has changed.
        """
        cdef bint changed = self.cycle_changed
        if not entries and not changed:
            return -1
        if changed:
            self.until = max(self.restless, now + self.grid)
        self.cycle_changed = False
        self._count_cycle(max(self.cycle_after, SECOND * now), entries)
        return changed

    cdef int pass_over(self, seconds_t now, entries) except -1:
        """Count the whole passes before now, and while entries wait the cycles: they find nothing new."""
        cdef Py_ssize_t waiting
        if self.interval and self.whole_after < now:
            self.passed = now - 1 - (now - 1 - self.whole_after) % self.interval
            self.whole_after = self.passed + self.interval
        if self.backfill and not self.cycle_changed and self.cycle_after < SECOND * now:
            waiting = entries()
            while waiting and self.cycle_after < SECOND * now:
                self._count_cycle(self.cycle_after, waiting)
        return 0

    cdef bint _moves(self, seconds_t at) except -1:
        """Whether time alone can change what a cycle finds."""
        if at < max(self.until, self.counting):
            return True
        for begin, end in self.spans:
            if begin <= at < end:
                return True
        return False

    cdef void _count_cycle(self, int64_t began, Py_ssize_t entries) noexcept:
        self.cycle_after = began + self.between + self.cost * entries
