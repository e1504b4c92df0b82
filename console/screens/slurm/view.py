"""What the parts of a console over a cluster ask of its screen."""

from datetime import tzinfo
from typing import Protocol

from textual.app import App

from shadowtime.console.screens.console.completion import Completion
from shadowtime.console.screens.slurm.travel import ClusterTravel
from shadowtime.console.session.slurm.board import Board, PlanRow
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map_text import Colouring


class ClusterView(Protocol):
    """The screen."""

    @property
    def board(self) -> Board:
        """The cluster as it is shown."""

    @property
    def app(self) -> App[object]:
        """The application."""

    @property
    def travel(self) -> ClusterTravel:
        """Where the cluster stands."""

    @property
    def dates(self) -> Dates:
        """How instants are written."""

    @property
    def current(self) -> PlanRow | None:
        """The row under the cursor."""

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def key(self, id: str, /) -> str:
        """The key of an action."""

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        hint: str = "",
        known: Completion | tuple[str, ...] = (),
    ) -> None:
        """Let the operator type a line."""

    def select_job(self, name: str, /) -> bool:
        """Put the cursor on a job of the plan. Whether it is there."""

    def select_node(self, name: str, /) -> bool:
        """Put the cursor on a node. Whether there is one."""

    def select_running(self, name: str, /) -> bool:
        """Put the cursor on a running job. Whether there is one."""

    def map_by(self, colouring: Colouring | None, /) -> None:
        """Show the nodes as a map, with letters of this meaning."""

    def show_standing(self, most: str, /) -> None:
        """How users, accounts and partitions stand: who holds most of this first."""

    def show_list(self, name: str, /) -> None:
        """Show a list of the cluster."""

    def show_expected(self) -> None:
        """Show when jobs without a start are expected to start, or no more."""

    def sort_by(self, order: Order, /) -> None:
        """Sort the plan."""

    def typed(self, question: str, text: str, /) -> None:
        """Do what was typed as a filter or as a place."""

    def write_in(self, zone: tzinfo, /) -> None:
        """Write instants in a time zone."""

    def action_detail(self) -> None:
        """Everything about the row under the cursor."""

    def action_help(self) -> None:
        """Show the keys."""

    def action_leave(self) -> None:
        """Leave."""
