"""The commands `impact` and `advise`: what an action would change, and what would help a job."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.screen import Screen

from shadowtime.console.clock import Clock
from shadowtime.console.screens.impact.found_page import FoundPage
from shadowtime.console.screens.impact.impact_text import (
    advice_above,
    advice_below,
    advice_head,
    advice_rows,
    advice_work,
    impact_head,
    impact_rows,
    impact_work,
)
from shadowtime.console.session.impact.advice import AdviceWork, Advised
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.session.impact.rows import JobChange
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.words.impact import only_the_user


class ImpactPage(FoundPage[Impact]):
    """Every job whose expected start or end would move."""

    KEYS = (("detail", "the job"), ("escape", "back"), ("copy", "copy"))


class AdvicePage(FoundPage[Advised]):
    """What would get a job started; above the list a note, under it the advice at the cursor in full."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("detail", "do it"), ("escape", "back"), ("copy", "copy"))

    def __init__(
        self, work: AdviceWork, take: Callable[[Advised, int], None], clock: Clock, note: str
    ) -> None:
        super().__init__(
            f"ADVICE  job {work.job}",
            work,
            "trying what may be done",
            partial(advice_head, clock=clock, note=note),
            lambda found, width: [do for do, *_ in advice_rows(found, width, clock)],
            take,
        )
        self._clock = clock

    def under(self, place: int, width: int) -> Sequence[Line]:
        """The rest of a piece of advice."""
        return () if self.found is None else advice_rows(self.found, width - 2, self._clock)[place][1:]

    def above(self, place: int, width: int) -> Sequence[Line]:
        """The heading of what the user of the job could ask for."""
        return () if self.found is None else advice_above(self.found, place, width)

    def below(self, place: int, width: int) -> Sequence[Line]:
        found = self.found
        if found is None or not found.advice:
            return []
        return advice_below(found.advice[place], found.by, width, self._clock, named=False)

    def action_choose(self) -> None:
        """Do what is under the cursor; what only the user can ask for stays, with the reason."""
        if self.found is not None and self.count and self.found.advice[self.place].asks:
            asked = self.found.advice[self.place]
            self.show_keys((f"{only_the_user(asked, self.found.job)}   ", "warn"))
        else:
            super().action_choose()


class AdviceToTry(AdvicePage):
    """What would get a job started; Enter shows what that would change, above this page."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("detail", "its impact"),
        ("escape", "back"),
        ("copy", "copy"),
    )

    def action_choose(self) -> None:
        """Show what the advice under the cursor would change; Esc comes back here."""
        if self.found is not None and self.count:
            self.take_row(self.found, self.place)


class Answers:
    """Opens the pages of impact and advice."""

    def __init__(
        self,
        open_page: Callable[[Screen[None]], object],
        *,
        outlook: Callable[[], Outlook],
        clock: Callable[[], Clock],
        chosen: Callable[[], int | None],
        look: Callable[[JobChange], None],
        take: Callable[[Advised, int], None],
        advice_page: type[AdvicePage] = AdvicePage,
        note: str = "",
    ) -> None:
        """`chosen` is the id of the job looked at; `look` looks at that of a row, `take` takes advice.

        `note` stands above the rows of an impact, and above advice.
        """
        self._open, self._outlook, self._clock, self._chosen = open_page, outlook, clock, chosen
        self._look, self._take, self._advice_page, self._note = look, take, advice_page, note

    def impact(self, rest: str) -> None:
        """Show every job whose expected start or end typed actions would move; Enter looks at one.

        SessionError: what is no action.
        """
        work, clock = impact_work(self._outlook(), rest), self._clock()
        page = ImpactPage(
            f"IMPACT  {rest.strip()}",
            work,
            "comparing two expected runs",
            partial(impact_head, clock=clock, note=self._note),
            partial(impact_rows, clock=clock),
            lambda found, place: self._look(found.rows[place]),
        )
        work.at_limits = page.show_first
        self._open(page)

    def advise(self, rest: str) -> None:
        """Show what would get a waiting job started by an instant; Enter takes a piece of it.

        SessionError: what is no deadline, or no waiting job.
        """
        work = advice_work(self._outlook(), rest, self._chosen())
        self._open(self._advice_page(work, self._take, self._clock(), self._note))
