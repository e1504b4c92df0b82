"""Values that come from a file, as the class declares them that they become."""

from collections.abc import Mapping
from types import UnionType
from typing import TypeVar

import attrs

_NAMES: Mapping[object, str] = {
    bool: "true or false",
    int: "a whole number",
    int | None: "a whole number, or nothing",
    str: "a text",
}
Record = TypeVar("Record", bound=attrs.AttrsInstance)
_SHOWN = 40
"""Characters of a value that are shown."""


def made_of(record: type[Record], values: Mapping[str, object]) -> Record:
    """Return a record of these values. TypeError names a value of another kind, and says what was expected.

    Fields of other kinds than numbers, texts, and true or false are taken as they are.
    """
    for field in attrs.fields(record):
        if field.name in values and field.type in _NAMES:
            check(field.name, values[field.name], field.type)
    return record(**values)


def check(name: str, value: object, kind: type | UnionType) -> None:
    """Raise TypeError if a value is of another kind: a whole number, a text, ..."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        raise TypeError(f"{name} is {shown}; expected {_NAMES[kind]}")
