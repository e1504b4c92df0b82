"""Impact and advice over a cluster: pages whose rows come of two runs over time. Nothing is done."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar

from shadowtime.console.clock import Clock
from shadowtime.console.screens.impact.answers import AdvicePage, ImpactPage
from shadowtime.console.screens.impact.asked import ADVISE
from shadowtime.console.screens.impact.found_page import FoundPage
from shadowtime.console.screens.impact.impact_text import impact_head, impact_rows
from shadowtime.console.screens.slurm.time.travel import Travel
from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.advice import Advised
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.session.slurm.impact import (
    ClusterAdvice,
    ClusterImpact,
    Course,
    Shorter,
    ShorterLimits,
)
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.shorter_text import shorter_head, shorter_rows
from shadowtime.console.words import count
from shadowtime.console.words.impact import NOTHING_DONE, by_user

MOST_USERS = 6
"""Users whose sums stand above the rows."""
FOLLOWED = "Starts are those of the cluster followed cycle after cycle; PLAN has those of the next cycle."


class ClusterAdvicePage(AdvicePage):
    """What would get a job started; Enter shows what that would change."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("detail", "its impact"),
        ("escape", "back"),
        ("copy", "copy"),
    )

    def below(self, place: int, width: int) -> Sequence[Line]:
        """The advice in full, and that nothing is done."""
        return [*super().below(place, width), *wrap(NOTHING_DONE, width, "dim")]


class ShorterPage(FoundPage[tuple[Shorter, ...]]):
    """Jobs that would start now with a shorter limit; Enter shows what that would change."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = ClusterAdvicePage.KEYS


class ClusterAnswers:
    """Makes the pages; what the runs have in common is kept as long as the cluster stands where it is."""

    def __init__(self, look: Callable[[str], None], again: Callable[[str], None]) -> None:
        """`look` selects a job by its name; `again` opens the impact of typed changes."""
        self._look, self._again = look, again
        self._course: Course | None = None
        self._of: tuple[object, int] = (None, 0)

    def impact(self, rest: str, travel: Travel, dates: Dates) -> ImpactPage:
        """The page of typed changes with `;` between them. SessionError for anything else."""
        lines = [text.strip() for text in rest.split(";") if text.strip()]
        if not lines:
            raise SessionError("the impact of what? expected a change, as in impact drain n[1-4]")
        course = self.course_at(travel)
        clock = dates.calendar(course.at)
        return ImpactPage(
            f"IMPACT  {rest.strip()}",
            ClusterImpact(course, lines, dates.zone),
            "following the cluster with the change and without it",
            partial(_head, clock=clock),
            partial(impact_rows, clock=clock),
            lambda found, place: self._look(str(found.rows[place].job)),
        )

    def advice(self, rest: str, chosen: int | None, travel: Travel, dates: Dates) -> ClusterAdvicePage:
        """The page of typed advice, `[JOB] [by TIME]`; `chosen` is the job if none is named. SessionError."""
        found = ADVISE.fullmatch(rest.strip())
        assert found is not None
        job = chosen if found["job"] is None else int(found["job"])
        if job is None:
            raise SessionError("advice for which job? expected a waiting job, as in advise 31 by 14:30")
        course = self.course_at(travel)
        work = ClusterAdvice(course, job, found["by"] or "now", dates.zone)
        return ClusterAdvicePage(work, self._take, dates.calendar(course.at))

    def shorter(self, board: Board, dates: Dates) -> FoundPage[tuple[Shorter, ...]]:
        """The page of the jobs that would start now with a shorter limit; Enter shows what that changes."""
        return ShorterPage(
            "SHORTER",
            ShorterLimits(board.capture, board.now),
            "trying shorter limits",
            partial(shorter_head, dates=dates, now=board.now),
            partial(shorter_rows, dates=dates, now=board.now),
            lambda found, place: self._again(found[place].change),
        )

    def _take(self, found: Advised, place: int) -> None:
        self._again("; ".join(found.advice[place].do))

    def course_at(self, travel: Travel) -> Course:
        """What is expected of the cluster from where it stands on."""
        history = travel.history
        if self._course is None or self._of != (history, travel.position):
            self._of = history, travel.position
            self._course = Course(history.capture, history.begin, travel.position, travel.at)
        return self._course


def _head(impact: Impact, width: int, clock: Clock) -> Sequence[Line]:
    return [
        *wrap(f"{NOTHING_DONE} {FOLLOWED}", width, "dim"),
        *impact_head(impact, width, clock, list(_users(impact, width))),
    ]


def _users(impact: Impact, width: int) -> Iterator[Line]:
    """What moves for each user, for whom it is worst first."""
    users = by_user(impact)
    indent = max((len(user) for user, _ in users[:MOST_USERS]), default=0) + 2
    for user, what in users[:MOST_USERS]:
        yield from fact(user, what, width, indent)
    if len(users) > MOST_USERS:
        yield from wrap(f"and {count(len(users) - MOST_USERS, 'more user')}", width, "dim")
