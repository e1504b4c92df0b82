"""Policies of other packages: classes in plain Python, found by the entry point `shadowtime.policies`."""

import inspect
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points

from console.session.errors import SessionError
from kernels.policies import POLICIES, Parameter, PlainPolicy, PolicyEntry, register
from scenarios.times import read_seconds

GROUP = "shadowtime.policies"
KINDS: Mapping[type, str] = {bool: "bool", int: "int", float: "number", str: "text"}


@cache
def policies() -> Mapping[str, PolicyEntry]:
    """Return the table of policies, with those of other packages."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in broken():
            register(entry_of(point))
    return POLICIES


@cache
def broken() -> Mapping[str, str]:
    """Return what is wrong with the policies of other packages that cannot be used, by name."""
    found: dict[str, str] = {}
    seen = set(POLICIES)
    for point in entry_points(group=GROUP):
        try:
            entry_of(point)
            if point.name in seen:
                raise ValueError("there is a policy of that name already")
            seen.add(point.name)
        # Whatever another package raises while it is imported, the others must go on.
        except Exception as error:
            origin = point.dist.name if point.dist else "another package"
            found[point.name] = f"policy {point.name} of {origin}: {type(error).__name__}: {error}"
    return found


def entry_of(point: EntryPoint) -> PolicyEntry:
    """Return the entry of a policy of another package. ValueError says what its class lacks."""
    kind = point.load()
    if not inspect.isclass(kind) or not callable(getattr(kind, "schedule", None)):
        raise ValueError(f"{point.value} is no class with a method schedule(self, machine)")
    origin = point.dist.name if point.dist else "another package"
    return PolicyEntry(
        name=point.name,
        summary=(inspect.getdoc(kind) or f"A policy of {origin}.").splitlines()[0],
        paper=str(getattr(kind, "paper", f"the package {origin}")),
        section=0,
        factory=partial(PlainPolicy, kind=kind),
        parameters=tuple(map(parameter_of, parameters_of(kind))),
        notes=tuple(getattr(kind, "notes", ())),
    )


def parameters_of(kind: type) -> list[inspect.Parameter]:
    """Return what the constructor of a class takes."""
    if kind.__init__ is object.__init__:  # type: ignore[misc]
        return []
    return list(inspect.signature(kind).parameters.values())


def parameter_of(given: inspect.Parameter) -> Parameter:
    """Return a parameter by its default value: `"1h"` makes it a duration, and the class is given seconds.

    ValueError if there is no default, or one of another kind.
    """
    default = given.default
    seconds = read_seconds(default) if isinstance(default, str) else None
    if seconds is not None:
        return Parameter(given.name, seconds, "duration", "")
    if type(default) not in KINDS:
        raise ValueError(f"parameter {given.name} has no default that is a truth, a number or a text")
    return Parameter(given.name, default, KINDS[type(default)], "")


def defaults_of(name: str) -> dict[str, object]:
    """Return the parameters of a policy that there is, at their defaults."""
    return {parameter.name: parameter.default for parameter in policies()[name].parameters}


def refuse_broken(name: str) -> None:
    """Say what is wrong with a policy that cannot be used. SessionError."""
    if name in broken():
        raise SessionError(broken()[name])
