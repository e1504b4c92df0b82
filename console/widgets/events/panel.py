"""The events panel: the list around the clock, then what was decided, then why the selected job waits."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from shadowtime.console import words
from shadowtime.console.session.facts import Event, Snapshot
from shadowtime.console.widgets.events.text import Choice, decision_lines, event_line, first_lines, why_lines
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space

Events = Callable[[int, int], Sequence[Event]]
WHEEL = 3
"""Events that one notch of the wheel moves the cursor by."""
KEPT = 500
"""Events whose words are kept."""
LIST_SHARE, LEAST = 0.45, 3
"""The part of the panel that the list of events takes; what was decided and why take the rest.

For the first decision it gives way, down to so many lines."""


class EventPanel(LineView):
    """The list, with a cursor of its own while the panel has the focus; decisions and reasons below it."""

    DEFAULT_CSS = """
    EventPanel { overflow-y: hidden; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def measure(self) -> None:
        """There are never more lines than are seen: nothing scrolls, so nothing has to be laid out."""

    class Picked(Message):
        """The operator moved the list's cursor to an event; None where the clock stands."""

        def __init__(self, number: int | None) -> None:
            super().__init__()
            self.number = number

    def __init__(self, events: Events, unit: words.Unit, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._events = events
        self._unit = unit
        self._snapshot: Snapshot | None = None
        self._choice: Choice | None = None
        self._listed: Sequence[Event] = ()
        self._said: dict[int, tuple[Event, str]] = {}
        self.picked: int | None = None
        """The event under the list's cursor; None: it follows the clock."""

    def use(self, unit: words.Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit
        self._said.clear()

    def show(self, snapshot: Snapshot, choice: Choice | None) -> None:
        """Draw a position, and the reason of the job that is selected there."""
        if self._snapshot is None or snapshot.number != self._snapshot.number:
            self.picked = None
        self._snapshot, self._choice = snapshot, choice
        self.rebuild()

    def choose(self, choice: Choice | None) -> None:
        """Draw the reason of another job."""
        self._choice = choice
        self.rebuild()

    @property
    def space(self) -> Space:
        """Some events, what was decided, and why; with more lines there are more events."""
        return Space(Need(48, 74, 110), Need(9, 16, UNLIMITED))

    @property
    def current(self) -> Event | None:
        """The event under the cursor, else the one at the clock."""
        wanted = self.picked
        found = [event for event in self._listed if event.number == wanted]
        return found[0] if found else (self._snapshot.last if self._snapshot else None)

    def build(self, width: int, height: int) -> Sequence[Line]:
        snapshot = self._snapshot
        if snapshot is None:
            return ()
        why = self._why(snapshot, width, height)
        below = height - len(why) - (2 if why else 1)
        self._listed = self._around(snapshot, max(LEAST, int(height * LIST_SHARE)))
        least = max(LEAST, min(len(self._listed), below - first_lines(self.current, width, self._unit)))
        room = max(1, below - least)
        decided = decision_lines(self.current, width, room, self._unit)
        listed = self._grown(snapshot, height, len(decided) + len(why) + bool(decided) + bool(why))
        now, picked = snapshot.number, self.picked
        lines: list[Line] = [
            event_line(it, self._words(it), now, picked, width, self._unit.clock) for it in listed
        ]
        if decided:
            lines += [[("─" * width, "faint")], *decided]
        if why:
            lines += [[("─" * width, "faint")], *why]
        return lines[:height]

    def _why(self, snapshot: Snapshot, width: int, height: int) -> Sequence[Line]:
        """Why the job looked at waits, with the chain as far as the list and the decision leave room."""
        at = snapshot.time, snapshot.number, width, self._unit
        room = height - LEAST - 2
        bare = why_lines(self._choice, *at, most=0)
        made: dict[int, list[Line]] = {}

        def size(most: int) -> int:
            made[most] = why_lines(self._choice, *at, most=most)
            return len(made[most])

        sizes = range(LEAST, room - len(bare) + 1)
        if self._choice is None or self._choice.chain is None or not sizes:
            return bare
        if size(sizes[-1]) <= room:
            return made[sizes[-1]]
        fitting = bisect_right(sizes[:-1], room, key=size)
        return made[sizes[fitting - 1]] if fitting else bare

    def _words(self, event: Event) -> str:
        """The words of an event, kept: a pass over a long queue may have decided thousands of things."""
        known = self._said.get(event.number)
        if known is None or known[0] is not event:
            if len(self._said) > KEPT:
                self._said.clear()
            known = self._said[event.number] = (event, words.event(event, self._unit))
        return known[1]

    def _around(self, snapshot: Snapshot, count: int) -> Sequence[Event]:
        """The events about the cursor, it in the lower half: what happened matters more than what comes."""
        centre = self.picked or snapshot.number
        return self._events(max(1, centre - max(1, (count * 2) // 3) + 1), count)

    def _grown(self, snapshot: Snapshot, height: int, below: int) -> Sequence[Event]:
        """The list again, in the room that decisions and reasons have left."""
        self._listed = self._around(snapshot, max(1, height - below))
        return self._listed

    def on_click(self, event: Click) -> None:
        if event.y < len(self._listed):
            self._pick(self._listed[event.y].number)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        event.stop()
        self.action_move(-WHEEL)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        event.stop()
        self.action_move(WHEEL)

    @property
    def pickable(self) -> Sequence[int]:
        """The lines in sight that can be chosen."""
        return range(len(self._listed))

    def pick(self, line: int) -> None:
        """Choose the event on a line in sight."""
        if line < len(self._listed):
            self._pick(self._listed[line].number)

    def letter(self, letters: dict[int, str]) -> None:
        """Show letters in front of lines."""
        if letters != self.letters:
            self.letters = letters
            self.refresh()

    def far(self, way: int) -> None:
        """To the first event (-1) or the last that is known (1)."""
        shot = self._snapshot
        if shot is not None:
            self._pick(1 if way < 0 else shot.total or shot.number)

    def action_move(self, lines: int) -> None:
        """Move the list's cursor by events."""
        if self._snapshot is not None:
            here = self.picked or self._snapshot.number
            last = self._snapshot.total or here + abs(lines)
            self._pick(min(max(1, here + lines), max(1, last)))

    def action_page(self, pages: int) -> None:
        """Move the list's cursor by a screenful."""
        self.action_move(pages * max(1, len(self._listed) - 1))

    def _pick(self, number: int) -> None:
        self.picked = number
        self.rebuild()
        if number not in {event.number for event in self._listed} and self._listed:
            self.picked = self._listed[-1].number
            self.rebuild()
        self.post_message(self.Picked(self.picked))
