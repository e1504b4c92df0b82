"""`shadowtime keys`: every action and its keys, in the format of the file that changes them."""

import click

from shadowtime.console.commands.looks import Looks, settings_of, takes_looks
from shadowtime.console.commands.options import debug_option
from shadowtime.console.commands.output import say_lines


@click.command("keys")
@takes_looks
@click.option("--defaults", is_flag=True, help="Print the defaults.")
@click.option("--page", is_flag=True, help="Print the tables of docs/keys.md.")
@debug_option
def command(looks: Looks, defaults: bool, page: bool) -> None:
    """Print the keys in force, and the other settings, in the format of the file that changes them."""
    if page:
        from shadowtime.console import key_page

        say_lines("\n".join(key_page.page()))
        return
    from shadowtime.console.keymap import Settings, template

    say_lines("\n".join(template(Settings() if defaults else settings_of(looks))))
