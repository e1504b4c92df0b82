"""The policies, by the names of the command line and of scenario files: one table, no second list."""

from collections.abc import Mapping

from kernels.policies.entries import ENTRIES
from kernels.policies.plain import PlainPolicy, PolicyError
from kernels.policies.policy import Policy
from kernels.policies.table import Parameter, PolicyEntry

__all__ = [
    "POLICIES",
    "Parameter",
    "PlainPolicy",
    "Policy",
    "PolicyEntry",
    "PolicyError",
    "make",
    "make_from",
    "register",
]

_KNOWN = {entry.name: entry for entry in ENTRIES}
POLICIES: Mapping[str, PolicyEntry] = _KNOWN


def register(entry: PolicyEntry) -> None:
    """Add a policy from elsewhere to the table. ValueError where there is one of that name."""
    if entry.name in _KNOWN:
        raise ValueError(f"there is a policy {entry.name!r} already; expected another name")
    _KNOWN[entry.name] = entry


def make(name: str, parameters: Mapping[str, object] | None = None) -> Policy:
    """A policy by its name, with its defaults but for `parameters`. ValueError says what is unknown."""
    if name not in POLICIES:
        raise ValueError(f"policy is {name!r}; expected one of {', '.join(POLICIES)}")
    entry = POLICIES[name]
    given = dict(parameters or {})
    values: dict[str, object] = {}
    for parameter in entry.parameters:
        value = given.pop(parameter.name, parameter.default)
        if parameter.choices and parameter.kind != "classes" and value not in parameter.choices:
            raise ValueError(f"{parameter.name} is {value!r}; expected one of {', '.join(parameter.choices)}")
        values[parameter.name] = value
    if given:
        known = ", ".join(p.name for p in entry.parameters) or "none"
        raise ValueError(f"{name} has no parameter {next(iter(given))!r}; its parameters: {known}")
    return entry.factory(name, values)


def make_from(choice: object) -> Policy:
    """A policy from its name, or from a table that holds the name beside the parameters."""
    if isinstance(choice, str):
        return make(choice)
    if not isinstance(choice, Mapping):
        raise ValueError(f"a policy is {choice!r}; expected a name, or a table with name and parameters")
    parameters = dict(choice)
    return make(str(parameters.pop("name", "")), parameters)
