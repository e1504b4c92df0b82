"""The pages of a console over a cluster: everything about a row, lists, and how users stand."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from shadowtime.console.screens.composed.panels import EVENTS, NODES, RUNNING
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.board_table import BoardTable
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.why import Reasons
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import LISTS, OUT, RESERVATIONS, Listing, ReservationRow
from shadowtime.console.session.slurm.board.lists import PARTITIONS as PARTITION_LIST
from shadowtime.console.session.slurm.board.standing import PartitionRow
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, texts
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.lists_text import list_columns, reservation_lines
from shadowtime.console.widgets.slurm.node_text import node_lines
from shadowtime.console.widgets.slurm.standing_text import standing_lines

T = TypeVar("T")
LEAST, SHARE = 16, 0.33
"""Cells at least, and how much of a line, that long texts of the last column take before others give way."""
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
        last = list_columns(listing, reading, dates)[-1]
        most = max([len(last.title), *(len(last.text(row)) for row in listing.rows(reading.board))])
        self._rows = BoardTable(
            listing.fields,
            listing.key,
            lambda at, dates: list_columns(listing, at, dates),
            least=lambda width: min(most, max(LEAST, int(SHARE * width))),
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
        self.show_keys()

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


class ClusterPages:
    """Opens pages over the panels; `plan_why` makes the lines about the row under the cursor of the plan."""

    def __init__(
        self,
        screen: Screen[None],
        captures: Captures,
        picture: ClusterPicture,
        reasons: Reasons,
        plan_why: Callable[[int], Sequence[Line]],
    ) -> None:
        self._screen, self._captures, self._picture = screen, captures, picture
        self._reasons, self._plan_why = reasons, plan_why

    def detail(self) -> None:
        page = self._page()
        if page is not None:
            self._screen.app.push_screen(page)

    def _page(self) -> Page | None:
        picture = self._picture
        if picture.panels.used == EVENTS:
            return picture.events.enter()
        if picture.about == RUNNING:
            return picture.running.page()
        if picture.about == NODES and picture.nodes.current is not None:
            return self._node(picture.nodes.current.name)
        row = picture.plan.current
        if row is None:
            return None
        self._reasons.look_for(row)
        return Page(f"JOB {row.job}", self._plan_why)

    def _node(self, name: str) -> Page:
        def lines(width: int) -> Sequence[Line]:
            board = self._captures.board
            return list(node_lines(board, board.nodes[board.places[name]], self._picture.dates, width))

        return Page(f"NODE {name}", lines)

    def standing(self, most: str) -> None:
        """How users, accounts and partitions stand: who holds most of this first."""

        def lines(width: int) -> Sequence[Line]:
            return list(standing_lines(self._captures.board, self._picture.dates, width, most))

        self._screen.app.push_screen(Page("USERS", lines))

    def list(self, name: str) -> None:
        details: dict[str, Callable[[ListPage[Any], Any], object]] = {
            OUT.name: lambda page, row: page.app.push_screen(self._node(row.name)),
            RESERVATIONS.name: lambda page, row: page.app.push_screen(self._reservation(row)),
            PARTITION_LIST.name: self._longest_wait,
        }
        page = ListPage(LISTS[name], self._picture.reading, self._picture.dates, details[name])
        self._screen.app.push_screen(page)

    def _reservation(self, row: ReservationRow) -> Page:
        board, dates = self._captures.board, self._picture.dates
        return Page(f"RESERVATION {row.name}", lambda width: [*reservation_lines(board, row, dates, width)])

    def _longest_wait(self, page: ListPage[PartitionRow], row: PartitionRow) -> None:
        if row.longest_job:
            page.dismiss()
            self._picture.select_job(row.longest_job)
