"""What the palette offers on each screen."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from shadowtime.console import keys
from shadowtime.console.screens.command_table import (
    CLUSTER,
    COMPARE,
    CONSOLE,
    Command,
    commands_of,
)
from shadowtime.console.screens.compare.keys import COMPARING
from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.opening import Opening, recent_of
from shadowtime.console.screens.palette.here import Here, PaletteEntry, found, of_command, of_key
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session import Entry as Scenario
from shadowtime.console.session import catalogue
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm.board.fields import PLAN
from shadowtime.console.session.texts import printable

AFTER = 0.1
"""How far files stand behind what can be done, if they match as well."""


class Everything(Provider):
    """What can be done on the screen, what is in its session, and which files can be opened."""

    _scenarios: Sequence[Scenario] = ()
    _here: Here | None = None

    async def startup(self) -> None:
        if isinstance(self.screen, ConsoleScreen):
            self._here = Here(self.screen)
        self._scenarios = await asyncio.to_thread(catalogue)

    def entries(self) -> Iterator[PaletteEntry]:
        """What is offered before a letter is typed."""
        screen = self.screen
        if isinstance(screen, ConsoleScreen):
            yield from self._of_console(screen)
        elif isinstance(screen, CompareScreen):
            for key in keys.keyboard_of(self.app).of(COMPARING):
                yield of_key(key, commands_of(COMPARE), partial(screen.run_action, key.action))
        elif isinstance(screen, ClusterScreen) and screen.plays:
            yield from self._of_cluster(screen)
        if not permissions_of(self.app).no_reading:
            yield from self._files()

    def _of_console(self, screen: ConsoleScreen) -> Iterator[PaletteEntry]:
        commands, unoffered = commands_of(CONSOLE), screen.hidden
        for key in keys.keyboard_of(self.app).over(screen.over):
            if key.id != "palette" and key.id not in unoffered:
                yield of_key(key, commands, partial(screen.run_action, key.action))
        for command in commands:
            if command.name not in unoffered:
                yield of_command(command, self._free(partial(self._command, screen, command)))
        for column in QUEUE.orders:
            line = f"sort {column}"
            act = self._free(partial(screen.command, line))
            yield PaletteEntry(f"Sort the queue by {column}", f":{line}", act)
        for name in screen.themes.names:
            act = partial(screen.themes.choose, name)
            yield PaletteEntry(f"Theme {name}", f"colours for this run   :theme {name}", act)

    def _of_cluster(self, screen: ClusterScreen) -> Iterator[PaletteEntry]:
        commands = commands_of(CLUSTER)
        for key in keys.keyboard_of(self.app).over(screen.over):
            if key.id != "palette":
                yield of_key(key, commands, partial(screen.run_action, key.action))
        for command in commands:
            if command.name == "export" and permissions_of(self.app).no_writing:
                continue
            begun = f"{command.name} " if command.arguments else ""
            act = partial(screen.ask_command, begun) if begun else partial(screen.commands.do, command.name)
            yield of_command(command, act)
        for column in PLAN.orders:
            line = f"sort {column}"
            yield PaletteEntry(f"Sort the plan by {column}", f":{line}", partial(screen.commands.do, line))

    def _files(self) -> Iterator[PaletteEntry]:
        opening = Opening(self.screen)
        latest = recent_of(self.app)
        for path in latest:
            yield PaletteEntry(
                f"Open again {path.name}", _opens(path), self._free(partial(opening.open, path)), -AFTER
            )
        for scenario in self._scenarios:
            if scenario.path not in latest:
                yield PaletteEntry(
                    f"Open {scenario.title or scenario.path.name}",
                    _opens(scenario.path),
                    self._free(partial(opening.open, scenario.path)),
                    -2 * AFTER,
                )

    def _command(self, screen: ConsoleScreen, command: Command) -> None:
        """Do a command, or let the operator type what follows its name."""
        if not command.arguments:
            screen.command(command.name)
            return
        job = screen.selection.chosen
        begun = f"{command.name} "
        if command.arguments.startswith("JOB") and job is not None:
            begun += f"{screen.desk.case.columns.id[job]} "
        screen.ask_command(begun.rstrip() if command.arguments == "JOB" and job is not None else begun)

    def _free(self, act: Callable[[], object]) -> Callable[[], object]:
        """The same, but nothing while a journey holds the session: Esc ends that first."""
        screen = self.screen

        def free() -> object:
            if isinstance(screen, ConsoleScreen) and screen.busy:
                return None
            return act()

        return free

    async def discover(self) -> Hits:
        """Everything, before a letter is typed."""
        for entry in self.entries():
            yield DiscoveryHit(*_shown(entry))

    async def search(self, query: str) -> Hits:
        """What has the words typed: in the session, then everywhere."""
        if self._here is not None:
            for entry in self._here.entries(query):
                yield Hit(entry.rank + 1, *_shown(entry))
        for score, entry in found(self.entries(), query):
            yield Hit(max(score, AFTER), *_shown(entry))


def _shown(entry: PaletteEntry) -> tuple[Content, Callable[[], object], str, str]:
    """What the palette shows of an entry, what it does, and its name and help as plain text."""
    name = printable(entry.name)
    return Content(name), entry.act, name, escape(printable(entry.help))


def _opens(path: Path) -> str:
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"shadowtime open {shown}"
