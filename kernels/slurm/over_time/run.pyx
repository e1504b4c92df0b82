"""A captured cluster over time: when each waiting job starts (docs/slurm-cycle.md, section 13).

From one event to the next; the queue and the cluster are read off the capture as it stands then.
"""

from bisect import bisect_right, insort
from itertools import tee
import re

import attrs

from shadowtime.kernels.core.types cimport seconds_t
from shadowtime.kernels.slurm.over_time.timing cimport FAR, Timing

from shadowtime.kernels.slurm.cycle import Cycle
from shadowtime.kernels.slurm.main_pass import main_pass
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, PassKind, Started, put
from shadowtime.kernels.slurm.over_time.turns import NEVER, Turns
from shadowtime.kernels.slurm.nodeset import members
from shadowtime.kernels.slurm.records import Outcome
from shadowtime.scenarios.slurm import ArrayPart, Share, format_hosts
from shadowtime.scenarios.slurm.dependencies import SINGLETON, is_alone, namesakes
from shadowtime.scenarios.slurm.tasks import first_task

cdef object _NAMED = re.compile(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)")

cdef enum:
    REQUEUED_AFTER = 120    # seconds until a requeued job is eligible


cdef class Run:
    """A cluster, its clock, and what is due on it.

    `reading` is what the run asks about a captured cluster: how it is planned, who is in the queue, how
    priorities move. Every job runs until its limit, and no other comes, but in a sample.
    """

    cdef readonly object capture
    cdef readonly seconds_t now
    cdef readonly dict starts       # when each job, or task of an array, first started, as those of `runtimes`
    cdef readonly dict ended        # when each job that held nodes and reached its end was gone, by its id
    cdef object reading, settings, problem, bills, turns, lines, arrivals, coming
    cdef dict jobs, runtimes, running   # running: when each job that holds nodes ends
    cdef list names, instants, puts
    cdef object next_id
    cdef set completing, preempted, known
    cdef Timing timing
    cdef seconds_t seen, period
    cdef list queued            # the last queue, with the cluster and the second that it is of
    cdef object queued_of
    cdef seconds_t queued_at
    cdef list checked           # the queue all of whose jobs are known
    cdef object cycle, cluster  # the last cycle, while nothing has changed
    cdef list aged              # the queue before a calculation that changed nothing but priorities, and its second
    cdef seconds_t aged_at
    cdef object moves_of, moves  # when priorities move next, with the cluster and the calculation before that
    cdef seconds_t moves_since
    cdef bint over              # whether everything of this second has happened
    cdef bint quiet, dependent  # dependent: whether a job may have a dependency

    def __init__(self, reading, capture, seconds_t now):
        self.reading, self.quiet = reading, False
        self.capture, self.now = reading.with_calculation(capture, now), now
        self._take()
        self.bills = reading.bills(self.capture)
        self.runtimes, self.starts, self.ended = {}, {}, {}
        self.arrivals, self.coming = iter(()), None
        self.names = [node.name for node in capture.nodes]
        self.running = {job.id: self._end(job) for job in capture.jobs if job.holding}
        self.next_id = max(self.jobs, default=0) + 1
        self.completing, self.preempted, self.known = set(), set(), set()
        self.turns = Turns(capture, now)
        for job in capture.jobs:
            if self.turns.stands(job):
                self.turns.suspend(job.id, now, max(1, min(job.end, self.running[job.id]) - now))
                self.running[job.id] = NEVER
        self.timing, self.seen = Timing(capture, now), now
        self.instants = sorted({*_edges(capture), *(job.eligible for job in capture.jobs if job.waiting)})
        self.known = {entry.job.id for entry in self._queue(now)}
        self.checked = self.queued
        self.puts = []

    cdef int _take(self) except -1:
        """Read the cluster as it is now."""
        capture = self.capture
        self.settings, self.problem, self.lines = capture.settings, self.reading.problem(capture), self.reading.queue(capture)
        self.period = self.settings.calculation_period
        self.jobs = {job.id: job for job in capture.jobs}
        self.dependent = True
        self.queued_of, self.queued, self.queued_at, self.checked = None, [], 0, None
        return 0

    @property
    def due(self):
        """When the cycle and the whole pass come next."""
        return self.timing.next(len(self._queue(self.now)))

    @property
    def ends(self):
        """When each job that holds nodes and is not suspended will be gone, by its id."""
        return {job: end + 1 for job, end in self.running.items() if end != NEVER}

    @property
    def edges(self):
        """The instants at which a reservation begins or ends, or a job becomes eligible."""
        return frozenset(self.instants)

    def moments(self, until=None):
        """Yield what happens, also passes and cycles that start nobody, until nothing more can.

        `until` is the last second that is followed, to its end: then the cluster can be forked, changed, and
        followed on.
        """
        cdef seconds_t following
        while True:
            if not self.over:
                for moment in self._instant():
                    yield moment
            following = self._following(until)
            if following == FAR or (until is not None and following > until):
                self.now = max(self.now, until or 0)
                return
            self.now, self.over = following, False

    def follow(self, wanted, pause=None):
        """Go on until these jobs, or tasks, have started, or nothing more can happen.

        `pause` is called before each step.
        """
        cdef seconds_t following
        while not wanted <= self.starts.keys():
            if pause is not None:
                pause()
            if not self.over:
                self._instant()
                continue
            following = self._following(None)
            if following == FAR:
                return
            self.now, self.over = following, False

    def fork(self):
        """Return the same cluster to be followed on its own, before the first second or at the end of one.

        Each may be followed in a thread of its own at the same time.
        """
        return self._copy(self.problem.fork(), self.reading.queue(self.capture))

    cdef Run _copy(self, problem, lines):
        cdef Run other = type(self).__new__(type(self))
        other.reading, other.quiet, other.capture, other.now = self.reading, self.quiet, self.capture, self.now
        other.settings, other.problem, other.bills = self.settings, problem, self.bills
        other.lines, other.period, other.dependent = lines, self.period, self.dependent
        other.jobs, other.runtimes, other.running = dict(self.jobs), dict(self.runtimes), dict(self.running)
        other.starts, other.ended = dict(self.starts), dict(self.ended)
        other.names, other.next_id = self.names, self.next_id
        self.arrivals, other.arrivals = tee(self.arrivals)
        other.coming = self.coming
        other.completing, other.preempted, other.known = set(self.completing), set(self.preempted), set(self.known)
        other.instants, other.puts = list(self.instants), list(self.puts)
        other.turns, other.timing, other.seen = self.turns.fork(), self.timing.fork(), self.seen
        other.queued_of, other.queued, other.queued_at = self.queued_of, self.queued, self.queued_at
        other.checked = self.checked
        other.aged, other.aged_at = self.aged, self.aged_at
        other.moves_of, other.moves, other.moves_since = self.moves_of, self.moves, self.moves_since
        other.over = self.over
        # What its planner has kept may be asked in another thread from here on.
        self.cycle = self.cluster = None
        return other

    def sampled(self, runtimes, arrivals):
        """Return a fork for `follow`, in which jobs end when their runtimes are over and others come.

        `runtimes`: how many seconds a job, or a task of an array, runs from its start, by the id of the job that
        waits or runs now and the number of the task; without it a job runs until its limit. `arrivals`: the jobs
        that come, by their instants. Moments say nothing but that something has happened. A sample is over
        before the next is asked for: what one has made of the cluster serves it.
        """
        cdef Run other = self._copy(self.problem, self.lines)
        other.quiet, other.queued_of, other.checked = True, None, None
        # Jobs that have come in another sample, or started there, are others.
        other.problem.forget(self.next_id)
        other.runtimes, other.starts, other.ended = dict(runtimes), {}, {}
        other.arrivals = iter(arrivals)
        other.coming = next(other.arrivals, None)
        for job in other.jobs.values():
            if job.id not in other.running or job.id in other.completing:
                continue
            end = other._end(job)
            if other.running[job.id] == NEVER:
                other.turns.shorten(job.id, end)
            else:
                other.running[job.id] = min(other.running[job.id], end)
        return other

    def change(self, capture):
        """Go on with another cluster, as an operator has made it of `capture` here and now.

        Before the first second, or at the end of one. Jobs may be gone, hold their nodes for another time, or
        wait otherwise, also those that run; nodes may be up or not; reservations may be new or gone;
        parameters may have other values.
        """
        cdef list made = []
        before, nodes, settings = self.jobs, self.capture.nodes, self.settings
        if self.over:
            self.timing.pass_over(self.now + 1, self.waiting)
        self.capture = capture
        self._take()
        if capture.settings != settings:
            self._configure(settings)
        self.timing.change()
        self.timing.reserve(capture)
        self.instants = sorted({*self.instants, *_edges(capture)})
        if [node.up for node in nodes] < [node.up for node in capture.nodes]:
            self.timing.ask_for_pass(self.now)
        for job in before.values():
            now = self.jobs.get(job.id)
            if job.holding and (now is None or now.waiting):
                self.capture = self.reading.charged(self.capture, job, self.now, self.bills)
                self.completing.discard(job.id)
                del self.running[job.id]
                self.timing.ask_for_pass(self.now)
                if now is not None:
                    # It waits behind the others of the list.
                    del self.jobs[job.id]
                    self.jobs[job.id] = self._again(job)
                self._follow(made, self.turns.finish(job))
            elif now is not None and job.holding and now.end != job.end:
                self.running[job.id] = self._end(now)
            elif now is not None and not now.priority:
                self.known.discard(job.id)
        self.capture = attrs.evolve(self.capture, jobs=tuple(self.jobs.values()))
        self.puts = []
        if any([entry.job.id not in self.known for entry in self._queue(self.now)]):
            insort(self.instants, self.now + 1)

    cdef int _configure(self, before) except -1:
        """The parameters are no longer those from before."""
        capture = self.capture
        self.timing.configure(capture, self.now, self.over)
        if (before.kill_wait, before.over_time_limit) == (self.settings.kill_wait, self.settings.over_time_limit):
            return 0
        for job in capture.jobs:
            if job.holding and self.running[job.id] != NEVER and job.id not in self.completing:
                self.running[job.id] = self._end(job)
        return 0

    cdef object _end(self, job):
        """When a job that holds nodes now ends."""
        end, runtime = self.problem.leaves(job, self.now), self.runtimes.get((job.id, None))
        if runtime is None or job.begin + runtime >= job.end:
            return end
        return max(self.now, job.begin + runtime)

    cdef seconds_t _following(self, until) except? -1:
        """The next second in which something is due; FAR if nothing is to come.

        Without `until` that is so, too, if no job waits any more.
        """
        cdef seconds_t found, end
        cdef Py_ssize_t place
        if until is None and not self.preempted and not self._queue(self.now) \
                and not any([job.waiting for job in self.jobs.values()]):
            return FAR
        found = self.timing.due(self.now, self.waiting)
        for job, end in self.running.items():
            if end < found and job not in self.completing:
                found = end
        place = bisect_right(self.instants, self.now)
        if place < len(self.instants):
            found = min(found, <seconds_t> self.instants[place])
        for at in self.turns.due():
            found = min(found, <seconds_t> at)
        if self.period:
            calculated = self._next_calculation()
            if calculated is not None:
                found = min(found, <seconds_t> calculated)
        if self.completing:
            found = min(found, self.now + 1)
        if self.coming is not None:
            found = min(found, <seconds_t> self.coming.at)
        return FAR if found == FAR else max(found, self.now + 1)

    cdef object _next_calculation(self):
        """When a priority can move next; it is sought anew after a change or a calculation."""
        cdef seconds_t last = self._last_calculation(self.now)
        if self.moves_of is not self.capture or self.moves_since != last:
            self.moves = self.reading.next_calculation(self.capture, self.capture.jobs, self.now)
            self.moves_of, self.moves_since = self.capture, last
        return self.moves

    cdef seconds_t _last_calculation(self, seconds_t now) except? -1:
        """When the priorities that hold now were calculated."""
        cdef seconds_t first = self.capture.calculated
        if not self.period or not first or now < first:
            return first
        return now - (now - first) % self.period

    cdef list _instant(self):
        """What happens in this second, in the order of the definition."""
        cdef list made = []
        cdef Timing timing = self.timing
        cdef int changed
        timing.pass_over(self.now, self.waiting)
        self.seen = self.now
        self._complete_jobs(made)
        self._reservations(made)
        self._submissions(made)
        if made:
            timing.ask_for_pass(self.now)
        self._priorities(made)
        self._follow(made, self.turns.turn(self.now))
        kind = timing.take_pass(self.now)
        if kind is not None:
            self._pass(made, kind)
        if not self.preempted and timing.cycle_due(self.now):
            changed = timing.take_cycle(self.now, len(self._queue(self.now)))
            if changed >= 0:
                self._backfill(made, changed)
        self.over = True
        return made

    cdef list _queue(self, seconds_t now):
        """The queue in a second; it is read anew only after a change, or once time has changed it."""
        cdef bint changed = self.queued_of is not self.capture or now < self.queued_at
        if not changed and now == self.queued_at:
            return self.queued
        changed = changed or bisect_right(self.instants, now) > bisect_right(self.instants, self.queued_at)
        if changed or (self.period > 0 and self.queued_at < self._last_calculation(now)):
            self.aged, self.aged_at = (None if changed else self.queued), now
            self.queued = self.lines.at(self.capture, now)
            self.queued_of, self.queued_at = self.capture, now
        return self.queued

    def waiting(self):
        """Return how many entries there were in the last second that something happened in."""
        return len(self._queue(self.seen))

    cdef int _put(self, id_, job) except -1:
        """Put a job in place of the one with this id, or at the end; None removes it."""
        put(self.jobs, id_, job)
        self.puts.append((id_, job))
        return 0

    cdef int _add(self, list made, what, subjects=(), begins=False) except -1:
        """Something has happened, with what it has done to the jobs."""
        if self.quiet:
            self._settle()
            made.append(what)
            return 0
        self._add_moment(made, Moment(self.now, what, subjects, begins))
        return 0

    cdef int _add_moment(self, list made, moment) except -1:
        puts = tuple(self.puts)
        self._settle()
        made.append(attrs.evolve(moment, puts=puts, due=self.due, standing=self.capture.standing))
        return 0

    cdef int _settle(self) except -1:
        """The jobs of the cluster are as they have been put."""
        if self.puts:
            self.capture = attrs.evolve(self.capture, jobs=tuple(self.jobs.values()))
            self.puts = []
        return 0

    cdef int _complete_jobs(self, list made) except -1:
        """Jobs that ended in the second before are gone, or wait again; others end in this second."""
        cdef list gone, again
        if self.completing:
            gone = [job for id_, job in self.jobs.items() if id_ in self.completing]
            again = [self._again(job) for job in gone if job.id in self.preempted and self._requeued(job)]
            if self.preempted:
                self.timing.ask_at_once(self.now)
            self.completing, self.preempted = set(), set()
            for job in gone:
                self.capture = self.reading.charged(self.capture, job, self.now - 1, self.bills)
                self._put(job.id, None)
                self.ended[job.id] = self.now
                del self.running[job.id]
            for job in again:
                self._put(job.id, job)
            if gone:
                self.timing.change()
                self._satisfy()
                self._add(made, Happening.END, tuple([job.shown for job in gone]))
                self._follow(made, [change for job in gone for change in self.turns.finish(job)])
        return self._end_jobs()

    cdef int _end_jobs(self) except -1:
        """Jobs end whose time is over, or that run under a limit on past usage that is reached."""
        cdef seconds_t end
        if self.capture.standing is not None and self.capture.standing.quotas:
            used_up = {scope for scope, _ in self.capture.standing.reached}
            for job in self.jobs.values() if used_up else ():
                limits = self.problem.limits
                scopes = limits.scopes(job, job.partitions[0]) if self.reading.charges(job) else frozenset()
                if not used_up.isdisjoint(scopes):
                    self.running[job.id] = min(self.running[job.id], self.now)
        for id_, end in self.running.items():
            if end <= self.now:
                self.completing.add(id_)
                self.timing.stir(self.now)
        return 0

    cdef int _reservations(self, list made) except -1:
        """Reservations that begin or end."""
        for each in self.capture.reservations:
            if each.floats:
                continue
            for at, begins in ((each.begin, True), (each.end, False)):
                if at == self.now:
                    self.timing.change()
                    self._add(made, Happening.RESERVATION, (each.name,), begins)
        return 0

    cdef int _satisfy(self) except -1:
        """Dependencies on jobs that are over are satisfied."""
        cdef list satisfied = [], depending
        if not self.dependent:
            return 0
        jobs = self.jobs.values()
        depending = [job for job in jobs if job.dependency]
        # A job with a dependency comes with a change alone.
        self.dependent = bool(depending)
        if not depending:
            return 0
        present = {*self.jobs, *[job.array.job for job in jobs if job.array]}
        peers = namesakes(jobs) if any([SINGLETON in job.dependency for job in depending]) else {}
        for job in depending:
            terms = [term for term in job.dependency.split(",") if "unfulfilled" in term]
            others = peers.get((job.name, job.user), ())
            if terms and all([_is_over(job, term, present, others) for term in terms]):
                since = job.accrued_since or self.now
                satisfied.append(attrs.evolve(job, dependency="", accrued_since=since))
        for job in satisfied:
            self._put(job.id, job)
        return 0

    cdef int _submissions(self, list made) except -1:
        """Jobs come, and jobs come into the queue."""
        cdef list queued
        if self.coming is not None and self.coming.at <= self.now:
            self._arrive()
        queued = self._queue(self.now)
        if queued is self.checked:
            return 0
        self.checked = queued
        new = [entry.job.id for entry in queued if entry.job.id not in self.known]
        for job in dict.fromkeys(new):
            self.known.add(job)
            self.timing.change()
            self._add(made, Happening.SUBMISSION, (str(job),))
        return 0

    cdef int _arrive(self) except -1:
        """Jobs come, at the end of the list."""
        while self.coming is not None and self.coming.at <= self.now:
            id_, at = self.next_id, self.coming.at
            self.next_id += 1
            self.runtimes[id_, None] = self.coming.runtime
            self._put(id_, attrs.evolve(self.coming.job, id=id_, submit=at, eligible=at))
            self.timing.grow_old(at)
            self.dependent = True
            self.coming = next(self.arrivals, None)
        self.capture = attrs.evolve(self.capture, jobs=tuple(self.jobs.values()))
        return 0

    cdef int _priorities(self, list made) except -1:
        """Priorities are calculated; what follows is planned anew if that changes the queue."""
        if not self.period or self._last_calculation(self.now) != self.now:
            return 0
        before, capture = self.capture.standing, self.reading.with_standing(self.capture, self.now, self.bills)
        still = before is None or capture.standing is None or before.factors == capture.standing.factors
        jobs = ()
        if self.settings.ageing is not None or not still:
            queued = self._queue(self.now)
            if self.aged is not None and self.aged_at == self.now:
                jobs = self.reading.passed(self.aged, queued, self.settings.backfill.min_prio_reserve)
            else:
                jobs = self.lines.moved_up(self.capture, self.now)
        self.capture = capture
        if before is not None and capture.standing is not None and before.reached != capture.standing.reached:
            # Jobs come into the queue in the next second, as they do when a count lets them in.
            self.timing.change()
            insort(self.instants, self.now + 1)
            self._end_jobs()
        if jobs:
            self.timing.change()
            self._add(made, Happening.PRIORITIES, jobs)
        return 0

    cdef int _pass(self, list made, kind) except -1:
        cdef list changes = []
        entries, cluster = self._cluster()
        found = main_pass(cluster, self.settings.queue_depth if kind is PassKind.QUICK else None)
        started = self._start(cluster, found.begun, changes)
        if self.quiet:
            self._settle()
        else:
            closed = [entries[index] for index in found.closed]
            self._add_moment(made, Moment(
                at=self.now,
                what=Happening.MAIN_PASS,
                kind=kind,
                started=started,
                tried=found.tried,
                stopped=found.stopped.value if found.stopped else "",
                closed=tuple([(each.job.reservation or each.partition.name, each.name) for each in closed]),
            ))
        self._follow(made, changes)
        return self._preempt(made, cluster, found.preempted)

    cdef int _backfill(self, list made, bint changed) except -1:
        """The cycle; one without a change is a moment only if it does something."""
        cdef list changes = []
        if self.cycle is None or changed or self.cycle.stands <= self.now:
            cluster = self._cluster()[1]
            cycle = Cycle(cluster)
            found = cycle.starts() if self.quiet else cycle.run()
        else:
            cycle, cluster = self.cycle, self.cluster
            found = cycle.again(self.now)
        self.cycle = self.cluster = None
        if not found.begun and not found.preempted and self.problem.lasts:
            self.cycle, self.cluster = cycle, cluster
            self.timing.settle(found.steady)
        if not changed and not found.begun and not found.preempted:
            return 0
        started = self._start(cluster, found.begun, changes)
        if self.quiet:
            self._settle()
        else:
            self._add_moment(made, Moment(
                at=self.now,
                what=Happening.BACKFILL,
                started=started,
                tried=found.tested,
                planned=sum([place.outcome is Outcome.PLANNED for place in found.places]),
                stopped=found.stopped.value if found.stopped else "",
            ))
        self._follow(made, changes)
        return self._preempt(made, cluster, found.preempted)

    cdef int _preempt(self, list made, cluster, victims) except -1:
        """Jobs are requeued or cancelled; they hold their nodes until the next second."""
        for index in victims:
            job = self.jobs[cluster.holders[index].job]
            self.timing.change()
            self.completing.add(job.id)
            self.preempted.add(job.id)
            self._put(job.id, attrs.evolve(job, states=("COMPLETING",)))
            self._add(made, Happening.REQUEUE if self._requeued(job) else Happening.CANCEL, (job.shown,))
        return 0

    cdef int _follow(self, list made, changes) except -1:
        """Jobs are suspended and resumed; the end of a job is as much later as it was suspended."""
        for change in changes:
            if change.job not in self.jobs:
                # It was suspended, and has left with the others of its heterogeneous job.
                continue
            job = self.jobs[change.job]
            self.timing.change()
            if change.resumed:
                since, left = self.turns.resume(job.id)
                self.running[job.id] = self.now + left
                self.timing.count_minutes(self.now + left)
                self._put(job.id, attrs.evolve(job, states=("RUNNING",), end=job.end + self.now - since))
            else:
                self.turns.suspend(job.id, self.now, self.running[job.id] - self.now)
                self.running[job.id] = NEVER
                self._put(job.id, attrs.evolve(job, states=("SUSPENDED",)))
            self._add(made, Happening.RESUME if change.resumed else Happening.SUSPEND, (job.shown,))
        return 0

    cdef bint _requeued(self, job) except -1:
        """Whether a job that is preempted waits again."""
        return self.problem.preemption.mode(job) == "REQUEUE"

    cdef object _again(self, job):
        """A job as it waits again: submitted anew, under priority/basic with the lowest priority."""
        self.known.discard(job.id)
        eligible = self.now + REQUEUED_AFTER
        insort(self.instants, eligible)
        if self.settings.priority == "priority/basic":
            known = [each.priority for each in self.capture.jobs if each.priority and each.submit <= self.now]
            job = attrs.evolve(job, priority=max(1, min(known, default=1) - 1))
        else:
            job = self.reading.submitted_anew(self.capture, job, eligible)
        return attrs.evolve(
            job, states=("PENDING",), submit=self.now, eligible=eligible, begin=0, end=0, nodes=(), shares=()
        )

    cdef tuple _cluster(self):
        """The queue and the cluster as they stand."""
        entries = self._queue(self.now)
        holding = [job for id_, job in self.jobs.items() if id_ in self.running]
        return entries, self.problem.cluster(entries, self.now, self.capture.jobs, holding)

    cdef tuple _start(self, cluster, begun, list changes):
        """Jobs start; who is suspended for them goes to `changes`."""
        return tuple([self._started(cluster.entries[index], holder, changes) for index, holder in begun])

    cdef object _started(self, entry, holder, list changes):
        """Put a running job in place of a waiting one, or of one task of it."""
        waiting = self.jobs[entry.job]
        run = attrs.evolve(
            waiting,
            states=("RUNNING",),
            partitions=(entry.partition,),
            begin=self.now,
            end=holder.end,
            nodes=tuple([self.names[node] for node in members(holder.nodes)]),
            shares=tuple([self._share(place, take) for place, take in holder.takes.items()]),
        )
        self.timing.change()
        array, others, task = waiting.array, None, None
        if array is not None and array.task is None:
            task, rest = first_task(array.waiting)
            run = attrs.evolve(run, id=self.next_id, array=ArrayPart(array.job, task, "", array.most_running))
            self.next_id += 1
            others = attrs.evolve(waiting, array=attrs.evolve(array, waiting=rest)) if rest else None
        self._put(waiting.id, run)
        if others is not None:
            # The tasks that still wait go to the end.
            self._put(waiting.id, others)
        self.starts.setdefault((waiting.id, task), self.now)
        runtime = self.runtimes.get((waiting.id, task))
        if task is not None and runtime is not None:
            self.runtimes[run.id, None] = runtime
        self.running[run.id] = holder.end if runtime is None else min(holder.end, self.now + runtime)
        self.timing.count_minutes(holder.end)
        changes += self.turns.start(run)
        return None if self.quiet else Started(run.shown, waiting.shown, entry.partition, format_hosts(run.nodes), holder.end)

    cdef object _share(self, place, take):
        """What a job holds of a node, as a capture has it."""
        node = self.capture.nodes[place]
        return Share(node.name, take.cpus // node.threads, take.memory, self.reading.format_devices(take.devices))


cdef set _edges(capture):
    """The instants at which a reservation begins or ends."""
    return {edge for each in capture.reservations if not each.floats for edge in (each.begin, each.end)}


def _is_over(job, term, present, peers):
    """Whether what a term of a dependency names is over; `peers` have the name and user of the job."""
    if term == SINGLETON:
        return is_alone(job, peers)
    found = _NAMED.fullmatch(term)
    return found is not None and int(found[1]) not in present
