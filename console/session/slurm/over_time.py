"""A captured cluster over time: when each waiting job is expected to start (docs/slurm.md, section 13).

From one event to the next; the queue and the cluster are read off the capture as it stands then.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import attrs

from console.session.slurm.devices import format_devices
from console.session.slurm.moments import Due, Event, Happening, Moment, PassKind, Put, Started
from console.session.slurm.problem import Problem
from console.session.slurm.queue import Waiting, queue
from kernels.slurm import Begun, Cluster, Entry, Holder, Outcome, main_pass, members, run_cycle
from scenarios.slurm import ArrayPart, Capture, Job, Share, format_hosts

_NAMED = re.compile(r"(?:afterok|afterany):(\d+)(?:_\S+)?\(unfulfilled\)")


class OverTime:
    """A cluster, its clock, and what is due on it; every job runs until its limit."""

    def __init__(self, capture: Capture, now: int) -> None:
        self.capture, self.now = capture, now
        self._settings = capture.settings
        self._problem = Problem(capture)
        self._jobs = {job.id: job for job in capture.jobs}
        self._names = [node.name for node in capture.nodes]
        self._ends = {job.id: self._problem.leaves(job, now) for job in capture.jobs if job.holding}
        self._next_id = max(self._jobs, default=0) + 1
        self._cycle_after, self._pass_after = now, now + self._settings.sched_interval
        self._cycle_due = self._pass_due = True
        self._known = {entry.job.id for entry in queue(capture, now)}
        self._puts: list[Put] = []
        edges = {edge for each in capture.reservations for edge in (each.begin, each.end)}
        self._edges = edges | {job.eligible for job in capture.jobs if job.waiting}

    @property
    def due(self) -> Due:
        """When the cycle and the whole pass come next."""
        return Due(self._cycle_after, self._pass_after, self._cycle_due, self._pass_due)

    @property
    def ends(self) -> Mapping[int, int]:
        """When each job that holds nodes will have ended, by its id."""
        return self._ends

    @property
    def edges(self) -> frozenset[int]:
        """The instants at which a reservation begins or ends, or a job becomes eligible."""
        return frozenset(self._edges)

    def events(self) -> Iterator[Event]:
        """Yield every end, submission and start, until nothing more can happen."""
        for moment in self.moments():
            yield from moment.events()

    def moments(self) -> Iterator[Moment]:
        """Yield what happens, also passes and cycles that start nobody, until nothing more can."""
        while True:
            yield from self._instant()
            following = self._following()
            if following is None:
                return
            self.now = following

    def _following(self) -> int | None:
        """The next second in which something is due; None if no job waits any more, or nothing is to come."""
        if not any(job.waiting for job in self._jobs.values()):
            return None
        times = [*self._ends.values(), *(edge for edge in self._edges if edge > self.now)]
        if self._settings.sched_interval and self._pass_due:
            times.append(self._pass_after)
        if self._settings.backfills and self._cycle_due:
            times.append(self._cycle_after)
        return max(min(times), self.now + 1) if times else None

    def _instant(self) -> Iterator[Moment]:
        """What happens in this second, in the order of the definition."""
        freed = False
        for moments in (self._end_jobs(), self._reservations()):
            for moment in moments:
                freed = True
                yield moment
        yield from self._submissions()
        if freed:
            yield self._pass(PassKind.QUICK, depth=self._settings.queue_depth)
        if self._settings.sched_interval and self._pass_due and self.now >= self._pass_after:
            self._pass_due = False
            self._pass_after = self.now + self._settings.sched_interval
            yield self._pass(PassKind.WHOLE)
        if self._settings.backfills and self._cycle_due and self.now >= self._cycle_after:
            self._cycle_due = False
            self._cycle_after = self.now + self._settings.backfill.interval
            yield self._cycle()

    def _change(self) -> None:
        self._cycle_due = self._pass_due = True

    def _put(self, id_: int, job: Job | None) -> None:
        """Put a job in place of the one with its id, or at the end; None removes it."""
        if job is None:
            del self._jobs[id_]
        else:
            self._jobs[id_] = job
        self._puts.append((id_, job))

    def _moment(self, moment: Moment) -> Moment:
        """A moment with what it has done to the jobs."""
        if self._puts:
            self.capture = attrs.evolve(self.capture, jobs=tuple(self._jobs.values()))
        made = attrs.evolve(moment, puts=tuple(self._puts), due=self.due)
        self._puts.clear()
        return made

    def _end_jobs(self) -> Iterator[Moment]:
        over = [job for job in self._jobs.values() if job.holding and self._ends[job.id] <= self.now]
        for job in over:
            self._put(job.id, None)
            del self._ends[job.id]
        if over:
            self._change()
            self._satisfy()
            yield self._moment(Moment(self.now, Happening.END, tuple(map(name_of, over))))

    def _reservations(self) -> Iterator[Moment]:
        """Reservations that begin or end."""
        for each in self.capture.reservations:
            for at, begins in ((each.begin, True), (each.end, False)):
                if at == self.now:
                    self._change()
                    yield self._moment(Moment(at, Happening.RESERVATION, (each.name,), begins))

    def _satisfy(self) -> None:
        """Dependencies on jobs that are over are satisfied."""
        satisfied = []
        present = {*self._jobs, *(job.array.job for job in self._jobs.values() if job.array)}
        for job in self._jobs.values():
            terms = [term for term in job.dependency.split(",") if "unfulfilled" in term]
            found = [_NAMED.fullmatch(term) for term in terms]
            if terms and all(each and int(each[1]) not in present for each in found):
                satisfied.append(attrs.evolve(job, dependency=""))
        for job in satisfied:
            self._put(job.id, job)

    def _submissions(self) -> Iterator[Moment]:
        new = [entry.job.id for entry in queue(self.capture, self.now) if entry.job.id not in self._known]
        for job in dict.fromkeys(new):
            self._known.add(job)
            self._change()
            yield self._moment(Moment(self.now, Happening.SUBMISSION, (str(job),)))
            yield self._pass(PassKind.SUBMISSION, job=job)

    def _pass(self, kind: PassKind, depth: int | None = None, job: int | None = None) -> Moment:
        entries, cluster = self._cluster(every_task=True)
        found = main_pass(cluster, depth, job)
        closed = [entries[index] for index in found.closed]
        return self._moment(
            Moment(
                at=self.now,
                what=Happening.MAIN_PASS,
                subjects=() if job is None else (str(job),),
                kind=kind,
                started=self._start(cluster, found.begun),
                tried=found.tried,
                stopped=found.stopped.value if found.stopped else "",
                closed=tuple((each.job.reservation or each.partition.name, each.name) for each in closed),
            )
        )

    def _cycle(self) -> Moment:
        _, cluster = self._cluster()
        found = run_cycle(cluster)
        outcomes = Counter(place.outcome for place in found.places)
        return self._moment(
            Moment(
                at=self.now,
                what=Happening.BACKFILL,
                started=self._start(cluster, found.begun),
                tried=found.tested,
                planned=outcomes[Outcome.PLANNED],
                stopped=found.stopped.value if found.stopped else "",
            )
        )

    def _cluster(self, every_task: bool = False) -> tuple[list[Waiting], Cluster]:
        """The queue and the cluster as they stand; `every_task`: every task of an array may be tried."""
        entries = queue(self.capture, self.now, every_task)
        return entries, self._problem.cluster(entries, self.now, self.capture.jobs)

    def _start(self, cluster: Cluster, begun: Begun) -> tuple[Started, ...]:
        return tuple(self._started(cluster.entries[index], holder) for index, holder in begun)

    def _started(self, entry: Entry, holder: Holder) -> Started:
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
        self._change()
        self._put(waiting.id, None)
        array = waiting.array
        if array is not None and array.task is None:
            task, rest = first_task(array.waiting)
            run = attrs.evolve(
                run, id=self._next_id, array=ArrayPart(array.job, task, "", array.most_running)
            )
            self._next_id += 1
            if rest:
                self._put(waiting.id, attrs.evolve(waiting, array=attrs.evolve(array, waiting=rest)))
        self._put(run.id, run)
        self._ends[run.id] = holder.end
        return Started(name_of(run), name_of(waiting), entry.partition, format_hosts(run.nodes), holder.end)

    def _shares(self, holder: Holder) -> Iterable[Share]:
        """What a job holds, as a capture has it."""
        for place, take in holder.takes.items():
            node = self.capture.nodes[place]
            yield Share(node.name, take.cpus // node.threads, take.memory, format_devices(take.devices))


@attrs.frozen
class Expected:
    """When a waiting job, or a task of an array, is expected to start, and by what. None: it never does."""

    job_id: str
    start: int | None
    by: str
    nodes: str


def expected_starts(capture: Capture, now: int) -> tuple[Expected, ...]:
    """Return the starts in the order of time, then the jobs that do not start."""
    return followed(capture, now)[0]


def followed(capture: Capture, now: int) -> tuple[tuple[Expected, ...], tuple[Moment, ...]]:
    """Return the expected starts, and every moment until no job can start any more."""
    over_time = OverTime(capture, now)
    moments = tuple(over_time.moments())
    starts = [event for moment in moments for event in moment.events() if event.starts]
    found = [Expected(event.job, event.at, event.what.value, event.nodes) for event in starts]
    found += [Expected(name_of(job), None, "", "") for job in over_time.capture.jobs if job.waiting]
    return tuple(found), moments


def name_of(job: Job) -> str:
    """How Slurm names a job: `12`, `12_3` for a task, `12_*` for the tasks that wait."""
    if job.array is None:
        return str(job.id)
    return f"{job.array.job}_{'*' if job.array.task is None else job.array.task}"


def first_task(text: str) -> tuple[int, str]:
    """Return the first task of a list such as `1-4,9-20:2%3`, and the list of the others."""
    word, _, others = text.partition("%")[0].partition(",")
    span, _, step = word.partition(":")
    first, _, last = span.partition("-")
    after = int(first) + int(step or 1)
    rest = f"{after}-{last}:{step or 1}" if last and after <= int(last) else ""
    return int(first), ",".join(filter(None, (rest, others)))
