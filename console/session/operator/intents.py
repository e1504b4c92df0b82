"""What the operator wants done, here and now: one action, without its moment.

As it is typed: `hold 31`, `class 31 debug`, `drain 0-15`, `policy easy:scan=shortest`, `set quantum=60`.
"""

import attrs

from console.session.errors import SessionError
from console.session.plugins import policies, refuse_broken
from scenarios import (
    Action,
    PolicyChoice,
    ScenarioError,
    choose_policy,
    format_nodes,
    parse_nodes,
    parse_policy,
    parse_setting,
)
from scenarios.values import ACTIONS, JOB_ACTIONS, NODE_ACTIONS, NodeRanges

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
class Intent:
    """What to do. Which fields are set depends on `do`, as in a scenario's [[action]]; jobs are ids."""

    do: str = attrs.field(validator=attrs.validators.in_(ACTIONS))
    job: int | None = None
    to: str | int | None = None
    nodes: NodeRanges = ()
    policy: PolicyChoice | None = None
    key: str | None = None
    value: object = None

    def after(self, number: int) -> Action:
        """Return the action that does this right after an event."""
        return Action(
            None, self.do, job=self.job, to=self.to, nodes=self.nodes, policy=self.policy,
            key=self.key, value=self.value, after=number,
        )  # fmt: skip

    def __str__(self) -> str:
        """As it is typed."""
        return typed(self)


def typed(action: Intent | Action) -> str:
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


def parse_intent(text: str) -> Intent:
    """Return what a typed line wants done. SessionError in one line if it is no action."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    do = "parameter" if word == "set" else word
    if do not in USAGE:
        words = ["set" if each == "parameter" else each for each in USAGE]
        raise SessionError(f"{word!r} is no action; expected one of {', '.join(words)}")
    if not rest:
        raise SessionError(f"{word} needs more; expected {USAGE[do]}")
    try:
        return _parsed(do, rest)
    except ScenarioError as error:
        raise SessionError(str(error).splitlines()[0]) from error


def _parsed(do: str, rest: str) -> Intent:
    if do == "policy":
        name, settings = parse_policy(rest)
        refuse_broken(name)
        if name not in policies():
            raise SessionError(f"there is no policy {name!r}; expected one of {', '.join(policies())}")
        return Intent(do, policy=choose_policy(name, settings, policies()))
    if do == "parameter":
        key, value = parse_setting(rest)
        return Intent(do, key=key, value=value)
    if do in NODE_ACTIONS:
        try:
            return Intent(do, nodes=parse_nodes(rest))
        except ValueError as wrong:
            raise SessionError(f"nodes: {wrong}") from wrong
    words = rest.split()
    wanted = 2 if do in ("class", "priority") else 1
    if len(words) != wanted:
        raise SessionError(f"{do} {rest!r} is not understood; expected {USAGE[do]}")
    job = words[0].removeprefix("#")
    if not (job.isascii() and job.isdigit() and len(job) < 19):
        raise SessionError(f"{words[0]!r} is no job; expected {USAGE[do]}")
    return Intent(do, job=int(job), to=None if wanted == 1 else _to(do, words[1]))


def _to(do: str, word: str) -> str | int:
    if do == "class":
        return word
    number = word.removeprefix("-")
    if not (number.isascii() and number.isdigit() and len(number) < 11 and int(word) in PRIORITIES):
        raise SessionError(f"{word!r} is no priority; expected a whole number from -2147483648 to 2147483647")
    return int(word)
