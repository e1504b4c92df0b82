"""The time bar: where in the run the cursor is, on one line."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from shadowtime.console.clock import ELAPSED, Clock
from shadowtime.console.widgets.frame.looks import palette_of
from shadowtime.console.widgets.frame.pen import strip
from shadowtime.console.widgets.frame.timebar_text import (
    BarCourse,
    BarSample,
    bar_line,
    event_at,
    happened_line,
    queue_line,
    sides,
)


class Position(Protocol):
    """Where a run stands."""

    @property
    def number(self) -> int:
        """The event."""

    @property
    def total(self) -> int | None:
        """Events in all; None while that is not known."""

    @property
    def time(self) -> int:
        """The instant."""


class TimeBar(Widget):
    """The time bar: event number, the run as a picture, percentage, clock."""

    DEFAULT_CSS = """
    TimeBar { height: 1; width: 1fr; }
    """

    numbers: bool = True
    """Whether event number and clock stand beside the bar; set it before `show` where others show them."""

    class Pointed(Message):
        """The operator pointed at a place of the run."""

        def __init__(self, time_bar: "TimeBar", number: int) -> None:
            super().__init__()
            self.time_bar = time_bar
            self.number = number

        @property
        def control(self) -> "TimeBar":
            return self.time_bar

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._course = BarCourse()

    def show(
        self,
        at: Position,
        timeline: Sequence[BarSample] = (),
        marks: Mapping[str, int] | None = None,
        clock: Clock = ELAPSED,
        incidents: Sequence[tuple[int, str]] = (),
        events: Sequence[tuple[int, str]] = (),
        low: bool = False,
    ) -> None:
        """Show a position. `timeline`: all samples known, ahead too; marks: letter -> event.

        `low`: there is no room for the lanes below.
        """
        course = BarCourse(
            at.number,
            at.total,
            at.time,
            timeline,
            dict(marks or {}),
            self.numbers,
            clock,
            incidents,
            events,
            low,
        )
        if course != self._course:
            self._course = course
            self.refresh()

    @property
    def lanes(self) -> int:
        """Lines that the bar has something for."""
        return 3 if self._course.happened else 2 if self._course.samples else 1

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        before, after = sides(self.size.width, self._course)
        room = self.size.width - len(before) - len(after) - 2
        cell = -1 if at is None else at.x - len(before) - 1
        if 0 <= cell < room:
            number = event_at(cell, self._course.scale, room)
            self.post_message(self.Pointed(self, number))

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.rich_style
        palette = palette_of(self.app)
        lines = (bar_line, queue_line, happened_line)
        return strip(lines[y](width, self._course, palette, base) if y < len(lines) else [], width, base)
