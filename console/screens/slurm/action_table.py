"""The actions of the keys over a cluster, each with what does it."""

from collections.abc import Callable, Mapping

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.slurm.parts import ClusterParts
from shadowtime.console.screens.slurm.time.travel import Travel


def action_table(parts: ClusterParts, line: TypedLine) -> Mapping[str, Action]:
    """Every action that keys of `shadowtime.console.keys.KEYS` do over a cluster, by its name."""
    screen, captures, picture = parts.view, parts.captures, parts.picture

    def stepped(method: Callable[..., object], *first: float) -> Action:
        # A new capture has another history to step through.
        return lambda *given: method(captures.travel, *first, *given)

    return {
        "forward": stepped(Travel.forward),
        "back": stepped(Travel.back),
        "next_decision": stepped(Travel.next_start),
        "previous_decision": stepped(Travel.previous_start),
        "play": captures.play,
        "reverse": stepped(Travel.reverse),
        "slower": stepped(Travel.speed, 0.5),
        "faster": stepped(Travel.speed, 2.0),
        "speed_one": stepped(Travel.set_speed, 1.0),
        "goto": line.ask_place,
        "first": stepped(Travel.first),
        "last": stepped(Travel.last),
        "mark": parts.marks.mark,
        "to_mark": parts.marks.to_mark,
        "break_here": parts.stops.stop_here,
        "breakpoints": parts.stops.list_stops,
        "continue": parts.stops.go_on,
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
        "copy": parts.copies.copy_row,
        "copy_as": line.ask_copy,
        "clock": parts.clock.turn,
        "train": lambda: open_training(screen),
        "read": captures.read,
        "command": line.ask_command,
        "palette": screen.open_palette,
        "help": screen.open_help,
        "quit": screen.leave,
    }
