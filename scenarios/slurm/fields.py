"""Typed access to the fields of a JSON object. An error names the file and the path of the field.

A number is written as itself, as null, or as `{"set": true, "infinite": false, "number": 5}`, by generation.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import filterfalse
from typing import Any

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.errors import CaptureError, broken
from shadowtime.scenarios.slurm.hostlist import parse_hosts

MOST = 1 << 62
"""No number of a capture is as large: the sum of two still fits in 64 bits."""
NO_VALUE = 0xFFFFFFFE
"""Plain numbers from here to 2^32 - 1 stand for "not set" and "infinite" in the older generations."""
MOST_TEXT = 1 << 20


@attrs.frozen
class Record:
    """A JSON object, the file it stands in, and its path in the file."""

    values: Mapping[str, Any]
    file: str
    path: str

    def error(self, name: str, value: object, expected: str) -> CaptureError:
        """The error of a field whose value is not what was expected."""
        return self.fault(name, f"is {shown(value)}; expected {expected}")

    def fault(self, name: str, message: str) -> CaptureError:
        """The error of a field."""
        return broken(self.file, message, f"{self.path}.{name}" if self.path else name)

    def require(self, names: Iterable[str]) -> None:
        """CaptureError that names every field of these that is missing."""
        missing = list(filterfalse(self.values.__contains__, names))
        if missing:
            raise broken(self.file, f"lacks {', '.join(missing)}", self.path)

    def text(self, name: str, default: str = "") -> str:
        """Return a text; `default` if the field is missing or null."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.error(name, value, "a text")
        if len(value) > MOST_TEXT:
            raise self.fault(name, "is longer than a million characters")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value; False if the field is missing or null."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.error(name, value, "true or false")
        return bool(value)

    def number(self, name: str, default: int = 0, least: int = 0) -> int:
        """Return a whole number; `default` if it is missing, null, not set or infinite."""
        value = self.values.get(name)
        if type(value) is dict and value.get("set") is True and value.get("infinite") is not True:
            value = value.get("number")
        # A large cluster has a quarter of a million numbers, and nearly all are such.
        if type(value) is int and least <= value < MOST:
            return value
        found = self._number(name, least)
        return default if found is None else found

    def bound(self, name: str) -> int | None:
        """Return a whole number that bounds something; None if there is no bound."""
        found = self._number(name, 0)
        return None if found is None or NO_VALUE <= found < 1 << 32 else found

    def decimal(self, name: str, default: float) -> float:
        """Return a number from 0, with decimals; `default` if it is missing, null, not set or infinite."""
        value = self.values.get(name)
        if isinstance(value, dict):
            value = value.get("number") if value.get("set") is True else None
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < MOST:
            raise self.error(name, value, "a number from 0")
        return float(value)

    def words(self, name: str) -> tuple[str, ...]:
        """Return a list of words. One word and words with commas between them are lists, too."""
        value = self.values.get(name)
        if value is None or value == "":
            return ()
        if isinstance(value, str):
            return tuple(word for word in self.text(name).split(",") if word)
        if not isinstance(value, list) or set(map(type, value)) - {str}:
            raise self.error(name, value, "a list of words")
        return tuple(value)

    def hosts(self, name: str) -> tuple[str, ...]:
        """Return the nodes that a list such as `n[1-4,7]` names."""
        text = self.text(name)
        try:
            return parse_hosts(text)
        except ValueError as error:
            raise self.fault(name, str(error)) from None

    def record(self, name: str) -> "Record":
        """Return the object in a field; an empty one if it is missing or null."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, dict):
            raise self.error(name, value, "an object")
        return Record(value or {}, self.file, f"{self.path}.{name}" if self.path else name)

    def records(self, name: str) -> "Iterator[Record]":
        """Yield the objects of a list, or of an object whose keys number its values; none if missing."""
        value = self.values.get(name)
        if isinstance(value, dict):
            value = list(value.values())
        if value is None:
            return
        if not isinstance(value, list):
            raise self.error(name, value, "a list of objects")
        path = f"{self.path}.{name}" if self.path else name
        for index, item in enumerate(value):
            if not isinstance(item, dict):
                raise broken(self.file, f"is {shown(item)}; expected an object", f"{path}[{index}]")
            yield Record(item, self.file, f"{path}[{index}]")

    def _number(self, name: str, least: int) -> int | None:
        value = self.values.get(name)
        if isinstance(value, dict):
            if value.get("infinite") is True or value.get("set") is not True:
                return None
            value = value.get("number")
            if value is None:
                raise self.fault(name, "is set but has no number")
        if value is None:
            return None
        if isinstance(value, float) and math.isfinite(value) and value == int(value):
            value = int(value)
        if type(value) is not int:
            raise self.error(name, value, "a whole number")
        if not least <= value < MOST:
            raise self.error(name, value, f"a number from {least} to 2^62")
        return value


def document(value: object, file: str) -> Record:
    """Return the top of a JSON file as a record. CaptureError if it is no object."""
    if not isinstance(value, dict):
        raise broken(file, f"is {shown(value)}; expected an object, as Slurm writes it")
    return Record(value, file, "")
