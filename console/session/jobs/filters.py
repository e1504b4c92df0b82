"""The filter of the queue as it is typed: `user:kim state:R size>32 night`. Every word must hold."""

import operator
import re
from collections.abc import Callable, Mapping
from functools import partial

import attrs

from console.session.errors import SessionError
from scenarios import parse_duration

Test = Callable[[int], bool]
"""Whether a job, by index, is shown."""

WORDS = ("user", "class", "queue", "name", "state")
NUMBERS = ("id", "size", "submit", "wait", "estimate")
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
TERM = re.compile(r"([a-z]+)(<=|>=|!=|[:=<>])(.*)", re.IGNORECASE | re.DOTALL)


@attrs.frozen
class Fields:
    """What a filter can ask of a job: texts by name and numbers by name, each a function of the index."""

    texts: Mapping[str, Callable[[int], str]]
    numbers: Mapping[str, Callable[[int], int]]


def parse_filter(text: str, fields: Fields) -> list[Test]:
    """Return one test a word. SessionError says which word is no test."""
    return [_test(word, fields) for word in text.split()]


def _test(word: str, fields: Fields) -> Test:
    term = TERM.fullmatch(word)
    if term is None:
        return _anywhere(word.casefold(), fields)
    key, sign, value = term.group(1).lower(), term.group(2), term.group(3)
    if key in WORDS:
        return _text_test(word, key, fields.texts[key], sign, value)
    if key in NUMBERS:
        return partial(_compares, fields.numbers[key], COMPARISONS[sign], _number(word, value))
    raise SessionError(f"filter {word!r} asks for {key!r}; expected one of {', '.join(WORDS + NUMBERS)}")


def _text_test(word: str, key: str, field: Callable[[int], str], sign: str, value: str) -> Test:
    if sign not in (":", "=", "!="):
        raise SessionError(f"filter {word!r} compares a text by {sign!r}; expected ':' or '!='")
    if sign == ":" and key != "state":
        holds = _Holds(value.casefold())
        return lambda job: holds[field(job)]
    return lambda job: (field(job) == value) is (sign != "!=")


class _Holds(dict[str, bool]):
    """Whether a text holds a part of it, in letters of either case; asked once for each text."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self._part = part

    def __missing__(self, text: str) -> bool:
        return self.setdefault(text, self._part in text.casefold())


def _number(word: str, value: str) -> int:
    try:
        return parse_duration(value)
    except ValueError:
        raise SessionError(
            f"filter {word!r} compares with {value!r}; expected a number or a duration"
        ) from None


def _compares(field: Callable[[int], int], compare: Callable[[int, int], bool], value: int, job: int) -> bool:
    return compare(field(job), value)


def _anywhere(part: str, fields: Fields) -> Test:
    """Whether the id begins with the text, or the user, the class or the name holds it."""
    job_id, holds = fields.numbers["id"], _Holds(part)
    user, klass, name = fields.texts["user"], fields.texts["class"], fields.texts["name"]
    digits = part.isdigit()

    def test(job: int) -> bool:
        if digits and str(job_id(job)).startswith(part):
            return True
        return holds[user(job)] or holds[klass(job)] or holds[name(job)]

    return test
