"""The parameters of the policy `slurm`, and what a captured cluster would do with other ones.

Names, units and ranges are those of slurm.conf(5): what `SchedulerParameters` says of backfill and of the
main pass, `KillWait`, `OverTimeLimit`, `SchedulerType`, the weights of priorities; and `version`, whose rules
hold.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.weights import reweighed
from shadowtime.scenarios.errors import one_of, shown
from shadowtime.scenarios.policy import split_settings
from shadowtime.scenarios.slurm.config import WEIGHTS, Backfill
from shadowtime.scenarios.slurm.generation import MEASURED
from shadowtime.scenarios.slurm.priorities import Factor
from shadowtime.scenarios.times import parse_duration

if TYPE_CHECKING:
    from shadowtime.scenarios.slurm import Capture

NAME = "slurm"
YES, NO = ("yes", "true", "1", ""), ("no", "false", "0")
Value = int | bool | str | None
Get = Callable[["Capture"], Value]
Put = Callable[["Capture", Value], "Capture"]


class ValueKind(Protocol):
    """What the values of a parameter are."""

    def read(self, name: str, text: str) -> Value:
        """Return a value as it is written. SessionError in one line if there is no such value."""

    def write(self, value: Value) -> str:
        """Return a value as slurm.conf has it."""

    @property
    def expected(self) -> str:
        """What is a value, in words."""


@attrs.frozen
class Number:
    """A whole number from `least` to `most`; `unit` is `seconds`, `minutes` or empty."""

    least: int
    most: int
    unit: str = ""
    off: int | None = None
    """What -1 stands for; None: -1 is no value."""
    unlimited: bool = False
    """Whether UNLIMITED is a value."""

    def read(self, name: str, text: str) -> Value:
        """Also a duration such as `2m`, if the unit is one of time."""
        if text == "-1" and self.off is not None:
            return self.off
        if self.unlimited and text.upper() in ("UNLIMITED", "INFINITE"):
            return None
        number = self._number(text)
        if number is None or not self.least <= number <= self.most:
            raise SessionError(f"{name} is {shown(text)}; expected {self.expected}")
        return number

    def _number(self, text: str) -> int | None:
        if text.isascii() and text.isdigit():
            return int(text[:20])
        if not self.unit:
            return None
        try:
            seconds = parse_duration(text)
        except ValueError:
            return None
        scale = 60 if self.unit == "minutes" else 1
        return seconds // scale if seconds % scale == 0 else None

    @property
    def expected(self) -> str:
        """The range with its unit, and words that are values, too."""
        words = [f"{self.least} to {self.most:,} {self.unit}".rstrip()]
        words += ["UNLIMITED"] if self.unlimited else []
        words += ["-1 for none"] if self.off is not None else []
        return " or ".join(words)

    def write(self, value: Value) -> str:
        """-1 for what it stands for, UNLIMITED for no limit."""
        if value is None:
            return "UNLIMITED"
        return "-1" if self.off is not None and value == self.off else str(value)


@attrs.frozen
class Flag:
    """A word that is there or not: `bf_busy_nodes`, `bf_busy_nodes=no`."""

    expected: str = "yes or no"

    def read(self, name: str, text: str) -> Value:
        """A bare name is yes."""
        if text.lower() in (*YES, *NO):
            return text.lower() in YES
        raise SessionError(f"{name} is {shown(text)}; expected {name} alone, yes or no")

    def write(self, value: Value) -> str:
        """As it can be given here."""
        return "yes" if value else "no"


@attrs.frozen
class OneOf:
    """One of some words."""

    words: tuple[str, ...]
    prefix: str = ""
    """What Slurm writes before the word."""

    @property
    def expected(self) -> str:
        return ", ".join(self.words[:-1]) + f" or {self.words[-1]}"

    def read(self, name: str, text: str) -> Value:
        """With the prefix or without it."""
        word = text.lower().removeprefix(self.prefix)
        if word not in self.words:
            raise SessionError(f"{name} is {shown(text)}; expected {self.expected}")
        return self.prefix + word

    def write(self, value: Value) -> str:
        """As Slurm writes it."""
        return str(value)


@attrs.frozen
class Parameter:
    """A parameter: its name in slurm.conf, its values, and where a capture has it."""

    name: str
    kind: ValueKind
    meaning: str
    get: Get
    put: Put
    default: str
    """As slurm.conf has it if it says nothing; empty for the cluster's own."""


def _backfill(name: str, kind: ValueKind, meaning: str) -> Parameter:
    field = name.removeprefix("bf_")

    def put(capture: "Capture", value: Value) -> "Capture":
        changed: dict[str, Any] = {field: value}
        backfill = attrs.evolve(capture.settings.backfill, **changed)
        return attrs.evolve(capture, settings=attrs.evolve(capture.settings, backfill=backfill))

    get = attrgetter(f"settings.backfill.{field}")
    return Parameter(name, kind, meaning, get, put, kind.write(getattr(Backfill(), field)))


def _setting(
    name: str, field: str, kind: ValueKind, meaning: str, default: Value, scale: int = 1
) -> Parameter:
    def get(capture: "Capture") -> Value:
        found: Value = getattr(capture.settings, field)
        return found // scale if isinstance(found, int) and scale != 1 else found

    def put(capture: "Capture", value: Value) -> "Capture":
        scaled = value * scale if isinstance(value, int) and scale != 1 else value
        changed: dict[str, Any] = {field: scaled}
        return attrs.evolve(capture, settings=attrs.evolve(capture.settings, **changed))

    return Parameter(name, kind, meaning, get, put, kind.write(default))


def _weight(factor: Factor) -> Parameter:
    def get(capture: "Capture") -> Value:
        return capture.settings.weights.get(factor, 0)

    def put(capture: "Capture", value: Value) -> "Capture":
        assert isinstance(value, int)
        return reweighed(capture, factor, value)

    meaning = "the most points of this factor of a priority"
    return Parameter(WEIGHTS[factor], Number(0, 2**32 - 1), meaning, get, put, "0")


def _put_rules(capture: "Capture", value: Value) -> "Capture":
    if value == capture.generation.rules:
        return capture
    return attrs.evolve(capture, generation=attrs.evolve(capture.generation, release=f"{value}.0"))


TRIES, STARTS = Number(0, 1_000_000), Number(0, 10_000)
PARAMETERS: tuple[Parameter, ...] = (
    _backfill("bf_interval", Number(1, 10_800, "seconds", off=0), "between two cycles; -1: no backfill"),
    _backfill("bf_window", Number(1, 43_200, "minutes"), "how far ahead a cycle plans"),
    _backfill("bf_resolution", Number(1, 3_600, "seconds"), "of the times of a plan"),
    _backfill("bf_max_job_test", Number(1, 1_000_000), "entries that a cycle tries"),
    _backfill("bf_max_job_user", TRIES, "entries of a user that a cycle tries; 0: no bound"),
    _backfill("bf_max_job_part", TRIES, "entries of a partition that a cycle tries; 0: no bound"),
    _backfill(
        "bf_max_job_user_part", TRIES, "entries of a user in a partition that a cycle tries; 0: no bound"
    ),
    _backfill("bf_max_job_assoc", TRIES, "entries of an association that a cycle tries; 0: no bound"),
    _backfill("bf_max_job_start", STARTS, "jobs that a cycle starts; 0: no bound"),
    _backfill("bf_max_job_array_resv", Number(0, 1_000), "tasks of an array that a cycle plans"),
    _backfill("bf_window_linear", Number(0, 2**31), "seconds by which a step grows; 0: it doubles"),
    _backfill("bf_node_space_size", Number(0, 2_000_000), "records of a plan; 0: as bf_max_job_test"),
    _backfill("bf_min_prio_reserve", Number(0, 2**63), "least priority of a job that is planned"),
    _backfill("bf_min_age_reserve", Number(0, 2_592_000, "seconds"), "least age of a job that is planned"),
    _backfill("bf_running_job_reserve", Flag(), "running jobs of whole nodes are in the plan"),
    _backfill("bf_busy_nodes", Flag(), "nodes in use are chosen first"),
    _backfill("bf_one_resv_per_job", Flag(), "a job is planned in one of its partitions"),
    _backfill("bf_licenses", Flag(), "licences are planned, too"),
    _setting("default_queue_depth", "queue_depth", Number(1, 2**31), "entries of a quick main pass", 100),
    _setting(
        "sched_interval",
        "sched_interval",
        Number(1, 2**31, "seconds", off=0),
        "between two passes over the whole queue; -1: none",
        60,
    ),
    _setting("KillWait", "kill_wait", Number(0, 65_533, "seconds"), "that an overdue job still runs", 30),
    _setting(
        "OverTimeLimit",
        "over_time_limit",
        Number(0, 65_533, "minutes", unlimited=True),
        "by which a job may pass its limit",
        0,
        60,
    ),
    _setting(
        "SchedulerType",
        "scheduler",
        OneOf(("backfill", "builtin"), "sched/"),
        "builtin: main passes",
        "sched/backfill",
    ),
    *(_weight(factor) for factor in WEIGHTS),
    Parameter("version", OneOf(MEASURED), "whose rules hold", attrgetter("generation.rules"), _put_rules, ""),
)
_KNOWN = {parameter.name.lower(): parameter for parameter in PARAMETERS}


@attrs.frozen
class Overrides:
    """Parameters with other values than the configuration has, in the order given."""

    values: tuple[tuple[Parameter, Value], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.values)

    def apply(self, capture: "Capture") -> "Capture":
        for parameter, value in self.values:
            capture = parameter.put(capture, value)
        return capture

    @property
    def settings(self) -> str:
        """The parameters as they are typed: `bf_interval=60 bf_busy_nodes=yes`."""
        return " ".join(f"{parameter.name}={parameter.kind.write(value)}" for parameter, value in self.values)

    def words(self, capture: "Capture") -> str:
        """Return each value beside that of the configuration: `bf_interval=60 (30)`."""
        return ", ".join(
            f"{parameter.name}={parameter.kind.write(value)} ({parameter.kind.write(parameter.get(capture))})"
            for parameter, value in self.values
        )


def is_slurm(policy: str) -> bool:
    """Whether `--policy` names the policy `slurm`."""
    return policy.partition(":")[0].strip() == NAME


def is_parameter(setting: str) -> bool:
    """Whether a setting such as `bf_interval=60` is of the policy `slurm`."""
    return setting.partition("=")[0].strip().lower() in _KNOWN


def parse_overrides(policy: str, settings: Iterable[str] = ()) -> Overrides:
    """Return the parameters of `slurm:bf_interval=60,bf_busy_nodes`, and of settings beside it.

    SessionError in one line: an unknown name, a value out of its range, a parameter that is named twice.
    """
    _, colon, text = policy.partition(":")
    parts = [part.strip() for part in split_settings(text) if part.strip()]
    if colon and not parts:
        raise SessionError(
            f"{shown(policy)} has nothing behind its colon; expected {NAME}:KEY=VALUE, or {NAME}"
        )
    found: dict[str, tuple[Parameter, Value]] = {}
    for part in (*parts, *settings):
        word, equals, value = (piece.strip() for piece in part.partition("="))
        parameter = _KNOWN.get(word.lower())
        if parameter is None:
            names = [each.name for each in PARAMETERS]
            raise SessionError(f"{NAME} has no parameter {shown(word)}; {one_of(names, word)}")
        if parameter.name in found:
            raise SessionError(f"{parameter.name} is named twice; expected one value")
        if not equals and not isinstance(parameter.kind, Flag):
            raise SessionError(f"{parameter.name} has no value; expected {parameter.name}=VALUE")
        found[parameter.name] = parameter, parameter.kind.read(parameter.name, value)
    return Overrides(tuple(found.values()))


def parameters_of(capture: "Capture") -> dict[str, Value]:
    return {parameter.name: parameter.get(capture) for parameter in PARAMETERS}


def split_policies(texts: Iterable[str]) -> Iterator[str]:
    """Yield each policy of `slurm:bf_interval=60,bf_busy_nodes,easy`: settings stay with their policy."""
    for text in texts:
        found: list[str] = []
        for part in split_settings(text):
            word = part.strip()
            setting = "=" in word.partition(":")[0] or word.startswith("bf_")
            if found and setting:
                found[-1] += f",{word}"
            else:
                found.append(word)
        yield from (word for word in found if word or len(found) == 1)
