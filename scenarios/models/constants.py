"""The constants of the models feitelson96, feitelson97, means and livermore, each with what it may be.

The first two are a reconstruction (scenarios/models/feitelson.py): the defaults are ours, chosen so that the
shares of serial jobs and of powers of two are near those of real logs and runtimes vary more than an
exponential's.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Literal, TypeVar

import attrs

from shadowtime.scenarios.text.table import Table

YEAR = 365 * 86_400
MOST_LOOSE = 0.9
"""The greatest looseness: beyond it nearly all jobs run for nothing or for all that they ask for."""
STEEPEST = 200
"""Estimates have a mean of this part of the longest one, or more, and as far below it."""


@attrs.frozen
class Rule:
    """What a constant may be: a number, a whole number, or a duration in seconds, within bounds."""

    kind: Literal["number", "whole number", "duration"]
    low: int | Decimal
    high: int

    def check(self, _: object, attribute: "attrs.Attribute[float]", value: float) -> None:
        """The rule as a validator of attrs. ValueError where a value breaks it."""
        if not self.low <= value <= self.high or (self.kind != "number" and type(value) is not int):
            rule = f"a {self.kind} from {self.low} to {self.high}"
            raise ValueError(f"{attribute.name} must be {rule} (got {value!r})")

    def read(self, table: Table, key: str) -> float | int | None:
        """The constant in a table of a scenario file; None where it is absent, or wrong, with a fault."""
        if self.kind == "number":
            value = table.ratio(key, self.low, self.high)
            return None if value is None else float(value)
        low = int(self.low)
        if self.kind == "whole number":
            return table.integer(key, low, self.high)
        seconds = table.seconds(key, low)
        if seconds is not None and seconds > self.high:
            table.fault(key, f"expected at most {self.high} seconds")
        return seconds


def _constant(default: float, rule: Rule) -> float:
    return attrs.field(default=default, validator=rule.check, metadata={"rule": rule})


def _number(default: float, low: str, high: int) -> float:
    return _constant(default, Rule("number", Decimal(low), high))


_exponent = partial(_number, low="0", high=10)
_factor = partial(_number, low="0.001", high=1000)
_share = partial(_number, low="0", high=1)
_duration = partial(_constant, rule=Rule("duration", 1, YEAR))


@attrs.frozen(kw_only=True)
class Constants:
    """The constants of feitelson96: runtimes of two exponential stages. Durations are whole seconds."""

    size_exponent: float = _exponent(1.5)
    """A size n is drawn with weight n^-size_exponent ..."""
    small_size: float = _constant(8, Rule("whole number", 0, 2**24))
    small_factor: float = _factor(1.5)
    """... times small_factor where n is at most small_size ..."""
    power_factor: float = _factor(4)
    """... times power_factor where n is a power of two, from 2 on."""
    run_exponent: float = _exponent(2.5)
    longest_run: float = _constant(100, Rule("whole number", 1, 10_000))
    """A job is run r times, up to longest_run, with weight r^-run_exponent."""
    interarrival: float = _duration(150)
    """The mean gap between first runs, where no load is set."""
    runtime_short: float = _duration(300)
    runtime_long: float = _duration(7200)
    """The means of the stages."""
    long_least: float = _share(0.05)
    long_most: float = _share(0.25)
    """The weight of the long stage for a job of one node and for one as large as the machine."""

    def stage(self, u: float, fullness: float) -> float:
        """The mean runtime (s) of the stage that `u`, from [0, 1), selects.

        `fullness` is 0 for a job of one node and 1 for one as large as the machine.
        """
        long = between(self.long_least, self.long_most, fullness)
        return self.runtime_long if u < long else self.runtime_short


@attrs.frozen(kw_only=True)
class ThreeStages(Constants):
    """The constants of feitelson97: a stage more, and other defaults."""

    interarrival: float = _duration(400)
    runtime_short: float = _duration(60)
    runtime_medium: float = _duration(900)
    runtime_long: float = _duration(14_400)
    medium_least: float = _share(0.3)
    medium_most: float = _share(0.4)
    """The weight of the medium stage, as that of the long one; the short one has the rest."""
    long_least: float = _share(0.1)
    long_most: float = _share(0.4)

    def __attrs_post_init__(self) -> None:
        for end in ("least", "most"):
            both = getattr(self, f"medium_{end}") + getattr(self, f"long_{end}")
            if both > 1:
                raise ValueError(f"medium_{end} and long_{end} are {both:g} together; expected at most 1")

    def stage(self, u: float, fullness: float) -> float:
        """The mean runtime (s) of one of the three stages."""
        medium = between(self.medium_least, self.medium_most, fullness)
        long = between(self.long_least, self.long_most, fullness)
        return self.runtime_medium if long <= u < long + medium else super().stage(u, fullness)


def between(least: float, most: float, fullness: float) -> float:
    """The value between the two: `least` at fullness 0, `most` at 1."""
    return least + (most - least) * fullness


@attrs.frozen(kw_only=True)
class Livermore:
    """The constants of livermore, the workload of the T3D (scenarios/models/livermore.py)."""

    interactive_share: float = _number(2659 / 3987, "0", 1)
    """Of all jobs (the paper's)."""
    interarrival: float = _number(21 * 86_400 / 3987, "0.1", 1_000_000)
    """Seconds for each job: 21 days for 3987 (the paper's)."""
    interactive_area: float = _number(44.5e6 / 2659, "1", 1_000_000_000)
    batch_area: float = _number(289.4e6 / 1328, "1", 1_000_000_000)
    """Mean processor-seconds of a job (the paper's)."""
    interactive_longest: float = _duration(7200)
    batch_longest: float = _duration(14_400)
    """Seconds that a job may run (the paper's, the latter of the common queues)."""
    interactive_elsewhen: float = _number(0.1, "0", 1000)
    batch_elsewhen: float = _number(0.4, "0", 1000)
    """Jobs in an hour of the night or the weekend, as a multiple of one from 8 to 18 o'clock on a weekday."""
    batch_long_share: float = _share(0)
    """Of the batch jobs of up to 64 processors: those that ask for the long queue."""
    batch_long_longest: float = _duration(144_000)
    """Seconds that these may run (the paper's 40 h); by so much more their runtimes are longer."""
    users: float = _constant(30, Rule("whole number", 1, 10_000))
    """Users; the one of rank k submits in proportion to 1/k."""


@attrs.frozen(kw_only=True)
class Means:
    """The constants of means (scenarios/models/means.py); the means are those of set1 in Streit 2002."""

    mean_size: float = _number(13.49, "1", 2**24)
    """Nodes."""
    mean_runtime: float = _number(2835.83, "1", YEAR)
    mean_estimate: float = _number(6697.88, "1", YEAR)
    """Seconds."""
    longest_estimate: float = _duration(43_200)
    """No estimate is longer."""
    looseness: float = _number(0.6, "0", 1)
    """The variance of runtime / estimate, over the greatest that its mean allows; at most 0.9."""
    correlation: float = _number(0, "-1", 1)
    """Of the ranks of size and estimate."""
    interarrival: float = _number(628.19, "0.1", YEAR)
    """The mean time (s) between submissions, where no load is set."""
    small_size: float = _constant(8, Rule("whole number", 0, 2**24))
    small_factor: float = _factor(1.5)
    power_factor: float = _factor(4)
    """The weights of sizes, as those of feitelson97; its exponent is the one that gives mean_size."""
    run_exponent: float = _exponent(2.5)
    longest_run: float = _constant(100, Rule("whole number", 1, 10_000))
    """A job is run r times, up to longest_run, with weight r^-run_exponent."""

    def __attrs_post_init__(self) -> None:
        if self.looseness > MOST_LOOSE:
            raise ValueError(f"looseness is {self.looseness:g}; expected a number from 0 to {MOST_LOOSE}")
        if self.mean_runtime > self.mean_estimate:
            most = f"mean_estimate, {self.mean_estimate:g} seconds"
            raise ValueError(f"mean_runtime is {self.mean_runtime:g}; expected at most {most}")
        low, high = (part * self.longest_estimate / STEEPEST for part in (1, STEEPEST - 1))
        if not low <= self.mean_estimate <= high:
            within = f"from {low:g} to {high:g} with a longest_estimate of {self.longest_estimate:g}"
            raise ValueError(f"mean_estimate is {self.mean_estimate:g}; expected {within}")


DEFAULTS: Mapping[str, Constants] = {"feitelson96": Constants(), "feitelson97": ThreeStages()}
"""Of the models of Feitelson."""
AnyModel = Constants | Livermore | Means
AnyConstants = TypeVar("AnyConstants", bound=AnyModel)


def read_constants(table: Table, defaults: AnyConstants) -> AnyConstants | None:
    """The constants that a table gives, the others as in `defaults`; None, with faults, where it is wrong."""
    given = {}
    for field in attrs.fields(type(defaults)):
        value = field.metadata["rule"].read(table, field.name)
        if value is not None:
            given[field.name] = value
    table.close("constant")
    if table.flawed:
        return None
    try:
        return attrs.evolve(defaults, **given)
    except ValueError as error:
        table.document.fault(table.path, str(error), "key")
        return None
