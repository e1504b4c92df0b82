"""`shadowtime impact FILE`: what an action would change, job by job."""

from collections.abc import Sequence

import attrs
import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import clock_of, json_option, open_at, takes_case
from shadowtime.console.commands.output import TextTable, progress_bar, say, say_json, say_table
from shadowtime.console.commands.slurm.cluster import or_cluster
from shadowtime.console.commands.slurm.outlook import cluster_clock, outlook_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.session.impact.rows import END, START
from shadowtime.console.words import impact as words
from shadowtime.console.words.plan import left_out_words


def _on_cluster(
    reached: Reached,
    where: str | None,
    actions: tuple[str, ...],
    most: int,
    ends: bool,
    clock: str | None,
    as_json: bool,
) -> None:
    """The impact on a cluster under Slurm."""
    _refuse(ends, as_json)
    outlook = outlook_of(reached, where)
    _print(outlook, actions, most, ends, cluster_clock(reached, outlook, clock), as_json)
    if not as_json:
        say(words.NOTHING_DONE)


def _refuse(ends: bool, as_json: bool) -> None:
    if ends and not as_json:
        raise click.UsageError("--ends adds a list to the output of --json; expected --json with it")


@click.command("impact")
@or_cluster(_on_cluster, follows=False)
@takes_case
@click.option(
    "--at",
    "where",
    metavar="WHEN",
    help="Act here: a time, #EVENT, 50%, '31 start'. For a captured cluster: the capture, by default.",
)
@click.option(
    "--do",
    "actions",
    metavar="ACTION",
    multiple=True,
    required=True,
    help="The action as the console reads it, such as 'drain 0-15'; several are done in this order.",
)
@click.option(
    "--rows",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Print at most N jobs.",
)
@click.option(
    "--ends",
    is_flag=True,
    help="With --json: an object of lists: `starts`, `ends` that move alone, and `nodes` out of service.",
)
@clock_option
@json_option
def command(
    case: Case,
    where: str | None,
    actions: tuple[str, ...],
    most: int,
    ends: bool,
    clock: str | None,
    as_json: bool,
) -> None:
    """Print every job whose expected start or end an action at WHEN would move, the largest delay first.

    Two runs from the same instant are compared, one with the action: every job runs to its estimate, and
    nothing else comes.

    FILE can be a captured Slurm cluster, or the word slurm for the live one: then the runs are those of the
    cluster over time, and the actions `hold 31`, `release 31`, `cancel 31`, `requeue 31`, `drain n[01-04]`,
    `resume n05`, `reserve n[01-04] tomorrow 18:00 4h`, `unreserve NAME`, `priority 31 9000`, `limit 31 2h`,
    `nodes 31 4`, `partition 31 short`, `set bf_max_job_user=3`; `at 18:00` behind one but `set` makes it
    later; a table sums the changes by user. --policy easy: another scheduler.
    """
    _refuse(ends, as_json)
    session = open_at(case, where)
    _print(session.outlook(), actions, most, ends, clock_of(case, clock), as_json)


def _print(
    outlook: Outlook, actions: tuple[str, ...], most: int, ends: bool, written: Clock, as_json: bool
) -> None:
    work = ImpactWork(outlook, actions)
    with progress_bar("Comparing two expected runs") as on_progress:
        found = work.run(on_progress)
    assert found is not None
    if as_json:
        starts = found.moved(START)
        nodes = {"nodes": [attrs.asdict(each) for each in found.vacated]} if found.vacated else {}
        say_json({"starts": starts, "ends": found.moved(END), **nodes} if ends else starts)
        return
    for line in words.report(found, written):
        say(line)
    if found.rows:
        say()
        say_table(_table(found, most, written))
    if len(found.rows) > most:
        say(f"and {len(found.rows) - most:,} more; --rows {len(found.rows)} prints them all")
    users = words.by_user(found)
    if users:
        say_table(_users(users))
    for text in left_out_words(found.caveats, [(str(row.job), row.marks or ()) for row in found.rows]):
        say(text)


def _users(users: Sequence[tuple[str, str]]) -> TextTable:
    table = TextTable("user", "jobs of the user", ruled=True)
    for user, what in users:
        table.add_row(user, what)
    return table


def _table(found: Impact, most: int, clock: Clock) -> TextTable:
    table = TextTable(ruled=True)
    for heading in words.HEADINGS:
        table.add_column(heading, justify="left" if heading == "user" else "right")
    for row in found.rows[:most]:
        table.add_row(*words.cells(row, clock))
    return table
