"""A filter as it is typed: `user=ada size>32 starts<1h night`. Every word must hold.

A comparison of an instant that is to come (`starts`, `ends`) reads a clock time, `0 06:00:00` or by the
calendar `2000-06-01 14:00`, as that instant; anything else is how long it is until then: `starts<1h` is
within an hour from now.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from shadowtime.console.session.clock import DATED, ELAPSED, Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.table.field import Field, Fields, Kind, R, S, Value, names_in
from shadowtime.scenarios import parse_duration

Test = Callable[[R], bool]
"""Whether a row is shown."""

COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SIGN = r"(?:<=|>=|!=|[:=<>])"
BLANKS = (r"\d+d? +\d+:\d\d:\d\d(?!\S)", r"\d{4}-\d+-\d+ +\d+:\d\d(?::\d\d)?(?!\S)", r'"[^"]*"(?!\S)')
"""Values with blanks in them: a clock time with its days, a date with its time, a text in quotes."""
PIECE = re.compile(rf"[a-z]+{SIGN}(?:{'|'.join(BLANKS)})|\S+", re.IGNORECASE)
"""A word of a filter."""
TERM = re.compile(rf"([a-z]+)({SIGN})(.*)", re.IGNORECASE | re.DOTALL)


def asked(text: str, fields: Fields[Any, Any]) -> frozenset[str]:
    """Return the names of the fields that a filter asks for."""
    terms = map(TERM.fullmatch, PIECE.findall(text))
    found = (fields.find(term.group(1).lower()) for term in terms if term is not None)
    return frozenset(field.name for field in found if field is not None)


def fault_of(text: str, fields: Fields[Any, Any], clock: Clock = ELAPSED) -> str:
    """Return what is wrong with a filter, in one line; empty if nothing is.

    A comparison at the end that has no value yet is asked what it expects.
    """
    words = PIECE.findall(text)
    for place, word in enumerate(words):
        term = TERM.fullmatch(word)
        if term is None:
            continue
        key, sign, value = term.group(1).lower(), term.group(2), term.group(3)
        try:
            field = _field(word, key, sign, fields)
            if _is_text(field, sign):
                continue
            if not (value or place < len(words) - 1 or text.endswith(" ")):
                return f"{word} is followed by {field.kind.expected}"
            _number(word, field, value, clock)
        except SessionError as error:
            return str(error)
    return ""


def tests_of(text: str, fields: Fields[S, R], source: S) -> list[Test[R]]:
    """Return one test a word. SessionError says which word is no test."""
    return [_test(word, fields, source) for word in PIECE.findall(text)]


def let_through(rows: Sequence[R], text: str, fields: Fields[S, R], source: S) -> Sequence[R]:
    """Return the rows that pass a filter. SessionError in one line if it is no filter."""
    for test in tests_of(text, fields, source):
        rows = [row for row in rows if test(row)]
    return rows


def _test(word: str, fields: Fields[S, R], source: S) -> Test[R]:
    term = TERM.fullmatch(word)
    if term is None:
        return _anywhere(word.casefold(), fields, source)
    key, sign, value = term.group(1).lower(), term.group(2), term.group(3)
    field = _field(word, key, sign, fields)
    read = field.values(source)
    if _is_text(field, sign):
        return _text_test(field.kind, read, sign, value.strip('"'))
    compare, number = COMPARISONS[sign], _number(word, field, value, source.clock)
    if field.kind is Kind.MOMENT and not _is_instant(value):
        number += source.now
    if field.kind is Kind.NAMES:
        return lambda row: compare(len(names_in(read(row))), number)
    return lambda row: (found := read(row)) is not None and compare(found, number)


def _field(word: str, key: str, sign: str, fields: Fields[S, R]) -> Field[S, R]:
    """Return the field that is asked for. SessionError if there is none, and for a text by `<` or `>`."""
    field = fields.find(key)
    if field is None:
        raise SessionError(f"filter {word!r} asks for {key!r}; {fields.missing(key, fields.asked)}")
    if field.kind in (Kind.TEXT, Kind.LETTER) and not _is_text(field, sign):
        raise SessionError(f"filter {word!r} compares a text by {sign!r}; expected '=' , ':' or '!='")
    return field


def _is_text(field: Field[S, R], sign: str) -> bool:
    """Whether a field is compared as a text; of several names `>` and the like compare how many there are."""
    return field.kind.worded and sign in (":", "=", "!=")


def _text_test(kind: Kind, read: Callable[[R], Value], sign: str, value: str) -> Test[R]:
    if sign == ":" and kind is not Kind.LETTER:
        holds = _holds(value.casefold())
        return lambda row: holds[read(row)]
    if kind is Kind.NAMES:
        has = _Once(lambda names: (value in names_in(names)) is (sign != "!="))
        return lambda row: has[read(row)]
    return lambda row: (read(row) == value) is (sign != "!=")


class _Once(dict[Any, bool]):
    """A test of values that is asked once for each."""

    def __init__(self, test: Callable[[Any], bool]) -> None:
        super().__init__()
        self._test = test

    def __missing__(self, value: object) -> bool:
        return self.setdefault(value, self._test(value))


def _holds(part: str) -> _Once:
    """Whether a text, or one of several, holds a part of it, in either case."""
    return _Once(lambda text: part in (text if isinstance(text, str) else ",".join(text)).casefold())


def _is_instant(value: str) -> bool:
    return ":" in value or DATED.fullmatch(value) is not None


def _number(word: str, field: Field[S, R], value: str, clock: Clock) -> int:
    """Return the number that a field is compared with. SessionError if it is no number."""
    if field.kind in (Kind.MOMENT, Kind.INSTANT) and DATED.fullmatch(value):
        try:
            return clock.parse(value)
        except ValueError as error:
            raise SessionError(f"filter {word!r}: {error}") from None
    negative = field.kind is Kind.CHANGE and value.startswith("-")
    try:
        found = parse_duration(value[1:] if negative else value)
    except ValueError:
        raise SessionError(
            f"filter {word!r} compares with {value!r}; expected {field.kind.expected}"
        ) from None
    return -found if negative else found


def _anywhere(part: str, fields: Fields[S, R], source: S) -> Test[R]:
    """Whether the number of a job begins with the text, or one of its bare fields holds it."""
    holds = _holds(part)
    texts = [field.values(source) for field in fields.every if field.bare and field.kind.worded]
    digits = part.isdecimal()
    numbers = [
        field.values(source) for field in fields.every if digits and field.bare and not field.kind.worded
    ]

    def test(row: R) -> bool:
        return any(str(number(row)).startswith(part) for number in numbers) or any(
            holds[text(row)] for text in texts
        )

    return test


def exactly(field: str, text: str) -> str:
    """Return the filter for the rows whose field is this text."""
    return f'{field}="{text}"' if re.search(r"\s", text) or not text else f"{field}={text}"


def continued(text: str, values: Callable[[str], Collection[str]], fields: Fields[Any, Any]) -> str | None:
    """Return the filter that a beginning leads to; None if it leads nowhere. `values` are those of a text."""
    pieces = PIECE.findall(text)
    if not pieces or text.endswith(" "):
        return None
    last, before = pieces[-1], text[: len(text) - len(pieces[-1])]
    term = TERM.fullmatch(last)
    if term is None:
        found = next((name for name in fields.asked if name.startswith(last.lower()) and name != last), None)
        return None if found is None else before + last + found[len(last) :]
    field, value = fields.find(term.group(1).lower()), term.group(3)
    if field is None or not field.kind.worded or not value:
        return None
    longer = (each for each in sorted(values(field.name)) if each.startswith(value) and each != value)
    found = next(longer, None)
    return None if found is None or " " in found else f"{before}{last[: len(last) - len(value)]}{found}"
