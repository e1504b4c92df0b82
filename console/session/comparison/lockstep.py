"""Lockstep: two to four lanes over one workload, moved together from instant to instant.

After every move each lane stands where it alone would after the last event, with its pass, that is not later
than the common instant: the same bytes. Not for two threads at a time, unless something is said to be for
a worker.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.divergence import NEVER, Partings
from shadowtime.console.session.comparison.lane import CourseAhead, Lane
from shadowtime.console.session.course.places import AtTime, Place
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios import format_action

FEWEST, MOST = 2, 4
"""Lanes."""


class Lockstep:
    """Lanes that stand at the same instant."""

    def __init__(self, lanes: Sequence[Lane], until: int = NEVER) -> None:
        """Take the lanes over, and put them where the first one stands.

        `until`: the last instant of which every lane is known.

        SessionError if there are too few or too many, or if they have not the same workload.
        """
        if not FEWEST <= len(lanes) <= MOST:
            raise SessionError(f"{len(lanes)} cannot be compared; expected {FEWEST} to {MOST} lanes")
        jobs = [len(lane.case.jobs) for lane in lanes]
        if len(set(jobs)) > 1:
            raise SessionError(f"lanes of {jobs} jobs cannot be compared; expected the same workload in all")
        self.lanes, self.until = tuple(lanes), until
        self.partings: Partings | None = None
        """Where the lanes part; None until `learn`."""
        self._time = 0
        self._to(lanes[0].time if lanes[0].number else None)

    # Where it stands.

    @property
    def names(self) -> tuple[str, ...]:
        return names_of([lane.case for lane in self.lanes])

    @property
    def time(self) -> int:
        """The instant of the last event of any lane; before the first, of the first submission."""
        return self._time

    @property
    def begun(self) -> bool:
        return any(lane.number for lane in self.lanes)

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen in any lane."""
        return self._time >= self.until or all(lane.over for lane in self.lanes)

    def moved(self, lane: int) -> bool:
        """Whether something happens in a lane at this instant."""
        return bool(self.lanes[lane].number) and self.lanes[lane].time == self._time

    # Moving in time. Each move returns whether, or how far, it moved.

    def step(self, n: int = 1) -> int:
        """Go `n` instants forward at which anything happens in any lane; return how many there were."""
        for done in range(n):
            upcoming = [time for lane in self.lanes if (time := lane.next_stop) is not None]
            if not upcoming or min(upcoming) > self.until:
                return done
            self._to(min(upcoming))
        return n

    def back(self, n: int = 1) -> int:
        """Go `n` such instants back; return how many there were."""
        for done in range(n):
            if not self.begun:
                return done
            self._to(self._time - 1)
            if self.skipped:
                self._to(
                    max((time for lane in self.lanes if (time := lane.last_stop) is not None), default=None)
                )
        return n

    @property
    def skipped(self) -> frozenset[str]:
        """The kinds of events that steps pass over, in every lane."""
        return self.lanes[0].skipped

    def skip(self, kinds: Iterable[str]) -> None:
        """Let steps pass over instants at which only these kinds of events happen, and passes for them.

        SessionError for an unknown kind.
        """
        chosen = tuple(kinds)
        for lane in self.lanes:
            lane.skip(chosen)

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        """Go to the last instant, not later than `time`, at which anything happens in any lane."""
        return self._moving(lambda: self._to(time, progress))

    def go_start(self) -> bool:
        return self._moving(lambda: self._to(None))

    def go_end(self, progress: Progress | None = None) -> bool:

        def run() -> None:
            for place, lane in enumerate(self.lanes):
                lane.go_end(self._watch(progress, place))

        return self._moving(lambda: self._all(run))

    def go_place(self, place: Place, lane: int = 0) -> bool:
        """Go to the instant of a place; event numbers, shares and jobs are those of one lane."""
        if isinstance(place, AtTime):
            return self.go_time(place.time)

        def run() -> None:
            self.lanes[lane].go_place(place)
            self._align(self.lanes[lane].time if self.lanes[lane].number else None)

        return self._moving(lambda: self._all(run))

    def next_decision(self) -> bool:
        """Go to the next instant at which any lane starts, backfills, preempts or resumes a job."""
        found = [lane.time for lane in self.lanes if lane.next_decision()]
        return self._decision([time for time in found if time <= self.until], min)

    def previous_decision(self) -> bool:
        """Go to the last such instant before this one."""
        found = []
        for lane in self.lanes if self.begun else ():
            lane.go_time(self._time - 1)
            if lane.decided or lane.previous_decision():
                found.append(lane.time)
        return self._decision(found, max)

    def _decision(self, found: Sequence[int], which: Callable[[Sequence[int]], int]) -> bool:
        """Go to one of the instants that the lanes have gone to by themselves; else back."""
        if not found:
            self._align(self._here)
            return False
        self._to(which(found))
        return True

    # Where the lanes part.

    def courses(self) -> "Courses":
        """Return the work of finding out every lane's whole course, for a worker."""
        return Courses(self.lanes, self.until)

    def learn(self, partings: Partings) -> None:
        self.partings = partings

    def next_divergence(self) -> bool:
        """Go to the next instant at which the lanes part; stay if it does not exist or is not known."""
        return self._found(self._known.next_divergence(self._after))

    def previous_divergence(self) -> bool:
        """Go to the last one before this instant."""
        return self._found(self._known.previous_divergence(self._after))

    def next_difference(self) -> bool:
        """Go to the next instant at which a job starts or ends that does not do so then in every lane."""
        return self._found(self._known.next_difference(self._after))

    def previous_difference(self) -> bool:
        """Go to the last one before this instant."""
        return self._found(self._known.previous_difference(self._after))

    @property
    def _known(self) -> Partings:
        if self.partings is None:
            raise SessionError("where the lanes part is not known yet; expected their courses first")
        return self.partings

    def _found(self, time: int | None) -> bool:
        return time is not None and self.go_time(time)

    # How.

    @property
    def _here(self) -> int | None:
        """The instant that leads back here; None before the first event."""
        return self._time if self.begun else None

    @property
    def _after(self) -> int:
        """An instant after which all comes that has not happened yet, and before which nothing else does."""
        return self._time if self.begun else self._time - 1

    def _moving(self, move: Callable[[], None]) -> bool:
        before = self._here
        move()
        return self._here != before

    def _to(self, time: int | None, progress: Progress | None = None) -> None:
        self._all(lambda: self._align(time, progress))

    def _all(self, move: Callable[[], None]) -> None:
        """Move all lanes, or no lane: if a policy fails on the way, all stand where they stood."""
        here = self._here
        try:
            move()
        except (PolicyError, SessionError):
            self._align(here)
            raise
        self._align(max(self._times, default=None))

    def _align(self, time: int | None, progress: Progress | None = None) -> None:
        for place, lane in enumerate(self.lanes):
            if time is None:
                lane.go_start()
            else:
                lane.go_time(min(time, self.until), self._watch(progress, place))
        self._time = max(self._times, default=min(lane.time for lane in self.lanes))

    @property
    def _times(self) -> list[int]:
        return [lane.time for lane in self.lanes if lane.number]

    def _watch(self, progress: Progress | None, place: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, jobs: progress(place * jobs + done, len(self.lanes) * jobs)


class Courses(Cancellable):
    """The whole courses of all lanes: a worker calls `run` until it is false, then `take` and `partings`."""

    def __init__(self, lanes: Sequence[Lane], until: int = NEVER) -> None:
        self._lanes, self._until = lanes, until
        self._surveys: Sequence[CourseAhead] = [lane.survey() for lane in lanes]

    @property
    def lane(self) -> int:
        """The lane that is run, by place; as many as there are lanes when all are over."""
        return sum(survey.over for survey in self._surveys)

    @property
    def number(self) -> int:
        return self._surveys[min(self.lane, len(self._surveys) - 1)].number

    def run(self, events: int = 20_000) -> bool:
        survey = next((survey for survey in self._surveys if not survey.over), None)
        if survey is None or self._cancelled:
            return False
        if not survey.run(events) and not survey.over:
            # It has come to where its policy fails.
            self._cancelled = True
        return not self._cancelled and self.lane < len(self._surveys)

    def take(self) -> None:
        """Let the lanes know what has been found; on the thread of the lanes."""
        for lane, survey in zip(self._lanes, self._surveys, strict=True):
            lane.take_survey(survey)

    def partings(self) -> Partings | None:
        """Return where the lanes part, for any thread, after `take`; None if not all came to an end."""
        if self.lane < len(self._surveys):
            return None
        starts, ends = (
            [self._known(survey.results()[name]) for survey in self._surveys] for name in ("start", "finish")
        )
        return Partings(starts, ends, self._lanes[0].case.columns.submit)

    def _known(self, times: "array[int]") -> "array[int]":
        if self._until == NEVER:
            return times
        return array("q", (time if time <= self._until else NONE for time in times))


def names_of(cases: Sequence[Case]) -> tuple[str, ...]:
    """Return the name of each case: `if hold 2` when that is all that sets it apart from the first one.

    Under another policy than the first that stands behind the name. When an action is done does not matter.
    """
    return tuple(_name(case, cases[0]) for case in cases)


def _name(case: Case, first: Case) -> str:
    own, others = _without(case, first), _without(first, case)
    found = [f"if {', '.join(own)}"] if own else []
    found += [f"without {', '.join(others)}"] if others else []
    alike = (case.policy, dict(case.parameters)) == (first.policy, dict(first.parameters))
    return " ".join(found if found and alike else [case.name, *found])


def _without(case: Case, other: Case) -> list[str]:
    """What is done in a case and not in another one, in order, as it is typed."""
    own = list(map(format_action, case.scenario.actions))
    left = Counter(own) - Counter(map(format_action, other.scenario.actions))
    # Of an action that is done more often here, the last are those that the other one lacks.
    found = []
    for text in reversed(own):
        if left[text]:
            left[text] -= 1
            found.append(text)
    return found[::-1]
