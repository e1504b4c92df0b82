"""What the parts of a console over a cluster ask of its screen."""

from typing import Protocol

from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.widgets.slurm.dates import Dates


class ClusterView(TravelView, Protocol):
    """The screen."""

    @property
    def board(self) -> Board:
        """The cluster as it is shown."""

    @property
    def travel(self) -> ClusterTravel:
        """Where the cluster stands."""

    @property
    def dates(self) -> Dates:
        """How instants are written."""

    @property
    def current(self) -> PlanRow | None:
        """The row under the cursor."""

    def pause(self) -> None:
        """Stop what plays."""

    def ask_command(self, begun: str, hint: str = "", /) -> None:
        """Let the operator type the rest of a command that has been begun."""

    def open_help(self) -> None:
        """Keys and commands."""

    def leave(self) -> None:
        """Leave for the list of scenarios, or the console."""
