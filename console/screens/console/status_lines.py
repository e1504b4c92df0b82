"""The lines of the console: title and time bar above the panels, what comes next and the note below."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from textual.geometry import Size
from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.composed.panels import EVENTS
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.travel.playing import Player
from shadowtime.console.session import Note
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.widgets.events.text import ChosenJob, why_lines
from shadowtime.console.widgets.frame.ink import Line, shorten
from shadowtime.console.widgets.frame.space import UNLIMITED
from shadowtime.console.widgets.frame.status import (
    StatusLine,
    ends_next,
    event_line,
    next_up,
    note_lines,
    title_line,
)
from shadowtime.console.widgets.frame.timebar import TimeBar

NOTE_LINES = 3
WHY_LINES = 2
"""Lines of a reason, and more of them where the panel above leaves lines blank."""
A_JOB = 20
"""Cells of a job with an instant, at least."""
TALL = 44
"""Lines from which the time bar has lanes."""
LOW = 22
"""Lines below which a note has one of them."""
PANELS = 11
"""Lines that the panels keep when others than the first come in below them."""


class StatusLines:
    """Paints the lines of a screen."""

    def __init__(self, screen: Screen[None], desk: Desk, player: Player) -> None:
        self.title = StatusLine(id="title")
        self.bar = TimeBar(id="timebar")
        self.bar.numbers = False
        self.next_up = StatusLine(id="nextup")
        self.running = StatusLine(id="runningline")
        self.event_line = StatusLine(id="eventline")
        self.why = StatusLine(id="whyline")
        self.under = (self.next_up, self.running, self.event_line, self.why)
        """The lines below the panels, but for a note."""
        self.needed: Callable[[], int] = lambda: UNLIMITED
        """How many lines the queue has content for where it has the width for itself."""
        self.filled: Callable[[int], int] = lambda lines: lines
        """How many of so many lines the panel fills that is seen alone."""
        self.note = StatusLine(id="note")
        self.note.display = False
        self._screen = screen
        self._desk = desk
        self._player = player
        self._secret = False
        """Whether reasons are not for who sits here."""
        self._coming = False
        """Whether the lines of what comes next are still to be painted."""
        self._lanes = 1
        """Lines of the time bar."""
        self._given: Mapping[StatusLine, int] = {}
        self._height = self._why_lines = 0
        self._size = Size()
        self._longest: dict[Size, int] = {}
        """Lines of the longest note, by the size of the screen."""

    def hide_events(self) -> None:
        """Leave the place of what comes next to something else."""
        self._secret = True
        self._give_lines({})

    def below(self, height: int, seen: Collection[int]) -> int:
        """Return how many lines stand below the panels that are seen, if both have `height` lines.

        The longest note is among them, shown or not: panels do not come and go with notes.
        """
        return sum(self._lines_of(height, seen).values()) + self._longest_note

    def _lines_of(self, height: int, seen: Collection[int]) -> Mapping[StatusLine, int]:
        """The lines of what stands below the panels, but for a note: the first always has one."""
        found = {self.next_up: 1}
        if self._secret:
            return {}
        height -= self._longest_note
        unseen, kept = EVENTS not in seen, min(PANELS, self.needed())
        for line, more in (
            *(((self.event_line, 1),) if unseen else ()),
            (self.running, 1),
            *(((self.why, WHY_LINES),) if unseen else ()),
        ):
            if height - sum(found.values()) - more >= kept:
                found[line] = more
        return found

    def _give_lines(self, lines: Mapping[StatusLine, int]) -> None:
        """Give what stands below the panels so many lines; nothing is shown that has none."""
        for line in self.under:
            # Each of these lays out the whole screen.
            if line.display != (line in lines):
                line.display = line in lines
        self._given = lines

    @cached_property
    def _story(self) -> str:
        """The title of the scenario; a log's says no more than its file's name."""
        title = self._desk.case.scenario.title
        return title if title != self._names[0] else ""

    @property
    def _names(self) -> tuple[str, ...]:
        case, shot = self._desk.case, self._desk.snapshot
        path = case.scenario.path
        began = (case.policy, case.parameters)
        policy = words.in_force(began, case.name, shot.policy, shot.parameters)
        return (path.name if path else "", policy, self._desk.unit.sized(case.nodes))

    def show_state(self) -> None:
        player = self._player
        state, speed = player.state_shown, player.speed_shown
        state = permissions_of(self._screen.app).marked(state)
        self.title.put(
            title_line(
                self._names,
                self._story,
                state,
                self._desk.snapshot,
                speed,
                self._screen.size.width,
                self._desk.clock,
            )
        )
        low = self._screen.size.height < TALL
        self.bar.show(
            self._desk.snapshot,
            self._desk.session.travel.timeline(),
            self._desk.marks,
            self._desk.clock,
            self._incidents,
            [
                *((number, "!") for number in sorted(self._desk.met)),
                *(((action.after or 0) + 1, "a") for action in self._desk.session.journal),
            ],
            low,
        )
        lanes = 1 if low else self.bar.lanes
        if self._lanes != lanes:
            # Each of these lays out the whole screen.
            self._lanes = lanes
            self.bar.styles.height = lanes

    @cached_property
    def _incidents(self) -> list[tuple[int, str]]:
        """When nodes fail and come back, as far as the scenario says."""
        outages = self._desk.case.scenario.outages
        back = [(outage.until, "+") for outage in outages if outage.until is not None]
        return [*back, *((outage.start, "X") for outage in outages)]

    def paint(self, height: int, seen: Collection[int]) -> None:
        """Paint all of the lines; those below the panels that are seen have `height` lines with these."""
        self.show_state()
        inner = self._screen.size.width - 2
        lines, self._height = self._lines_of(height, seen), height
        self._give_lines(lines)
        if lines and not self._coming:
            # Finding them takes longer than a key may: they come with the next frame.
            self._coming = True
            self._screen.call_after_refresh(self._paint_coming)
        if self.event_line in lines:
            self.event_line.put(event_line(self._desk.snapshot.last, inner, self._desk.unit))

    def _paint_coming(self) -> None:
        self._coming = False
        desk, inner = self._desk, self._screen.size.width - 2
        if desk.busy or not self._screen.is_mounted:
            return
        if self.next_up.display:
            # Who has nodes already and waits for a turn comes up, too.
            rows = desk.next_up(1 + inner // A_JOB)
            self.next_up.put(next_up(rows, desk.snapshot, inner, desk.unit))
        if self.running.display:
            rows = desk.ends_next(inner // A_JOB)
            self.running.put(ends_next(rows, desk.snapshot, inner, desk.unit))

    def paint_why(self, choice: ChosenJob | None) -> None:
        """Say why the job looked at waits, then the note, in the lines that there are for them.

        Where one panel is seen they have also those that it leaves blank.
        """
        shot, width = self._desk.snapshot, self._screen.size.width - 2
        note = self._desk.note()
        whole = self._note_lines(*note, UNLIMITED) if note is not None else []
        usual = min(len(whole), self._usual_note)
        room = self._height - sum(self._given.values()) - usual
        spare = room - self.filled(room)
        if self.why.display:
            lines = why_lines(choice, shot.time, shot.number, width, self._desk.unit, most=0)
            # The panel does not move where the next reason is shorter, except for the note.
            before, self._size = self._size, self._screen.size
            kept = self._why_lines - WHY_LINES if before == self._size else 0
            more = max(0, min(len(lines) - WHY_LINES, spare), min(kept, spare - (len(whole) - usual)))
            spare -= more
            if self._why_lines != WHY_LINES + more:
                # Each of these lays out the whole screen.
                self._why_lines = WHY_LINES + more
                self.why.styles.height = self._why_lines
            self.why.put(*shorten(lines, self._why_lines, width))
        self._put_note(self._note_lines(*note, usual + max(0, spare)) if note is not None else [])

    @property
    def _usual_note(self) -> int:
        """The lines of a note where the panels need the others: on a low screen one."""
        return NOTE_LINES if self._screen.size.height >= LOW else 1

    @property
    def _longest_note(self) -> int:
        """The lines of the longest note of the scenario, of those that it usually has."""
        size = self._screen.size
        if size not in self._longest:
            notes = () if self._secret else self._desk.case.scenario.notes
            lines = (len(self._note_lines(note, True, self._usual_note)) for note in notes)
            self._longest[size] = max(lines, default=0)
        return self._longest[size]

    def _note_lines(self, note: Note, now: bool, most: int) -> Sequence[Line]:
        return note_lines(note, now, self._screen.size.width - 2, most, self._desk.clock)

    def _put_note(self, lines: Sequence[Line]) -> None:
        if len(lines) != len(self.note.lines):
            # Each of these lays out the whole screen, and a note is new only now and then.
            self.note.display = bool(lines)
            self.note.styles.height = len(lines)
        self.note.put(*lines)
