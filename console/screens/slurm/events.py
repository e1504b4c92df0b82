"""The events of a stepped cluster: the line of the last one, their table, and a page of one."""

from collections.abc import Callable, Sequence

from shadowtime.console.screens.composed.panels import EVENTS
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import NO_MORE, Travel
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.widgets.frame.ink import Line, clip, texts
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_lines, event_text, events_heading
from shadowtime.console.widgets.slurm.table import RowTable
from shadowtime.console.widgets.slurm.why_text import next_line

LABEL, NEXT = " EVENT ", " NEXT  "


class Events:
    """What has happened since the capture, as far as it is known."""

    def __init__(self, captures: Captures, dates: Callable[[], Dates]) -> None:
        self._captures, self._written = captures, dates
        self.line = StatusLine(id="cluster-event")
        self.table = RowTable(events_heading, self.row, id="events")
        self.table.nothing = "nothing has happened since the capture"
        self.panel = Panel(EVENTS, "EVENTS", self.table)

    @property
    def travel(self) -> Travel:
        """Where the cluster stands."""
        return self._captures.travel

    @property
    def _dates(self) -> Dates:
        """How instants are written."""
        return self._written()

    def show(self) -> None:
        """Show the events that are known, the cursor on the last one that has happened."""
        history = self.travel.history
        self.table.show(range(1, history.known + 1))
        self.table.go(max(0, self.travel.position - 1))
        of = str(history.known) if history.complete else f"{history.known} known so far"
        self.panel.caption(f"{self.travel.position} of {of}")

    def put_lines(self, board: Board, width: int, most: int) -> None:
        """Show what happened last, and what comes next if there are two lines for it."""
        history = self.travel.history
        at = self._dates.brief(self.travel.at, history.begin)
        number = f"#{self.travel.position} {at} " if self.travel.position else ""
        text = number + event_text(self.travel.moment, self._dates, history.begin)
        over = history.complete and self.travel.position == history.known
        coming = NO_MORE if over else next_line(self.travel.coming, board, self._dates)
        lines = [(LABEL, text), (NEXT, coming)][:most]
        self.line.styles.height = most
        self.line.put(*(clip([(label, "head"), (words, "text")], width - 1) for label, words in lines))

    def row(self, place: int, width: int) -> Line:
        """The line of an event; one still to come stands back."""
        history = self.travel.history
        role = "text" if place < self.travel.position else "dim"
        at = self._dates.brief(history.instant(place + 1), history.begin)
        text = event_text(history.moment_at(place + 1), self._dates, history.begin)
        return clip([(f"{place + 1:>5} ", "dim"), (f"{at:>8}  ", role), (text, role)], width)

    def enter(self) -> Page | None:
        """Go to the event under the cursor; on it, return a page with everything about it."""
        place, history = self.table.place, self.travel.history
        if place is None:
            return None
        if place + 1 != self.travel.position:
            self.travel.number(place + 1)
            return None
        number, moment, board = place + 1, self.travel.moment, self.travel.board

        def lines(width: int) -> Sequence[Line]:
            return event_lines(moment, number, board, self._dates, history.begin, width)

        return Page(f"EVENT {number}", lines)

    def text(self, width: int) -> str:
        """Return all of the event that is shown, in lines of a width; empty at the capture."""
        at = self.travel
        if at.moment is None:
            return ""
        lines = event_lines(at.moment, at.position, at.board, self._dates, at.history.begin, width)
        return "\n".join(texts(lines))
