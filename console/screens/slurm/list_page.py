"""A list of a cluster on a page: a cursor, an order, a filter, and everything about a row."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.board_table import BoardTable
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import Listing
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, texts
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.lists_text import list_columns

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
        self,
        listing: Listing[T],
        reading: BoardReading,
        dates: Dates,
        detail: Callable[["ListPage[T]", T], object],
    ) -> None:
        """`detail` shows all about a row."""
        super().__init__(listing.name.upper(), self._whole)
        self._listing, self._detail, self._clock = listing, detail, reading.clock
        self._rows = BoardTable(
            listing.fields, listing.key, lambda at, dates: list_columns(listing, at, dates), least=LEAST
        )
        self._frame = Frame(self._title, self._rows.table)
        self._prompt = Prompt()
        self._rows.show(reading, dates, lambda: listing.rows(reading.board), listing)

    def compose(self) -> ComposeResult:
        yield self._frame
        yield self._prompt
        yield self._keys

    def on_mount(self) -> None:
        self._rows.table.focus()
        self._filter("")
        self.tell()

    def _whole(self, width: int) -> Sequence[Line]:
        table = self._rows.table
        return [table.heading(width), *(table.line(row, width) for row in self._rows.rows)]

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in texts(self._whole(COPIED)))

    def action_far(self, way: int) -> None:
        self._rows.table.far(way)

    def action_detail(self) -> None:
        row = self._rows.current
        if row is not None:
            self._detail(self, row)

    # The order and the filter.

    def _filter(self, text: str) -> None:
        """Show the rows that pass a filter. SessionError if it is no filter."""
        rows, name = self._rows, self._listing.name.upper()
        rows.table.nothing = f"nothing is {text}" if text else self._listing.nothing
        rows.filter_by(text)
        self._frame.entitle(rows.caption(f"{name}  {len(rows.every):,}", always=True))

    def _sort(self, order: Order) -> None:
        self._rows.order = order
        self._filter(self._rows.filter)

    def action_sort(self) -> None:
        self._sort(self._rows.next_order)

    def action_turn(self) -> None:
        self._sort(self._rows.order.turned())

    def action_filter(self) -> None:
        hint = f"a word, or one of {', '.join(self._listing.fields.asked)}"
        self._prompt.ask("filter", "show only ", self._rows.filter, hint=hint)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """Say what is wrong with the filter while it is typed."""
        self._prompt.remark(fault_of(event.text, self._listing.fields, self._clock), "warn")

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        self._rows.table.focus()
        try:
            self._filter(event.text.strip())
        except SessionError as error:
            self._prompt.say(str(error), "warn")

    def action_leave(self) -> None:
        """Back: from what is typed, from the filter, to where the operator came from."""
        if self._prompt.asking:
            self._prompt.close()
            self._rows.table.focus()
        elif self._rows.filter:
            self._filter("")
        else:
            self.dismiss()
