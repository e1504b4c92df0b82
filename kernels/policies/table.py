"""The table of policies: what it says of each, and how a policy is made from its name and parameters.

It imports no policy, so that a policy that chooses among others may import it.
"""

from collections.abc import Callable, Mapping

import attrs

from shadowtime.kernels.policies.policy import Policy


@attrs.frozen
class Parameter:
    """A parameter of a policy: `kind` is choice, int, number, bool, duration, policy, policies or classes.

    `choices` are the values of a choice, and of classes the names that they may have.
    """

    name: str
    default: object
    kind: str
    doc: str
    choices: tuple[str, ...] | None = None

    def takes(self, value: object) -> bool:
        return not self.choices or self.kind == "classes" or value in self.choices


@attrs.frozen
class PolicyEntry:
    """One policy: what it is, where it is defined, and what in it is a choice or a reconstruction."""

    name: str
    summary: str
    paper: str
    section: int
    factory: Callable[[str, Mapping[str, object]], Policy]
    parameters: tuple[Parameter, ...] = ()
    notes: tuple[str, ...] = ()
    preempts: bool = attrs.field(default=False, kw_only=True)
    """Whether it may stop jobs, which wait again."""
    passes: bool = attrs.field(default=False, kw_only=True)
    """Whether it is certain that jobs may pass a blocked head."""
    reorders: bool = attrs.field(default=False, kw_only=True)
    """Whether it may take the waiting jobs in an order other than that of their arrival."""
    reserves: str = attrs.field(default="", kw_only=True)
    """For whom it makes reservations at most: nobody, head; empty for more jobs, or where it depends."""
    places_blocks: bool = attrs.field(default=False, kw_only=True)
    """Whether it places jobs on blocks of a torus, and so comes and goes only while no job is active."""
    needs_torus: bool = attrs.field(default=False, kw_only=True)
    """Whether it schedules no machine but the torus."""
    by_hand: str = attrs.field(default="", kw_only=True)
    """What it is in a manual shift, if an operator could do the same: baseline or response."""
    compared: int | None = attrs.field(default=None, kw_only=True)
    """Its turn among those that a run is compared with if no other is named; None for never."""


_KNOWN: dict[str, PolicyEntry] = {}
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
        if not parameter.takes(value):
            expected = ", ".join(parameter.choices or ())
            raise ValueError(f"{parameter.name} is {value!r}; expected one of {expected}")
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
