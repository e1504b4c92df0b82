"""The events of a stepped cluster: the line of the last one, their table, and a page of one."""

from collections.abc import Callable, Sequence

from shadowtime.console.screens.composed.panels import EVENTS
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.widgets.events.table import EventTable, Listed
from shadowtime.console.widgets.frame.ink import Line, clip, texts
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_lines, event_text
from shadowtime.console.widgets.slurm.why_text import next_line
from shadowtime.console.words.moving import OF_CLUSTERS

LABEL, NEXT = " EVENT ", " NEXT  "


class Events:
    """What has happened since the capture, as far as it is known."""

    def __init__(self, captures: Captures, dates: Callable[[], Dates]) -> None:
        self._captures, self._written = captures, dates
        self.line = StatusLine(id="cluster-event")
        self.line.styles.height = 2
        self.table = EventTable(self._listed, id="events")
        self.table.nothing = "nothing has happened since the capture"
        self.panel = Panel(EVENTS, "EVENTS", self.table)

    @property
    def travel(self) -> ClusterTravel:
        return self._captures.travel

    @property
    def _dates(self) -> Dates:
        return self._written()

    def show(self) -> None:
        """Show the events that are known; after a step, the cursor is on the last one that has happened."""
        course, number = self.travel.course, self.travel.course.stand.number
        self.table.show_at(course, number, course.known)
        of = str(course.known) if course.complete else f"{course.known} known so far"
        self.panel.caption(f"{number} of {of}")

    def _listed(self, first: int, count: int) -> Sequence[Listed]:
        """One still to come stands back."""
        course, dates = self.travel.course, self._dates
        return [
            Listed(
                number,
                dates.brief(course.instant(number), course.begin),
                event_text(course.moment_at(number), dates, course.begin),
                "text" if number <= course.stand.number else "dim",
            )
            for number in range(first, min(first + count, course.known + 1))
        ]

    def put_lines(self, board: Board, width: int) -> None:
        course, stand = self.travel.course, self.travel.course.stand
        at = self._dates.brief(course.instant(stand.number), course.begin)
        number = f"#{stand.number} {at} " if stand.number else ""
        text = number + event_text(course.moment_at(stand.number), self._dates, course.begin)
        over = stand.number == course.total
        room = width - 1 - len(NEXT)
        coming = OF_CLUSTERS.forward if over else next_line(stand.coming, board, self._dates, room)
        lines = ((LABEL, text), (NEXT, coming))
        self.line.put(*(clip([(label, "head"), (words, "text")], width - 1) for label, words in lines))

    def enter(self) -> Page | None:
        """Go to the event under the cursor; on it, return a page with everything about it."""
        course = self.travel.course
        number, board = course.stand.number, course.stand.board
        if self.table.picked is not None:
            self.travel.jumps.go(f"#{self.table.picked}")
            return None
        if not number:
            return None
        moment = course.moment_at(number)

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
