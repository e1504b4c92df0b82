"""Contrasting: the way from the console to the compare view and back."""

from textual.screen import Screen

from console.screens.compare.asking import lockstep_of, room
from console.screens.compare.screen import Comparing
from console.screens.console.session_screen import SessionScreen
from console.session import Case, ScenarioError, Session, SessionError
from console.session.comparison.lanes import by_clock, lanes_of, typed_lanes
from console.session.comparison.lockstep import Lockstep


class Contrasting(SessionScreen):
    """What the keys and the commands of comparing do."""

    def action_compare(self, part: bool = False) -> None:
        """Show two policies on this workload side by side, at this instant or where they next part."""
        try:
            self._contrast(lanes_of(by_clock(self.session)), part)
        except (SessionError, ScenarioError) as error:
            self.say(" ".join(str(error).split()), "warn")

    def compare(self, rest: str) -> None:
        """Show what is typed side by side; without words the scenario's own policy and its variants.

        SessionError in one line for what is none.
        """
        self._contrast(typed_lanes(by_clock(self.session), rest, room(self.app.size.width)))

    def whatif(self, rest: str) -> None:
        """Show this run beside another one with the same past, in which something is done now.

        SessionError in one line for what is no action, or cannot be done.
        """
        if not rest:
            raise SessionError("what if what? expected an action, as in whatif hold 31")
        lanes = (self.session.fork(self.case.name), self.session.fork(self.case.name, rest))
        self.open_page(Comparing(Lockstep(lanes), None, self._opened))

    def _contrast(self, cases: tuple[Case, ...], part: bool = False) -> None:
        instant = self.snapshot.time if self.snapshot.number else None
        # What is open here is compared as it is, to the event.
        here = self.case
        alike = [(case.policy, case.parameters) == (here.policy, here.parameters) for case in cases]
        lockstep = lockstep_of([here if it else case for it, case in zip(alike, cases, strict=True)])
        lockstep.skip(self.session.skipped)
        view = Comparing(lockstep, instant, self._opened)
        self.open_page(view)
        if part:
            view.call_after_refresh(view.action_diverge, 1)

    def _opened(self, session: Session) -> "Screen[None]":
        """A console of a lane."""
        return type(self)(session)
