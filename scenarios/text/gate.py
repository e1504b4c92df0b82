"""The one gate for texts of others: titles, names, paths and environment values.

A terminal obeys control characters, and a line end gives a file another line. What is not printable is
therefore written as an escape: `\\x1b`, `\\u202e`, `\\U000e0001`. Two forms exist. A text for a reader
(`printable`) keeps its backslashes, so that the gate may be passed twice. A text for a program (`encoded`) is
read back as it was (`decoded`).
"""

import re
from collections.abc import Callable
from itertools import groupby
from unicodedata import category

MARKS = 4
"""Combining characters that may follow one another: more of them climb over the lines around."""

_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_LIKE_ESCAPE = re.compile(r"\\(?=[xuU])")


# The blocks in which combining characters are: most texts beyond ASCII have none, and are not looked through.
_MAY_COMBINE = re.compile(
    "[\u0300-\u1fff\u20d0-\u20ff\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u309a\ua66f-\uabff\ufb1e\ufe00-\ufe2f"
    f"\U00010000-\U0001ffff\U000e0100-\U000e01ef]{{{MARKS + 1},}}"
)


def printable(text: str) -> str:
    """The text in one line of printable characters. A text that passed once passes unchanged."""
    return text if _is_plain(text) else visible(text, escape)


def printable_lines(text: str) -> str:
    """The text with its line ends and each line printable."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(printable, text.split("\n")))


def _is_plain(text: str) -> bool:
    return text.isprintable() and (text.isascii() or _MAY_COMBINE.search(text) is None)


def visible(text: str, write: Callable[[str], str]) -> str:
    """Return the text with `write` of each character that is not printable, or is one mark too many."""
    thin = text
    if not text.isascii():
        thin = _MAY_COMBINE.sub(lambda found: _thinned(found[0], write), text)
    return thin.translate(_Written(write))


class _Written(dict[int, str]):
    """What stands for each character, found once."""

    def __init__(self, write: Callable[[str], str]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = character if character.isprintable() else self._write(character)
        return self[code]


def _thinned(text: str, write: Callable[[str], str]) -> str:
    pieces: list[str] = []
    for combining, run in groupby(text, lambda character: category(character) in ("Mn", "Me")):
        marks = list(run)
        pieces += [*marks[:MARKS], *map(write, marks[MARKS:])] if combining else marks
    return "".join(pieces)


def escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def encoded(text: str) -> str:
    """The text in printable characters, so that `decoded` returns it."""
    return printable(_LIKE_ESCAPE.sub(r"\\x5c", text) if "\\" in text else text)


def decoded(text: str) -> str:
    """The text that `encoded` was given."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1] or found[2] or found[3], 16)
    # An escape of no character was written by another program: it stays as it is.
    return chr(code) if code <= 0x10FFFF else found[0]


def plain_json(text: str) -> str:
    """A JSON text with what is not printable in its strings as JSON's own escapes; its line ends stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(line if _is_plain(line) else visible(line, _units) for line in text.split("\n"))


def _units(character: str) -> str:
    """A character as JSON escapes it: in units of UTF-16."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
