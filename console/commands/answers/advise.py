"""`shadowtime advise FILE`: what would get a waiting job started by an instant."""

import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import at_option, clock_of, json_option, open_at, takes_case
from shadowtime.console.commands.output import progress_bar, say, say_json, say_table
from shadowtime.console.commands.slurm.cluster import or_cluster
from shadowtime.console.commands.slurm.outlook import cluster_clock, likely_option, outlook_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.impact.advice import AdviceWork, Advised
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.words import impact as words

PAYERS = 3
"""The jobs that pay most, named for each piece of advice."""


def _on_cluster(
    reached: Reached, where: str | None, job: str, by: str, likely: bool, clock: str | None, as_json: bool
) -> None:
    outlook = outlook_of(reached, where, likely)
    _print(outlook, job, by, cluster_clock(reached, outlook, clock), as_json)
    if not as_json:
        say(words.NOTHING_DONE)


@click.command("advise")
@or_cluster(_on_cluster, follows=False)
@takes_case
@click.argument("job")
@at_option("Ask here: a time, #EVENT, 50%, '31 submit'")
@click.option(
    "--by",
    metavar="TIME",
    default="",
    help="Start by then: a time, now, +2h, or -1h: before its likely start.  [default: now]",
)
@likely_option
@clock_option
@json_option
def command(
    case: Case, where: str | None, job: str, by: str, likely: bool, clock: str | None, as_json: bool
) -> None:
    """Print what would get JOB started by TIME: what an operator can do, what its user could ask for.

    Each line was confirmed by a simulation from WHEN in which every job runs to its estimate and nothing else
    comes. What is cheapest for the other jobs is first in both.

    FILE can be a captured Slurm cluster, or the word slurm for the live one: then each line was confirmed by
    the cluster over time. --policy easy simulates another scheduler.
    """
    written = clock_of(case, clock)
    session = open_at(case, where, written)
    outlook = session.outlook(written)
    if not as_json and job != (number := str(outlook.number_called(job))):
        say(words.numbered(job, number))
    _print(outlook, job, by, written, as_json)


def _print(outlook: Outlook, job: str, by: str, written: Clock, as_json: bool) -> None:
    work = AdviceWork(outlook, outlook.number_called(job), by)
    with progress_bar("Searching") as on_progress:
        found = work.run(on_progress)
    assert found is not None
    if as_json:
        say_json([advice.as_dict() for advice in found.advice])
        return
    say(words.advised(found, written))
    if found.advice:
        say()
        _say_table(found, written)


def _say_table(found: Advised, clock: Clock) -> None:
    odds, rows = ("as things go",) if found.likely is not None else (), []
    for advice in found.advice:
        most = ", ".join(map(words.pays, words.payers(advice, PAYERS))) or "-"
        likely = (words.advice_odds(advice, found.by, clock),) if odds else ()
        rows.append((*words.advice_cells(advice, clock), *likely, most))
    say_table(("do", "starts", "costs the others", *odds, "who pays most"), rows, ruled=True)
