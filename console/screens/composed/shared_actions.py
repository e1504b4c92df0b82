"""The actions of the keys that do the same over a machine and over a cluster, each with what does it."""

from collections.abc import Mapping

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.lists import Letters
from shadowtime.console.screens.travel.breakpoints import Breakpoints
from shadowtime.console.screens.travel.jumps import FarSteps
from shadowtime.console.screens.travel.steps import Steps


def shared_actions(
    screen: PanelScreen,
    steps: Steps | FarSteps,
    breakpoints: Breakpoints,
    letters: Letters,
    counts: Counts,
) -> Mapping[str, Action]:
    """Return these actions by their names in `shadowtime.console.keys.KEYS`."""
    jumps, line, lists, panels = screen.jumps, screen.line, screen.lists, screen.panels
    play = jumps.play
    return {
        "forward": steps.forward,
        "back": steps.back,
        "next_decision": steps.next_decision,
        "previous_decision": steps.previous_decision,
        "play": play.toggle,
        "reverse": play.reverse,
        "slower": play.slower,
        "faster": play.faster,
        "speed_one": play.usual_speed,
        "goto": line.ask_place,
        "first": jumps.first,
        "last": jumps.last,
        "mark": jumps.mark,
        "to_mark": jumps.to_mark,
        "break_here": breakpoints.set_here,
        "breakpoints": breakpoints.show,
        "continue": breakpoints.go_on,
        "next_panel": screen.next_panel,
        "previous_panel": panels.previous,
        "resize": panels.resize,
        "row": lists.row,
        "half_rows": lists.half,
        "far_row": lists.far,
        "letters": letters.begin,
        "count": counts.begin,
        "escape": screen.go_back,
        "filter": line.ask_filter,
        "copy_as": lambda: line.ask_command("copy "),
        "command": line.ask_command,
        "palette": screen.open_palette,
        "help": screen.open_help,
        "quit": screen.leave,
    }
