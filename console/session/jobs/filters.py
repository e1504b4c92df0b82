"""The filter of the queue as it is typed: `user=ada size>32 starts<1h night`. Every word must hold.

A comparison of an instant that is to come (`starts`, `ends`) reads a clock time, `0 06:00:00` or by the
calendar `2000-06-01 14:00`, as that instant; anything else is how long it is until then: `starts<1h` is
within an hour from now.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping
from functools import partial

import attrs

from shadowtime.console.session.clock import DATED, ELAPSED, Clock
from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios import parse_duration

Test = Callable[[int], bool]
"""Whether a job, by index, is shown."""
Number = Callable[[int], int | None]
"""A number of a job, by index; None, of which nothing holds, if it has none."""

WORDS = ("user", "class", "queue", "name", "state")
NUMBERS = ("id", "size", "submit", "wait", "estimate")
MOMENTS = ("starts", "ends")
"""Instants to come."""
CHANGES = ("slip",)
"""Durations that may be less than nothing."""
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
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


@attrs.frozen
class Fields:
    """What a filter can ask of a job: texts by name and numbers by name, each a function of the index.

    What is to be worked out first is made if it is asked for.
    """

    texts: Mapping[str, Callable[[int], str]]
    numbers: Mapping[str, Callable[[int], int]]
    moments: Mapping[str, Callable[[], Number]]
    changes: Mapping[str, Callable[[], Number]]
    now: int
    clock: Clock = ELAPSED


def asked(text: str) -> frozenset[str]:
    """Return the fields that a filter asks for."""
    terms = map(TERM.fullmatch, PIECE.findall(text))
    return frozenset(term.group(1).lower() for term in terms if term is not None)


def fault_of(text: str, clock: Clock = ELAPSED, known: "Vocabulary | None" = None) -> str:
    """Return what is wrong with a filter, in one line; empty if nothing is.

    A comparison at the end that has no value yet is asked what it expects.
    """
    known = QUEUE if known is None else known
    words = PIECE.findall(text)
    for place, word in enumerate(words):
        term = TERM.fullmatch(word)
        if term is None:
            continue
        key, sign, value = term.group(1).lower(), term.group(2), term.group(3)
        try:
            _check(word, key, sign, known)
            if key not in known.words and (value or place < len(words) - 1 or text.endswith(" ")):
                _value(word, key, value, clock, known)
            elif key not in known.words:
                return f"{word} is followed by {known.expected.get(key, 'a number or a duration')}"
        except SessionError as error:
            return str(error)
    return ""


_EXPECTED: Mapping[str, str] = {
    "id": "a number",
    "size": "a number",
    "submit": "a time, as in 0 06:00:00",
    "wait": "a duration, as in 1h30m",
    "estimate": "a duration, as in 1h30m",
    "starts": "a duration from now, as in 1h30m, or a time, as in 0 06:00:00",
    "ends": "a duration from now, as in 1h30m, or a time, as in 0 06:00:00",
    "slip": "a duration, as in 1h30m or -5m",
}


@attrs.frozen
class Vocabulary:
    """The fields that a filter can ask for, by what they are compared with."""

    words: tuple[str, ...] = WORDS
    numbers: tuple[str, ...] = NUMBERS
    moments: tuple[str, ...] = MOMENTS
    changes: tuple[str, ...] = CHANGES
    expected: Mapping[str, str] = attrs.field(factory=lambda: _EXPECTED)
    """What a field is compared with."""
    anywhere: tuple[str, ...] = ("user", "class", "name")
    """The texts in which a word without a comparison is looked for."""
    lists: tuple[str, ...] = ()
    """The texts that have several values with commas between them; each of them is one that `=` compares."""

    @property
    def fields(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.words, *self.numbers, *self.moments, *self.changes)


QUEUE = Vocabulary()
"""What the filter of the queue can ask for."""
FIELDS = QUEUE.fields


def parse_filter(text: str, fields: Fields, known: Vocabulary = QUEUE) -> list[Test]:
    """Return one test a word. SessionError says which word is no test."""
    return [_test(word, fields, known) for word in PIECE.findall(text)]


def _test(word: str, fields: Fields, known: Vocabulary) -> Test:
    term = TERM.fullmatch(word)
    if term is None:
        return _anywhere(word.casefold(), fields, known)
    key, sign, value = term.group(1).lower(), term.group(2), term.group(3)
    _check(word, key, sign, known)
    if key in known.words:
        return _text_test(key, fields.texts[key], sign, value.strip('"'), key in known.lists)
    compare, number = COMPARISONS[sign], _value(word, key, value, fields.clock, known)
    if key in known.numbers:
        return partial(_compares, fields.numbers[key], compare, number)
    field = (fields.moments if key in known.moments else fields.changes)[key]()
    since = fields.now if key in known.moments and not _is_instant(value) else 0
    return partial(_compares, field, compare, since + number)


def _check(word: str, key: str, sign: str, known: Vocabulary) -> None:
    """Refuse a field that there is not, and a text that is compared as a number. SessionError."""
    if key not in known.fields:
        raise SessionError(f"filter {word!r} asks for {key!r}; expected one of {', '.join(known.fields)}")
    if key in known.words and sign not in (":", "=", "!="):
        raise SessionError(f"filter {word!r} compares a text by {sign!r}; expected '=' , ':' or '!='")


def _text_test(key: str, field: Callable[[int], str], sign: str, value: str, several: bool) -> Test:
    if sign == ":" and key != "state":
        holds = _Holds(value.casefold())
        return lambda job: holds[field(job)]
    if several:
        return lambda job: (value in field(job).split(",")) is (sign != "!=")
    return lambda job: (field(job) == value) is (sign != "!=")


class _Holds(dict[str, bool]):
    """Whether a text holds a part of it, in letters of either case; asked once for each text."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self._part = part

    def __missing__(self, text: str) -> bool:
        return self.setdefault(text, self._part in text.casefold())


def _is_instant(value: str) -> bool:
    return ":" in value or DATED.fullmatch(value) is not None


def _value(word: str, key: str, value: str, clock: Clock, known: Vocabulary) -> int:
    """Return the number that a field is compared with. SessionError if it is no number."""
    if key in (*known.moments, "submit") and DATED.fullmatch(value):
        try:
            return clock.parse(value)
        except ValueError as error:
            raise SessionError(f"filter {word!r}: {error}") from None
    negative = key in known.changes and value.startswith("-")
    try:
        found = parse_duration(value[1:] if negative else value)
    except ValueError:
        raise SessionError(
            f"filter {word!r} compares with {value!r}; expected {known.expected[key]}"
        ) from None
    return -found if negative else found


def _compares(field: Number, compare: Callable[[int, int], bool], value: int, job: int) -> bool:
    number = field(job)
    return number is not None and compare(number, value)


def _anywhere(part: str, fields: Fields, known: Vocabulary) -> Test:
    """Whether the id begins with the text, or one of the names of a job holds it."""
    job_id, holds = fields.numbers.get("id"), _Holds(part)
    texts = [fields.texts[name] for name in known.anywhere]
    digits = part.isdigit()

    def test(job: int) -> bool:
        if digits and job_id is not None and str(job_id(job)).startswith(part):
            return True
        return any(holds[text(job)] for text in texts)

    return test


def exactly(field: str, text: str) -> str:
    """Return the filter for the jobs whose field is this text."""
    return f'{field}="{text}"' if re.search(r"\s", text) or not text else f"{field}={text}"


def continued(text: str, values: Callable[[str], Collection[str]], known: Vocabulary = QUEUE) -> str | None:
    """Return the filter that a beginning leads to; None if it leads nowhere. `values` are those of a text."""
    pieces = PIECE.findall(text)
    if not pieces or text.endswith(" "):
        return None
    last, before = pieces[-1], text[: len(text) - len(pieces[-1])]
    term = TERM.fullmatch(last)
    if term is None:
        found = next(
            (field for field in known.fields if field.startswith(last.lower()) and field != last), None
        )
        return None if found is None else before + last + found[len(last) :]
    key, value = term.group(1).lower(), term.group(3)
    if key not in known.words or not value:
        return None
    longer = (each for each in sorted(values(key)) if each.startswith(value) and each != value)
    found = next(longer, None)
    return None if found is None or " " in found else f"{before}{last[: len(last) - len(value)]}{found}"
