"""The `:` command line: what may be typed, and which action it means. Pure text."""

import re
from collections.abc import Mapping

import attrs


@attrs.frozen
class Command:
    """One command: how it is written, and what it does."""

    name: str
    usage: str
    help: str


COMMANDS: tuple[Command, ...] = (
    Command("n", "10n", "so many events forward"),
    Command("p", "5p", "so many events back"),
    Command(
        "goto", "goto #1284 | 0 06:12:44 | 50%", "go to an event, a time, a share of the events (also g)"
    ),
    Command("g", "g 31 start", "go to a job's submit, start or end"),
    Command("job", "job 31", "select a job"),
    Command("why", "why 31", "why a job waits, or why it started"),
    Command("sort", "sort wait [reverse]", "sort the queue: {sorts}"),
    Command("filter", "filter user:kim size>32", "show only jobs that match; without words: all"),
    Command("speed", "speed 8", "so many events a second while playing"),
    Command("play", "play", "play or pause"),
    Command("skip", "skip switch_slot | none", "n, p and play pass over these kinds of events"),
    Command("mark", "mark a", "mark this position with a letter"),
    Command("break", "break preempt | job 31 | queue > 100", "set a breakpoint (also b); c goes on to it"),
    Command("policy", "policy", "the policy: what it goes by now, its parameters, its paper"),
    Command("policy", "policy easy:scan=shortest", "put another policy in force from here on (also a)"),
    Command("set", "set quantum=60", "change a parameter of the policy from here on"),
    Command("hold", "hold 31", "take a waiting job out of the queue; release 31 puts it back"),
    Command("release", "release 31", "put a held job back into the queue, at its place"),
    Command("start", "start 31", "start a waiting job now, where it fits"),
    Command("suspend", "suspend 31", "take a running job off its nodes; it keeps what it has done"),
    Command("resume", "resume 31", "put a suspended job back into the queue"),
    Command("cancel", "cancel 31", "end a job at once"),
    Command("class", "class 31 debug", "change the class of a job"),
    Command("priority", "priority 31 5", "change the priority of a job: the highest goes first"),
    Command("drain", "drain 0-15", "take nodes out of service as soon as their jobs leave them"),
    Command("down", "down 0-15", "take nodes out of service at once; jobs on them are struck"),
    Command("up", "up 0-15", "put nodes back in service"),
    Command("undo", "undo", "take the last action back (also u)"),
    Command("redo", "redo", "do it again (also U)"),
    Command("save", "save session.toml", "save the session: the scenario with the actions in it"),
    Command("save!", "save! session.toml", "the same over any file"),
    Command(
        "under",
        "under easy | easy:scan=shortest",
        "the same workload, to this instant, under a policy or variant",
    ),
    Command(
        "compare",
        "compare easy gang:quantum=10m",
        "policies or variants side by side; without words: the variants (also =)",
    ),
    Command("train", "train [FOLDER]", "training; with a folder the course in it (also t)"),
    Command(
        "whatif",
        "whatif hold 31 | policy easy",
        "this run beside one in which that is done now",
    ),
    Command("note", "note", "the note of this moment, in full"),
    Command("export", "export swf out.swf", "write a file: svg, events, schedule, swf or batsim"),
    Command("copy", "copy event [notes.txt]", "copy panel, reason, row or event, to a file too (also Y)"),
    Command("theme", "theme light", "the colours: dark or light; theme = in keys.toml keeps them"),
    Command("help", "help", "keys and commands"),
    Command("quit", "quit", "leave (also q)"),
)
NAMES = tuple(dict.fromkeys(command.name for command in COMMANDS))
ALIASES: Mapping[str, str] = {"q": "quit", "go": "goto", "?": "help", "select": "job"}
SORTS = ("queue", "id", "user", "class", "state", "size", "submit", "wait", "estimate", "predicted", "slip")
"""The columns that the queue can be sorted by, in the order in which `s` goes through them."""
COUNTED = re.compile(r"(\d[\d,_]*)\s*([np])")


class Unknown(Exception):
    """One clear line: what was typed, and what was expected."""


ALONE = frozenset(("play", "note", "undo", "redo", "help", "quit"))
"""The commands that take nothing more."""


@attrs.frozen
class Typed:
    """A command as it was meant: its name and the rest of the line."""

    name: str
    rest: str


def parse(line: str) -> Typed:
    """What a typed line means. Raises Unknown in one clear line."""
    line = line.strip()
    counted = COUNTED.fullmatch(line)
    if counted:
        return Typed(counted[2], counted[1].replace(",", "").replace("_", ""))
    if re.fullmatch(r"#\s*\d[\d,_]*|\d+(\.\d+)?\s*%", line):
        return Typed("goto", line)
    word, _, rest = line.partition(" ")
    name = ALIASES.get(word, word)
    if name == "g":
        name = "goto"
    if name in ALONE and rest.strip():
        raise Unknown(f"{name} stands alone; {rest.strip()!r} is too much")
    if name in NAMES:
        return Typed(name, rest.strip())
    if line.isdigit():
        raise Unknown(
            f"{line} alone is no command; {line}n goes forward, {line}p back, #{line} to that event"
        )
    raise Unknown(f"unknown command {word!r}; expected one of {', '.join(NAMES)}")


def number(rest: str, what: str) -> int:
    """A whole number that a command needs. Raises Unknown where there is none."""
    if not (rest.isascii() and rest.isdigit()):
        raise Unknown(
            f"{rest!r} is no {what}; expected a whole number" if rest else f"which {what}? expected a number"
        )
    return int(rest)


def speed(rest: str) -> float:
    """A speed: events a second. Raises Unknown where there is none."""
    try:
        value = float(rest.lstrip("x"))
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise Unknown(f"{rest!r} is no speed; expected events a second, as in speed 8")
    return value
