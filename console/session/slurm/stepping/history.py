"""The moments of a cluster from its capture on, and a position among them.

Moments are computed when they are first reached, and kept with what each changes; the jobs at a position
are those of the capture with the changes up to it. Going back computes no pass and no cycle again.
"""

from collections.abc import Callable, Iterator
from functools import partial

import attrs

from shadowtime.console.session.course.places import END, START, AtEvent, AtJob, AtShare, AtTime, Place
from shadowtime.console.session.slurm.moments import Due, Happening, Moment, put
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.priorities import with_calculation
from shadowtime.scenarios.slurm import Capture, Job

Wanted = Callable[[Moment], bool]
Source = Callable[[OverTime], Iterator[Moment]]
"""Yields the moments of a cluster that stands at its capture."""


class History:
    """A cluster at a position: 0 is the capture, n the cluster after its n-th moment."""

    def __init__(self, capture: Capture, now: int | None = None, source: Source = OverTime.moments) -> None:
        """Begin at the capture; `now`, in seconds since 1970, is by default when the queue was read."""
        self.begin = capture.taken if now is None else now
        self.capture = capture = with_calculation(capture, self.begin)
        self.position = 0
        over_time = OverTime(capture, self.begin)
        self.edges = over_time.edges
        """The instants at which a reservation begins or ends, or a job becomes eligible."""
        self._first_ends = dict(over_time.ends)
        self._first_due = over_time.due
        self._source = source(over_time)
        self._moments: list[Moment] = []
        self._changed: list[tuple[int, Capture]] = []
        """The position of each change and the cluster after it, the last one first."""
        self.complete = False
        """Whether every moment is known."""
        self._jobs: dict[int, Job] = {job.id: job for job in capture.jobs}
        self._jobs_at = 0

    @property
    def known(self) -> int:
        """How many moments have been computed."""
        return len(self._moments)

    @property
    def moment(self) -> Moment | None:
        """What happened last; None at the capture."""
        return self.moment_at(self.position)

    @property
    def at(self) -> int:
        """The instant of the position, in seconds since 1970."""
        return self.instant(self.position)

    def moment_at(self, position: int) -> Moment | None:
        """The moment that led to a known position; None for the capture."""
        return self._moments[position - 1] if position else None

    def instant(self, position: int) -> int:
        """The instant of a known position."""
        return self._moments[position - 1].at if position else self.begin

    def due(self, position: int) -> Due:
        """When the cycle and the whole pass come next, as of a known position."""
        moment = self.moment_at(position)
        return self._first_due if moment is None or moment.due is None else moment.due

    def ends(self, position: int) -> dict[int, int]:
        """When each job that holds nodes at a known position, not suspended, will be gone, by its id."""
        first = self._first_ends
        return {
            job.id: first[job.id] if job.id in first and job.end <= self.begin else job.end + 1
            for job in self._at(position).values()
            if job.holding and "SUSPENDED" not in job.states
        }

    def capture_at(self, position: int) -> Capture:
        """The cluster at a known position, as a capture would have it."""
        jobs = tuple(self._at(position).values())
        moment = self.moment_at(position)
        standing = moment.standing if moment else self.capture.standing
        return attrs.evolve(
            self.cluster_at(position), jobs=jobs, taken=self.instant(position), standing=standing
        )

    def cluster_at(self, position: int) -> Capture:
        """The capture whose nodes, reservations and parameters hold at a known position."""
        changed = (at for number, at in self._changed if number <= position)
        return next(changed, self.capture)

    def _at(self, position: int) -> dict[int, Job]:
        """The jobs at a known position."""
        if position < self._jobs_at:
            self._jobs = {job.id: job for job in self.capture.jobs}
            self._jobs_at = 0
        for moment in self._moments[self._jobs_at : position]:
            for id_, job in moment.puts:
                put(self._jobs, id_, job)
        self._jobs_at = position
        return self._jobs

    def reach(self, position: int) -> bool:
        """Compute moments up to a position. Whether there are so many."""
        while self.known < position and self._compute():
            pass
        return self.known >= position

    def _compute(self) -> bool:
        """Compute one moment more, if there is one."""
        if not self.complete:
            moment = next(self._source, None)
            if moment is None:
                self.complete = True
            else:
                self._moments.append(moment)
                if moment.cluster is not None:
                    self._changed.insert(0, (self.known, moment.cluster))
        return not self.complete

    def forward(self, count: int = 1) -> bool:
        """Go some moments forward, or as far as there are. Whether there were so many."""
        reached = self.reach(self.position + count)
        self.position = min(self.position + count, self.known)
        return reached

    def back(self, count: int = 1) -> bool:
        """Go some moments back, or to the capture. Whether there were so many."""
        enough = count <= self.position
        self.position = max(0, self.position - count)
        return enough

    def search(self, wanted: Wanted, since: int | None = None) -> Iterator[bool]:
        """Go to the next moment that is wanted, after a position or after this one.

        Yields False after each moment that is not wanted, and True once it is there. An abandoned search
        changes no position.
        """
        place = (self.position if since is None else since) + 1
        while self.reach(place):
            if wanted(self._moments[place - 1]):
                self.position = place
                yield True
                return
            place += 1
            yield False

    def next(self, wanted: Wanted) -> bool:
        """Go to the next moment that is wanted. Whether there is one."""
        return any(self.search(wanted))

    def previous(self, wanted: Wanted) -> bool:
        """Go to the moment before that is wanted. Whether there is one."""
        for place in range(self.position - 1, 0, -1):
            if wanted(self._moments[place - 1]):
                self.position = place
                return True
        return False

    def go(self, position: int) -> bool:
        """Go to a position, or to the last one. Whether there is such a position."""
        reached = self.reach(position)
        self.position = max(0, min(position, self.known))
        return reached and position >= 0

    def way(self, place: Place) -> Iterator[bool]:
        """Return the way to a place; it yields False as long as it goes on, and True at the place.

        A way that ends without True has found no such place, and the position is as before.
        """
        match place:
            case AtEvent(number):
                return self._to_number(number)
            case AtShare(share):
                return self._to_share(share)
            case AtTime(time):
                return self.to_time(time)
            case AtJob(job, moment):
                return self.search(partial(_happens, job.removesuffix("_*"), moment or START), since=0)

    def _to_number(self, number: int) -> Iterator[bool]:
        while self.known < number and self.reach(self.known + 1):
            yield False
        if self.known >= number:
            yield self.go(number)

    def _to_share(self, share: float) -> Iterator[bool]:
        while self._compute():
            yield False
        yield self.go(round(self.known * share))

    def to_time(self, at: int) -> Iterator[bool]:
        """Go to the last moment that is not after an instant; yields False until it is found."""
        place = 0
        while self.reach(place + 1) and self._moments[place].at <= at:
            place += 1
            yield False
        self.position = place
        yield True


def starts(moment: Moment) -> bool:
    """Whether a job starts."""
    return bool(moment.started)


def _happens(job: str, what: str, moment: Moment) -> bool:
    """Whether a job, or the first task of an array, starts, ends or comes."""
    if what == START:
        return any({job, f"{job}_*"} & {each.job, each.waited_as} for each in moment.started)
    return moment.what is (Happening.END if what == END else Happening.SUBMISSION) and job in moment.subjects
