"""Policies as scenarios name them: names and parameters, checked against a table of policies passed in."""

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

import attrs

from shadowtime.scenarios.errors import Fault, ScenarioError, nearest, one_of, shown
from shadowtime.scenarios.text.document import Document, Path, fraction
from shadowtime.scenarios.text.table import Table, is_number, plain_seconds
from shadowtime.scenarios.times import DURATION_EXPECTED, MAX_TIME


@attrs.frozen
class PolicyChoice:
    """A policy and the parameters that were given for it; the others keep their defaults."""

    name: str
    parameters: Mapping[str, object] = attrs.field(factory=dict)


class ParameterSpec(Protocol):
    """What is asked of a parameter in the table of policies."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """choice, int, bool, number, text, duration, policy, policies, classes or any."""

    @property
    def choices(self) -> Collection[str] | None: ...
    def takes(self, value: object) -> bool:
        """Whether a value is one of the choices, if only these are allowed."""


class PolicySpec(Protocol):
    """What is asked of a policy in the table of policies."""

    @property
    def parameters(self) -> Sequence[ParameterSpec]: ...


Policies = Mapping[str, PolicySpec]
Check = Callable[[str, Mapping[str, object]], object]
"""Makes a policy from a name and parameters of the right types. Raises ValueError if they do not fit."""


def read_policy(table: Table, policies: Policies, check: Check | None = None) -> PolicyChoice | None:
    """Read the policy that a table names; every key but `name` is a parameter of it.

    Returns None, with faults, if it is wrong: `check` finds values out of range.
    """
    name = table.choice("name", policies, required=True)
    if name is None:
        return None
    parameters: dict[str, object] = {}
    for spec in policies[name].parameters:
        value = table.take(spec.name, "")
        if value is not None:
            path = (*table.path, spec.name)
            parameters[spec.name] = typed(table.document, path, spec.name, spec, value, policies)
    table.known.remove("name")
    table.values = {key: value for key, value in table.values.items() if key != "name"}
    table.close("parameter")
    if check is not None and not table.flawed:
        try:
            check(name, parameters)
        except ValueError as wrong:
            # The message begins with the parameter, which has its own place where it is given.
            table.document.fault((*table.path, str(wrong).split(" ")[0]), str(wrong))
    return None if table.flawed else PolicyChoice(name, parameters)


def no_policy(name: str, known: Iterable[str]) -> str:
    """What is said of a policy that there is not: the known one that it resembles, or all of them."""
    close = nearest(name, known)
    hint = f"did you mean {close}?" if close else f"expected one of {', '.join(known)}"
    return f"there is no policy {name!r}; {hint}"


def choose_policy(name: str, settings: Mapping[str, object], policies: Policies) -> PolicyChoice:
    """The policy of this name with these parameters, as a command line gives them.

    ScenarioError: all faults.
    """
    document = Document("", "")
    table = Table(document, (), f"policy {name}", {**settings, "name": name})
    choice = read_policy(table, policies)
    if choice is None:
        raise ScenarioError(Fault("", None, None, fault.message) for fault in document.faults)
    return choice


def typed(
    document: Document, path: Path, name: str, spec: ParameterSpec, value: object, policies: Policies
) -> object:
    """The value of a parameter that stands at a path; None, with faults under `name`, where it is wrong."""
    if spec.kind == "policy":
        return _candidate(document, path, name, value, policies)
    if spec.kind == "classes":
        return _classes(document, path, name, spec.choices or (), value)
    if spec.kind == "policies":
        if isinstance(value, list) and value:
            return [
                _candidate(document, (*path, i), f"{name}, number {i + 1},", item, policies)
                for i, item in enumerate(value)
            ]
        expected = "expected an array of policies, each a name or a table with a name"
        document.fault(path, f"{name} is {shown(value)}; {expected}")
        return None
    try:
        return parameter(spec, value)
    except ValueError as wrong:
        document.fault(path, f"{name} is {shown(value)}; {wrong}")
        return None


def _classes(
    document: Document, path: Path, name: str, known: Collection[str], value: object
) -> dict[str, dict[str, int]] | None:
    """What differs in the classes of jobs: a table for each, with the numbers that differ."""
    if not isinstance(value, Mapping):
        document.fault(path, f"{name} is {shown(value)}; expected a table of classes: {', '.join(known)}")
        return None
    table, changes = Table(document, path, name, value), dict[str, dict[str, int]]()
    for klass in known:
        inner = table.table(klass, f"class {klass}")
        if inner is not None:
            read = {
                "priority": inner.integer("priority"),
                "max_wait": inner.seconds("max_wait"),
                "do_not_disturb": inner.seconds("do_not_disturb", 1),
                "limit": inner.integer("limit"),
            }
            inner.close()
            changes[klass] = {key: number for key, number in read.items() if number is not None}
    table.close("class")
    return None if table.flawed else changes


def _candidate(document: Document, path: Path, name: str, value: object, policies: Policies) -> object:
    """A policy inside a policy: its name, or a table with the name beside the parameters that are given.

    A text may also be spelt as `--policy` takes it.
    """
    choice: PolicyChoice | None = None
    schedulers = {known: spec for known, spec in policies.items() if not _chooses(spec)}
    if isinstance(value, str):
        choice = _spelt(document, path, name, value, policies, schedulers)
    elif not isinstance(value, Mapping):
        document.fault(path, f"{name} is {shown(value)}; expected a policy: a name, or a table with a name")
    elif value.get("name") in [known for known in policies if known not in schedulers]:
        document.fault(path, f"{name} is {value['name']}; {_NO_CHOOSER}")
    else:
        choice = read_policy(Table(document, path, name, value), schedulers)
    if choice is None:
        return None
    return {"name": choice.name, **choice.parameters} if choice.parameters else choice.name


def _spelt(
    document: Document, path: Path, name: str, value: str, policies: Policies, schedulers: Policies
) -> PolicyChoice | None:
    """The scheduler that a text spells as `--policy` does; None, with faults under `name`."""
    chosen = value.partition(":")[0].strip()
    if chosen in schedulers:
        try:
            return choose_policy(*parse_policy(value), schedulers)
        except ScenarioError as error:
            for fault in error.faults:
                document.fault(path, f"{name} is {shown(value)}: {fault.message}")
    elif chosen in policies:
        document.fault(path, f"{name} is {chosen}; {_NO_CHOOSER}")
    else:
        document.fault(path, f"{name} is {shown(value)}; {one_of(schedulers, chosen)}")
    return None


_NO_CHOOSER = "expected a scheduler that does not choose among others"


def _chooses(spec: PolicySpec) -> bool:
    """Whether a policy chooses among others."""
    return any(parameter.kind in ("policy", "policies") for parameter in spec.parameters)


def parameter(spec: ParameterSpec, value: object) -> object:
    """The value of a parameter, made plain: durations are seconds, fractions floats.

    ValueError says what was expected.
    """
    if not spec.takes(value):
        raise ValueError(one_of(spec.choices or (), value if isinstance(value, str) else ""))
    return _KINDS.get(spec.kind, _any)(value)


def _int(value: object) -> object:
    if type(value) is not int or abs(value) > MAX_TIME:
        raise ValueError("expected a whole number" + (" below 2^62" if type(value) is int else ""))
    return value


def _bool(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _number(value: object) -> object:
    if not is_number(value):
        raise ValueError("expected a number")
    return float(value) if isinstance(value, Decimal) else value


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("expected a text")
    return value


def _duration(value: object) -> object:
    seconds = plain_seconds(value)
    if seconds is None:
        raise ValueError(f"expected {DURATION_EXPECTED}")
    return seconds


def _any(value: object, levels: int = 8) -> object:
    """Texts, truths, whole numbers, fractions (as floats), and arrays and tables of them, not too deep."""
    if isinstance(value, list | dict) and levels == 0:
        raise ValueError("expected fewer levels")
    if isinstance(value, list):
        return [_any(item, levels - 1) for item in value]
    if isinstance(value, dict):
        return {key: _any(item, levels - 1) for key, item in value.items()}
    if isinstance(value, str | bool):
        return value
    if is_number(value):
        return _number(value)
    raise ValueError(f"expected no {shown(value)} there")


_KINDS: Mapping[str, Callable[[object], object]] = {
    "int": _int,
    "bool": _bool,
    "number": _number,
    "text": _text,
    "duration": _duration,
    "any": _any,
}


def parse_setting(text: str) -> tuple[str, object]:
    """`key=value` as --set takes it: a TOML value; what is none is a text.

    ScenarioError without key or `=`.
    """
    key, separator, value = text.partition("=")
    if not separator or not key.strip():
        raise ScenarioError([Fault("", None, None, f"{shown(text)} is no setting; expected key=value")])
    return key.strip(), parse_value(value.strip())


def parse_value(text: str) -> object:
    """A TOML value, fractions as Decimal; what is none is a text."""
    if "\n" in text or "\r" in text:
        return text
    try:
        return tomllib.loads(f"value = {text}", parse_float=fraction)["value"]
    except (ValueError, RecursionError):
        return text


def parse_policy(text: str) -> tuple[str, dict[str, object]]:
    """Parse `name` or `name:key=value,...`, the value of --policy.

    Raises ScenarioError for a part that is not a setting, and for a colon without a setting.
    """
    name, colon, settings = (part.strip() for part in text.partition(":"))
    pairs = [parse_setting(part) for part in split_settings(settings) if part.strip()]
    if name and colon and not pairs:
        message = f"{shown(text)} has nothing behind its colon; expected {name}:key=value, or {name} alone"
        raise ScenarioError([Fault("", None, None, message)])
    return name, dict(pairs)


def split_settings(text: str) -> list[str]:
    """The parts between commas that stand outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for c in text:
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
        if c == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += c
    return parts
