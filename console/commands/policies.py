"""`shadowtime policies`: every policy, its parameters, its paper, and what in it is a choice."""

import click

from console.commands.options import debug_option, json_option
from console.commands.output import say, say_json
from console.session import PolicyEntry, policies_table


@click.command("policies")
@json_option
@debug_option
def command(as_json: bool) -> None:
    """List the policies: parameters with their defaults, the paper, what is a choice or a reconstruction."""
    entries = policies_table()
    if as_json:
        say_json([_fields(entry) for entry in entries])
    else:
        say("\n\n".join(_text(entry) for entry in entries))


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


def _text(entry: PolicyEntry) -> str:
    lines = [f"{entry.name}  {entry.summary}", f"    paper: {entry.paper}"]
    for parameter in entry.parameters:
        choices = f" (one of {', '.join(parameter.choices)})" if parameter.choices else ""
        lines.append(f"    {parameter.name} = {parameter.default}{choices}: {parameter.doc}")
    return "\n".join([*lines, *(f"    {note}" for note in entry.notes)])
