"""The shipped scenarios as a list to choose from. Only the head of each file is read, and no log."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import attrs

from scenarios import scenario_files


@attrs.frozen
class Entry:
    """One scenario file: what it says of itself, or what is wrong with its head."""

    path: Path
    title: str
    paper: str = ""
    about: str = ""
    fault: str | None = None


def catalogue() -> tuple[Entry, ...]:
    """Return the shipped scenarios, in the order of their folders and names."""
    return tuple(entry_of(path) for path in scenario_files())


def entry_of(path: Path) -> Entry:
    """Return what a scenario file says of itself."""
    try:
        head = _head(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Entry(path, path.stem, fault=str(error))
    texts = {key: value for key, value in head.items() if isinstance(value, str)}
    return Entry(path, texts.get("title", path.stem), texts.get("paper", ""), texts.get("about", "").strip())


def _head(text: str) -> dict[str, object]:
    """Return the keys before the first table; ValueError where they are no TOML.

    A line that begins with a bracket may also stand inside a text: then what is before it does not parse.
    """
    for end in _brackets(text):
        try:
            return tomllib.loads(text[:end])
        except tomllib.TOMLDecodeError:
            continue
    return tomllib.loads(text)


def _brackets(text: str) -> Iterator[int]:
    if text.startswith("["):
        yield 0
    at = text.find("\n[")
    while at >= 0:
        yield at + 1
        at = text.find("\n[", at + 1)
