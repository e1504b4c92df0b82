"""The events of a stepped cluster: the line of the last one, their table, and a page of one."""

from collections.abc import Callable, Sequence

from shadowtime.console.screens.composed.panels import EVENTS
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.widgets.frame.ink import Line, clip, texts
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_lines, event_text
from shadowtime.console.widgets.slurm.why_text import next_line
from shadowtime.console.widgets.table.columns import WHATEVER_IS_LEFT, Column
from shadowtime.console.widgets.table.list_table import ListTable
from shadowtime.console.words.moving import OF_CLUSTERS

LEAST = 32
"""Cells for what happened."""
LABEL, NEXT = " EVENT ", " NEXT  "


class Events:
    """What has happened since the capture, as far as it is known."""

    def __init__(self, captures: Captures, dates: Callable[[], Dates]) -> None:
        self._captures, self._written = captures, dates
        self._measured: object = None
        """The history that the columns are for."""
        self._stood: tuple[object, int] | None = None
        """The history and the event that the cursor was last put on."""
        self.line = StatusLine(id="cluster-event")
        self.line.styles.height = 2
        self.table = ListTable[int, int](
            lambda keys, first, count: keys[first : first + count], lambda _: LEAST, id="events"
        )
        self.table.nothing = "nothing has happened since the capture"
        self.panel = Panel(EVENTS, "EVENTS", self.table)

    @property
    def travel(self) -> ClusterTravel:
        """Where the cluster stands."""
        return self._captures.travel

    @property
    def _dates(self) -> Dates:
        """How instants are written."""
        return self._written()

    def show(self) -> None:
        """Show the events that are known; after a step, the cursor is on the last one that has happened."""
        course, number = self.travel.course, self.travel.course.stand.number
        if course is not self._measured:
            self._measured = course
            self.table.fit(self._columns())
        else:
            self.table.take(self._columns())
        self.table.put(range(1, course.known + 1))
        if self._stood != (course, number):
            self._stood = course, number
            self.table.go(max(0, number - 1))
        of = str(course.known) if course.complete else f"{course.known} known so far"
        self.panel.caption(f"{number} of {of}")

    def put_lines(self, board: Board, width: int) -> None:
        """Show what happened last, and what comes next."""
        course, stand = self.travel.course, self.travel.course.stand
        at = self._dates.brief(course.instant(stand.number), course.begin)
        number = f"#{stand.number} {at} " if stand.number else ""
        text = number + event_text(course.moment_at(stand.number), self._dates, course.begin)
        over = stand.number == course.total
        coming = OF_CLUSTERS.forward if over else next_line(stand.coming, board, self._dates)
        lines = ((LABEL, text), (NEXT, coming))
        self.line.put(*(clip([(label, "head"), (words, "text")], width - 1) for label, words in lines))

    def _columns(self) -> Sequence[Column[int]]:
        course = self.travel.course

        def role(number: int) -> str:
            """One still to come stands back."""
            return "text" if number <= course.stand.number else "dim"

        def what(number: int) -> str:
            return event_text(course.moment_at(number), self._dates, course.begin)

        def when(number: int) -> str:
            return self._dates.brief(course.instant(number), course.begin)

        return (
            Column("#", 0, str, right=True, most=5, role=lambda _: "dim", least=5),
            Column("AT", 0, when, most=14, role=role, least=9),
            Column("EVENT", 0, what, most=WHATEVER_IS_LEFT, role=role),
        )

    def enter(self) -> Page | None:
        """Go to the event under the cursor; on it, return a page with everything about it."""
        place, course = self.table.place, self.travel.course
        if place is None:
            return None
        if place + 1 != course.stand.number:
            self.travel.jumps.go(f"#{place + 1}")
            return None
        number, moment, board = place + 1, course.moment_at(place + 1), course.stand.board

        def lines(width: int) -> Sequence[Line]:
            return event_lines(moment, number, board, self._dates, course.begin, width)

        return Page(f"EVENT {number}", lines)

    def text(self, width: int) -> str:
        """Return all of the event that is shown, in lines of a width; empty at the capture."""
        course, stand = self.travel.course, self.travel.course.stand
        moment = course.moment_at(stand.number)
        if moment is None:
            return ""
        lines = event_lines(moment, stand.number, stand.board, self._dates, course.begin, width)
        return "\n".join(texts(lines))
