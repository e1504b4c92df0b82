"""An action of the operator: what it is, as it is typed, and the text of a typed line.

A line reads `hold 31`, `class 31 debug`, `drain 0-15`, `policy easy:scan=shortest` or `set quantum=60`.
"""

from collections.abc import Mapping

import attrs

from shadowtime.scenarios.errors import Fault, ScenarioError
from shadowtime.scenarios.nodes import NodeRanges, format_nodes, parse_nodes
from shadowtime.scenarios.policy import (
    Policies,
    PolicyChoice,
    choose_policy,
    no_policy,
    parse_policy,
    parse_setting,
)

JOB_ACTIONS = ("hold", "release", "cancel", "suspend", "resume", "class", "priority", "start")
NODE_ACTIONS = ("drain", "down", "up")
ACTIONS = (*JOB_ACTIONS, *NODE_ACTIONS, "policy", "parameter")
PRIORITIES = range(-(2**31), 2**31)
USAGE = {
    **{do: f"{do} JOB" for do in JOB_ACTIONS},
    "class": "class JOB NAME",
    "priority": "priority JOB NUMBER",
    **{do: f"{do} NODES" for do in NODE_ACTIONS},
    "policy": "policy NAME:KEY=VALUE,...",
    "parameter": "set KEY=VALUE",
}
"""How each action is typed."""


@attrs.frozen
class Action:
    """An action of the operator. Jobs are ids; `do` determines which other fields are set, see `ACTIONS`.

    Its moment is an instant or an event of the run. An action that is typed has none: it is for here and now.
    """

    do: str = attrs.field(validator=attrs.validators.in_(ACTIONS))
    job: int | None = None
    to: str | int | None = None
    """The class (a text) or the priority (a whole number) that the job gets."""
    nodes: NodeRanges = ()
    policy: PolicyChoice | None = None
    key: str | None = None
    """The parameter that changes, and its new value."""
    value: object = None
    at: int | None = attrs.field(default=None, kw_only=True)
    """The instant."""
    after: int | None = attrs.field(default=None, kw_only=True)
    """The number of the event that it comes right after; 0 is before the first."""
    line: int = attrs.field(default=0, eq=False, kw_only=True)
    """The line of the file; 0 without a file."""
    recorded: bool = attrs.field(default=False, eq=False, kw_only=True)
    """Whether the log of the workload has it, and not the file."""

    @after.validator
    def _at_most_one_moment(self, _: object, after: int | None) -> None:
        if self.at is not None and after is not None:
            raise ValueError("an action has a time or the number of an event, not both")

    @property
    def has_moment(self) -> bool:
        """Whether the action has an instant or the number of an event."""
        return self.at is not None or self.after is not None

    def right_after(self, event: int) -> "Action":
        """Return an action without a moment with one: right after an event. ValueError if it has a moment."""
        if self.has_moment:
            raise ValueError(f"{format_action(self)} has a moment already; expected an action without one")
        return attrs.evolve(self, after=event)

    def require_moment(self) -> None:
        """Refuse an action without a moment. ValueError."""
        if not self.has_moment:
            raise ValueError(
                f"{format_action(self)} has no moment; expected a time or the number of an event"
            )


def format_action(action: Action) -> str:
    """Return an action as it is typed: `class 31 debug`."""
    if action.job is not None:
        return f"{action.do} {action.job}{'' if action.to is None else f' {action.to}'}"
    if action.do == "parameter":
        return f"set {action.key}={_value(action.value)}"
    if action.policy is not None:
        settings = ",".join(f"{key}={_value(value)}" for key, value in action.policy.parameters.items())
        return f"policy {action.policy.name}{':' if settings else ''}{settings}"
    return f"{action.do} {format_nodes(action.nodes)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parse_action(text: str, policies: Policies, broken: Mapping[str, str] | None = None) -> Action:
    """Return the action of a typed line, without a moment; `broken` says why a policy cannot be used.

    ScenarioError if the line is no action.
    """
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    do = "parameter" if word == "set" else word
    if do not in USAGE:
        words = ["set" if each == "parameter" else each for each in USAGE]
        raise _wrong(f"{word!r} is no action; expected one of {', '.join(words)}")
    if not rest:
        raise _wrong(f"{word} needs more; expected {USAGE[do]}")
    if do == "policy":
        return Action(do, policy=_policy(rest, policies, broken or {}))
    if do == "parameter":
        key, value = parse_setting(rest)
        return Action(do, key=key, value=value)
    if do in NODE_ACTIONS:
        try:
            return Action(do, nodes=parse_nodes(rest))
        except ValueError as wrong:
            raise _wrong(f"nodes: {wrong}") from wrong
    words = rest.split()
    wanted = 2 if do in ("class", "priority") else 1
    if len(words) != wanted:
        raise _wrong(f"{do} {rest!r} is not understood; expected {USAGE[do]}")
    job = words[0].removeprefix("#")
    if not (job.isascii() and job.isdigit() and len(job) < 19):
        raise _wrong(f"{words[0]!r} is no job; expected {USAGE[do]}")
    return Action(do, job=int(job), to=None if wanted == 1 else _to(do, words[1]))


def _policy(text: str, policies: Policies, broken: Mapping[str, str]) -> PolicyChoice:
    name, settings = parse_policy(text)
    if name in broken:
        raise _wrong(broken[name])
    if name not in policies:
        raise _wrong(no_policy(name, policies))
    return choose_policy(name, settings, policies)


def _to(do: str, word: str) -> str | int:
    if do == "class":
        return word
    number = word.removeprefix("-")
    if not (number.isascii() and number.isdigit() and len(number) < 11 and int(word) in PRIORITIES):
        raise _wrong(f"{word!r} is no priority; expected a whole number from -2147483648 to 2147483647")
    return int(word)


def _wrong(message: str) -> ScenarioError:
    return ScenarioError([Fault("", None, None, message)])
