"""Tables: the keys of one table of a scenario file, taken one by one, each with its rule.

Whatever is missing, of the wrong type or out of range becomes a fault of the document, and the value None.
Types are strict: no text is read as a number, no fraction as a whole number, no truth as either.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from shadowtime.scenarios.errors import one_of, shown
from shadowtime.scenarios.text.document import Document, Path
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.times import DURATION_EXPECTED, MAX_TIME, TIME_EXPECTED, read_seconds

# Beyond this a fraction is no metric, factor or share, and exact arithmetic with it would never end.
_LARGEST_EXPONENT = 400


class Table:
    """One table: `title` names it in messages, `path` leads to it. Call `close` when all keys are taken."""

    def __init__(self, document: Document, path: Path, title: str, values: Mapping[str, object]) -> None:
        self.document = document
        self.path = path
        self.title = title
        self.values = values
        self.known: list[str] = []
        self._before = len(document.faults)

    @property
    def flawed(self) -> bool:
        """Whether a fault was found since the table was opened: then values may be missing."""
        return len(self.document.faults) > self._before

    def fault(self, key: str, expected: str) -> None:
        """Note that the value of a key is not what was expected."""
        self.document.fault((*self.path, key), f"{key} is {shown(self.values[key])}; {expected}")

    def missing(self, what: str) -> None:
        self.document.fault(self.path, f"{self.title} has no {what}", "key")

    def take(self, key: str, expected: str, required: bool = False) -> object:
        """The value of a key, of any type; None where it is absent, a fault where it is required."""
        self.known.append(key)
        if key in self.values:
            return self.values[key]
        if required:
            self.missing(f"{key}; expected {expected}")
        return None

    def integer(self, key: str, low: int = 0, high: int = MAX_TIME, *, required: bool = False) -> int | None:
        """A whole number from `low` to `high`, both included."""
        expected = f"a whole number, {low} or more"
        if high < MAX_TIME:
            expected = f"a whole number from {low} to {high}"
        value = self.take(key, expected, required)
        if value is None:
            return None
        if type(value) is int and low <= value <= high:
            return value
        if type(value) is int and value > MAX_TIME:
            expected = "a whole number below 2^62"
        self.fault(key, f"expected {expected}")
        return None

    def seconds(self, key: str, low: int = 0, *, required: bool = False, instant: bool = False) -> int | None:
        """A duration, or with `instant` a time, in any notation but a bare number between quotes."""
        expected = TIME_EXPECTED if instant else DURATION_EXPECTED
        value = self.take(key, expected, required)
        if value is None:
            return None
        seconds = plain_seconds(value)
        if seconds is None:
            if type(value) is int:
                expected = "0 seconds or more" if value < 0 else "less than 2^62 seconds"
            elif is_quoted_number(value):
                expected = f"{value} without quotes"
            self.fault(key, f"expected {expected}")
        elif seconds < low:
            self.fault(key, f"expected at least {low} second{'' if low == 1 else 's'}")
            return None
        return seconds

    def text(self, key: str, *, required: bool = False, empty: bool = True) -> str | None:
        value = self.take(key, "a text", required)
        if value is None or (isinstance(value, str) and (empty or value.strip())):
            return value if isinstance(value, str) else None
        self.fault(key, "expected a text" if empty else "expected a text that is not empty")
        return None

    def boolean(self, key: str) -> bool | None:
        value = self.take(key, "true or false")
        if value is None or isinstance(value, bool):
            return value
        self.fault(key, "expected true or false")
        return None

    def choice(self, key: str, words: Collection[str], *, required: bool = False) -> str | None:
        """One of some words."""
        value = self.take(key, one_of(words).removeprefix("expected "), required)
        if value is None:
            return None
        if isinstance(value, str) and value in words:
            return value
        self.fault(key, one_of(words, value if isinstance(value, str) else ""))
        return None

    def number(self, key: str, *, required: bool = False, expected: str = "a number") -> int | Decimal | None:
        """A finite number, with the digits as written."""
        value = self.take(key, expected, required)
        if value is None:
            return None
        if is_number(value):
            return value  # type: ignore[return-value]
        self.fault(key, f"expected {expected}")
        return None

    def ratio(
        self, key: str, least: int | Decimal, most: int | Decimal, *, required: bool = False
    ) -> Fraction | None:
        """A number from `least` to `most`, both included, exactly as written."""
        expected = f"a number from {least} to {most}"
        value = self.number(key, required=required, expected=expected)
        if value is None or least <= value <= most:
            return None if value is None else Fraction(value)
        self.fault(key, f"expected {expected}")
        return None

    def table(self, key: str, title: str, *, required: bool = False) -> "Table | None":
        value = self.take(key, "a table", required)
        if value is None:
            return None
        if isinstance(value, Mapping):
            return Table(self.document, (*self.path, key), title, value)
        self.fault(key, "expected a table")
        return None

    def tables(self, key: str) -> "Iterator[Table]":
        value = self.take(key, "an array of tables")
        if value is None:
            return
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self.fault(key, f"expected tables that each begin with [[{key}]]")
            return
        for index, item in enumerate(value):
            yield Table(self.document, (*self.path, key, index), f"this [[{key}]]", item)

    def given(self, *keys: str) -> list[str]:
        """Those of the keys that the table has."""
        return [key for key in keys if key in self.values]

    def refuse(self, keys: Collection[str], why: str) -> None:
        """Make a fault of each of these keys that the table has."""
        self.known.extend(keys)
        for key in self.given(*keys):
            self.document.fault((*self.path, key), f"{key} {why}", "key")

    def close(self, noun: str = "key") -> None:
        """Make a fault of every key that was never asked for; `noun` is what the table's keys are called."""
        for key in self.values:
            if key not in self.known:
                expected = one_of(self.known, key) if self.known else "expected none here"
                self.document.fault(
                    (*self.path, key), f"unknown {noun} {printable(key)[:40]}; {expected}", "key"
                )


def plain_seconds(value: object) -> int | None:
    """The seconds of a time or duration of a file, where a bare number never stands between quotes."""
    return None if is_quoted_number(value) else read_seconds(value)


def is_quoted_number(value: object) -> bool:
    """Whether a value is a text of digits alone."""
    return isinstance(value, str) and value.strip().isdecimal() and len(value) < 20


def is_number(value: object) -> bool:
    """Whether a value is a finite number, and not one whose digits would fill a book."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    if isinstance(value, int):
        return -MAX_TIME <= value <= MAX_TIME
    # Not abs(): it would round a Decimal, and raise where the exponent is beyond its context.
    if not math.isfinite(value) or not -MAX_TIME <= value <= MAX_TIME:
        return False
    return not isinstance(value, Decimal) or value.adjusted() > -_LARGEST_EXPONENT or value == 0
