"""The parts of the console: each knows one subject, and the screen puts them together."""

from collections.abc import Callable, Mapping

import attrs

from console.screens.console.breakpoints import Breakpoints
from console.screens.console.desk import Desk
from console.screens.console.exports import Exports
from console.screens.console.jumps import Jumps
from console.screens.console.other_views import SideBySide
from console.screens.console.panels import PanelArrangement
from console.screens.console.selection import Selection
from console.screens.console.steering import Steering
from console.screens.console.themes import Themes
from console.screens.console.view import ConsoleView
from console.screens.habits.counts import Counts
from console.screens.habits.editing import Editing
from console.screens.habits.lists import Letters, Lists
from console.screens.impact.answers import Answers
from console.screens.time.clocks import Clocks
from console.screens.time.seeks import Seeks
from console.screens.travel.play import Play
from console.screens.travel.steps import Steps


@attrs.frozen
class Parts:
    """The parts of one console."""

    view: ConsoleView
    desk: Desk
    panels: PanelArrangement
    play: Play
    steps: Steps
    jumps: Jumps
    breakpoints: Breakpoints
    selection: Selection
    steering: Steering
    answers: Answers
    exports: Exports
    side_by_side: SideBySide
    themes: Themes
    lists: Lists
    letters: Letters
    counts: Counts
    editing: Editing
    clocks: Clocks
    seeks: Seeks
    views: Mapping[str, Callable[[], None]]
    """What `:view` shows, by name."""
