"""The command palette: every key's action and every typed command, by name."""

from collections.abc import Callable, Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from console import keys
from console.screens.command_table import CONSOLE, SORTS, commands_of
from console.screens.console.screen import ConsoleScreen


class Actions(Provider):
    """What can be done on the console's screen."""

    def _entries(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        """Name, help and callback of each action."""
        screen = self.screen
        if not isinstance(screen, ConsoleScreen):
            return
        for key in keys.keyboard_of(self.app).keys:
            if key.id != "palette":
                name = key.help[0].upper() + key.help[1:]
                yield f"{name}  ({key.shown})", key.group, partial(screen.run_action, key.action)
        for column in SORTS:
            yield f"Sort the queue by {column}", "sort", partial(screen.selection.sort_by, column, False)
        for name in screen.themes.names:
            yield f"Theme {name}", "colours for this run", partial(screen.themes.choose, name)
        for command in commands_of(CONSOLE):
            if not command.arguments:
                yield f":{command.example}", command.help_with_key, partial(screen.command, command.name)

    async def discover(self) -> Hits:
        """Everything, before a letter is typed."""
        for name, text, act in self._entries():
            yield DiscoveryHit(name, act, help=text)

    async def search(self, query: str) -> Hits:
        """What matches the letters typed."""
        matcher = self.matcher(query)
        for name, text, act in self._entries():
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), act, help=text)
