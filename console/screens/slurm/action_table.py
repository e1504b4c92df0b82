"""The actions of the keys over a cluster, each with what does it."""

from collections.abc import Mapping

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.composed.shared_actions import shared_actions
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.slurm.commands import ClusterCommands
from shadowtime.console.screens.slurm.parts import ClusterParts


def action_table(parts: ClusterParts, screen: PanelScreen, commands: ClusterCommands) -> Mapping[str, Action]:
    """Every action that keys of `shadowtime.console.keys.KEYS` do over a cluster, by its name."""
    travel, picture = parts.travel, parts.picture
    return {
        **shared_actions(screen, travel.steps, travel.breakpoints, parts.letters, parts.counts),
        "play": parts.captures.play,
        "panel": picture.choose,
        "detail": parts.pages.detail,
        "why": picture.show_why,
        "sort": picture.sort,
        "sort_reverse": picture.turn_order,
        "colouring": picture.colour,
        "act": commands.menu,
        "compare": parts.comparing.here,
        "copy": parts.copies.copy_row,
        "clock": parts.clock.turn,
        "train": lambda: open_training(screen),
        "read": parts.captures.read,
    }
