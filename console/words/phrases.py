"""Phrases: instants, counts, states, names of schedulers and scores, as every sentence writes them."""

from collections.abc import Callable, Mapping

from shadowtime.console.clock import ELAPSED, Clock, duration
from shadowtime.console.session import StatusValue, Value, format_duration, reconstructions
from shadowtime.console.session.texts import printable
from shadowtime.console.words.units import Unit

STATES: Mapping[str, str] = {
    "": "not yet submitted",
    "N": "waiting",
    "W": "waiting with {units} assigned",
    "i": "swapping in",
    "R": "running",
    "S": "suspended",
    "o": "swapping out",
    "O": "swapped out",
    "H": "held",
    "F": "finished",
}
NEVER = "never"


def state(letter: str, unit: Unit) -> str:
    return unit.fill(STATES[letter]) if letter in STATES else letter


def of_user(user: str) -> str:
    """Whose a job is, empty for nobody; a number alone would read as a count behind `4 nodes of`."""
    return user and f" of {'user ' * user.isdigit()}{printable(user)}"


def count(number: int, thing: str) -> str:
    """`1 node`, `14 nodes`, `9,310 events`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def per_cent(share: float, digits: int = 1) -> str:
    """`70.4 %`, or with another number of digits `70 %`."""
    return f"{100 * share:.{digits}f} %"


def so_far(share: float) -> str:
    """How far work is, behind what it is: ` 70 %`; nothing before it has begun."""
    return f" {per_cent(share, 0)}" if share else ""


def slip(seconds: int | None) -> str:
    """How far a predicted start moved since submission: `+12m` is later, `-5m` earlier, `0` not at all."""
    if seconds is None:
        return ""
    return "0" if seconds == 0 else f"{'+' if seconds > 0 else '-'}{duration(abs(seconds))}"


def ahead(seconds: int) -> str:
    """How long it is until an instant: `in 1h02m`, or `now`."""
    return f"in {duration(seconds)}" if seconds > 0 else "now"


def moved(seconds: int) -> str:
    """How far a predicted start moved: `12m later`, `5m earlier`, `unchanged`."""
    if seconds == 0:
        return "unchanged"
    return f"{duration(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"


def instant(seconds: StatusValue, clock: Clock = ELAPSED) -> str:
    """An instant, or `never`."""
    return clock.format(seconds) if isinstance(seconds, int) else NEVER


def seconds(value: float) -> str:
    """Return a duration in seconds, with a decimal if it is not a whole number: `7,200 s`, `7,200.2 s`."""
    return f"{value:,.0f} s" if float(value).is_integer() else f"{value:,.1f} s"


def mean(value: float) -> str:
    """A mean: `41.9`, `0.25`."""
    return f"{value:,.1f}" if abs(value) >= 10 or float(value).is_integer() else f"{value:.2f}"


def base(processor: int) -> str:
    """The base of a block of the T3D as its operators read it: Z, Y, X."""
    return f"{processor // 32}{processor // 8 % 4}{processor % 8}"


def scheduler(label: str) -> str:
    """Return the name of a scheduler, with its parameters, and a mark if it is a reconstruction."""
    return f"{label} (reconstruction)" if label.partition(":")[0] in reconstructions() else label


def score(metric: Value, value: Value) -> str:
    """Return the score of a candidate in a metric: `87.20 %`, `1h02m`, `12.31`; `-` without one."""
    if not isinstance(value, int | float):
        return "-"
    if metric == "utilization":
        return per_cent(value, 2)
    return duration(value) if metric in ("response", "wait") else f"{value:,.2f}"


class Quantity:
    """A number of a reason; a sentence formats it as `{end:time}`, `{needs:nodes}`, `{free:are}` or plainly.

    `nodes` writes it in the unit of the machine. A `span` is a duration that resulted; a `length` is one that
    was chosen, and is written exactly.
    """

    def __init__(self, value: Value, unit: Unit) -> None:
        self._value = value
        self._unit = unit

    def __format__(self, kind: str) -> str:
        value = self._value
        if value is None:
            return NEVER if kind == "time" else "none"
        if isinstance(value, str):
            return scheduler(value) if kind == "name" else value
        if kind in _COUNTED:
            return _COUNTED[kind](int(value), self._unit)
        written = _WRITTEN.get(kind)
        return format(value, kind) if written is None else written(value)


_COUNTED: Mapping[str, Callable[[int, Unit], str]] = {
    "time": lambda value, unit: unit.instant(value),
    "nodes": lambda value, unit: unit.sized(value),
    "go": lambda value, unit: f"{unit.sized(value)} {'goes' if value == 1 else 'go'}",
}
_WRITTEN: Mapping[str, Callable[[int | float], str]] = {
    "span": duration,
    "length": lambda value: format_duration(int(value)),
    "jobs": lambda value: count(int(value), "job"),
    "have": lambda value: f"{count(int(value), 'job')} {'has' if value == 1 else 'have'}",
    "are": lambda value: f"{value:,} {'is' if value == 1 else 'are'}",
    "only": lambda value: f"only {value:,} {'is' if value == 1 else 'are'}" if value else "none is",
    "seconds": seconds,
    "mean": mean,
    "zyx": lambda value: base(int(value)),
}


def say(sentence: str, numbers: Mapping[str, Value], unit: Unit) -> str:
    """A sentence with its numbers, in the unit of the machine: `{unit}` and `{units}` are its words."""
    quantities = {key: Quantity(value, unit) for key, value in numbers.items()}
    return sentence.format_map({**quantities, "unit": unit.one, "units": unit.several})


def uncoded(code: str, numbers: Mapping[str, Value]) -> str:
    """Return a reason without a sentence, of a policy from outside, as its code and numbers."""
    figures = ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in numbers.items())
    return code.replace("_", " ") + (f" ({figures})" if figures else "")


def _plain(value: Value) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
