"""What happens to the machine from outside: [[action]] and [[outage]].

They are checked completely against the fixed words and kept as values; what a session can do with them is its
own matter.
"""

import re
from collections.abc import Container, Sequence

import attrs

from shadowtime.scenarios.actions import ACTIONS, JOB_ACTIONS, NODE_ACTIONS, PRIORITIES, Action
from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.lessons.questions import read_job_id
from shadowtime.scenarios.machine import Draft
from shadowtime.scenarios.nodes import NODES_EXPECTED, NodeRanges, parse_nodes
from shadowtime.scenarios.policy import Check, Policies, PolicyChoice, read_policy, typed
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.times import MAX_TIME, TIME_EXPECTED
from shadowtime.scenarios.values import Outage
from shadowtime.scenarios.workload import Workload

_ARGUMENTS = {
    **dict.fromkeys(JOB_ACTIONS, ("job",)),
    "class": ("job", "to"),
    "priority": ("job", "to"),
    **dict.fromkeys(NODE_ACTIONS, ("nodes",)),
    "policy": ("policy",),
    "parameter": ("key", "value"),
}
_ALL_ARGUMENTS = ("job", "to", "nodes", "policy", "key", "value")


_EVENT = re.compile(r"#\s*(\d{1,18})", re.ASCII)
AT_EXPECTED = f'{TIME_EXPECTED}, or an event such as "#1284"'


def read_actions(
    root: Table,
    draft: Draft | None,
    policies: Policies,
    base: PolicyChoice | None,
    jobs: "Container[int] | None",
    check: Check | None = None,
    saved: bool = False,
) -> tuple[Action, ...]:
    """What the operator does: first what has an instant, in order of these, then what follows an event.

    `base` is the policy that holds at first. `check` refuses parameters that are out of range. In a `saved`
    session a parameter may be none of the policy in force: the run refused it, and does so again.
    """
    timed: list[tuple[Action, Table]] = []
    numbered: list[tuple[Action, Table]] = []
    for table in root.tables("action"):
        action = _read_action(table, draft, policies, jobs, check)
        table.close()
        if action is not None and not table.flawed:
            (timed if action.after is None else numbered).append((action, table))
    timed.sort(key=lambda pair: pair[0].at or 0)
    numbered.sort(key=lambda pair: pair[0].after or 0)
    actions = []
    # The policy in force is known only now, when the actions are in order.
    for own, others in ((timed, numbered), (numbered, timed)):
        elsewhere = [action.policy for action, _ in others if action.policy is not None]
        actions += _with_values(own, elsewhere, policies, base, check, saved)
    return tuple(actions)


def _read_at(table: Table) -> tuple[int | None, int | None]:
    """The instant of an action, or the number of the event that it follows; neither, with a fault."""
    value = table.take("at", AT_EXPECTED, required=True)
    event = _EVENT.fullmatch(value.strip()) if isinstance(value, str) else None
    if event is not None and int(event[1]) <= MAX_TIME:
        return None, int(event[1])
    if isinstance(value, str) and value.strip().startswith("#"):
        table.fault("at", 'expected # and the number of an event, as in "#1284"')
        return None, None
    return (None if value is None else table.seconds("at", instant=True)), None


def _read_action(
    table: Table,
    draft: Draft | None,
    policies: Policies,
    jobs: "Container[int] | None",
    check: Check | None,
) -> Action | None:
    at, after = _read_at(table)
    do = table.choice("do", ACTIONS, required=True)
    if (at is None and after is None) or do is None:
        table.known.extend(_ALL_ARGUMENTS)
        return None
    arguments = _ARGUMENTS[do]
    others = [key for key in _ALL_ARGUMENTS if key not in arguments]
    table.refuse(others, f"does not go with {do}; {one_of(arguments)}")
    action = Action(do, at=at, after=after, line=table.document.line((*table.path, "do")))
    if "job" in arguments:
        action = attrs.evolve(action, job=read_job_id(table, jobs), to=_read_to(table, do))
    elif do in NODE_ACTIONS:
        action = attrs.evolve(action, nodes=read_nodes(table, draft))
    elif do == "policy":
        inner = table.table("policy", "the policy", required=True)
        action = attrs.evolve(action, policy=read_policy(inner, policies, check) if inner else None)
    else:
        table.take("value", "the parameter's new value", required=True)
        action = attrs.evolve(action, key=table.text("key", required=True, empty=False))
    return action


def _read_to(table: Table, do: str) -> str | int | None:
    if do == "class":
        return table.text("to", required=True, empty=False)
    if do == "priority":
        return table.integer("to", PRIORITIES.start, PRIORITIES.stop - 1, required=True)
    return None


def read_nodes(table: Table, draft: Draft | None) -> NodeRanges:
    """The required `nodes` of a table: a text of nodes that the machine has."""
    value = table.take("nodes", NODES_EXPECTED, required=True)
    if value is None:
        return ()
    if not isinstance(value, str):
        table.fault("nodes", f"expected a text, {NODES_EXPECTED}")
        return ()
    try:
        return parse_nodes(value, draft.nodes if draft else None)
    except ValueError as wrong:
        table.document.fault((*table.path, "nodes"), f"nodes: {wrong}")
        return ()


def _with_values(
    read: Sequence[tuple[Action, Table]],
    elsewhere: Sequence[PolicyChoice],
    policies: Policies,
    base: PolicyChoice | None,
    check: Check | None,
    saved: bool,
) -> list[Action]:
    """Return the actions, in order, each parameter with its value, checked against the policy in force.

    The order of actions at instants and actions after events is known in the run only. A parameter that the
    policy of its own kind of action does not have may therefore belong to a policy of the other kind.
    """
    actions = []
    for given, table in read:
        action = given
        if action.policy is not None:
            base = action.policy
        elif action.do == "parameter" and base is not None and base.name in policies:
            holders = [
                each
                for each in (base, *elsewhere)
                if any(spec.name == action.key for spec in policies[each.name].parameters)
            ]
            policy = holders[0] if holders else base
            faults = table.document.faults
            before = len(faults)
            action = _with_value(action, table, policies, policy, check)
            if saved and len(faults) > before:
                del faults[before:]
                action = attrs.evolve(action, value=table.values["value"])
            elif policy is base and not table.flawed:
                base = attrs.evolve(base, parameters={**base.parameters, str(action.key): action.value})
        actions.append(action)
    return actions


def _with_value(
    action: Action, table: Table, policies: Policies, policy: PolicyChoice, check: Check | None
) -> Action:
    """The action with the value that its parameter gets, checked against the policy in force."""
    specs = {spec.name: spec for spec in policies[policy.name].parameters}
    spec = specs.get(action.key or "")
    if spec is None:
        expected = one_of(specs, action.key or "") if specs else "it has none"
        table.fault("key", f"the policy is {policy.name}; {expected}")
        return action
    path = (*table.path, "value")
    value = typed(table.document, path, spec.name, spec, table.values["value"], policies)
    if check is not None and not table.flawed:
        try:
            check(policy.name, {**policy.parameters, spec.name: value})
        except ValueError as wrong:
            table.document.fault(path, str(wrong))
    return attrs.evolve(action, value=value)


def read_outages(root: Table, draft: Draft | None) -> tuple[Outage, ...]:
    """The nodes that fail or are drained, in the order of the file."""
    outages = []
    for table in root.tables("outage"):
        nodes = read_nodes(table, draft)
        start = table.seconds("from", required=True, instant=True)
        until = table.seconds("until", instant=True)
        if start is not None and until is not None and until <= start:
            table.fault("until", "expected a time after from")
        kill = table.boolean("kill")
        table.close()
        if start is not None and not table.flawed:
            outages.append(Outage(nodes, start, until, bool(kill), table.document.line(table.path)))
    return tuple(outages)


def cancellations(workload: Workload) -> tuple[Action, ...]:
    """Return the cancellations that the log of a workload records, as actions at their instants."""
    if workload.cancel is None:
        return ()
    rows = zip(workload.id, workload.submit, workload.cancel, strict=True)
    found = ((submit + after, job) for job, submit, after in rows if 0 <= after <= MAX_TIME - submit)
    return tuple(Action("cancel", job, at=at, recorded=True) for at, job in sorted(found))
