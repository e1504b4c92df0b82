"""`shadowtime` alone: the list of scenarios on the screen, or as text without a terminal."""

from pathlib import Path

from shadowtime.console.commands.looks import Looks, settings_of
from shadowtime.console.commands.output import say
from shadowtime.console.commands.terminal import on_terminal
from shadowtime.console.session import catalogue
from shadowtime.console.session.permissions import Permissions


def browse(looks: Looks, permissions: Permissions) -> int:
    """Let the user pick a scenario, or list them without a terminal. Return the exit code."""
    if on_terminal():
        from shadowtime.console.app import browse as choose

        return choose(settings_of(looks), permissions)
    for entry in catalogue():
        say(entry.title if entry.fault is None else entry.fault)
        say(f"  {_short(entry.path)}")
    say()
    say("Open one in the console:  shadowtime open FILE (--text: line by line, without a screen)")
    say("Simulate it to the end:   shadowtime run FILE")
    say("Everything else:          shadowtime --help")
    return 0


def _short(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
