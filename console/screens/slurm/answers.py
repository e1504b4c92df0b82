"""Impact and advice over a cluster, and limits that would let jobs start now. Nothing is done."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual.screen import Screen

from shadowtime.console.screens.impact.answers import AdviceToTry, Answers
from shadowtime.console.screens.impact.found_page import FoundPage
from shadowtime.console.screens.impact.menu import ImpactMenu, MenuLine
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session.slurm.impact.following import SAMPLED, Shown
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.impact.shorter import Shorter, ShorterLimits
from shadowtime.console.session.slurm.likely.odds import JobOdds
from shadowtime.console.widgets.slurm.shorter_text import shorter_head, shorter_rows
from shadowtime.console.words.impact import DONE_LATER, NOTHING_DONE

FOLLOWED = "Starts are those of the cluster followed cycle after cycle; PLAN has those of the next cycle."


class ShorterPage(FoundPage[tuple[Shorter, ...]]):
    """Jobs that would start now with a shorter limit; Enter shows what that would change."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = AdviceToTry.KEYS


class QuestionMenu(ImpactMenu):
    """What can be asked about the cluster; Enter shows the whole impact."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("detail", "its impact"), ("escape", "back"))


class ClusterAnswers(Answers):
    """Opens the pages; what the runs have in common is kept as long as the cluster stands where it is."""

    def __init__(
        self,
        captures: Captures,
        picture: ClusterPicture,
        open_page: Callable[[Screen[None]], object],
        *,
        look: Callable[[str], None],
        likely: Callable[[], Mapping[str, JobOdds]],
    ) -> None:
        """`look` selects a job by its name; `likely` are the likely starts that are shown."""
        super().__init__(
            open_page,
            outlook=self.outlook,
            clock=lambda: picture.dates.calendar(captures.board.now),
            chosen=lambda: None if picture.plan.current is None else picture.plan.current.number,
            look=lambda row: look(str(row.job)),
            take=lambda found, place: self.impact("; ".join(found.advice[place].do)),
            advice_page=AdviceToTry,
            note=f"{NOTHING_DONE} {FOLLOWED}",
        )
        self._captures, self._picture, self._likely = captures, picture, likely
        self._kept: ClusterOutlook | None = None
        self._of: tuple[object, ...] = ()

    def menu(self, found: Sequence[MenuLine], take: Callable[[MenuLine], None]) -> None:
        """Show what can be asked, with what the change under the cursor would do; `take` gets the choice."""
        clock = self._clock()
        note = f"{NOTHING_DONE} {DONE_LATER}"
        self._open(QuestionMenu("WHAT WOULD IT CHANGE?", found, take, self.outlook, clock, note))

    def shorter(self) -> None:
        """Show the jobs that would start now with a shorter limit; Enter shows what that changes."""
        board, dates = self._captures.board, self._picture.dates
        self._open(
            ShorterPage(
                "SHORTER",
                ShorterLimits(board.capture, board.now),
                "trying shorter limits",
                partial(shorter_head, dates=dates, now=board.now),
                partial(shorter_rows, dates=dates, now=board.now),
                lambda found, place: self.impact(found[place].change),
            )
        )

    def outlook(self) -> ClusterOutlook:
        """What is expected of the cluster from where it stands on."""
        course, zone = self._captures.travel.course, self._picture.dates.zone
        number, likely = course.stand.number, self._likely()
        of = course, number, zone, tuple(likely)
        if self._kept is None or self._of != of:
            self._of = of
            shown = Shown(next(iter(likely.values())).levels, likely) if likely else SAMPLED
            self._kept = ClusterOutlook(
                course.capture, course.begin, number, course.instant(number), zone, bool(likely), shown
            )
        return self._kept
