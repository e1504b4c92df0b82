"""The parts of the console: each knows one subject, and the screen puts them together."""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.screens.composed.copies import Copies
from shadowtime.console.screens.composed.panels import PanelArrangement
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.exports import Exports
from shadowtime.console.screens.console.other_views import SideBySide
from shadowtime.console.screens.console.picture import MachinePicture
from shadowtime.console.screens.console.selection import Selection
from shadowtime.console.screens.console.steering import Steering
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.editing import Editing
from shadowtime.console.screens.habits.lists import Letters
from shadowtime.console.screens.impact.answers import Answers
from shadowtime.console.screens.time.clocks import Clocks
from shadowtime.console.screens.travel.breakpoints import Breakpoints, Seeks
from shadowtime.console.screens.travel.jumps import Jumps
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.screens.travel.view import TravelView


@attrs.frozen
class Parts:
    """The parts of one console."""

    view: TravelView
    desk: Desk
    picture: MachinePicture
    panels: PanelArrangement
    play: Play
    steps: Steps
    jumps: Jumps
    breakpoints: Breakpoints
    selection: Selection
    steering: Steering
    answers: Answers
    exports: Exports
    copies: Copies
    side_by_side: SideBySide
    themes: Themes
    letters: Letters
    counts: Counts
    editing: Editing
    clocks: Clocks
    seeks: Seeks
    views: Mapping[str, Callable[[], None]]
    """What `:view` shows, by name."""
