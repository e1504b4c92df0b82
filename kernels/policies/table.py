"""What the table of policies says of each: parameters, paper, what in it is a choice or a reconstruction."""

from collections.abc import Callable, Mapping

import attrs

from kernels.policies.policy import Policy


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
    places_blocks: bool = attrs.field(default=False, kw_only=True)
    """Whether it places jobs on blocks of a torus, and so comes and goes only while no job is active."""
    needs_torus: bool = attrs.field(default=False, kw_only=True)
    """Whether it schedules no machine but the torus."""
    rival: bool = attrs.field(default=False, kw_only=True)
    """Whether manual scheduling is compared with it."""
    compared: int | None = attrs.field(default=None, kw_only=True)
    """Its turn among those that a run is compared with if no other is named; None for never."""
