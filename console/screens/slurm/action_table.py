"""The actions of the keys over a cluster, each with what does it."""

from collections.abc import Mapping

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.slurm.commands import ClusterCommands
from shadowtime.console.screens.slurm.parts import ClusterParts


def action_table(parts: ClusterParts, line: TypedLine, commands: ClusterCommands) -> Mapping[str, Action]:
    """Every action that keys of `shadowtime.console.keys.KEYS` do over a cluster, by its name."""
    screen, travel, picture = parts.view, parts.travel, parts.picture
    return {
        "forward": travel.steps.forward,
        "back": travel.steps.back,
        "next_decision": travel.steps.next_decision,
        "previous_decision": travel.steps.previous_decision,
        "play": parts.captures.play,
        "reverse": travel.play.reverse,
        "slower": travel.play.slower,
        "faster": travel.play.faster,
        "speed_one": travel.play.usual_speed,
        "goto": line.ask_place,
        "first": travel.jumps.first,
        "last": travel.jumps.last,
        "mark": travel.jumps.mark,
        "to_mark": travel.jumps.to_mark,
        "break_here": travel.breakpoints.set_here,
        "breakpoints": travel.breakpoints.show,
        "continue": travel.breakpoints.go_on,
        "panel": picture.choose,
        "next_panel": screen.next_panel,
        "previous_panel": picture.panels.previous,
        "resize": picture.panels.resize,
        "row": parts.lists.row,
        "half_rows": parts.lists.half,
        "far_row": parts.lists.far,
        "letters": parts.letters.begin,
        "count": parts.counts.begin,
        "detail": parts.pages.detail,
        "escape": screen.go_back,
        "why": picture.show_why,
        "filter": line.ask_filter,
        "sort": picture.sort,
        "sort_reverse": picture.turn_order,
        "colouring": picture.colour,
        "act": commands.menu,
        "compare": parts.comparing.here,
        "copy": parts.copies.copy_row,
        "copy_as": line.ask_copy,
        "clock": parts.clock.turn,
        "train": lambda: open_training(screen),
        "read": parts.captures.read,
        "command": line.ask_command,
        "palette": screen.open_palette,
        "help": screen.open_help,
        "quit": screen.leave,
    }
