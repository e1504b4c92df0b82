"""The commands `impact` and `advise`: what an action would change, and what would help a job."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Protocol

from shadowtime.console.clock import Clock
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.view import ConsoleView
from shadowtime.console.screens.impact.asked import advice_work, impact_work
from shadowtime.console.screens.impact.found_page import FoundPage, Work
from shadowtime.console.screens.impact.impact_text import (
    advice_below,
    advice_head,
    advice_rows,
    impact_head,
    impact_rows,
)
from shadowtime.console.session.impact.advice import Advised
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.widgets.frame.ink import Line

USER_ASKS = ("size", "estimate")
"""What only the user of a job can change."""


class Answers:
    """Opens the pages of impact and advice; `chosen` is the job looked at, `select` looks at one by index."""

    def __init__(
        self,
        view: ConsoleView,
        desk: Desk,
        *,
        chosen: Callable[[], int | None],
        select: Callable[[int], None],
        do: Callable[[str], None],
    ) -> None:
        self._view = view
        self._desk = desk
        self._chosen = chosen
        self._select = select
        self._do = do

    def impact(self, rest: str) -> None:
        """Show every job whose expected start or end typed actions would move; Enter looks at one.

        SessionError: what is no action.
        """
        work = impact_work(self._desk.session, rest)
        self._view.open_page(
            ImpactPage(
                f"IMPACT  {rest.strip()}",
                work,
                "comparing two expected runs",
                partial(impact_head, clock=self._desk.clock),
                partial(impact_rows, clock=self._desk.clock),
                self._look,
            )
        )

    def _look(self, found: Impact, place: int) -> None:
        self._select(found.rows[place].index)

    def advise(self, rest: str) -> None:
        """Show what would get a waiting job started by an instant; Enter does it.

        SessionError: what is no deadline, or no waiting job.
        """
        chosen = self._chosen()
        session = self._desk.session
        work = advice_work(session, rest, None if chosen is None else session.id_of(chosen))
        self._view.open_page(AdvicePage(work, self._take, self._desk.clock))

    def _take(self, found: Advised, place: int) -> None:
        """Do what was chosen; what only the user of the job can do gives a message."""
        advice = found.advice[place]
        if advice.do[0].split()[0] in USER_ASKS:
            self._view.say(f"{advice.do[0]} is for the user of the job to ask for", "warn")
            return
        for action in advice.do:
            self._do(action)
        if advice.then:
            self._view.say(
                f"{' and '.join(advice.do)}: done; {' and '.join(advice.then)} once job {found.job} runs"
            )


class Advising(Work[Advised], Protocol):
    """A search for advice."""

    @property
    def job(self) -> int:
        """The job that is to start."""


class ImpactPage(FoundPage[Impact]):
    """Every job whose expected start or end would move."""

    KEYS = (("detail", "the job"), ("escape", "back"), ("copy", "copy"))


class AdvicePage(FoundPage[Advised]):
    """What would get a job started; under the list the advice at the cursor in full."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("detail", "do it"), ("escape", "back"), ("copy", "copy"))

    def __init__(self, work: Advising, take: Callable[[Advised, int], None], clock: Clock) -> None:
        super().__init__(
            f"ADVICE  job {work.job}",
            work,
            "trying what may be done",
            partial(advice_head, clock=clock),
            partial(advice_rows, clock=clock),
            take,
        )
        self._clock = clock

    def below(self, place: int, width: int) -> Sequence[Line]:
        """The advice under the cursor in full."""
        advice = () if self.found is None else self.found.advice
        return advice_below(advice[place], width, self._clock) if advice else ()
