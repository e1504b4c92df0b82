"""The desk: what every part of the console screen works on."""

from collections.abc import Sequence
from typing import ClassVar

from textual.screen import Screen

from console import words
from console.keys import keyboard_of
from console.screens.console.marks import Marks
from console.screens.console.playing import Player
from console.session import Case, Note, Session, SessionError
from console.session.facts import Event, Row, Snapshot
from console.widgets.events.text import Choice

EVER = 10**18
"""Seconds before and after every instant."""


class SessionScreen(Screen[None]):
    """A session, the snapshot on the screen, the selection and the view of the queue.

    Only what is here asks the session about jobs and events: while a journey holds it in another thread
    (`busy`), the answers are empty.
    """

    unoffered: ClassVar[frozenset[str]] = frozenset()
    """Commands, and keys by id, that are not for who sits here: neither the footer nor the menu has them."""
    panel = 2
    """The number of the panel in use."""

    def __init__(self, session: Session, at: str | None = None) -> None:
        super().__init__()
        self.session = session
        self.begin_at = at
        """Where to go first, as it is typed."""
        self.player = Player(skips=bool(session.skipped))
        self.marks = Marks()
        self.snapshot: Snapshot = session.snapshot()
        self.selected: int | None = None
        """Index of the job that the operator chose; None follows the head of the queue."""
        self.sort = "queue"
        self.reverse = False
        self.filter = ""
        self.busy = False
        """Whether a journey holds the session."""
        self._known: dict[int, Row] = {}

    @property
    def case(self) -> Case:
        """What is simulated."""
        return self.session.case

    def key(self, id: str) -> str:
        """The key that the operator presses for an action, to be told."""
        return keyboard_of(self.app).first(id)

    # What the screen paints; the parts of the desk that act only ask for it.

    def say(self, text: str, role: str = "dim") -> None:
        """Tell the operator something in one line."""
        raise NotImplementedError

    def arrive(self) -> None:
        """Take a new snapshot and paint everything from it."""
        raise NotImplementedError

    def look(self) -> None:
        """Paint the selection anew at the same position."""
        raise NotImplementedError

    def show_state(self) -> None:
        """Paint whether, where to and how fast it plays, and the marks."""
        raise NotImplementedError

    def show_panel(self, number: int) -> None:
        """Put a panel in use."""
        raise NotImplementedError

    def bring(self, number: int) -> None:
        """Put a panel in use where it would not be seen otherwise."""
        raise NotImplementedError

    @property
    def chosen(self) -> int | None:
        """Index of the job that is looked at: the selected one, else the head of the queue."""
        raise NotImplementedError

    @property
    def queue_line(self) -> str:
        """The line of the job looked at, as the queue shows it."""
        raise NotImplementedError

    @property
    def picked_event(self) -> Event | None:
        """The event that is looked at: the one picked in the list, else the last."""
        raise NotImplementedError

    def open_page(self, page: Screen[None]) -> None:
        """Pause, and show a page over the panels."""
        self.pause()
        self.app.push_screen(page)

    # Moves that views outside of the desk ask for.

    def action_forward(self, events: int) -> None:
        """So many events forward."""
        raise NotImplementedError

    def action_back(self, events: int) -> None:
        """So many events back."""
        raise NotImplementedError

    def pause(self) -> None:
        """Stop playing."""
        raise NotImplementedError

    def go(self, text: str) -> None:
        """To a place as it is typed; what is none is told in one line."""
        raise NotImplementedError

    # What is known at the snapshot.

    def rows(self, order: Sequence[int], first: int, count: int) -> Sequence[Row]:
        """Rows of the queue."""
        return () if self.busy else self.session.rows(order, first, count)

    def events(self, first: int, count: int) -> Sequence[Event]:
        """Events by number."""
        return () if self.busy else self.session.events(first, count)

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        """The nodes that a job holds."""
        return () if self.busy else self.session.columns(index)

    def row(self, index: int) -> Row:
        """One job, kept until `forget_rows`."""
        row = self._known.get(index)
        if row is None:
            row = self._known[index] = self.session.row(index)
        return row

    def forget_rows(self) -> None:
        """The clock moved or predictions came: rows are asked for anew."""
        self._known.clear()

    def start_of(self, index: int) -> int | None:
        """When a job started."""
        return None if self.busy else self.row(index).start

    def end_of(self, index: int) -> int | None:
        """When a running job should end."""
        return None if self.busy else self.row(index).end

    def order(self) -> Sequence[int]:
        """The queue as it is sorted and filtered; a filter that is none is dropped and told."""
        if self.sort == "queue" and not self.filter:
            shot = self.snapshot
            return shot.everybody[::-1] if self.reverse else shot.everybody
        try:
            return self.session.order(self.sort, self.reverse, self.filter)
        except SessionError as error:
            self.filter = ""
            self.say(str(error), "warn")
            return self.session.order(self.sort, self.reverse)

    def choice(self, index: int | None) -> Choice | None:
        """A job with the reasons that it has at the snapshot."""
        if index is None or self.busy:
            return None
        row = self.row(index)
        return Choice(row, row.reason, self.session.turned(row.id))

    @property
    def readings(self) -> list[str]:
        """What reading the workload left out or changed."""
        workload = self.case.scenario.workload
        return words.reading(workload.dropped, workload.notes)

    def notes(self) -> tuple[Note, ...]:
        """The notes of the scenario up to now, the latest last."""
        return () if self.busy else self.session.notes(-EVER, self.snapshot.time)

    def note(self) -> tuple[Note, bool] | None:
        """The latest note, and whether the clock stands at its moment; None where it is long past."""
        found = self.notes()
        if not found:
            return None
        latest, number = found[-1], self.snapshot.number
        first = max(1, number - words.LINGERS)
        recent = self.events(first, number - first + 1)
        if words.gone(latest, recent):
            return None
        return latest, words.fresh(latest, recent, self.snapshot.time)
