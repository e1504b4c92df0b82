"""The events of a machine: their list, then what one of them decided, then why the selected job waits."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.session.facts import Event, Snapshot
from shadowtime.console.widgets.events.table import EventTable, Listed
from shadowtime.console.widgets.events.text import ChosenJob, decision_lines, first_lines, why_lines
from shadowtime.console.widgets.frame.ink import Line, shorten
from shadowtime.console.widgets.frame.space import Need, Space

Events = Callable[[int, int], Sequence[Event]]
EXPLAINED = 16
"""Lines of a heading, a decision and a reason with its chain."""
KEPT = 500
"""Events whose words are kept."""
AHEAD = 64
"""Events to come that are listed if it is not known how many there are."""
LIST_SHARE, LEAST = 0.45, 3
"""The part of the panel that the list of events takes; what was decided and why take the rest.

It has so many lines at least, and one where the first decision needs the others."""


class EventPanel(EventTable):
    """The list; below it what the event under the cursor decided, and why a job waits."""

    DEFAULT_CSS = """
    EventPanel { scrollbar-size-vertical: 0; }
    """

    def __init__(self, events: Events, unit: words.Unit, *, id: str | None = None) -> None:
        super().__init__(self._listed, id=id)
        self._events = events
        self._unit = unit
        self._snapshot: Snapshot | None = None
        self._choice: ChosenJob | None = None
        self._said: dict[int, tuple[Event, str]] = {}
        self._below: Sequence[Line] = ()

    def use(self, unit: words.Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit
        self._said.clear()

    def show(self, snapshot: Snapshot, choice: ChosenJob | None) -> None:
        """Draw a position, and the reason of the job that is selected there."""
        self._snapshot, self._choice = snapshot, choice
        self.show_at(self._events, snapshot.number, snapshot.total or snapshot.number + AHEAD)

    def choose(self, choice: ChosenJob | None) -> None:
        """Draw the reason of another job."""
        self._choice = choice
        self.keep_in_sight()
        self.redraw()

    @property
    def space(self) -> Space:
        """Some events, what was decided, and why; with more lines there are more events."""
        return attrs.evolve(super().space, lines=Need(9, 16, self.count + EXPLAINED), empty=False)

    @property
    def event(self) -> Event | None:
        """The event under the cursor, else the one at the clock."""
        if self.picked is not None:
            return next(iter(self._events(self.picked, 1)), None)
        return self._snapshot.last if self._snapshot else None

    # The list.

    def far(self, way: int) -> None:
        """To the first event or the last; to the present one if it is not known how many there are."""
        shot = self._snapshot
        if way > 0 and shot is not None and not shot.total:
            self.go(shot.number - 1)
        else:
            super().far(way)

    def _listed(self, first: int, count: int) -> Sequence[Listed]:
        """An event to come, and a pass that decided nothing, stand back."""
        now = self._snapshot.number if self._snapshot is not None else 0
        clock = self._unit.clock

        def role(it: Event) -> str:
            quiet = it.number > now or (it.kind == "pass" and not it.decisions)
            return "strong" if it.number == now else "dim" if quiet else "text"

        return [
            Listed(it.number, clock.format(it.time), self._words(it), role(it))
            for it in self._events(first, count)
        ]

    def _words(self, event: Event) -> str:
        """The words of an event, kept: a pass over a long queue may have decided thousands of things."""
        known = self._said.get(event.number)
        if known is None or known[0] is not event:
            if len(self._said) > KEPT:
                self._said.clear()
            known = self._said[event.number] = (event, words.event(event, self._unit))
        return known[1]

    # What stands below it.

    def keep_in_sight(self) -> None:
        if not self.size or self._snapshot is None:
            return
        width, height = self.scrollable_content_region.width, self.size.height - self.heading_lines
        self._below = self._explained(self._snapshot, width, height)
        self.footing_lines = len(self._below)
        self.measure()
        super().keep_in_sight()

    def _explained(self, snapshot: Snapshot, width: int, height: int) -> Sequence[Line]:
        why = self._why(snapshot, width, height)
        free = height - len(why) - (2 if why else 1)
        event = self.event
        listed = min(self.count, max(LEAST, int(height * LIST_SHARE)))
        listed = max(1, min(listed, free - first_lines(event, width, self._unit)))
        decided = decision_lines(event, width, max(1, free - listed), self._unit)
        lines: list[Line] = []
        for part in (decided, why):
            if part:
                lines += [[("─" * width, "faint")], *part]
        return shorten(lines, max(0, height - 1), width)

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

    def draw(self, y: int) -> Line:
        below = y - self.heading_lines - min(self.rows, self.room)
        return self._below[below] if 0 <= below < len(self._below) else super().draw(y)
