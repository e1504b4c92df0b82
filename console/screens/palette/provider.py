"""What the palette offers on each screen."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import attrs
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from shadowtime.console import keys
from shadowtime.console.keys import Key
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
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session import Entry as Scenario
from shadowtime.console.session import SessionError, catalogue
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm.board.fields import PLAN
from shadowtime.console.session.texts import printable

AFTER = 0.1
"""How far files stand behind what can be done, if they match as well."""
MOST = 8
"""Jobs and users of one kind that are offered at once."""
FOUND = 9.0
"""What a number is worth that names a job."""
EXACT, BEGUN, INSIDE, ASIDE = 8.0, 4.0, 1.0, 0.5
"""What a typed word is worth that is a word of the name, begins one, stands in the name, or in the help."""

WORD = re.compile(r"\w+")


@attrs.frozen
class PaletteEntry:
    """One line of the palette."""

    name: str
    help: str
    """What it does, and the command and the key that do the same."""
    act: Callable[[], object]
    rank: float = 0.0
    """What goes before others that match as well."""


def found(entries: Iterable[PaletteEntry], query: str) -> Iterator[tuple[float, PaletteEntry]]:
    """Yield the entries that have every typed word, each with how well it matches."""
    typed = query.lower().lstrip(":").split()
    for entry in entries:
        name, help = entry.name.lower(), entry.help.lower()
        words = WORD.findall(name)
        worth = [_worth(word, name, words, help) for word in typed]
        if all(worth):
            first = bool(typed) and bool(words) and words[0].startswith(typed[0])
            yield sum(worth) / max(1, len(worth)) + first + entry.rank, entry


def _worth(typed: str, name: str, words: Sequence[str], help: str) -> float:
    if typed in words:
        return EXACT
    if any(word.startswith(typed) for word in words):
        return BEGUN
    if typed in name:
        return INSIDE
    return ASIDE if typed in help else 0.0


def of_key(key: Key, commands: Sequence[Command], act: Callable[[], object]) -> PaletteEntry:
    """The entry of a key, with the command that does the same."""
    same = [f":{command.usage}" for command in commands if command.key and command.key in key.keys]
    shown = "   ".join(filter(None, (key.shown, *same[:1], key.group, key.label)))
    return PaletteEntry(key.help[0].upper() + key.help[1:], shown, act)


def of_command(command: Command, act: Callable[[], object]) -> PaletteEntry:
    """The entry of a command, with an example of what follows its name, and the key that does the same."""
    shown = [f":{command.example}"] if command.arguments else []
    pressed = [f"key {command.key}"] if command.key else []
    return PaletteEntry(f":{command.usage}", "   ".join((command.help, *shown, *pressed)), act)


class Here:
    """Jobs, nodes and users of a console, by what is typed."""

    def __init__(self, screen: ConsoleScreen) -> None:
        self._screen = screen
        self._users: tuple[str, ...] | None = None

    def entries(self, query: str) -> Iterator[PaletteEntry]:
        """Yield what the last word may name."""
        kind, _, word = query.strip().rpartition(" ")
        word = word.removeprefix("#")
        kind = kind.strip().lower()
        if word.isascii() and word.isdigit():
            if kind in ("", "job"):
                yield from self._jobs(word)
            if kind in ("", "node", "processor"):
                yield from self._nodes(int(word))
        if word and kind in ("", "user", "jobs of user"):
            yield from self._of_users(word)

    def _jobs(self, digits: str) -> Iterator[PaletteEntry]:
        desk, command = self._screen.desk, self._screen.command
        try:
            exact = [desk.session.index_of(int(digits))]
        except SessionError:
            exact = []
        ids = desk.case.columns.id
        begun = (index for index in desk.snapshot.everybody if str(ids[index]).startswith(digits))
        for index in dict.fromkeys((*exact, *islice(begun, MOST))):
            job = ids[index]
            size = desk.unit.sized(desk.case.columns.size[index])
            yield PaletteEntry(
                f"Job {job}",
                f"select it: {size}   :job {job}",
                partial(command, f"job {job}"),
                FOUND + (index in exact),
            )
        for index in exact:
            job = ids[index]
            yield PaletteEntry(
                f"Job {job}: why",
                f"why it waits or started   :why {job}",
                partial(command, f"why {job}"),
                FOUND,
            )
            yield PaletteEntry(
                f"Job {job}: go to its start",
                f"go there   :g {job} start",
                partial(command, f"goto {job} start"),
                FOUND,
            )

    def _nodes(self, node: int) -> Iterator[PaletteEntry]:
        picture = self._screen.picture
        if node < picture.nodes:
            name = self._screen.desk.unit.fill("{unit}")
            yield PaletteEntry(
                f"{name[:1].upper()}{name[1:]} {node}",
                "show it on the node map   1, then arrows",
                partial(picture.point, node),
                FOUND - 1,
            )

    def _of_users(self, word: str) -> Iterator[PaletteEntry]:
        if self._users is None:
            self._users = tuple(sorted(set(self._screen.desk.case.columns.user) - {""}))
        wanted = word.lower()
        matching = (user for user in self._users if user.lower().startswith(wanted))
        for user in islice(matching, MOST):
            yield PaletteEntry(
                f"Jobs of user {user}",
                f"filter the queue   :filter user:{user}",
                partial(self._screen.command, f"filter user:{user}"),
            )


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
