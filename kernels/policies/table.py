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
