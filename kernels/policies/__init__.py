"""The policies, by the names of the command line and of scenario files: one table, no second list."""

from collections.abc import Mapping

import attrs

from kernels.ordering import ORDERS
from kernels.policies.conservative import Conservative
from kernels.policies.easy import Easy
from kernels.policies.fcfs import Fcfs
from kernels.policies.policy import Policy

__all__ = ["POLICIES", "Parameter", "Policy", "PolicyEntry", "make"]


@attrs.frozen
class Parameter:
    """A parameter of a policy: `kind` is choice, int, number, bool or duration."""

    name: str
    default: object
    kind: str
    doc: str
    choices: tuple[str, ...] | None = None


@attrs.frozen
class PolicyEntry:
    """One policy: what it is, where it is defined, and what in it is a choice or a reconstruction."""

    name: str
    summary: str
    paper: str
    section: int
    factory: type[Policy]
    parameters: tuple[Parameter, ...] = ()
    notes: tuple[str, ...] = ()


_ENTRIES = (
    PolicyEntry(
        "fcfs",
        "First come, first served: nothing passes the head of the queue.",
        "Feitelson & Weil 1998, section 1",
        1,
        Fcfs,
    ),
    PolicyEntry(
        "easy",
        "EASY backfilling: a job may pass if it does not delay the head of the queue.",
        "Feitelson & Weil 1998, Figure 2",
        2,
        Easy,
        (
            Parameter(
                "scan",
                "arrival",
                "choice",
                "the order in which the jobs behind the head are tried; ties by arrival",
                ORDERS,
            ),
        ),
        (
            "choice: all jobs that end at the shadow time count towards the extra nodes, ties included",
            "choice: a running job whose predicted end has passed counts as ending a second from now",
        ),
    ),
    PolicyEntry(
        "conservative",
        "Conservative backfilling: every job has a reservation at once, and it only ever moves earlier.",
        "Feitelson & Weil 1998, Figure 1 and text",
        3,
        Conservative,
        (
            Parameter(
                "compress",
                "arrival",
                "choice",
                "after completions: move reservations earlier in order of arrival; or replan all from "
                "scratch in every pass (no guarantee)",
                ("arrival", "replan"),
            ),
        ),
        (
            "choice: one compression an instant, after all its completions and before its arrivals",
            "choice: replan is Figure 1 read literally; it breaks the guarantee and is there to compare",
        ),
    ),
)

POLICIES: Mapping[str, PolicyEntry] = {entry.name: entry for entry in _ENTRIES}


def make(name: str, parameters: Mapping[str, object] | None = None) -> Policy:
    """A policy by its name, with its defaults but for `parameters`. ValueError says what is unknown."""
    if name not in POLICIES:
        raise ValueError(f"policy is {name!r}; expected one of {', '.join(POLICIES)}")
    entry = POLICIES[name]
    given = dict(parameters or {})
    values: dict[str, object] = {}
    for parameter in entry.parameters:
        value = given.pop(parameter.name, parameter.default)
        if parameter.choices is not None and value not in parameter.choices:
            raise ValueError(f"{parameter.name} is {value!r}; expected one of {', '.join(parameter.choices)}")
        values[parameter.name] = value
    if given:
        known = ", ".join(p.name for p in entry.parameters) or "none"
        raise ValueError(f"{name} has no parameter {next(iter(given))!r}; its parameters: {known}")
    return entry.factory(name, values)
