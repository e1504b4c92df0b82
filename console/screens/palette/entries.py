"""The entries of the palette, and which of them a few typed words find. Pure text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from shadowtime.console.keys import Key
from shadowtime.console.screens.command_table import Command

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
