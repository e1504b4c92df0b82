"""`shadowtime policies`: every policy, its parameters, its paper, and its choices."""

import textwrap

import click

from shadowtime.console import words
from shadowtime.console.commands.endings import say_error
from shadowtime.console.commands.options import debug_option, json_option
from shadowtime.console.commands.output import say_json, say_lines
from shadowtime.console.session import PolicyEntry, broken, policies_table, refused
from shadowtime.console.session.slurm.parameters import NAME, PARAMETERS

WIDTH = 100
"""The most columns of the text."""
MARKS = {
    "reconstruction": "RECONSTRUCTION: this is not the authors' own definition",
    "choice": "CHOICE: the paper leaves this open",
    "known": "KNOWN",
    "": "NOTE",
}
"""The first word of a note -> its heading."""
SLURM = "Slurm's main pass and backfill cycle, on a captured cluster or a live one"
MANUAL = "none: slurm.conf(5) and recorded plans, docs/slurm-cycle.md"
OF_CLUSTERS = (
    "schedules captured folders (open, run, forecast, compare) and live clusters alone; a parameter that is"
    " not given is that of the cluster's own configuration"
)


@click.command("policies")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@json_option
@debug_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the policies, or those named: parameters, their defaults, the paper, choices, reconstructions."""
    clusters = NAME in names or not names
    ours = [name for name in names if name != NAME]
    entries = policies_table(ours) if ours or not names else ()
    for line in (*broken().values(), *refused()):
        say_error(line)
    if as_json:
        say_json([*(_fields(entry) for entry in entries), *([_slurm_fields()] if clusters else [])])
    else:
        say_lines("\n\n".join([*(_text(entry) for entry in entries), *([_slurm()] if clusters else [])]))


def _fields(entry: PolicyEntry) -> dict[str, object]:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "paper": entry.paper,
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "kind": parameter.kind,
                "choices": None if parameter.choices is None else list(parameter.choices),
                "meaning": parameter.doc,
            }
            for parameter in entry.parameters
        ],
        "notes": list(entry.notes),
    }


def _slurm_fields() -> dict[str, object]:
    """The policy of captured clusters; the kernel does not have it."""
    parameters = [
        {
            "name": each.name,
            "default": each.default,
            "kind": each.kind.expected,
            "choices": None,
            "meaning": each.meaning,
        }
        for each in PARAMETERS
    ]
    return {
        "name": NAME,
        "summary": SLURM,
        "paper": MANUAL,
        "parameters": parameters,
        "notes": [OF_CLUSTERS],
    }


def _slurm() -> str:
    lines = [*_wrapped(f"{NAME}  {SLURM}", "", "    "), f"    paper: {MANUAL}"]
    for each in PARAMETERS:
        lines.append(f"    {each.name} = {each.default or 'as on the cluster'} ({each.kind.expected})")
        lines += _wrapped(each.meaning, "        ", "        ")
    lines += ["    NOTE", *_wrapped(OF_CLUSTERS, "      - ", "        ")]
    return "\n".join(lines)


def _text(entry: PolicyEntry) -> str:
    """Return an entry as text; only its name is not indented."""
    lines = _wrapped(f"{words.policy_name(entry.name)}  {entry.summary}", "", "    ")
    lines.append(f"    paper: {entry.paper}")
    for parameter in entry.parameters:
        choices = f" (one of {', '.join(parameter.choices)})" if parameter.choices else ""
        lines.append(f"    {parameter.name} = {words.spelled(parameter.default, parameter.kind)}{choices}")
        lines += _wrapped(parameter.doc, "        ", "        ")
    for heading, notes in _notes(entry.notes).items():
        lines.append(f"    {heading}")
        for note in notes:
            lines += _wrapped(note, "      - ", "        ")
    return "\n".join(lines)


def _notes(notes: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the notes by heading: reconstructions first, since they matter most."""
    found: dict[str, list[str]] = {heading: [] for heading in MARKS.values()}
    for note in notes:
        mark, colon, rest = note.partition(": ")
        known = bool(colon) and mark in MARKS
        found[MARKS[mark if known else ""]].append(rest if known else note)
    return {heading: texts for heading, texts in found.items() if texts}


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=others)
