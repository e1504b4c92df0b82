"""Reading the [shift] of a scenario file, and its reference responses."""

from collections.abc import Callable

from shadowtime.scenarios.actions import ACTIONS, Action
from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.shift import ALLOWED, FAIRNESS, MANUAL, MOST_ACTIONS, SHIFTS, Response, Shift
from shadowtime.scenarios.text.table import Table

Acting = Callable[[Table], tuple[Action, ...]]
"""What reads the actions of a part of the file."""


def read_shift(root: Table, acting: Acting, capacity: int | None) -> Shift | None:
    """Read the [shift] of a file; None if it has none, or a wrong one.

    `acting` reads the actions of a response; `capacity` is the largest job.
    """
    table = root.table("shift", "[shift]")
    if table is None:
        return None
    kind = table.choice("kind", SHIFTS, required=True)
    goal = table.text("goal", required=True, empty=False)
    until = table.seconds("until", 1, instant=True)
    budget = table.integer("budget", 1, MOST_ACTIONS)
    fairness = table.ratio("fairness", 0, 1)
    wide = table.integer("wide", 1, capacity or MOST_ACTIONS)
    debrief = table.text("debrief", empty=False) or ""
    allow = _read_allow(table, kind)
    responses = _read_responses(table, acting)
    if kind == MANUAL and "until" not in table.values:
        table.missing("until; expected the instant at which the policy of the file takes over")
    _refuse_numbered(root)
    table.close()
    if table.flawed or kind is None or goal is None:
        return None
    return Shift(
        kind, goal.strip(), until, budget, allow, FAIRNESS if fairness is None else float(fairness),
        wide or max(1, (capacity or 2) // 2), responses, debrief.strip(), table.document.line(table.path),
    )  # fmt: skip


def _read_allow(table: Table, kind: str | None) -> tuple[str, ...]:
    """Read the actions that may be done; the usual ones of the kind without the key."""
    value = table.take("allow", "a list of actions")
    if value is None:
        return ALLOWED.get(kind or "", ())
    if not isinstance(value, list) or not value:
        table.fault("allow", f"expected a list of actions, of {', '.join(ACTIONS)}")
        return ()
    for place, name in enumerate(value):
        if not isinstance(name, str) or name not in ACTIONS:
            expected = one_of(ACTIONS, name if isinstance(name, str) else "")
            table.document.fault((*table.path, "allow", place), f"allow has {name!r}; {expected}")
    if kind == MANUAL and "start" not in value:
        table.fault("allow", "in a manual shift no job starts without start; expected it among them")
    return tuple(str(name) for name in value)


def _read_responses(table: Table, acting: Acting) -> tuple[Response, ...]:
    """Read the reference responses, in the order of the file."""
    found = []
    for inner in table.tables("response"):
        inner.title = "this [[shift.response]]"
        name = inner.text("name", required=True, empty=False) or ""
        actions = acting(inner)
        for action in actions:
            if action.after is not None:
                inner.document.fault(
                    inner.path, f"the response {name!r} has an action after an event; expected an instant"
                )
        inner.close()
        found.append(Response(name, actions, inner.document.line(inner.path)))
    return tuple(found)


def _refuse_numbered(root: Table) -> None:
    """Refuse actions of the file after events: in a shift the events depend on what the operator does."""
    given = root.values.get("action")
    for place, action in enumerate(given if isinstance(given, list) else ()):
        at = action.get("at") if isinstance(action, dict) else None
        if isinstance(at, str) and at.strip().startswith("#"):
            root.document.fault(("action", place, "at"), f"at is {at!r}; a shift takes instants only")
