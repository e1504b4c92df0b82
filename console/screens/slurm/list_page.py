"""A list of a cluster on a page: a cursor, an order, a filter, and everything about a row."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import SessionError
from shadowtime.console.session.jobs.filters import fault_of
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.widgets.frame.ink import Line, texts
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.slurm.columns import Layout, layout, widths
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.lists.listing import Listing
from shadowtime.console.widgets.slurm.table import RowTable

T = TypeVar("T")
LEAST = 16
"""Cells that the last column takes before other columns give way."""
COPIED = 400
"""Cells of a copied line."""


class ListPage(Page, Generic[T]):
    """The rows of a list of a board. Enter shows all about one, Esc gives the filter up and goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "detail", "everything", id="detail"),
        Binding("slash", "filter", "filter", id="filter"),
        Binding("s", "sort", "sort", id="sort"),
        Binding("S", "turn", "the other way round", id="sort_reverse"),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("detail", "everything"),
        ("filter", "filter"),
        ("sort", "sort"),
        ("sort_reverse", "turn"),
        ("escape", "back"),
        ("copy", "copy"),
    )

    def __init__(
        self, listing: Listing[T], board: Board, dates: Dates, detail: Callable[["ListPage[T]", T], object]
    ) -> None:
        """`detail` shows all about a row."""
        super().__init__(listing.name.upper(), self._whole)
        self._listing, self._now, self._detail = listing, board.now, detail
        self._every = tuple(listing.rows(board))
        self._rows = self._every
        self._columns = listing.columns(board, dates)
        self._wide = widths(self._columns, self._every)
        self._order, self._reverse, self._filter = next(iter(listing.orders)), False, ""
        self._table = RowTable(
            lambda width: self._layout(width).heading(),
            lambda place, width: self._layout(width).line(self._rows[place]),
        )
        self._frame = Frame(self._title, self._table)
        self._prompt = Prompt()

    def compose(self) -> ComposeResult:
        yield self._frame
        yield self._prompt
        yield self._keys

    def on_mount(self) -> None:
        self._table.focus()
        self._choose()
        self.tell()

    def _layout(self, width: int) -> Layout[T]:
        return layout(self._columns, self._wide, width, LEAST)

    def _whole(self, width: int) -> Sequence[Line]:
        found = self._layout(width)
        return [found.heading(), *map(found.line, self._rows)]

    @property
    def text(self) -> str:
        """The rows that are shown, as text."""
        return "\n".join(line.rstrip() for line in texts(self._whole(COPIED)))

    def action_far(self, way: int) -> None:
        """To the first row (-1) or the last (1)."""
        self._table.action_far(way)

    def action_detail(self) -> None:
        """Everything about the row under the cursor."""
        place = self._table.place
        if place is not None:
            self._detail(self, self._rows[place])

    # The order and the filter.

    def _choose(self) -> None:
        """Show the rows of the filter in their order. SessionError if it is no filter."""
        rows = list(self._listing.shown(self._every, self._filter, self._now))
        order = self._listing.orders[self._order]
        if order is not None:
            rows.sort(key=order)
        if self._reverse:
            rows.reverse()
        self._rows = tuple(rows)
        self._table.nothing = f"nothing is {self._filter}" if self._filter else self._listing.nothing
        self._table.show([self._listing.key(row) for row in rows])
        words = [f"{self._listing.name.upper()}  {len(self._every):,}"]
        words += [f"/{self._filter}: {len(rows):,}"] if self._filter else []
        words += [f"by {self._order}{' reversed' if self._reverse else ''}"]
        self._frame.entitle("   ".join(words))

    def action_sort(self) -> None:
        """Sort by the next column."""
        names = list(self._listing.orders)
        self._order = names[(names.index(self._order) + 1) % len(names)]
        self._choose()

    def action_turn(self) -> None:
        """Turn the order."""
        self._reverse = not self._reverse
        self._choose()

    def action_filter(self) -> None:
        """Type a filter."""
        known = self._listing.vocabulary
        self._prompt.ask(
            "filter", "show only ", self._filter, hint=f"a word, or one of {', '.join(known.fields)}"
        )

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """Say what is wrong with the filter while it is typed."""
        self._prompt.remark(fault_of(event.text, known=self._listing.vocabulary), "warn")

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """A filter was typed."""
        before, self._filter = self._filter, event.text.strip()
        self._table.focus()
        try:
            self._choose()
        except SessionError as error:
            self._filter = before
            self._prompt.say(str(error), "warn")

    def action_leave(self) -> None:
        """Back: from what is typed, from the filter, to where the operator came from."""
        if self._prompt.asking:
            self._prompt.close()
            self._table.focus()
        elif self._filter:
            self._filter = ""
            self._choose()
        else:
            self.dismiss()
