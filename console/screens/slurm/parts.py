"""The parts of the console over a cluster: each knows one subject, and the screen puts them together."""

from typing import Protocol

import attrs

from shadowtime.console.screens.composed.copies import Copies
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.console.view import Opens
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.lists import Letters, Lists
from shadowtime.console.screens.slurm.answers import ClusterAnswers
from shadowtime.console.screens.slurm.clock import ClusterClock
from shadowtime.console.screens.slurm.pages import ClusterPages
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.screens.slurm.why import Reasons


class ClusterView(Opens, Protocol):
    """What the parts ask of the screen."""

    def key(self, id: str, /) -> str:
        """The key of an action, as the operator reads it."""

    def pause(self) -> None:
        """Stop what plays."""

    def ask_command(self, begun: str, hint: str = "", /) -> None:
        """Let the operator type the rest of a command that has been begun."""

    def next_panel(self) -> None:
        """To the next panel; on a line that is typed, take what is suggested."""

    def open_palette(self) -> None:
        """Search all actions by name."""

    def open_help(self) -> None:
        """Keys and commands."""

    def leave(self) -> None:
        """Leave for the list of scenarios, or the console."""

    def go_back(self) -> None:
        """Back from what was opened last."""


@attrs.frozen
class ClusterParts:
    """The parts of one console over a cluster."""

    view: ClusterView
    captures: Captures
    picture: ClusterPicture
    reasons: Reasons
    pages: ClusterPages
    answers: ClusterAnswers
    travel: ClusterTravel
    copies: Copies
    clock: ClusterClock
    themes: Themes
    lists: Lists
    letters: Letters
    counts: Counts
