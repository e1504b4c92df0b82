"""A captured cluster over time: when each waiting job is expected to start (docs/slurm-cycle.md, section 13).

From one event to the next; the queue and the cluster are read off the capture as it stands then.
"""

import re
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from copy import copy
from itertools import tee
from types import MappingProxyType

import attrs

from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.devices import format_devices
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.moments import (
    Due,
    Happening,
    JobEvent,
    Moment,
    PassKind,
    Put,
    Started,
    put,
)
from shadowtime.console.session.slurm.priorities import (
    Bills,
    charged,
    charges,
    last_calculation,
    next_calculation,
    submitted_anew,
    with_calculation,
    with_standing,
)
from shadowtime.console.session.slurm.problem import Problem
from shadowtime.console.session.slurm.queue import Queue, Waiting, passed, waiting_tasks
from shadowtime.console.session.slurm.rows import Switch
from shadowtime.console.session.slurm.timing import Timing
from shadowtime.console.session.slurm.turns import NEVER, Turns
from shadowtime.kernels.slurm import Begun, Cluster, Cycle, Entry, Holder, Outcome, main_pass, members
from shadowtime.scenarios.slurm import ArrayPart, Capture, Job, Share, format_hosts
from shadowtime.scenarios.slurm.dependencies import SINGLETON, is_alone, namesakes

_NAMED = re.compile(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)")
REQUEUED_AFTER = 120
"""Seconds until a requeued job is eligible."""


@attrs.frozen
class Arrival:
    """A job that comes: `job` as it waits then, but for its id, and its runtime in seconds."""

    at: int
    job: Job
    runtime: int


class OverTime:
    """A cluster, its clock, and what is due on it; every job runs until its limit.

    `runtimes`: how many seconds a job, or a task of an array, runs from its start, by the id of the job that
    waits or runs now and the number of the task. `arrivals`: the jobs that come, by their instants.
    """

    def __init__(
        self,
        capture: Capture,
        now: int,
        runtimes: Mapping[tuple[int, int | None], int] = MappingProxyType({}),
        arrivals: Iterable[Arrival] = (),
    ) -> None:
        capture = with_calculation(capture, now)
        self.capture, self.now = capture, now
        self._settings = capture.settings
        self._problem, self._bills = Problem(capture), Bills(capture)
        self._jobs = {job.id: job for job in capture.jobs}
        self._runtimes = dict(runtimes)
        self._arrivals: Iterator[Arrival] = iter(arrivals)
        self._coming = next(self._arrivals, None)
        self.starts: dict[tuple[int, int | None], int] = {}
        """When each job, or task of an array, first started, as those of `runtimes`."""
        self._names = [node.name for node in capture.nodes]
        self._ends = {job.id: self._end(job) for job in capture.jobs if job.holding}
        self._next_id = max(self._jobs, default=0) + 1
        self._completing: set[int] = set()
        self._preempted: set[int] = set()
        self._turns = Turns(capture, now)
        for job in capture.jobs:
            if self._turns.stands(job):
                left = min(job.end, self._ends[job.id]) - now
                self._turns.suspend(job.id, now, max(1, left))
                self._ends[job.id] = NEVER
        self._timing, self._seen = Timing(capture, now), now
        self._lines = Queue(capture)
        self._last: tuple[Capture | None, int, list[Waiting]] = None, 0, []
        """The last queue, with the cluster and the second that it is of."""
        self._cycle: tuple[Cycle, Cluster] | None = None
        """The last cycle, while nothing has changed."""
        self._aged: tuple[int, list[Waiting]] | None = None
        """A calculation that changed nothing but priorities, and the queue before it."""
        self._moves: tuple[Capture | None, int, int | None] = None, 0, None
        """When priorities move next, with the cluster and the calculation before that."""
        self._edges = sorted(_edges(capture) | {job.eligible for job in capture.jobs if job.waiting})
        self._known = {entry.job.id for entry in self._queue(now)}
        self._puts: list[Put] = []
        self._over = False
        """Whether everything of this second has happened."""

    @property
    def due(self) -> Due:
        """When the cycle and the whole pass come next."""
        return self._timing.next(len(self._queue(self.now)))

    @property
    def ends(self) -> Mapping[int, int]:
        """When each job that holds nodes and is not suspended will be gone, by its id."""
        return {job: end + 1 for job, end in self._ends.items() if end != NEVER}

    @property
    def edges(self) -> frozenset[int]:
        """The instants at which a reservation begins or ends, or a job becomes eligible."""
        return frozenset(self._edges)

    def events(self) -> Iterator[JobEvent]:
        """Yield every end, submission, start and preemption, until nothing more can happen."""
        for moment in self.moments():
            yield from moment.events()

    def moments(self, until: int | None = None) -> Iterator[Moment]:
        """Yield what happens, also passes and cycles that start nobody, until nothing more can.

        `until` is the last second that is followed, to its end: then the cluster can be forked, changed, and
        followed on.
        """
        while True:
            if not self._over:
                yield from self._instant()
                self._over = True
            following = self._following(until)
            if following is None or (until is not None and following > until):
                self.now = max(self.now, until or 0)
                return
            self.now, self._over = following, False

    def fork(self) -> "OverTime":
        """Return the same cluster to be followed on its own, before the first second or at the end of one."""
        other = copy(self)
        other._jobs, other._ends, other._known = dict(self._jobs), dict(self._ends), set(self._known)
        other._runtimes, other.starts = dict(self._runtimes), dict(self.starts)
        self._arrivals, other._arrivals = tee(self._arrivals)
        other._completing, other._preempted = set(self._completing), set(self._preempted)
        other._edges, other._puts = list(self._edges), list(self._puts)
        other._lines, other._last, other._cycle = Queue(self.capture), self._last, None
        other._turns, other._timing = self._turns.fork(), copy(self._timing)
        return other

    def change(self, capture: Capture) -> None:
        """Go on with another cluster, as an operator has made it of `capture` here and now.

        Before the first second, or at the end of one. Jobs may be gone, hold their nodes for another time, or
        wait otherwise, also those that run; nodes may be up or not; reservations may be new or gone;
        parameters may have other values.
        """
        before, nodes = self._jobs, self.capture.nodes
        if self._over:
            self._timing.pass_over(self.now + 1, self._waiting)
        self._jobs = {job.id: job for job in capture.jobs}
        self.capture, self._problem = capture, Problem(capture)
        self._lines, self._last = Queue(capture), (None, 0, [])
        if capture.settings != self._settings:
            self._configure(capture)
        self._timing.change()
        self._timing.reserve(capture)
        self._edges = sorted({*self._edges, *_edges(capture)})
        if [node.up for node in nodes] < [node.up for node in capture.nodes]:
            self._timing.ask_for_pass(self.now)
        for job in before.values():
            now = self._jobs.get(job.id)
            if job.holding and (now is None or now.waiting):
                self.capture = charged(self.capture, job, self.now, self._bills)
                self._completing.discard(job.id)
                del self._ends[job.id]
                self._timing.ask_for_pass(self.now)
                if now is not None:
                    # It waits behind the others of the list.
                    del self._jobs[job.id]
                    self._jobs[job.id] = self._again(job)
                list(self._follow(self._turns.finish(job)))
            elif now is not None and job.holding and now.end != job.end:
                self._ends[job.id] = self._problem.leaves(now, self.now)
            elif now is not None and not now.priority:
                self._known.discard(job.id)
        self.capture = attrs.evolve(self.capture, jobs=tuple(self._jobs.values()))
        self._puts.clear()
        if any(entry.job.id not in self._known for entry in self._queue(self.now)):
            insort(self._edges, self.now + 1)

    def _configure(self, capture: Capture) -> None:
        """The parameters are those of a capture from now on."""
        before, self._settings = self._settings, capture.settings
        self._timing.configure(capture, self.now, begun=self._over)
        late = [(each.kill_wait, each.over_time_limit) for each in (before, capture.settings)]
        for job in capture.jobs if late[0] != late[1] else ():
            if job.holding and self._ends[job.id] != NEVER and job.id not in self._completing:
                self._ends[job.id] = self._problem.leaves(job, self.now)

    def _end(self, job: Job) -> int:
        """When a job that holds nodes now ends."""
        end, runtime = self._problem.leaves(job, self.now), self._runtimes.get((job.id, None))
        if runtime is None or job.begin + runtime >= job.end:
            return end
        return max(self.now, job.begin + runtime)

    def _following(self, until: int | None) -> int | None:
        """The next second in which something is due; None if nothing is to come.

        Without `until` that is so, too, if no job waits any more.
        """
        stays = until is not None or self._preempted or self._queue(self.now)
        if not stays and not any(job.waiting for job in self._jobs.values()):
            return None
        times = [end for job, end in self._ends.items() if job not in self._completing]
        place = bisect_right(self._edges, self.now)
        times += self._edges[place : place + 1]
        times += self._timing.due(self.now, self._waiting)
        times += self._turns.due()
        calculated = self._next_calculation()
        if calculated is not None:
            times.append(calculated)
        if self._completing:
            times.append(self.now + 1)
        if self._coming is not None:
            times.append(self._coming.at)
        return max(min(times), self.now + 1) if times else None

    def _next_calculation(self) -> int | None:
        """When a priority can move next; it is sought anew after a change or a calculation."""
        last = last_calculation(self.capture, self.now)
        capture, then, found = self._moves
        if capture is not self.capture or then != last:
            found = next_calculation(self.capture, self.capture.jobs, self.now)
            self._moves = self.capture, last, found
        return found

    def _instant(self) -> Iterator[Moment]:
        """What happens in this second, in the order of the definition."""
        timing, asked = self._timing, False
        timing.pass_over(self.now, self._waiting)
        self._seen = self.now
        for moments in (self._complete_jobs(), self._reservations(), self._submissions()):
            for moment in moments:
                asked = True
                yield moment
        if asked:
            timing.ask_for_pass(self.now)
        yield from self._priorities()
        yield from self._follow(self._turns.turn(self.now))
        kind = timing.take_pass(self.now)
        if kind is not None:
            yield from self._pass(kind)
        if not self._preempted and timing.cycle_due(self.now):
            changed = timing.take_cycle(self.now, len(self._queue(self.now)))
            if changed is not None:
                yield from self._backfill(changed)

    def _queue(self, now: int) -> list[Waiting]:
        """The queue in a second; it is read anew only after a change, or once time has changed it."""
        capture, then, found = self._last
        calculates = self._settings.calculation_period > 0
        calculated = calculates and then < last_calculation(self.capture, now)
        changed = bisect_right(self._edges, now) > bisect_right(self._edges, then)
        changed = changed or capture is not self.capture or now < then
        if changed or calculated:
            self._aged = None if changed else (now, found)
            found = self._lines.at(self.capture, now)
            self._last = self.capture, now, found
        return found

    def _waiting(self) -> int:
        """How many entries there were in the last second that something happened in."""
        return len(self._queue(self._seen))

    def _put(self, id_: int, job: Job | None) -> None:
        """Put a job in place of the one with this id, or at the end; None removes it."""
        put(self._jobs, id_, job)
        self._puts.append((id_, job))

    def _moment(self, moment: Moment) -> Moment:
        """A moment with what it has done to the jobs."""
        if self._puts:
            self.capture = attrs.evolve(self.capture, jobs=tuple(self._jobs.values()))
        standing = self.capture.standing
        made = attrs.evolve(moment, puts=tuple(self._puts), due=self.due, standing=standing)
        self._puts.clear()
        return made

    def _complete_jobs(self) -> Iterator[Moment]:
        """Jobs that ended in the second before are gone, or wait again; others end in this second."""
        gone = [job for id_, job in self._jobs.items() if id_ in self._completing] if self._completing else []
        again = [self._again(job) for job in gone if job.id in self._preempted and self._requeued(job)]
        if self._preempted:
            self._timing.ask_at_once(self.now)
        self._completing, self._preempted = set(), set()
        for job in gone:
            self.capture = charged(self.capture, job, self.now - 1, self._bills)
            self._put(job.id, None)
            del self._ends[job.id]
        for job in again:
            self._put(job.id, job)
        if gone:
            self._timing.change()
            self._satisfy()
            yield self._moment(Moment(self.now, Happening.END, tuple(job.shown for job in gone)))
            yield from self._follow([change for job in gone for change in self._turns.finish(job)])
        self._end_jobs()

    def _end_jobs(self) -> None:
        """Jobs end whose time is over, or that run under a limit on past usage that is reached."""
        reached = self.capture.standing.reached if self.capture.standing else frozenset()
        used_up = {scope for scope, _ in reached}
        for job in self._jobs.values() if used_up else ():
            scopes = self._problem.limits.scopes(job, job.partitions[0]) if charges(job) else frozenset()
            if not used_up.isdisjoint(scopes):
                self._ends[job.id] = min(self._ends[job.id], self.now)
        for id_, end in self._ends.items():
            if end <= self.now:
                self._completing.add(id_)
                self._timing.stir(self.now)

    def _reservations(self) -> Iterator[Moment]:
        """Reservations that begin or end."""
        for each in self.capture.reservations:
            if each.floats:
                continue
            for at, begins in ((each.begin, True), (each.end, False)):
                if at == self.now:
                    self._timing.change()
                    yield self._moment(Moment(at, Happening.RESERVATION, (each.name,), begins))

    def _satisfy(self) -> None:
        """Dependencies on jobs that are over are satisfied."""
        satisfied, jobs = [], self._jobs.values()
        dependent = [job for job in jobs if job.dependency]
        if not dependent:
            return
        present = {*self._jobs, *(job.array.job for job in jobs if job.array)}
        peers = namesakes(jobs) if any(SINGLETON in job.dependency for job in dependent) else {}
        for job in dependent:
            terms = [term for term in job.dependency.split(",") if "unfulfilled" in term]
            others = peers.get((job.name, job.user), ())
            if terms and all(_is_over(job, term, present, others) for term in terms):
                since = job.accrued_since or self.now
                satisfied.append(attrs.evolve(job, dependency="", accrued_since=since))
        for job in satisfied:
            self._put(job.id, job)

    def _submissions(self) -> Iterator[Moment]:
        self._arrive()
        new = [entry.job.id for entry in self._queue(self.now) if entry.job.id not in self._known]
        for job in dict.fromkeys(new):
            self._known.add(job)
            self._timing.change()
            yield self._moment(Moment(self.now, Happening.SUBMISSION, (str(job),)))

    def _arrive(self) -> None:
        """Jobs come, at the end of the list."""
        before = len(self._jobs)
        while self._coming is not None and self._coming.at <= self.now:
            id_, at = self._next_id, self._coming.at
            self._next_id += 1
            self._runtimes[id_, None] = self._coming.runtime
            self._put(id_, attrs.evolve(self._coming.job, id=id_, submit=at, eligible=at))
            self._timing.grow_old(at)
            self._coming = next(self._arrivals, None)
        if len(self._jobs) > before:
            self.capture = attrs.evolve(self.capture, jobs=tuple(self._jobs.values()))

    def _priorities(self) -> Iterator[Moment]:
        """Priorities are calculated; what follows is planned anew if that changes the queue."""
        if not self._settings.calculation_period or last_calculation(self.capture, self.now) != self.now:
            return
        before, capture = self.capture.standing, with_standing(self.capture, self.now, self._bills)
        still = before is None or capture.standing is None or before.factors == capture.standing.factors
        jobs: tuple[str, ...] = ()
        if self._settings.ageing is not None or not still:
            queued = self._queue(self.now)
            if self._aged is not None and self._aged[0] == self.now:
                jobs = passed(self._aged[1], queued, self._settings.backfill.min_prio_reserve)
            else:
                jobs = self._lines.moved_up(self.capture, self.now)
        self.capture = capture
        if before is not None and capture.standing is not None and before.reached != capture.standing.reached:
            # Jobs come into the queue in the next second, as they do when a count lets them in.
            self._timing.change()
            insort(self._edges, self.now + 1)
            self._end_jobs()
        if jobs:
            self._timing.change()
            yield self._moment(Moment(self.now, Happening.PRIORITIES, jobs))

    def _pass(self, kind: PassKind) -> Iterator[Moment]:
        entries, cluster = self._cluster()
        found = main_pass(cluster, self._settings.queue_depth if kind is PassKind.QUICK else None)
        closed = [entries[index] for index in found.closed]
        changes: list[Switch] = []
        yield self._moment(
            Moment(
                at=self.now,
                what=Happening.MAIN_PASS,
                kind=kind,
                started=self._start(cluster, found.begun, changes),
                tried=found.tried,
                stopped=found.stopped.value if found.stopped else "",
                closed=tuple((each.job.reservation or each.partition.name, each.name) for each in closed),
            )
        )
        yield from self._follow(changes)
        yield from self._preempt(cluster, found.preempted)

    def _backfill(self, changed: bool) -> Iterator[Moment]:
        """The cycle; one without a change is a moment only if it does something."""
        if self._cycle is None or changed or self._cycle[0].stands <= self.now:
            cluster = self._cluster()[1]
            cycle = Cycle(cluster)
            found = cycle.run()
        else:
            cycle, cluster = self._cycle
            found = cycle.again(self.now)
        self._cycle = None
        if not found.begun and not found.preempted and self._problem.lasts:
            self._cycle = cycle, cluster
            self._timing.settle(found.steady)
        if not changed and not found.begun and not found.preempted:
            return
        outcomes = Counter(place.outcome for place in found.places)
        changes: list[Switch] = []
        yield self._moment(
            Moment(
                at=self.now,
                what=Happening.BACKFILL,
                started=self._start(cluster, found.begun, changes),
                tried=found.tested,
                planned=outcomes[Outcome.PLANNED],
                stopped=found.stopped.value if found.stopped else "",
            )
        )
        yield from self._follow(changes)
        yield from self._preempt(cluster, found.preempted)

    def _preempt(self, cluster: Cluster, victims: Iterable[int]) -> Iterator[Moment]:
        """Jobs are requeued or cancelled; they hold their nodes until the next second."""
        for index in victims:
            job = self._jobs[cluster.holders[index].job]
            self._timing.change()
            self._completing.add(job.id)
            self._preempted.add(job.id)
            self._put(job.id, attrs.evolve(job, states=("COMPLETING",)))
            what = Happening.REQUEUE if self._requeued(job) else Happening.CANCEL
            yield self._moment(Moment(self.now, what, (job.shown,)))

    def _follow(self, changes: Iterable[Switch]) -> Iterator[Moment]:
        """Jobs are suspended and resumed; the end of a job is as much later as it was suspended."""
        for change in changes:
            if change.job not in self._jobs:
                # It was suspended, and has left with the others of its heterogeneous job.
                continue
            job = self._jobs[change.job]
            self._timing.change()
            if change.resumed:
                since, left = self._turns.resume(job.id)
                self._ends[job.id] = self.now + left
                self._timing.count_minutes(self.now + left)
                self._put(job.id, attrs.evolve(job, states=("RUNNING",), end=job.end + self.now - since))
            else:
                self._turns.suspend(job.id, self.now, self._ends[job.id] - self.now)
                self._ends[job.id] = NEVER
                self._put(job.id, attrs.evolve(job, states=("SUSPENDED",)))
            what = Happening.RESUME if change.resumed else Happening.SUSPEND
            yield self._moment(Moment(self.now, what, (job.shown,)))

    def _requeued(self, job: Job) -> bool:
        """Whether a job that is preempted waits again."""
        return self._problem.preemption.mode(job) == "REQUEUE"

    def _again(self, job: Job) -> Job:
        """A job as it waits again: submitted anew, under priority/basic with the lowest priority."""
        self._known.discard(job.id)
        eligible = self.now + REQUEUED_AFTER
        insort(self._edges, eligible)
        if self._settings.priority == "priority/basic":
            known = [each.priority for each in self.capture.jobs if each.priority and each.submit <= self.now]
            job = attrs.evolve(job, priority=max(1, min(known, default=1) - 1))
        else:
            job = submitted_anew(self.capture, job, eligible)
        return attrs.evolve(
            job, states=("PENDING",), submit=self.now, eligible=eligible, begin=0, end=0, nodes=(), shares=()
        )

    def _cluster(self) -> tuple[list[Waiting], Cluster]:
        """The queue and the cluster as they stand."""
        entries = self._queue(self.now)
        return entries, self._problem.cluster(entries, self.now, self.capture.jobs)

    def _start(self, cluster: Cluster, begun: Begun, changes: list[Switch]) -> tuple[Started, ...]:
        """Jobs start; who is suspended for them goes to `changes`."""
        return tuple(self._started(cluster.entries[index], holder, changes) for index, holder in begun)

    def _started(self, entry: Entry, holder: Holder, changes: list[Switch]) -> Started:
        """Put a running job in place of a waiting one, or of one task of it."""
        waiting = self._jobs[entry.job]
        run = attrs.evolve(
            waiting,
            states=("RUNNING",),
            partitions=(entry.partition,),
            begin=self.now,
            end=holder.end,
            nodes=tuple(self._names[node] for node in members(holder.nodes)),
            shares=tuple(self._shares(holder)),
        )
        self._timing.change()
        array, others, task = waiting.array, None, None
        if array is not None and array.task is None:
            task, rest = first_task(array.waiting)
            run = attrs.evolve(
                run, id=self._next_id, array=ArrayPart(array.job, task, "", array.most_running)
            )
            self._next_id += 1
            others = attrs.evolve(waiting, array=attrs.evolve(array, waiting=rest)) if rest else None
        self._put(waiting.id, run)
        if others is not None:
            # The tasks that still wait go to the end.
            self._put(waiting.id, others)
        self.starts.setdefault((waiting.id, task), self.now)
        runtime = self._runtimes.get((waiting.id, task))
        if task is not None and runtime is not None:
            self._runtimes[run.id, None] = runtime
        self._ends[run.id] = holder.end if runtime is None else min(holder.end, self.now + runtime)
        self._timing.count_minutes(holder.end)
        changes += self._turns.start(run)
        return Started(run.shown, waiting.shown, entry.partition, format_hosts(run.nodes), holder.end)

    def _shares(self, holder: Holder) -> Iterable[Share]:
        """What a job holds, as a capture has it."""
        for place, take in holder.takes.items():
            node = self.capture.nodes[place]
            yield Share(node.name, take.cpus // node.threads, take.memory, format_devices(take.devices))


def _edges(capture: Capture) -> set[int]:
    """The instants at which a reservation begins or ends."""
    fixed = [each for each in capture.reservations if not each.floats]
    return {edge for each in fixed for edge in (each.begin, each.end)}


@attrs.frozen
class Expected:
    """When a waiting job, or a task of an array, is expected to start, and by what. None: it never does."""

    job_id: str
    start: int | None
    by: str
    nodes: str
    marks: tuple[Caveat, ...] = ()
    """What this start leaves out, as the rows of the plan have it."""


def expected_starts(capture: Capture, now: int) -> tuple[Expected, ...]:
    """Return the starts in the order of time, then the jobs that do not start."""
    return followed(capture, now)[0]


def followed(
    capture: Capture, now: int, progress: Progress = no_progress
) -> tuple[tuple[Expected, ...], tuple[Moment, ...]]:
    """Return the expected starts, and every moment until no job can start any more.

    `progress` is called with how many jobs have started, each task of an array counted.
    """
    over_time = OverTime(capture, now)
    left = total = waiting_tasks(capture)
    made = []
    for moment in over_time.moments():
        made.append(moment)
        left = max(0, left - len(moment.started))
        progress(total - left, total)
    moments = tuple(made)
    starts = [event for moment in moments for event in moment.events() if event.starts]
    found = [Expected(event.job, event.at, event.what.value, event.nodes) for event in starts]
    found += [Expected(job.shown, None, "", "") for job in over_time.capture.jobs if job.waiting]
    return tuple(found), moments


def _is_over(job: Job, term: str, present: Set[int], peers: Iterable[Job]) -> bool:
    """Whether what a term of a dependency names is over; `peers` have the name and user of the job."""
    if term == SINGLETON:
        return is_alone(job, peers)
    found = _NAMED.fullmatch(term)
    return found is not None and int(found[1]) not in present


def first_task(text: str) -> tuple[int, str]:
    """Return the first task of a list such as `1-4,9-20:2%3`, and the list of the others."""
    word, _, others = text.partition("%")[0].partition(",")
    span, _, step = word.partition(":")
    first, _, last = span.partition("-")
    after = int(first) + int(step or 1)
    rest = f"{after}-{last}:{step or 1}" if last and after <= int(last) else ""
    return int(first), ",".join(filter(None, (rest, others)))
