"""The pages of a console over a cluster: everything about a row, lists, and how users stand."""

from collections.abc import Callable, Sequence
from typing import Any

from textual.screen import Screen

from shadowtime.console.screens.composed.panels import EVENTS, NODES, RUNNING
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.list_page import ListPage
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.why import Reasons
from shadowtime.console.session.slurm.board.lists import LISTS, OUT, RESERVATIONS
from shadowtime.console.session.slurm.board.lists import PARTITIONS as PARTITION_LIST
from shadowtime.console.session.slurm.board.reserving import ReservationRow
from shadowtime.console.session.slurm.board.standing import PartitionRow
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.slurm.lists_text import reservation_lines
from shadowtime.console.widgets.slurm.node_text import node_lines
from shadowtime.console.widgets.slurm.standing_text import standing_lines


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
