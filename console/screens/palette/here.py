"""Entries of the palette, and those that it finds in the open session: its jobs, its nodes and its users."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import attrs

from shadowtime.console.keys import Key
from shadowtime.console.screens.command_table import Command
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import SessionError

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
