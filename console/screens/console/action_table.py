"""The actions of the keys, each with the method that does it."""

from collections.abc import Mapping
from typing import Protocol

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.command_line import CommandLine
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.console.parts import Parts


class Doors(Protocol):
    """What the screen itself does."""

    def next_panel(self) -> None:
        """To the next panel; on a line that is typed, take what is suggested."""

    def open_palette(self) -> None:
        """Search all actions by name."""

    def open_help(self) -> None:
        """Keys and commands."""

    def leave(self) -> None:
        """Leave the scenario or the console."""

    def go_back(self) -> None:
        """Back from what was opened last."""


def action_table(parts: Parts, line: CommandLine, screen: Doors) -> Mapping[str, Action]:
    """Every action of `shadowtime.console.keys.KEYS` by its name."""
    return {
        "forward": parts.steps.forward,
        "back": parts.steps.back,
        "next_decision": parts.steps.next_decision,
        "previous_decision": parts.steps.previous_decision,
        "play": parts.play.toggle,
        "reverse": parts.play.reverse,
        "slower": parts.play.slower,
        "faster": parts.play.faster,
        "speed_one": parts.play.usual_speed,
        "goto": line.ask_place,
        "first": parts.jumps.first,
        "last": parts.jumps.last,
        "mark": parts.jumps.mark,
        "to_mark": parts.jumps.to_mark,
        "break_here": parts.breakpoints.set_here,
        "breakpoints": parts.breakpoints.show,
        "continue": parts.breakpoints.go_on,
        "panel": parts.panels.choose,
        "next_panel": screen.next_panel,
        "previous_panel": parts.panels.previous,
        "resize": parts.panels.resize,
        "row": parts.lists.row,
        "half_rows": parts.lists.half,
        "far_row": parts.lists.far,
        "letters": parts.letters.begin,
        "count": parts.counts.begin,
        "detail": parts.selection.detail,
        "escape": screen.go_back,
        "why": parts.selection.why,
        "filter": line.ask_filter,
        "sort": parts.selection.sort_next,
        "sort_reverse": parts.selection.sort_reverse,
        "colouring": parts.picture.colour,
        "zoom": parts.picture.zoom,
        "compare": parts.side_by_side.compare_here,
        "act": parts.steering.menu,
        "undo": parts.steering.undo,
        "redo": parts.steering.redo,
        "copy": parts.selection.copy,
        "copy_as": line.ask_copy,
        "clock": parts.clocks.turn,
        "train": lambda: open_training(parts.view),
        "edit": parts.editing.edit,
        "read": parts.editing.read_again,
        "command": line.ask_command,
        "palette": screen.open_palette,
        "help": screen.open_help,
        "quit": screen.leave,
    }
