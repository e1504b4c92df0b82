"""The queue: every waiting and running job, one line each, drawn only where it is seen.

Rows are asked for when they come into sight (`show` gets a function), so ten thousand of them cost what a
screenful costs. The cursor stands on a job, not on a line: it stays with its job while the schedule moves.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console.session.facts import Row, Snapshot
from shadowtime.console.widgets.frame.ink import Piece, different, plain
from shadowtime.console.widgets.frame.pen import Penned, lettered
from shadowtime.console.widgets.queue.columns import COUNTDOWN, Column, Shape, chosen, columns, heading, line
from shadowtime.console.words import Unit

Rows = Callable[[Sequence[int], int, int], Sequence[Row]]


class Queue(Penned, ScrollView, inherit_bindings=False):
    """A table of jobs with a heading line, drawn line by line."""

    DEFAULT_CSS = """
    Queue { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    class Selected(Message):
        """The operator moved the cursor to a job."""

        def __init__(self, job: int) -> None:
            super().__init__()
            self.job = job

    class Promised(Message):
        """The policy stands otherwise for the predicted starts that are in sight now."""

        def __init__(self, promises: frozenset[str]) -> None:
            super().__init__()
            self.promises = promises

    def __init__(self, shape: Shape, rows: Rows, unit: Unit, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = True
        self._shape = shape
        self._columns = columns(shape, unit.clock)
        self._shown: tuple[Column, ...] = ()
        self._terms: frozenset[str] = frozenset()
        """What policies have kept for jobs so far: these columns are shown."""
        self._width = 0
        """Cells of a line: the scrollbar always takes one, so nothing moves when a queue gets longer."""
        self._rows = rows
        self._unit = unit
        self._order: Sequence[int] = ()
        self._snapshot: Snapshot | None = None
        self._sort = ("", False)
        self._cursor = 0
        self._lost = False
        self.nobody = ""
        """What stands in an empty queue."""
        self._window: tuple[int, Sequence[Row]] = (0, ())
        self._promised: frozenset[str] = frozenset()
        """How far the policy stood for the starts that were seen last."""
        self._drawn: list[Sequence[Piece]] = []
        self._letters: dict[int, str] = {}

    @property
    def pickable(self) -> Sequence[int]:
        """The lines in sight that can be chosen."""
        return range(1, 1 + len(self.in_sight))

    def pick(self, line: int) -> None:
        """Choose the job on a line in sight."""
        self._go(self.scroll_offset.y + line - 1)

    def letter(self, letters: dict[int, str]) -> None:
        """Show letters in front of lines."""
        if letters != self._letters:
            self._letters = letters
            self.refresh()

    def far(self, way: int) -> None:
        """To the first row (-1) or the last (1)."""
        self._go(0 if way < 0 else len(self._order) - 1)

    def use(self, unit: Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit
        self._columns = columns(self._shape, unit.clock)
        self._shown = chosen(self._columns, self._width, self._terms)
        self._drawn = []

    def show(
        self, snapshot: Snapshot, order: Sequence[int], selected: int | None, sort: str, reverse: bool
    ) -> None:
        """Draw the jobs of `order` (indexes) at a position, the cursor on `selected` if it is among them."""
        self._snapshot, self._order, self._sort = snapshot, order, (sort, reverse)
        self._window = (0, ())
        self._measure()
        self.place(selected)

    def count_down(self, wanted: bool) -> None:
        """Show how long it is until each job starts, or not."""
        terms = self._terms | {COUNTDOWN} if wanted else self._terms - {COUNTDOWN}
        if terms != self._terms:
            self._terms = terms
            self._shown = chosen(self._columns, self._width, terms)

    def place(self, selected: int | None) -> None:
        """Put the cursor on a job, on the first line for None; for a job that is not here it is hidden."""
        self._cursor = self._find(selected)
        self._lost = selected is not None and self.current != selected
        self._keep_in_sight()
        self._redraw()

    def freshen(self) -> None:
        """Ask for the rows in sight anew: predictions have arrived."""
        self._window = (0, ())
        self._redraw()

    @property
    def current(self) -> int | None:
        """The index of the job under the cursor."""
        return self._order[self._cursor] if self._cursor < len(self._order) else None

    @property
    def in_sight(self) -> Sequence[int]:
        """The indexes of the jobs whose lines are seen."""
        top = self.scroll_offset.y
        return list(self._order[top : top + max(0, self.size.height - 1)])

    @property
    def promises(self) -> frozenset[str]:
        """How far the policy stands for the predicted starts in sight."""
        rows = self._window[1]
        return frozenset(row.predicted.promise for row in rows if row.predicted is not None)

    def line_text(self, row: Row) -> str:
        """One job's line as text."""
        number = self._snapshot.number if self._snapshot else 0
        return plain(line(row, self._shown, self._width, number, self._unit)).strip()

    def on_resize(self, _: Resize) -> None:
        self._drawn = []
        self._width = self.scrollable_content_region.width
        self._shown = chosen(self._columns, self._width, self._terms)
        self._learn()
        self._measure()
        self._keep_in_sight()
        self.refresh()

    def _measure(self) -> None:
        """Tell how long the list is, past the reactive: that would lay out the whole screen."""
        size = Size(self.size.width, len(self._order) + 1)
        if size != self.virtual_size:
            self.set_reactive(ScrollView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = size.height
            self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def _redraw(self) -> None:
        """Draw those lines in sight that came out different."""
        if self.size:
            self._learn()
            drawn = [self._pieces(y) for y in range(self.size.height)]
            stale, self._drawn = different(drawn, self._drawn), drawn
            self.refresh_lines_at(stale)

    def _learn(self) -> None:
        """Show the columns for the terms that the policy keeps for the visible jobs."""
        self._row(self.scroll_offset.y)
        self._promise()
        terms = self._terms.union(*(row.terms for row in self._window[1]))
        if any(row.predicted_end is not None for row in self._window[1]):
            terms |= {"ends"}
        if terms != self._terms:
            self._terms = terms
            self._shown = chosen(self._columns, self._width, terms)

    def _promise(self) -> None:
        """Report how far the policy stands for the starts in sight, if that is new."""
        promises = self.promises
        if promises != self._promised:
            self._promised = promises
            self.post_message(self.Promised(promises))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._drawn = []

    def on_click(self, event: Click) -> None:
        self._go(self.scroll_offset.y + event.y - 1)

    def action_move(self, lines: int) -> None:
        """Move the cursor by lines."""
        self._go(self._cursor + lines)

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is seen."""
        self._go(self._cursor + pages * max(1, self.size.height - 2))

    def render_line(self, y: int) -> Strip:
        if not y < len(self._drawn):
            self._drawn = [self._pieces(at) for at in range(self.size.height)]
        pieces = self._drawn[y]
        letter = self._letters.get(y)
        if letter is not None:
            return lettered(self.pen.strip(pieces, self._width), letter, self.pen.styles["key"])
        under_cursor = y > 0 and bool(pieces) and pieces[0][0] == ">"
        return (self.pen.cursor if under_cursor else self.pen.strip)(pieces, self._width)

    def _pieces(self, y: int) -> Sequence[Piece]:
        """What stands on a line in sight; the first is the heading."""
        if y == 0:
            return heading(self._shown, self._width, *self._sort)
        place = self.scroll_offset.y + y - 1
        row = self._row(place)
        if row is None or self._snapshot is None:
            return [("  " + self.nobody, "dim")] if place == 0 else ()
        changed = row.index in self._snapshot.changed
        here = place == self._cursor and not self._lost
        number = self._snapshot.number
        return line(row, self._shown, self._width, number, self._unit, changed=changed, cursor=here)

    def _row(self, place: int) -> Row | None:
        if not 0 <= place < len(self._order):
            return None
        first, rows = self._window
        if not first <= place < first + len(rows):
            first = min(place, self.scroll_offset.y)
            rows = self._rows(self._order, first, max(self.size.height, place - first + 1))
            self._window = (first, rows)
            self._promise()
        return rows[place - first] if place - first < len(rows) else None

    def _find(self, selected: int | None) -> int:
        if selected is None:
            return 0
        if self.current == selected:
            return self._cursor
        try:
            return self._order.index(selected)
        except ValueError:
            return min(self._cursor, max(0, len(self._order) - 1))

    def _go(self, place: int) -> None:
        if self._order:
            self._cursor = min(max(0, place), len(self._order) - 1)
            self._lost = False
            self._keep_in_sight()
            self._redraw()
            self.post_message(self.Selected(self._order[self._cursor]))

    def _keep_in_sight(self) -> None:
        top, seen = self.scroll_offset.y, max(1, self.size.height - 1)
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False)
        elif self._cursor >= top + seen:
            self.scroll_to(y=self._cursor - seen + 1, animate=False)
