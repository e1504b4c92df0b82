"""`shadowtime` alone: the scenario browser, or the list of scenarios where there is no screen."""

from console.commands.output import say
from console.commands.terminal import on_terminal
from console.session import scenario_files


def browse() -> None:
    """Let the user pick a scenario; without a terminal list the scenarios, and how to open one."""
    if on_terminal():
        from console.app import browse as choose

        choose()
    else:
        _list()


def _list() -> None:
    say("Scenarios:")
    for path in scenario_files():
        say(f"  {path}")
    say()
    say("Open one in a terminal: shadowtime open FILE (in lines, without a screen: --text).")
    say("Run one to its end:     shadowtime run FILE. Everything else: shadowtime --help.")
