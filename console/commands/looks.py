"""The options of the console: its keys and looks, and what its operator may do.

All of them go before the command as well as after it.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from shadowtime.console.keymap import Settings
    from shadowtime.console.session.permissions import Permissions


Command = Callable[..., None]
CLOCKS = ("elapsed", "calendar")
"""`shadowtime.console.session.clock.KINDS`, which help does without."""
clock_option = click.option(
    "--clock",
    type=click.Choice(CLOCKS),
    help="Write instants by the calendar, the default where it is known, or as elapsed time.",
)


class Looks(NamedTuple):
    """The settings of keys, theme, mouse and clock on the command line."""

    keymap: str | None = None
    theme: str | None = None
    no_mouse: bool = False
    clock: str | None = None

    def arguments(self) -> list[str]:
        """The same as arguments of a command line."""
        keymap = [] if self.keymap is None else ["--keymap", self.keymap]
        theme = [] if self.theme is None else ["--theme", self.theme]
        clock = [] if self.clock is None else ["--clock", self.clock]
        return [*keymap, *theme, *(["--no-mouse"] if self.no_mouse else []), *clock]


def takes_looks(command: Command) -> Command:
    """Give a command the options of keys and looks; it is called with `looks`, for `settings_of`."""

    @click.option("--keymap", metavar="FILE", help="Use the keys of this file (shadowtime keys prints one).")
    @click.option("--theme", metavar="NAME", help="Colours: dark or light.")
    @click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
    @clock_option
    @functools.wraps(command)
    def chosen(**others: Any) -> None:
        command(looks=Looks(*map(others.pop, Looks._fields)), **others)

    return chosen


def with_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Give a command options, in the order in which its help shows them."""
    for option in reversed(options):
        command = option(command)
    return command


def permission_options(command: Command) -> Command:
    return with_options(
        command,
        click.option(
            "--read-only", is_flag=True, help="Look only: nothing can be acted on, saved or exported."
        ),
        click.option("--no-files", is_flag=True, help="Read and write no other file from the console."),
    )


def takes_permissions(command: Command) -> Command:
    """Give a command the options that restrict a console; it is called with `permissions`."""

    @permission_options
    @functools.wraps(command)
    def restricted(*, read_only: bool, no_files: bool, **others: Any) -> None:
        command(permissions=permissions_for(read_only, no_files), **others)

    return restricted


def permissions_for(read_only: bool, no_files: bool) -> "Permissions":
    # Commands without a screen do not load this module.
    from shadowtime.console.session.permissions import Permissions

    return Permissions(read_only, no_files)


def settings_of(looks: Looks) -> "Settings":
    """Return the operator's settings, changed by a command line. Raises ScenarioError for a faulty file."""
    # Commands without a screen do not load these modules.
    import attrs

    from shadowtime.console.keymap import read_settings
    from shadowtime.console.themes import THEMES

    if looks.theme is not None and looks.theme not in THEMES:
        raise click.UsageError(f"there is no theme {looks.theme!r}; expected one of {', '.join(THEMES)}")
    settings = read_settings(looks.keymap)
    theme, mouse = looks.theme or settings.theme, settings.mouse and not looks.no_mouse
    return attrs.evolve(settings, theme=theme, mouse=mouse, clock=looks.clock or settings.clock)
