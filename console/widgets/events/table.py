"""The events of a course, the one at which it stands in sight, with what has happened above it."""

from collections.abc import Callable, Sequence

import attrs
from textual.events import MouseScrollDown, MouseScrollUp

from shadowtime.console.widgets.frame.space import Need, Space
from shadowtime.console.widgets.table.columns import WHATEVER_IS_LEFT, Column
from shadowtime.console.widgets.table.list_table import ListTable

WHEEL = 3
"""Events that one notch of the wheel moves the cursor by."""
LEAST = 32
"""Cells for what happened."""


@attrs.frozen
class Listed:
    """An event as it is listed."""

    number: int
    at: str
    text: str
    role: str = "text"


def _at(it: Listed, room: int) -> str:
    """The instant, without its year where there is no room for it."""
    return it.at if len(it.at) <= room else it.at.partition("-")[2] or it.at


ListedEvents = Callable[[int, int], Sequence[Listed]]
"""So many events from a number on, as far as they are known."""
COLUMNS = (
    Column[Listed]("#", 0, lambda it: f"{it.number:,}", right=True, most=13, role=lambda _: "dim", least=5),
    Column[Listed]("AT", 0, lambda it: it.at, most=14, role=lambda it: it.role, least=9, fitted=_at),
    Column[Listed]("EVENT", 0, lambda it: it.text, most=WHATEVER_IS_LEFT, role=lambda it: it.role),
)


class EventTable(ListTable[int, Listed]):
    """Events by number. The cursor follows the course, and else stays where it was put."""

    keeps_room = True

    def __init__(self, events: ListedEvents, *, id: str | None = None) -> None:
        super().__init__(lambda keys, first, count: events(keys[0] + first, count), lambda _: LEAST, id=id)
        self._stood: tuple[object, int] | None = None
        """The run, and the event at which it stood when the cursor was last put there."""
        self.fit(COLUMNS)

    @property
    def space(self) -> Space:
        """The events, with room for most of what is said of each."""
        return attrs.evolve(super().space, columns=Need(48, 74, 110), empty=not self.count)

    def show_at(self, run: object, number: int, last: int) -> None:
        """Show the events of a run up to the last that can be listed; it stands at an event, 0 for none."""
        before = self.key if self._sought is None else self._sought
        if self._stood is None or self._stood[0] is not run:
            self.fit(COLUMNS)
        if self._stood != (run, number):
            self._stood, self._place, before = (run, number), max(0, number - 1), number
        self._hold(range(1, last + 1), "", False)
        self.seek(before)

    @property
    def lost(self) -> bool:
        return self._sought is not None

    @property
    def picked(self) -> int | None:
        """The event under the cursor; None where the course stands."""
        stands = self._stood is not None and self.key == self._stood[1]
        return None if self.lost or stands else self.key

    def go(self, place: int) -> None:
        known = self._last_known
        super().go(place)
        if self.current is None:
            # It is not known how many events there are, and so many there are not.
            super().go(self._last_known if self.rows_in_sight else known)

    @property
    def _last_known(self) -> int:
        """The place of the last row that was returned, else of the cursor."""
        first, rows = self._window
        return first + len(rows) - 1 if rows else self._place

    def keep_in_sight(self) -> None:
        """Show the event in the lower half: what happened matters more than what comes."""
        top = max(0, min(self._place - max(1, self.room * 2 // 3) + 1, self.rows - self.room))
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, immediate=True)

    def action_move(self, rows: int) -> None:
        self.go(self._place + rows - (self.lost and rows > 0))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.action_move(-WHEEL)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.action_move(WHEEL)
