"""The moments of a cluster from its capture on, and a position among them: a course.

Moments are computed when they are first reached, and kept with what each changes; the jobs at a position
are those of the capture with the changes up to it. Going back computes no pass and no cycle again.
"""

from collections.abc import Callable, Iterator

import attrs

from shadowtime.console.session.course.places import END, START, AtEvent, AtJob, AtShare, AtTime, Place
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.priorities.standing import with_calculation
from shadowtime.kernels.slurm.over_time.moments import Due, Happening, Moment, put
from shadowtime.scenarios.slurm import Capture, Job

Wanted = Callable[[Moment], bool]
MomentSource = Callable[[OverTime], Iterator[Moment]]
"""Yields the moments of a cluster that stands at its capture."""


class History:
    """A cluster at a position: 0 is the capture, n the cluster after its n-th moment."""

    def __init__(
        self, capture: Capture, now: int | None = None, source: MomentSource = OverTime.moments
    ) -> None:
        """Begin at the capture; `now`, in seconds since 1970, is by default when the queue was read."""
        self.begin = capture.taken if now is None else now
        self.capture = capture = with_calculation(capture, self.begin)
        self.number = 0
        """Moments passed: 0 is the capture."""
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
        self._jobs: dict[int, Job] = {job.id: job for job in capture.jobs}
        self._jobs_at = 0
        self._seen: tuple[AtJob | None, int, int | None] = (None, 0, None)
        """The job that was sought last, in how many moments, and where it was found."""

    @property
    def known(self) -> int:
        return len(self._moments)

    @property
    def total(self) -> int | None:
        """How many moments there are, once all are known."""
        return self.known if self.complete else None

    @property
    def over(self) -> bool:
        return self.number == self.total

    @property
    def moment(self) -> Moment | None:
        """What happened last; None at the capture."""
        return self.moment_at(self.number)

    @property
    def time(self) -> int:
        """The instant of the position, in seconds since 1970."""
        return self.instant(self.number)

    def moment_at(self, position: int) -> Moment | None:
        """The moment that led to a known position; None for the capture."""
        return self._moments[position - 1] if position else None

    def instant(self, position: int) -> int:
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
        if not self.complete:
            moment = next(self._source, None)
            if moment is None:
                self.complete = True
            else:
                self._moments.append(moment)
                if moment.cluster is not None:
                    self._changed.insert(0, (self.known, moment.cluster))
        return not self.complete

    # Moving. Each move returns whether, or how far, it moved.

    def step(self, n: int = 1) -> int:
        """Go so many moments forward, or as far as there are; return how far."""
        return self.go_event(self.number + n)

    def back(self, n: int = 1) -> int:
        """Go so many moments back, or to the capture; return how far."""
        return -self.go_event(self.number - n)

    def stepped(self, n: int) -> int:
        """Return the number of the moment that so many steps lead to; negative ones go back."""
        return max(0, self.number + n)

    def go_event(self, number: int) -> int:
        """Go to a position, or to the nearest there is; return how far it moved."""
        here = self.number
        self.reach(number)
        self.number = max(0, min(number, self.known))
        return self.number - here

    def next(self, wanted: Wanted) -> bool:
        """Go to the next moment that is wanted; stay if there is none."""
        place = self.number + 1
        while self.reach(place):
            if wanted(self._moments[place - 1]):
                self.number = place
                return True
            place += 1
        return False

    def previous(self, wanted: Wanted) -> bool:
        """Go to the moment before that is wanted; stay if there is none."""
        for place in range(self.number - 1, 0, -1):
            if wanted(self._moments[place - 1]):
                self.number = place
                return True
        return False

    def next_decision(self) -> bool:
        """Go to the next moment that starts a job; stay if there is none."""
        return self.next(starts)

    def previous_decision(self) -> bool:
        """Go to the moment before that started a job; stay if there is none."""
        return self.previous(starts)

    def way(self, place: Place) -> Iterator[int]:
        """Compute the moments that a place needs; yield after each how many are known."""
        while not self._knows(place) and self._compute():
            yield self.known

    def _knows(self, place: Place) -> bool:
        match place:
            case AtEvent(number):
                return self.known >= number
            case AtTime(time):
                return self.instant(self.known) > time
            case AtJob():
                return self._number_of(place) is not None
        return False

    def go_place(self, place: Place) -> bool:
        """Go to a place; return whether it moved. SessionError if it never happens to a job."""
        here = self.number
        for _ in self.way(place):
            pass
        match place:
            case AtEvent(number):
                self.go_event(number)
            case AtShare(share):
                self.go_event(round(self.known * share))
            case AtTime(time):
                self.go_event(sum(moment.at <= time for moment in self._moments))
            case AtJob():
                found = self._number_of(place)
                if found is None:
                    raise SessionError(
                        f"job {place.job}: no {place.moment or START} after the capture; see why {place.job}"
                    )
                self.go_event(found)
        return self.number != here

    def _number_of(self, place: AtJob) -> int | None:
        """The known moment in which a job, or the first task of an array, starts, ends or comes."""
        if self._seen[0] != place:
            self._seen = place, 0, None
        _, seen, found = self._seen
        while found is None and seen < self.known:
            seen += 1
            if _happens(place, self._moments[seen - 1]):
                found = seen
        self._seen = place, seen, found
        return found


def starts(moment: Moment) -> bool:
    return bool(moment.started)


def _happens(place: AtJob, moment: Moment) -> bool:
    job = place.job.removesuffix("_*")
    if place.moment in ("", START):
        return any({job, f"{job}_*"} & {each.job, each.waited_as} for each in moment.started)
    return (
        moment.what is (Happening.END if place.moment == END else Happening.SUBMISSION)
        and job in moment.subjects
    )
