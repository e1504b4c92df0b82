"""A TOML document: its values, where each of them stands, and the faults found in it so far."""

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from shadowtime.scenarios.errors import Fault, LogMissing, ScenarioError, single
from shadowtime.scenarios.text.paths import Path as Path

if TYPE_CHECKING:
    from shadowtime.scenarios.text.positions import Spot

MOST_PARTS = 32
"""Parts of a dotted key."""
MOST_LEVELS = 32
"""Levels of arrays and inline tables, of which the place of the first beyond is named."""
_DIGITS = re.compile(r"[0-9][0-9_]{4000,}")
_BRACKETS = re.compile(
    r'''"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[][{}]''', re.DOTALL
)
"""The brackets of a text, and what may hold others: texts and comments."""
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Document:
    """The values of one TOML text, as tomllib gives them but with fractions as Decimal, digits as written."""

    def __init__(self, name: str, text: str) -> None:
        """Parse the text. ScenarioError where it is not TOML."""
        self.name = name
        # The grammar and tomllib must count the same lines.
        self.text = text.replace("\r\n", "\n")
        self.values: Mapping[str, object] = parse(name, self.text)
        self.faults: list[Fault] = []
        self.missing_logs = 0
        """How many of the faults are a log that is not on this machine."""

    def fault(self, path: Path, message: str, at: Literal["key", "value"] = "value") -> None:
        """Note what is wrong with the value, or the key, at a path."""
        line, column = self.place(path, at)
        self.faults.append(Fault(self.name, line, column, message))

    def place(self, path: Path, at: Literal["key", "value"] = "value") -> tuple[int | None, int | None]:
        """Line and column of the value, or the key, at a path, or of the nearest thing around it."""
        spots = self._spots if self.text else {}
        while path and path not in spots:
            path = path[:-1]
        if not path:
            return None, None
        return spots[path].key if at == "key" else spots[path].value

    def line(self, path: Path) -> int:
        return self.place(path, "key")[0] or 1

    def error(self) -> ScenarioError:
        """All faults, in order of place; those of other files last. LogMissing where that is all."""

        def order(fault: Fault) -> tuple[bool, int, int]:
            return fault.file != self.name, fault.line or 0, fault.column or 0

        kind = LogMissing if self.missing_logs == len(self.faults) else ScenarioError
        return kind(sorted(self.faults, key=order))

    @cached_property
    def _spots(self) -> "Mapping[Path, Spot]":
        # Only faults and expectations have places, and tree-sitter takes a while to load.
        from shadowtime.scenarios.text.positions import positions

        return positions(self.text)


def parse(name: str, text: str) -> Mapping[str, object]:
    """The values of a TOML text, fractions as Decimal with the digits as written.

    ScenarioError where it is not TOML.
    """
    _refuse_deep(name, text)
    try:
        return tomllib.loads(text, parse_float=fraction)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(name, text, str(error)) from None
    except RecursionError:
        line, column = _deepest(text)
        raise single(
            name, "arrays or tables are nested too deeply; expected a few levels", line, column
        ) from None
    except ValueError:
        # Python refuses to read a whole number of thousands of digits.
        line, column = _longest_number(text)
        raise single(
            name, "a number has thousands of digits; expected numbers below 2^62", line, column
        ) from None


def _refuse_deep(name: str, text: str) -> None:
    """Refuse a key of very many parts: everything behind would work through each of them. ScenarioError."""
    # Dots are in fractions and sentences, too; only who has many of them in a line is looked at.
    if any(line.count(".") >= MOST_PARTS for line in text.split("\n")):
        from shadowtime.scenarios.text.positions import longest_key

        found = longest_key(text, MOST_PARTS)
        if found is not None:
            message = f"a key has more than {MOST_PARTS} parts; expected a few"
            raise single(name, message, *found)


def _deepest(text: str) -> tuple[int | None, int | None]:
    """Where the first array or inline table begins that is inside so many others, closed or not."""
    depth = 0
    for token in _BRACKETS.finditer(text):
        depth += token[0] in ("[", "{")
        depth -= token[0] in ("]", "}")
        if depth == MOST_LEVELS:
            return _place_of(text, token.start())
    return None, None


def _longest_number(text: str) -> tuple[int | None, int | None]:
    """Where the first number of thousands of digits begins."""
    found = _DIGITS.search(text)
    return (None, None) if found is None else _place_of(text, found.start())


def _place_of(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def fraction(text: str) -> Decimal:
    """A fraction with the digits as written; infinity where its exponent is beyond all bounds."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("inf")


def _syntax_error(name: str, text: str, message: str) -> ScenarioError:
    place = _PLACE.search(message)
    what = message[: place.start()] if place else message
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    else:
        lines = text.split("\n")
        line, column = len(lines), len(lines[-1]) + 1
    return single(name, f"not TOML: {what[:1].lower()}{what[1:]}", line=line, column=column)
