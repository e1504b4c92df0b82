"""One backfill cycle: every entry of the queue gets a place, or a reason why not (docs/slurm-cycle.md)."""

cimport cython

from collections import Counter

from shadowtime.kernels.core.types cimport FOREVER, int64_t, seconds_t

from shadowtime.kernels.slurm.records import CycleResult, Outcome, Place, Stop
from shadowtime.kernels.slurm.state import State
from shadowtime.kernels.slurm.trial import Trial

# Looked up once: the class of an enumeration takes its time to find a member.
cdef object PLANNED = Outcome.PLANNED, STARTED = Outcome.STARTED


def plan(cluster):
    """Return the places in the order of the queue: one for each try of an entry, until the cycle ends."""
    return run_cycle(cluster).places


def run_cycle(cluster):
    """Return the places of a cycle, the jobs that it starts, and the bound that ended it."""
    return Cycle(cluster).run()


@cython.final
cdef class Tried:
    """What a cycle has found for one entry: the next cycle takes it over while nothing before it differs."""

    cdef seconds_t until        # before this instant it finds the same
    cdef list places, reserved
    cdef int64_t tested         # tries of a placement
    cdef int64_t counted        # tries that the bounds of users and partitions count
    cdef bint placed
    cdef object records         # of the profile after it
    cdef object stopped         # the bound that ended the cycle with this entry; None if it went on

    cdef bint finds_as(self, Tried other) except -1:
        """Whether the entries behind it stand before the same: a later end of the profile can split one record more."""
        return self.places == other.places and self.records == other.records


@cython.final
cdef class Cycle:
    """The cycles of a cluster while nothing changes but the time."""

    cdef object state, rules
    cdef object trial           # the last one, which the next task of the same array uses again
    cdef object entries
    cdef Py_ssize_t last        # no entry behind it is tried
    cdef list tried
    cdef int64_t tested, started
    cdef object tested_of       # a bound and what it counts by -> the entries that were tried
    cdef set placed

    def __cinit__(self, cluster):
        self.state, self.rules, self.entries, self.tried = State(cluster), cluster.rules, cluster.entries, []
        self.last = len(self.entries)

    @property
    def stands(self):
        """Before this instant it can be run again, if it has started and preempted nobody."""
        return self.state.stands

    def starts(self):
        """Return whom the cycle starts: the entries behind the last one that could start now are left out.

        Before `steady` a cycle of the same jobs starts nobody either. Where it is not clear at once, an entry
        could start.
        """
        cdef Py_ssize_t index
        self.last = -1
        for index, entry in enumerate(self.entries):
            if self.state.may_start(entry):
                self.last = index
        return self.run()

    def again(self, now):
        """Return what the cycle of a later instant does: what time has not moved is taken over."""
        self.state.again(now)
        return self.run()

    def run(self):
        """Return what the cycle does."""
        cdef Py_ssize_t index
        cdef list before = self.tried, places = []
        cdef bint same = True   # as in the cycle before, so far
        cdef seconds_t steady = self.state.stands
        cdef set begun = set()
        cdef Tried tried
        self.tried, self.trial, self.placed, self.tested_of = [], None, set(), Counter()
        self.tested = self.started = 0
        stopped = None
        for index, entry in enumerate(self.entries):
            if index > self.last:
                break
            if entry.job in begun or entry.component in self.state.together.failed:
                # It has started, or a task of it has; or a component of its job never will.
                same = same and index < len(before) and before[index] is None
                self.tried.append(None)
                continue
            same = same and index < len(before) and before[index] is not None
            if same and (<Tried> before[index]).until > self.state.now:
                tried = before[index]
                self._repeat(entry, tried)
            else:
                tried = self._try(index, entry, begun)
                same = same and tried.finds_as(before[index])
            self.tried.append(tried)
            places += tried.places
            steady = min(steady, tried.until)
            stopped = tried.stopped
            if stopped is not None:
                break
        where = {place.entry: number for number, place in enumerate(places)}
        for trial in self.state.together.whole(self.entries):
            places[where[trial.index]] = trial.start_planned()
        if self.state.begun or self.state.preempted:
            steady = self.state.now
        return CycleResult(places, self.state.begun, self.tested, stopped, self.state.preempted, steady)

    cdef Tried _try(self, Py_ssize_t index, object entry, set begun):
        """Try an entry, an array as often as tasks may be planned; its job goes to `begun` if it starts."""
        cdef Tried made = Tried()
        cdef Py_ssize_t first = len(self.state.reserved), started = 0, planned = 0
        self.state.steady, self.trial = FOREVER, None
        made.places, made.tested = [], -self.tested
        while started + planned < entry.tries and planned < entry.plans:
            made.stopped = self._bound()
            if made.stopped is not None:
                break
            place = self._next(index, entry, made)
            made.places.append(place)
            if self.state.full:
                made.stopped = Stop.RECORDS
                break
            if place.outcome is STARTED:
                started += 1
                begun.add(entry.job)
            planned += place.outcome is PLANNED
            if place.outcome is not PLANNED and place.outcome is not STARTED or 0 < started == entry.starts:
                break
        made.tested += self.tested
        made.reserved, made.until, made.records = self.state.reserved[first:], self.state.steady, self.state.records
        return made

    cdef int _repeat(self, object entry, Tried tried) except -1:
        """An entry gets what it had in the cycle before."""
        self.tested += tried.tested
        self.state.repeat(tried.reserved)
        for bound, whose, _ in self._bounds(entry):
            self.tested_of[bound, whose] += tried.counted
        if tried.placed:
            self.placed.add(entry.job)
        return 0

    cdef object _bound(self):
        """The bound that ends the cycle before the next entry, if it is reached."""
        if self.tested >= self.rules.max_job_test:
            return Stop.TESTS
        return Stop.STARTS if 0 < self.rules.max_job_start <= self.started else None

    cdef object _next(self, Py_ssize_t index, object entry, Tried made):
        """What becomes of an entry, or of the next task of an array."""
        excess = self.state.full_of_jobs(entry) if self.trial is None else None
        if excess is not None:
            return Place(index, Outcome.SKIPPED, reason="limit on jobs", excess=excess)
        bounds = self._bounds(entry)
        for bound, whose, most in bounds:
            if most <= self.tested_of[bound, whose]:
                return Place(index, Outcome.SKIPPED, reason=bound)
        for bound, whose, _ in bounds:
            self.tested_of[bound, whose] += 1
        made.counted += 1
        if not self.rules.licenses and self.state.lacks_licenses(entry):
            return Place(index, Outcome.SKIPPED, reason="licenses")
        self.tested += 1
        if self.trial is None:
            self.trial = Trial(self.state, index, entry)
        place = self.trial.for_now() if self._now_only(entry) else self.trial.place()
        self.started += place.outcome is STARTED
        if entry.component and not self.trial.counts:
            self.state.together.failed.add(entry.component)
        if place.start is not None:
            made.placed = True
            self.placed.add(entry.job)
        return place

    cdef list _bounds(self, object entry):
        """The bounds that hold for an entry: the parameter, what it counts by, and how many it allows."""
        cdef list found = []
        rules = self.rules
        if rules.max_job_user_part:
            found.append(("bf_max_job_user_part", (entry.user, entry.partition), rules.max_job_user_part))
        if rules.max_job_part:
            found.append(("bf_max_job_part", entry.partition, rules.max_job_part))
        if rules.max_job_assoc:
            if entry.association:
                found.append(("bf_max_job_assoc", entry.association, rules.max_job_assoc))
        elif rules.max_job_user:
            found.append(("bf_max_job_user", entry.user, rules.max_job_user))
        return found

    cdef bint _now_only(self, object entry) except -1:
        """Whether only a start now is sought."""
        rules = self.rules
        if rules.one_resv_per_job and entry.job in self.placed:
            return True
        if rules.min_prio_reserve and entry.priority < rules.min_prio_reserve:
            return True
        if rules.min_age_reserve and self.state.now - entry.eligible < rules.min_age_reserve:
            self.state.steady = min(self.state.steady, entry.eligible + rules.min_age_reserve)
            return True
        return False
