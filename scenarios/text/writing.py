"""Writing scenario files: values as TOML, actions as tables, and a text with other actions than it had.

A text is edited, not made anew: what its author wrote stays as it is, comments and all.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal

from shadowtime.scenarios.actions import Action
from shadowtime.scenarios.nodes import format_nodes
from shadowtime.scenarios.policy import PolicyChoice
from shadowtime.scenarios.text.gate import escape, visible
from shadowtime.scenarios.times import format_time

MARK = "# What the operator did. Each action comes right after the event with its number."
"""The line before the actions of a saved session, by which one is known."""
_STOOD = re.compile(r"^# It stood after event (\d{1,18})\.$\n?", re.MULTILINE | re.ASCII)
"""The line of a saved session that says where it stood."""
_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


def written(values: Mapping[str, object]) -> str:
    """A table as the text of a TOML file: what is plain first, then tables, then arrays of tables."""
    return "\n".join(_lines(values, ())).strip("\n") + "\n"


def _lines(values: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping) or _is_tables(value)}
    for key, value in values.items():
        if key not in tables:
            yield assigned(key, value)
    for key, value in tables.items():
        name = ".".join(map(_key, (*path, key)))
        if isinstance(value, Mapping):
            yield from ("", f"[{name}]", *_lines(value, (*path, key)))
        elif isinstance(value, list):
            for item in value:
                yield from ("", f"[[{name}]]", *_lines(item, (*path, key)))


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def assigned(key: str, value: object) -> str:
    """A key with its value, in one line; a text of several lines takes several."""
    return f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    return key if key and _BARE.issuperset(key) else quoted(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if "\n" not in value:
            return quoted(value)
        return '"""\n' + "\n".join(map(_letters, value.split("\n"))) + '"""'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float | Decimal):
        text = str(value).lower().replace("infinity", "inf")
        return text if any(c in text for c in ".einf") else f"{text}.0"
    return str(value)


def quoted(text: str) -> str:
    """A text as TOML writes one in a line."""
    return '"' + _letters(text) + '"'


def _letters(text: str) -> str:
    return visible(text.replace("\\", "\\\\").replace('"', '\\"'), _letter)


def _letter(letter: str) -> str:
    if "\ud800" <= letter <= "\udfff":
        # TOML has no half of a pair of surrogates: it is shown, not kept.
        return "\\" + escape(letter)
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def policy_table(choice: PolicyChoice) -> Mapping[str, object]:
    return {"name": choice.name, **choice.parameters}


def action_table(action: Action) -> Mapping[str, object]:
    """An action as a scenario file writes it. ValueError if it has no moment."""
    action.require_moment()
    given: Mapping[str, object] = {
        "at": format_time(action.at or 0) if action.after is None else f"#{action.after}",
        "do": action.do,
        "job": action.job,
        "to": action.to,
        "nodes": format_nodes(action.nodes) or None,
        "policy": None if action.policy is None else policy_table(action.policy),
        "key": action.key,
        "value": action.value,
    }
    return {key: value for key, value in given.items() if value is not None}


def action_text(action: Action, comment: str = "") -> str:
    """An action as an [[action]], with a comment beside its moment."""
    lines = [assigned(key, value) for key, value in action_table(action).items()]
    if comment:
        lines[0] += f"  # {comment}"
    return "\n".join(["[[action]]", *lines]) + "\n"


def stood_at(text: str) -> int | None:
    """Return the event after which a saved session stood; None if the text does not say so."""
    found = _STOOD.search(text) if is_saved(text) else None
    return None if found is None else int(found[1])


def standing_at(text: str, event: int) -> str:
    """Return the text of a saved session that stands after an event; at its beginning nothing is added."""
    if not event:
        return _STOOD.sub("", text)
    return f"{_STOOD.sub('', text).rstrip()}\n\n# It stood after event {event}.\n"


def is_saved(text: str) -> bool:
    """Whether a text is that of a saved session."""
    return any(line.strip() == MARK for line in text.splitlines())
