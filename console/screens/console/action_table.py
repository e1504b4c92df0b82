"""The actions of the keys over a machine, each with the method that does it."""

from collections.abc import Mapping

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.composed.shared_actions import shared_actions
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.console.parts import Parts


def action_table(parts: Parts, screen: PanelScreen) -> Mapping[str, Action]:
    """Every action of `shadowtime.console.keys.KEYS` by its name."""
    return {
        **shared_actions(screen, parts.steps, parts.breakpoints, parts.letters, parts.counts),
        "panel": parts.selection.show_panel,
        "detail": parts.selection.detail,
        "why": parts.selection.why,
        "sort": parts.selection.sort_next,
        "sort_reverse": parts.selection.sort_reverse,
        "colouring": parts.picture.colour,
        "zoom": parts.picture.zoom,
        "compare": parts.side_by_side.compare_here,
        "act": parts.steering.menu,
        "undo": parts.steering.undo,
        "redo": parts.steering.redo,
        "copy": parts.selection.copy,
        "clock": parts.clocks.turn,
        "train": lambda: open_training(parts.view),
        "edit": parts.editing.edit,
        "read": parts.editing.read_again,
    }
