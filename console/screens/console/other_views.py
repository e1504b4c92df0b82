"""The ways from the console to the compare view and to training.

What the compare view needs is loaded when it is opened: it is a quarter of the modules of a console.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import Case, ScenarioError, Session, SessionError
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.training import Course, read_course


@runtime_checkable
class OpensTraining(Protocol):
    """The application. Its screens of training are consoles themselves, so that no console can make one."""

    def training(self, course: Course | None) -> Screen[None]:
        """Return the menu of training, with one course alone if one is given."""


if TYPE_CHECKING:
    from shadowtime.console.session.comparison.lockstep import Lockstep


class SideBySide:
    """Opens the compare view; `opens` makes a console of one of its lanes."""

    def __init__(self, view: TravelView, desk: Desk, opens: Callable[[Session], Screen[None]]) -> None:
        self._view = view
        self._desk = desk
        self._session = desk.session
        self._opens = opens

    def compare_here(self, part: bool = False) -> None:
        """Show two policies on this workload side by side, at this instant or where they next part."""
        from shadowtime.console.session.comparison.lanes import by_clock, lanes_of

        try:
            self._show(lanes_of(by_clock(self._session)), part)
        except (SessionError, ScenarioError) as error:
            self._view.say(" ".join(str(error).split()), "warn")

    def compare(self, rest: str) -> None:
        """Show what is typed side by side; without words the scenario's own policy and its variants.

        SessionError in one line if the text names no lanes.
        """
        from shadowtime.console.screens.compare.command_line import room
        from shadowtime.console.session.comparison.lanes import by_clock, typed_lanes

        self._show(typed_lanes(by_clock(self._session), rest, room(self._view.app.size.width)))

    def whatif(self, rest: str) -> None:
        """Show this run beside another one with the same past, in which something is done now.

        SessionError in one line if the text is no action, or the action cannot be done.
        """
        from shadowtime.console.session.comparison.lockstep import Lockstep

        if not rest:
            raise SessionError(words.WHAT_IF)
        lanes = (
            self._session.fork(self._session.case.name),
            self._session.fork(self._session.case.name, rest),
        )
        self._open(Lockstep(lanes), None)

    def _show(self, cases: tuple[Case, ...], part: bool = False) -> None:
        from shadowtime.console.screens.compare.makers import MachineLanes

        instant = self._desk.snapshot.time if self._desk.snapshot.number else None
        # What is open here is compared as it is, to the event.
        here = self._session.case
        alike = [(case.policy, case.parameters) == (here.policy, here.parameters) for case in cases]
        lockstep = MachineLanes(self._opens).lockstep(
            [here if it else case for it, case in zip(alike, cases, strict=True)]
        )
        lockstep.skip(self._session.skipped)
        self._open(lockstep, instant, part)

    def _open(self, lockstep: "Lockstep", instant: int | None, part: bool = False) -> None:
        from shadowtime.console.screens.compare.makers import MachineLanes
        from shadowtime.console.screens.compare.screen import CompareScreen

        view = CompareScreen(lockstep, instant, MachineLanes(self._opens), self._view.letters.held)
        self._view.open_page(view)
        if part:
            view.call_after_refresh(view.divergence.diverge, 1)


def open_training(view: PanelScreen, folder: str = "") -> None:
    """Open training: the tour, the courses, how far the operator has come; of a folder its course alone."""
    permissions = permissions_of(view.app)
    refusal = permissions.no_training or (permissions.no_reading if folder else "")
    if refusal:
        view.say(refusal, "warn")
        return
    try:
        course = read_course(folder) if folder else None
    except ScenarioError as error:
        view.say(str(error.faults[0]), "warn")
    else:
        assert isinstance(view.app, OpensTraining)
        view.open_page(view.app.training(course))
