"""How a kind of question is worded, and how the values are written among which one chooses."""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.training import Value
from shadowtime.console.words.happening import happened
from shadowtime.console.words.units import Unit


@attrs.frozen
class Wording:
    """The words of a kind of question."""

    asks: str
    """The question; `{job}`, `{node}`, `{metric}`, `{do}` and `{by}` stand for what it names."""
    hint: str
    """The first hint, for `Unit.fill`."""
    choice: Callable[[Value, Unit], str]
    now: str = ""
    """The question at an instant without a scheduling pass, if that is another one."""


def among(texts: Mapping[str, str]) -> Callable[[Value, Unit], str]:
    """Return what writes a code by its text."""
    return lambda value, unit: texts[str(value)]


def job(value: Value, unit: Unit) -> str:
    return "nobody" if value is None else f"job {value}"


def instant(value: Value, unit: Unit) -> str:
    return unit.instant(value) if isinstance(value, int) else "never"


def length(value: Value, unit: Unit) -> str:
    return duration(value) if isinstance(value, int) else "not at all"


def event(value: Value, unit: Unit) -> str:
    return happened(*value) if isinstance(value, tuple) else "nothing"


def plain(value: Value, unit: Unit) -> str:
    """Return an action, a change or nodes as they are."""
    return str(value)
