"""Completion of what is typed after `:`: commands, what they are about, and names of files."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from textual.suggester import Suggester

from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.table.field import Fields
from shadowtime.console.session.table.filtering import continued

MOST = 10_000
"""Names of a folder that are looked at."""


class Completion(Suggester):
    """Completes the first word from the table, and what follows as the command of that word wants it."""

    def __init__(self, commands: Mapping[str, Callable[[str], Iterable[str]]]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._commands = commands

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole line that a beginning leads to; None where it leads nowhere."""
        word, blank, rest = value.partition(" ")
        if not blank:
            return next((name for name in self._commands if name.startswith(word.lower())), None)
        known = self._commands.get(word)
        found = known(rest) if known is not None else ()
        return next((f"{word} {line}" for line in found if line.startswith(rest) and line != rest), None)


class FilterCompletion(Suggester):
    """Completes the last word of a filter: a field, or a text of one; `texts` are those of a field."""

    def __init__(self, texts: Callable[[str], Collection[str]], fields: Fields[Any, Any] = QUEUE) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._texts, self._fields = texts, fields

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole filter that a beginning leads to; None where it leads nowhere."""
        return continued(value, self._texts, self._fields)


def filled(
    rest: str, texts: Callable[[str], Collection[str]], fields: Fields[Any, Any] = QUEUE
) -> Iterable[str]:
    """For a command about a filter."""
    found = continued(rest, texts, fields)
    return () if found is None else (found,)


def nothing(_: str) -> Iterable[str]:
    """For a command about which nothing is known."""
    return ()


def one_of(*words: str) -> Callable[[str], Iterable[str]]:
    """For a command about one of some words."""
    return lambda _: words


def then_file(*words: str) -> Callable[[str], Iterable[str]]:
    """For a command about one of some words, and behind it a file."""

    def complete(rest: str) -> Iterable[str]:
        word, blank, name = rest.partition(" ")
        if not blank:
            return [f"{known} " for known in words]
        return [f"{word} {path}" for path in files(name)] if name else ()

    return complete


def files(name: str) -> list[str]:
    """The names of files and folders that begin as this one does, in order; folders end in a slash."""
    folder, slash, beginning = name.rpartition("/")
    try:
        with os.scandir(Path(folder + slash).expanduser() if slash else ".") as entries:
            found = [
                f"{folder}{slash}{entry.name}{'/' if entry.is_dir() else ''}"
                for _, entry in zip(range(MOST), entries, strict=False)
                if entry.name.startswith(beginning) and (beginning or not entry.name.startswith("."))
            ]
    except OSError:
        return []
    return sorted(found)
