"""Breakpoints: set them, list them, go on to them, forward and back."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import ClassVar, Generic, Protocol, TypeVar

from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.view import ConsoleView
from shadowtime.console.screens.pages.picker import CursorPage
from shadowtime.console.screens.travel.journey import SessionJourney
from shadowtime.console.session import Session
from shadowtime.console.session.travel.breakpoints import Points
from shadowtime.console.session.travel.seeking import Seeking
from shadowtime.console.widgets.frame.ink import Line, width_of, wrap
from shadowtime.console.words import seeking as searches

Test = TypeVar("Test")
NEAR = 5000
"""Events up to which the place found is gone to on the screen's own thread."""
HINT = "preempt   job 31   queue > 100   utilization < 0.5   wait(31) > 2h"


class Seeker(Protocol):
    """A search in a worker."""

    number: int

    @property
    def found(self) -> int | None:
        """The event that was found."""

    def run(self, seconds: float | None = None) -> bool:
        """Search on; return whether it is over."""

    def cancel(self) -> None:
        """Stop soon."""


class Search(SessionJourney):
    """A search for the next event of a breakpoint, or for the one before."""

    def __init__(
        self,
        session: Session,
        forward: bool,
        seeking: Seeker | None = None,
        words: str = "to a breakpoint",
        met: Callable[[int], object] = int,
    ) -> None:
        self._session = session
        self._seeking: Seeker = seeking or session.seek(forward)
        self._forward = forward
        self._note = met
        self._sought = words.removeprefix("to ") if seeking is not None else ""
        super().__init__(session, words, lambda: True, self._arrived)

    def stop(self) -> None:
        """Stop, and stay where the session stands."""
        self._seeking.cancel()
        super().stop()

    def advance(self, budget: float | None = None) -> bool:
        """Search on for so many seconds, or until it ends; return whether it has ended."""
        deadline = None if budget is None else perf_counter() + budget
        try:
            over = self._seeking.run(budget)
        except Exception as error:
            self.fault = error
            return True
        self.number = self._seeking.number
        far = self._seeking.found is not None and abs(self._seeking.found - self.origin) > NEAR
        if not over or (far and deadline is not None):
            return False
        return super().advance(budget)

    def _arrived(self) -> None:
        found = self._seeking.found
        if found is None:
            self.report = searches.nothing(self._sought, self._forward)
        else:
            self._session.go_event(found)
            self._note(found)
            self.report = self._sought or f"breakpoint: {', '.join(self._met())}"
            if self._sought:
                self.report += f": event {found:,}"

    def _met(self) -> Sequence[str]:
        return self._seeking.met if isinstance(self._seeking, Seeking) else ()


class Breakpoints:
    """Sets breakpoints, lists them, and goes on to them; `set_out` goes on a journey."""

    def __init__(self, view: ConsoleView, desk: Desk, set_out: Callable[[SessionJourney], None]) -> None:
        self._view = view
        self._desk = desk
        self._session = desk.session
        self._set_out = set_out

    def set_here(self) -> None:
        """Set a breakpoint on the selected job; without one, on what is typed."""
        selected = self._desk.selected
        if selected is not None:
            self.add(f"job {self._session.id_of(selected)}")
        else:
            self._view.ask("break", "break at ", hint=HINT)

    def add(self, text: str) -> None:
        """Set a breakpoint as it is typed, or list them all. SessionError if the text is no breakpoint."""
        if not text:
            self.show()
            return
        made = self._session.set_breakpoint(text)
        self._view.say(f"breakpoint: {made.text}   c goes on to it, C back to it, B lists them")

    def show(self) -> None:
        """List the breakpoints."""
        if self._session.breakpoints.all:
            self._view.open_page(BreakpointList(self._session))
        else:
            self._view.say("no breakpoint is set; b sets one", "warn")

    def go_on(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        if self._session.breakpoints.enabled:
            self._set_out(Search(self._session, forward, met=self._desk.met.add))
        else:
            self._view.say("no breakpoint is set; b sets one, B lists those that are off", "warn")


class HasBreakpoints(Protocol[Test]):
    """Whose breakpoints are listed."""

    @property
    def breakpoints(self) -> Points[Test]:
        """All of them."""

    @breakpoints.setter
    def breakpoints(self, breakpoints: Points[Test], /) -> None: ...


class BreakpointList(CursorPage, Generic[Test]):
    """The breakpoints; Enter turns one off or on, x removes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x,delete", "remove", "remove")]
    KEYS = (("detail", "on or off"), ("x", "remove"), ("escape", "back"))

    def __init__(self, session: HasBreakpoints[Test], hint: str = HINT) -> None:
        """`hint` has examples of what can be typed."""
        self._session, self._hint = session, hint
        super().__init__("BREAKPOINTS", self._each, lambda: len(session.breakpoints.all), self._toggle)

    def _each(self, width: int) -> Sequence[Line]:
        points = self._session.breakpoints.all
        if not points:
            return [[("  no breakpoint is set", "dim")]]
        return [
            [("on   " if each.enabled else "off  ", "good" if each.enabled else "dim"),
             (each.text, "text" if each.enabled else "dim")]
            for each in points
        ]  # fmt: skip

    def below(self, place: int, width: int) -> Sequence[Line]:
        """How another is set: the key takes the selected job, all else is typed."""
        hint: Line = [(f"  {self._hint}", "dim")]
        return [
            [("  another one: type :break and what to stop at, as one of", "dim")],
            *([hint] if width_of(hint) <= width else wrap(self._hint, width, "dim", [("  ", "dim")], 2)),
        ]

    def _toggle(self, place: int) -> None:
        self._session.breakpoints = self._session.breakpoints.toggle(place)
        self.freshen()

    def action_remove(self) -> None:
        """Remove the breakpoint at the cursor."""
        if self.count:
            self._session.breakpoints = self._session.breakpoints.remove(self.place)
            self.freshen()
            shown = words.count(self.count, "breakpoint")
            self.tell((f"{shown} left   ", "strong"))
