"""Which waiting jobs would start now if they asked for less time (docs/slurm-cycle.md, section 19)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.session.progress import Progress
from shadowtime.console.session.slurm.problem import YEAR, Problem
from shadowtime.console.session.slurm.queue import Waiting, queue
from shadowtime.console.session.work import Work, check
from shadowtime.kernels.slurm.cycle import run_cycle
from shadowtime.kernels.slurm.nodeset import members
from shadowtime.kernels.slurm.records import Outcome
from shadowtime.scenarios.slurm import Capture, Job, format_hosts
from shadowtime.scenarios.slurm.changes import number_of
from shadowtime.scenarios.text.gate import printable

MINUTE = 60


@attrs.frozen
class Shorter:
    """A waiting job that the next cycle would start if its limit were shorter. Durations are seconds."""

    job: str
    """As Slurm names it."""
    number: int
    """Its id; of an array that of the array."""
    user: str
    partition: str
    """In which it would start."""
    size: int
    """The nodes on which it would start."""
    nodes: str
    """A list such as `n[1-4]`."""
    limit: int
    """Its limit, or else the longest that its partitions allow."""
    longest: int
    """The longest limit with which it would start now, in whole minutes."""
    start: int | None
    """The start in the next cycle with the limit that it has, in seconds since 1970."""

    @property
    def lost(self) -> int:
        """What it would lose of its limit."""
        return self.limit - self.longest

    @property
    def change(self) -> str:
        """The change that would do it, as it is typed: `limit 31 42m`."""
        return f"limit {self.number} {self.longest // MINUTE}m"

    def as_dict(self) -> dict[str, object]:
        """Return the object of `shorter --json`."""
        return attrs.asdict(self) | {"lost": self.lost}


class ShorterLimits(Work[tuple[Shorter, ...]]):
    """Finds these jobs at an instant."""

    def __init__(self, capture: Capture, now: int) -> None:
        self._capture, self._now = capture, now

    def _found(self, progress: Progress) -> tuple[Shorter, ...]:
        """The jobs, the one that would lose least first. CaptureError."""
        return tuple(sorted(self._each(progress), key=lambda each: (each.lost, each.number, each.job)))

    def _each(self, progress: Progress) -> Iterator[Shorter]:
        capture, problem = self._capture, Problem(self._capture)
        entries = queue(capture, self._now)
        starts: dict[int, int] = {}
        started: set[int] = set()
        for place in run_cycle(problem.cluster(entries, self._now, capture.jobs)).places:
            number = number_of(entries[place.entry].job)
            if place.start is not None:
                starts[number] = min(starts.get(number, place.start), place.start)
            if place.outcome is Outcome.STARTED:
                started.add(number)
        jobs: dict[int, list[Job]] = defaultdict(list)
        for job in capture.jobs:
            if job.waiting and job.priority and not job.het_job:
                jobs[number_of(job)].append(job)
        for done, (number, same) in enumerate(jobs.items()):
            progress(done, len(jobs))
            if number not in started:
                trial = _Trial(capture, problem, self._now, tuple(same), starts.get(number))
                found = self._longest(trial)
                if found is not None:
                    yield found

    def _longest(self, trial: "_Trial") -> Shorter | None:
        """Search for the longest limit: from above by halves, then between the last two that were tried."""
        limits = [trial.whole - 1, *(1 << bits for bits in reversed(range(trial.whole.bit_length())))]
        high = trial.whole - 1
        for low in limits:
            if low <= high:
                best = self._at(trial, low)
                if best is not None:
                    break
                high = low - 1
        else:
            return None
        while low < high:
            middle = (low + high + 1) // 2
            found = self._at(trial, middle)
            if found is None:
                high = middle - 1
            else:
                low, best = middle, found
        return best

    def _at(self, trial: "_Trial", minutes: int) -> Shorter | None:
        check(self._halt)
        return trial.at(minutes) if trial.alone(minutes) else None


@attrs.frozen
class _Trial:
    """The next cycle, in which one job, or the tasks of an array that wait, have another limit."""

    capture: Capture
    problem: Problem
    now: int
    jobs: tuple[Job, ...]
    start: int | None
    ids: frozenset[int] = attrs.field(init=False)

    @ids.default
    def _ids(self) -> frozenset[int]:
        return frozenset(job.id for job in self.jobs)

    @property
    def whole(self) -> int:
        """The limit in minutes, or else the longest of the partitions."""
        return max(self._whole(job) for job in self.jobs)

    def _whole(self, job: Job) -> int:
        if job.limit is not None:
            return job.limit
        partitions = (each for each in self.capture.partitions if each.name in job.partitions)
        return max(
            (YEAR if each.most_minutes is None else each.most_minutes for each in partitions), default=YEAR
        )

    def alone(self, minutes: int) -> bool:
        """Whether the job could start now with a limit if nobody else waited: soon answered."""
        jobs = tuple(job for job in self.capture.jobs if not job.waiting)
        capture = attrs.evolve(self.capture, jobs=(*jobs, *self._limited(minutes)))
        return self._started(queue(capture, self.now)) is not None

    def at(self, minutes: int) -> Shorter | None:
        """The job with a limit, if it starts now."""
        entries = self._queue(minutes)
        # What stands behind the job in the queue changes nothing for it.
        last = max((place for place, each in enumerate(entries) if each.job.id in self.ids), default=-1)
        found = self._started(entries[: last + 1])
        if found is None:
            return None
        entry, nodes = found
        names = [self.capture.nodes[node].name for node in members(nodes)]
        return Shorter(
            job=entry.name,
            number=number_of(entry.job),
            user=printable(entry.job.user),
            partition=printable(entry.partition.name),
            size=len(names),
            nodes=format_hosts(names),
            limit=MINUTE * self.whole,
            longest=MINUTE * minutes,
            start=self.start,
        )

    def _queue(self, minutes: int) -> list[Waiting]:
        # Slurm's reason stays: what keeps a job from starting otherwise is not its limit.
        limited = {job.id: job for job in self._limited(minutes)}
        jobs = tuple(limited.get(job.id, job) for job in self.capture.jobs)
        return queue(attrs.evolve(self.capture, jobs=jobs), self.now)

    def _limited(self, minutes: int) -> tuple[Job, ...]:
        return tuple(attrs.evolve(job, limit=minutes) for job in self.jobs)

    def _started(self, entries: Sequence[Waiting]) -> tuple[Waiting, int] | None:
        """The entry of the job that the cycle starts, and its nodes."""
        cluster = self.problem.cluster(entries, self.now, self.capture.jobs)
        for place in run_cycle(cluster).places:
            if place.outcome is Outcome.STARTED and entries[place.entry].job.id in self.ids:
                return entries[place.entry], place.nodes
        return None
