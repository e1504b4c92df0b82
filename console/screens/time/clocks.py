"""The clock: how the operator wants instants written while the console is open."""

from collections.abc import Callable

from shadowtime.console.clock import KINDS, Clocked, calendar_of
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.words import Unit


class Clocks:
    """Shows and chooses the clock; `use` writes the panels in a unit with its clock."""

    def __init__(self, view: TravelView, desk: Desk, use: Callable[[Unit], None]) -> None:
        self._view = view
        self._desk = desk
        self._use = use

    def begin(self) -> None:
        """Take the clock that was chosen before this screen was opened; without a choice the calendar."""
        if calendar_of(self._view.app) and self._desk.clock.epoch is not None:
            self._take(KINDS[1])

    @property
    def missed(self) -> bool:
        """Whether the calendar was chosen, and nobody knows it."""
        app: object = self._view.app
        return isinstance(app, Clocked) and app.clock == KINDS[1] and self._desk.clock.epoch is None

    def choose(self, kind: str) -> None:
        """Choose a clock for this run; without a kind show which is in force. Unknown if there is none."""
        if kind:
            self._choose(kind)
        else:
            self._view.say(self._desk.clock.described)

    def turn(self) -> None:
        try:
            self._choose(KINDS[not self._desk.clock.dated])
        except Unknown as error:
            self._view.say(str(error), "warn")

    def _choose(self, kind: str) -> None:
        try:
            self._take(kind)
        except ValueError as error:
            raise Unknown(str(error)) from None
        app: object = self._view.app
        if isinstance(app, Clocked):
            app.clock = self._desk.clock.kind
        self._view.arrive()
        self._view.say(self._desk.clock.described)

    def _take(self, kind: str) -> None:
        self._desk.clock = self._desk.clock.turned(kind)
        self._use(self._desk.unit)
