"""The `:` command line: what may be typed, and which action it means. Pure text."""

import re

import attrs

from shadowtime.console.screens.command_table import (
    ALIASES,
    CLUSTER,
    COMPARE,
    CONSOLE,
    absence,
    commands_of,
    names_of,
    unknown,
)

NAMES = names_of(CONSOLE)
COUNTED = re.compile(r"(\d[\d,_]*)\s*([np])")


class Unknown(Exception):
    """One clear line: what was typed, and what was expected."""


def _alone(view: str) -> frozenset[str]:
    """The commands of a view that take nothing more."""
    return frozenset(names_of(view)) - {command.name for command in commands_of(view) if command.arguments}


ALONE = {view: _alone(view) for view in (CONSOLE, COMPARE, CLUSTER)}
"""The commands of each view that take nothing more."""


@attrs.frozen
class Typed:
    """A command as it was meant: its name and the rest of the line."""

    name: str
    rest: str


def parse(line: str, view: str = CONSOLE) -> Typed:
    """What a line means in a view; a `:` typed before it is ignored. Raises Unknown in one clear line."""
    names = names_of(view)
    line = line.strip().lstrip(":").lstrip()
    counted = COUNTED.fullmatch(line)
    if counted:
        return Typed(counted[2], counted[1].replace(",", "").replace("_", ""))
    if re.fullmatch(r"#\s*\d[\d,_]*|\d+(\.\d+)?\s*%", line):
        return Typed("goto", line)
    word, _, rest = line.partition(" ")
    name = ALIASES.get(word, word)
    if name in ALONE[view] and rest.strip():
        raise Unknown(f"{name} stands alone; {rest.strip()!r} is too much")
    if name in names:
        return Typed(name, rest.strip())
    if line.isdecimal():
        raise Unknown(
            f"{line} alone is no command; {line}n goes forward, {line}p back, #{line} to that event"
        )
    raise Unknown(absence(word, view) or unknown(word, names))


def number(rest: str, what: str) -> int:
    """A whole number that a command needs. Raises Unknown if there is no number."""
    if not (rest.isascii() and rest.isdigit() and len(rest) < 20):
        raise Unknown(
            f"{rest!r} is no {what}; expected a whole number" if rest else f"which {what}? expected a number"
        )
    return int(rest)


def repeats(rest: str, what: str) -> int:
    """How often a command is done: once without a number. Raises Unknown if the text is no number."""
    return number(rest, what) if rest else 1


def speed(rest: str) -> float:
    """A speed: events a second. Raises Unknown if there is no speed."""
    try:
        value = float(rest.lstrip("x"))
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise Unknown(f"{rest!r} is no speed; expected events a second, as in speed 8")
    return value
