"""`shadowtime impact FILE`: what an action would change, job by job."""

from typing import Any, NamedTuple

import attrs
import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import (
    at_option,
    clock_of,
    count_option,
    json_option,
    open_at,
    takes_case,
)
from shadowtime.console.commands.output import progress_bar, say, say_json, say_table
from shadowtime.console.commands.slurm.cluster import or_cluster
from shadowtime.console.commands.slurm.outlook import cluster_clock, likely_option, outlook_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.files.writers import refuse_overwriting
from shadowtime.console.session.impact.impact import ImpactWork, write_impact
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.session.impact.rows import END, START
from shadowtime.console.words import impact as words
from shadowtime.console.words.plan import left_out_words


class Form(NamedTuple):
    """How an impact is shown."""

    most: int
    ends: bool
    output: str | None
    force: bool
    clock: str | None
    as_json: bool

    def check(self) -> None:
        """UsageError, SessionError: it cannot be shown so."""
        if self.ends and not self.as_json:
            raise click.UsageError("--ends adds a list to the output of --json; expected --json with it")
        refuse_overwriting([self.output], self.force)


def _on_cluster(
    reached: Reached, where: str | None, actions: tuple[str, ...], likely: bool, **others: Any
) -> None:
    form = Form(**others)
    form.check()
    outlook = outlook_of(reached, where, likely)
    _print(outlook, actions, form, cluster_clock(reached, outlook, form.clock))
    if not form.as_json:
        say(words.NOTHING_DONE)


@click.command("impact")
@or_cluster(_on_cluster, follows=False)
@takes_case
@at_option("Act here: a time, #EVENT, 50%, '31 start'")
@click.option(
    "--do",
    "actions",
    metavar="ACTION",
    multiple=True,
    required=True,
    help="The action as the console reads it, such as 'drain 0-15', or 'drain 0-15 at 18:00' for nodes that"
    " leave or come back later; several, also with semicolons between, are done in this order.",
)
@count_option("--rows most", 20, "Print at most N jobs.", least=1)
@click.option(
    "--ends",
    is_flag=True,
    help="With --json: an object of lists: `starts`, `ends` that move alone, and `nodes` out of service.",
)
@click.option("--csv", "output", metavar="OUT.csv", help="Write every row that moves, instants in seconds.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@likely_option
@clock_option
@json_option
def command(case: Case, where: str | None, actions: tuple[str, ...], likely: bool, **others: Any) -> None:
    """Print every job whose expected start or end an action at WHEN would move, the largest delay first.

    Two runs from the same instant are compared, one with the action: every job runs to its estimate, and
    nothing else comes. Where 20 jobs have ended, 25 samples of what may come are run, too, each with and
    without the action: likely is the median change, and 1 in 10 samples go as far as the next column.

    FILE can be a captured Slurm cluster, or the word slurm for the live one: then the runs are those of the
    cluster over time, and the actions `hold 31`, `release 31`, `cancel 31`, `requeue 31`, `drain n[01-04]`,
    `resume n05`, `reserve n[01-04] tomorrow 18:00 4h`, `unreserve NAME`, `priority 31 9000`, `limit 31 2h`,
    `nodes 31 4`, `partition 31 short`, `set bf_max_job_user=3`; `at 18:00` behind one but `set` makes it
    later; a table sums the changes by user. Its samples need --likely, and 10 jobs that have ended.
    --policy easy: another scheduler.
    """
    form = Form(**others)
    form.check()
    written = clock_of(case, form.clock)
    session = open_at(case, where, written)
    _print(session.outlook(written), actions, form, written)


def _print(outlook: Outlook, actions: tuple[str, ...], form: Form, written: Clock) -> None:
    work = ImpactWork(outlook, [text.strip() for line in actions for text in line.split(";")])
    with progress_bar("Comparing two expected runs") as on_progress:
        found = work.run(on_progress)
    assert found is not None
    if form.output is not None:
        write_impact(found, form.output, form.force)
    if form.as_json:
        starts = found.moved(START)
        nodes = {"nodes": [attrs.asdict(each) for each in found.vacated]} if found.vacated else {}
        say_json({"starts": starts, "ends": found.moved(END), **nodes} if form.ends else starts)
        return
    for line in words.report(found, written):
        say(line)
    if found.rows:
        say()
        titles = words.headings(found)
        right = [place for place, title in enumerate(titles) if title != "user"]
        say_table(
            titles, (words.cells(row, written) for row in found.rows[: form.most]), right=right, ruled=True
        )
    if len(found.rows) > form.most:
        say(f"and {len(found.rows) - form.most:,} more; --rows {len(found.rows)} prints them all")
    users = words.by_user(found)
    if users:
        say_table(("user", "jobs of the user"), users, ruled=True)
    for text in left_out_words(found.caveats, [(str(row.job), row.marks or ()) for row in found.rows]):
        say(text)
