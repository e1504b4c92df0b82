"""A lane: a run that stands in lockstep beside others over the same jobs, by the same indexes."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.comparison.lane_odds import JobSamples
from shadowtime.console.session.course.course import Runs
from shadowtime.console.session.facts import Decision, Event, Row, Snapshot
from shadowtime.console.session.operator.refusals import Refusal
from shadowtime.console.session.progress import Progress
from shadowtime.scenarios import Action


class CourseAhead(Protocol):
    """Runs a lane ahead of where it stands. `run` may be called in any thread."""

    @property
    def number(self) -> int:
        """The event that it has come to."""

    @property
    def over(self) -> bool:
        """Whether the whole course is known."""

    def run(self, chunk: int = ...) -> bool:
        """Run at most so many events further; is there more to do?"""

    def results(self) -> Mapping[str, "array[int]"]:
        """Return the first start and the end of each job, by `start` and `finish`; NONE for none."""


class Lane(Runs, Protocol):
    """A run in lockstep with others. Instants are seconds of the scenario."""

    @property
    def case(self) -> Case:
        """Its jobs, its machine, and its name."""

    @property
    def clock(self) -> Clock:
        """The clock that typed instants are read by."""

    @property
    def skipped(self) -> frozenset[str]:
        """The kinds of events that steps pass over."""

    @property
    def refused(self) -> tuple[Refusal, ...]:
        """What could not be done."""

    @property
    def journal(self) -> tuple[Action, ...]:
        """What the operator has done."""

    @property
    def predicted(self) -> bool:
        """Whether the starts of the jobs that wait are predicted."""

    def digest(self) -> bytes:
        """Return its moving state."""

    def snapshot(self) -> Snapshot:
        """Return how the machine stands."""

    def row(self, index: int) -> Row:
        """Return a job."""

    def rows(self, order: Sequence[int], first: int, count: int) -> Sequence[Row]:
        """Return some jobs of an order."""

    def passing(self, jobs: Sequence[int], text: str) -> Sequence[int]:
        """Return the jobs that a filter lets through, in their order. SessionError for a wrong one."""

    def id_of(self, index: int) -> int:
        """Return the id of a job."""

    def index_of(self, job: int) -> int:
        """Return the index of a job. SessionError if there is none."""

    def turned(self, job: int) -> Decision | None:
        """Return the last decision about a job."""

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        """Return the nodes of a job in the matrix of its time slots."""

    def events(self, first: int, count: int) -> Sequence[Event]:
        """Return some events."""

    def sums(self) -> Mapping[str, float]:
        """Return what the metrics are made of."""

    def started_at(self, index: int) -> int | None:
        """Return when a job first started; None if it has not."""

    def finished_at(self, index: int) -> int | None:
        """Return when a job ended; None if it has not."""

    def predict(self) -> None:
        """Predict the starts of the jobs that wait."""

    def predicted_starts(self) -> Mapping[int, int]:
        """Return the predicted starts, by index."""

    def samples_of(self, index: int) -> JobSamples | None:
        """Return the samples of a job where it stands, for any thread; None where none are drawn."""

    @property
    def next_stop(self) -> int | None:
        """The next instant at which steps stop; None at the end."""

    @property
    def last_stop(self) -> int | None:
        """The last instant, as far as it has come, at which steps stop; None without one."""

    @property
    def decided(self) -> bool:
        """Whether the event at which it stands starts a job."""

    def skip(self, kinds: Iterable[str]) -> None:
        """Let steps pass over kinds of events. SessionError for an unknown kind."""

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        """Go to the last event that is not later than an instant."""

    def go_start(self) -> bool:
        """Go before the first event."""

    def go_end(self, progress: Progress | None = None) -> bool:
        """Go to the last event."""

    def survey(self) -> CourseAhead:
        """Return what runs it ahead to its end."""

    def take_survey(self, survey: Any) -> bool:
        """Take what its survey has found."""

    def fork(self, name: str, action: str | None = None) -> Self:
        """Return another run with the same past, in which something is done now. SessionError."""
