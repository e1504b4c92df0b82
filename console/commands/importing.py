"""`shadowtime import sacct FILE`: the accounting dump of a Slurm cluster as a log."""

from typing import Any

import attrs
import click

from shadowtime.console.commands.options import debug_option
from shadowtime.console.commands.output import progress_bar, say, say_json, say_table
from shadowtime.console.session import format_duration
from shadowtime.console.session.files.importing import Account, import_sacct


@click.group("import")
def command() -> None:
    """Make a log of a real cluster's accounting dump."""


@command.command("sacct")
@click.argument("file", type=click.Path())
@click.option("-o", "--output", metavar="OUT.swf", required=True, help="Write the log to this file.")
@click.option(
    "--unit",
    type=click.Choice(("cpu", "node")),
    help="Unit of the machine [default: cpu if the dump has it].",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    metavar="N",
    help="Size of the machine [default: the most in use at once].",
)
@click.option(
    "--timezone",
    "zone",
    metavar="ZONE",
    default="UTC",
    show_default=True,
    help="Time zone of the dump's times.",
)
@click.option(
    "--arrival",
    type=click.Choice(("submit", "eligible")),
    default="submit",
    show_default=True,
    help="When a job arrives: at its submission, or when it could first have started.",
)
@click.option(
    "--separator",
    "--delimiter",
    "separator",
    metavar="CHARACTER",
    help="Separator of the columns [default: what the header has of | , ; and tab].",
)
@click.option("--cluster", metavar="NAME", help="Take the jobs of this cluster only.")
@click.option("--ids", metavar="OUT.csv", help="Write the Slurm id of each job of the log to this file.")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print the account as JSON.")
@debug_option
def sacct(file: str, output: str, arrival: str, as_json: bool, **options: Any) -> None:
    """Write a log in the Standard Workload Format from a dump with a header, such as

    \b
    sacct -P -a -S 2026-03-01 -E 2026-04-01 --duplicates -o \\
      JobID,User,Account,Partition,Submit,Eligible,Start,End,Elapsed,Suspended,Timelimit,AllocCPUS,NNodes,State

    Columns may stand in any order, and others beside them. FILE may be packed (gzip, xz), or a pipe; - is
    standard input.
    """
    with progress_bar("Reading") as on_progress:
        account = import_sacct(file, output, arrival=arrival, progress=on_progress, **options)
    if as_json:
        say_json(attrs.asdict(account))
    else:
        _say(account, arrival)


def _say(account: Account, arrival: str) -> None:
    facts = account.facts
    rows = [(f"{account.rows:,}", "rows after the header", "")]
    rows += [(f"{count:,}", f"jobs: {state}", "") for state, count in facts.states.items()]
    rows += [
        (f"{count:,}", f"left out: {reason}", str(account.lines[reason]))
        for reason, count in account.dropped.items()
    ]
    say_table(("rows", "what became of them", "first on line"), rows, right=(0, 2))
    for line, wrong in account.faults:
        say(f"{account.source}:{line}: {wrong}")
    units = "processors" if account.unit == "cpu" else "nodes"
    span = format_duration(facts.last_end - facts.first)
    jobs = "job" if facts.runs == 1 else "jobs"
    say(f"{account.output}: {facts.runs:,} {jobs} on {account.nodes:,} {units} in {span}")
    for note in _notes(account, arrival):
        say(note)


def _were(count: int, one: str = "was", more: str = "were") -> str:
    return f"{count:,} {one if count == 1 else more}"


def _notes(account: Account, arrival: str) -> list[str]:
    facts = account.facts
    notes = []
    if facts.requeued:
        notes.append(
            f"{_were(facts.requeued, 'is a further run', 'are further runs')} of jobs that were requeued: "
            "each is a job of its own"
        )
    if account.continued:
        goes = "line goes" if account.continued == 1 else "lines go"
        notes.append(f"{account.continued:,} {goes} on with the row before: a text has a line break")
    if facts.suspended:
        notes.append(f"{_were(facts.suspended)} suspended for a while: that is no part of the runtime")
    if account.unlimited:
        notes.append(f"{account.unlimited:,} had no time limit: the runtime stands for it")
    if facts.later and arrival == "submit":
        notes.append(
            f"{facts.later:,} could not start as soon as submitted "
            "(--arrival eligible: a job arrives when it could)"
        )
    if facts.earliest is not None:
        job, lead = facts.earliest
        by = f"job {job} by {format_duration(lead)}{', the most' if facts.early > 1 else ''}"
        when = "submitted" if arrival == "submit" else "eligible"
        notes.append(
            f"{facts.early:,} started before being {when} ({by}): taken to arrive when {when}, with no wait"
        )
    if facts.peak > account.nodes:
        notes.append(f"up to {facts.peak:,} were in use at once: more than the machine is said to have")
    if facts.widest > account.nodes:
        notes.append(
            f"the largest needs {facts.widest:,}: jobs larger than the machine are left out of a simulation"
        )
    return notes
