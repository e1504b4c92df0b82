"""Advice for a waiting job of a cluster: what would get it started by an instant, the cheapest first.

What is tried is confirmed by a run over time. A job that is held for it is released at the end of the second
in which the advised job starts.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo

from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.instants import parse_deadline
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.advice import Advice, Advised, cheapest_first
from shadowtime.console.session.impact.expected import Broken, Times
from shadowtime.console.session.impact.impact import changes
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.impact.course import Course, ignored, names_of
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.queue import queue
from shadowtime.scenarios.slurm import format_hosts
from shadowtime.scenarios.slurm.changes import Change, can_resume, format_change, number_of

SIZES = 8
"""Smaller sizes that are tried, evenly spaced if there are more."""
OTHERS = 24
"""Other jobs that are tried one by one, the first to start."""
ENOUGH = 3
"""Pieces of advice of one kind that are enough."""


class ClusterAdvice:
    """Finds advice for a waiting job at the instant of a course. `run` may be called in any thread.

    `cancel` may be called in any thread, too: then `run` returns None.
    """

    def __init__(self, course: Course, job: int, by: str, zone: tzinfo | None) -> None:
        """`by` is a deadline as it is typed. SessionError for anything else."""
        self.job = job
        self._course, self._text, self._clock = course, by, dated_clock(zone, course.at)
        parse_deadline(by, course.at, course.at, self._clock)
        self._by = 0
        self._tried, self._total = 0, 1
        self._cancelled = False
        self._progress: Progress = no_progress

    def cancel(self) -> None:
        """Break the work off."""
        self._cancelled = True

    def run(self, progress: Progress | None = None) -> Advised | None:
        """Return what would help. SessionError: the job does not wait."""
        self._progress = progress or no_progress
        try:
            return self._found()
        except Broken:
            return None

    def _found(self) -> Advised:
        course = self._course
        self._here = course.here(self._halt)
        names = list(names_of(self._here.capture, self.job))
        if not names:
            raise SessionError(f"job {self.job} does not wait; expected a waiting job")
        self._waiting = [job for job in self._here.capture.jobs if job.waiting and number_of(job) == self.job]
        self._name = names[0]
        waiting = course.waiting(self._here)
        self._before = course.before(self._halt, lambda left: self._progress(waiting - left, 4 * waiting))
        start = self._start(self._before)
        self._by = parse_deadline(self._text, course.at, start, self._clock)
        found: list[Advice] = []
        if start is None or start > self._by:
            holds = self._holds()
            kinds = (
                self._each(self._direct()),
                self._first(self._smaller()),
                self._longest_limit(),
                self._others(holds),
            )
            self._total = 8 + SIZES + 12 + len(holds)
            for kind in kinds:
                found += kind
        found.sort(key=cheapest_first)
        return Advised(course.event, course.at, self.job, self._by, start, tuple(found), self._tried)

    def _start(self, times: Times) -> int | None:
        """When the job, or the first of its tasks, starts."""
        starts = (self._course.first_start(times, name) for name in (self._name, f"{self.job}_*"))
        return min((start for start in starts if start is not None), default=None)

    # What is tried.

    def _direct(self) -> Iterator[tuple[Change, ...]]:
        """Release it, put it first, put nodes back in service, use other partitions, give reservations up."""
        subject, capture = str(self.job), self._here.capture
        if all(not job.priority for job in self._waiting):
            yield (Change("release", subject),)
        highest = max((each.priority for each in capture.jobs if each.waiting), default=0)
        yield (Change("priority", subject, str(highest + 1)),)
        out = format_hosts(node.name for node in capture.nodes if can_resume(node))
        if out:
            yield (Change("resume", out),)
        for partition in capture.partitions:
            if partition.name not in self._waiting[0].partitions:
                yield (Change("partition", subject, partition.name),)
        own = {
            name
            for each in capture.partitions
            for name in each.nodes
            if each.name in self._waiting[0].partitions
        }
        for reservation in capture.reservations:
            if reservation.end > self._course.at and not own.isdisjoint(reservation.nodes):
                yield (Change("unreserve", reservation.name),)

    def _smaller(self) -> Iterator[tuple[Change, ...]]:
        """Fewer nodes, as many as possible first."""
        size = self._waiting[0].request.least_nodes
        steps = min(SIZES, size - 1)
        sizes = {(size - 1) * step // steps for step in range(1, steps + 1)} if steps else set[int]()
        for smaller in sorted(sizes - {0}, reverse=True):
            yield (Change("nodes", str(self.job), str(smaller)),)

    def _longest_limit(self) -> Iterator[Advice]:
        """The longest shorter limit that helps, to the minute, if a shorter one helps no less."""
        limit = self._waiting[0].limit
        low, high, best = 0, (limit or 1) - 1, None
        while low < high:
            middle = (low + high + 1) // 2
            change = (Change("limit", str(self.job), f"{middle}m"),)
            if self._helps(change) is None:
                high = middle - 1
            else:
                low, best = middle, change
        if best is not None:
            yield from self._each([best])

    def _holds(self) -> list[Change]:
        """Who may be held: the other jobs of the queue that start before it, the first to start first."""
        course, places = self._course, self._course.jobs.places
        starts = {
            number_of(entry.job): self._before.starts.get(places.get(entry.name, -1), course.at)
            for entry in reversed(queue(self._here.capture, course.at))
            if number_of(entry.job) != self.job
        }
        own = self._start(self._before)
        first = sorted((start, job) for job, start in starts.items() if own is None or start <= own)
        return [Change("hold", str(job)) for _, job in first[:OTHERS]]

    def _others(self, holds: Sequence[Change]) -> Iterator[Advice]:
        """Hold one other job; if no one is enough, the shortest beginning of the list that helps."""
        single = list(self._each((hold,) for hold in holds))
        yield from single
        low, high = 2, len(holds)
        if single or high < low or self._helps(tuple(holds)) is None:
            return
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._helps(tuple(holds[:middle])) else (middle + 1, high)
        yield from self._each([tuple(holds[:high])])

    # How it is tried.

    def _each(self, trials: Iterable[tuple[Change, ...]], most: int = ENOUGH) -> Iterator[Advice]:
        """The advice of the first trials that help."""
        for trial in trials:
            start = self._helps(trial)
            if start is not None:
                yield self._costed(trial, start)
                most -= 1
                if not most:
                    return

    def _first(self, trials: Iterable[tuple[Change, ...]]) -> Iterator[Advice]:
        return self._each(trials, 1)

    def _helps(self, trial: tuple[Change, ...]) -> int | None:
        """When the job starts after changes, if that is in time; None also if they cannot be made."""
        self._tried += 1
        self._progress(min(self._total, self._tried) + self._total // 3, 2 * self._total)
        done = self._done(trial)
        return None if done is None else self._course.start_of(self._name, done, self._by, self._halt)

    def _done(self, trial: tuple[Change, ...]) -> OverTime | None:
        try:
            return self._course.after(self._here, trial)
        except SessionError:
            return None

    def _costed(self, trial: tuple[Change, ...], start: int) -> Advice:
        """The advice with what it costs, if held jobs are released once the job has started."""
        course = self._course
        done = self._done(trial)
        assert done is not None
        back = tuple(Change("release", each.subject) for each in trial if each.what == "hold")
        so_far = course.until(done, start, self._halt)
        if back:
            done = course.after(done, back)
        after = course.run(done, self._halt, ignored, so_far)
        own = f"{self.job}_"
        rows = changes(course.jobs, range(len(course.jobs.id)), self._before, after)
        payers = tuple(row for row in rows if str(row.job) != self._name and not str(row.job).startswith(own))
        do, then = tuple(map(format_change, trial)), tuple(map(format_change, back))
        return Advice(do, then, start, payers)

    def _halt(self) -> bool:
        return self._cancelled
