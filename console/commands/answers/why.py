"""`shadowtime why FILE JOB`: why a job waits, runs or is over, and all that happens until it starts."""

import attrs
import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import (
    at_option,
    clock_of,
    json_option,
    open_at,
    takes_case,
)
from shadowtime.console.commands.output import say, say_json
from shadowtime.console.commands.slurm.cluster import or_cluster
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import Case, SessionError
from shadowtime.console.session.jobs.chain import Chain


def _on_cluster(reached: Reached, where: str | None, job: str, clock: str | None, as_json: bool) -> None:
    from shadowtime.console.commands.slurm.lines import SteppedLines
    from shadowtime.console.session.slurm.board.chain import chain, likely_chain
    from shadowtime.console.session.slurm.board.making import board
    from shadowtime.console.session.slurm.capturing import take_once
    from shadowtime.console.session.slurm.ledger.odds import SAMPLES, likely_of

    if clock is not None:
        raise click.UsageError("--clock is for scenarios; a cluster has the calendar, and --timezone")
    found = board(take_once(reached.source))
    lines = SteppedLines(found, reached.dates, say, lambda _: None)
    if where is not None:
        lines.go(where)
    if as_json:
        stand = lines.course.look()
        links = chain(stand.board, lines.row(job))
        odds = {} if links is None else likely_of(stand.board, SAMPLES, keeps=False).starts
        _say(job, links and likely_chain(links, {name: each.likely for name, each in odds.items()}))
    else:
        lines.why(job)


@click.command("why")
@or_cluster(_on_cluster, follows=False)
@takes_case
@click.argument("job")
@at_option("Ask here: a time, #EVENT, 50%, '31 submit'")
@clock_option
@json_option
def command(case: Case, where: str | None, job: str, clock: str | None, as_json: bool) -> None:
    """Print why JOB waits, runs or is over at WHEN; of a waiting job all that happens until it starts.

    With --json it is one object: the job, the nodes that it needs, the nodes that are free now, and the
    links, each with its instant, the nodes that it frees (above 0) or takes, the nodes that are free after
    it, the job or the rule, and the likely instant. docs/operating.md says what a link is.

    FILE can be a captured Slurm cluster, or the word slurm for the live one.
    """
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.widgets.events.text import ChosenJob, why_text
    from shadowtime.console.words import unit_of

    written = clock_of(case, clock)
    session = open_at(case, where, written)
    session.forecasts.find_likely()
    choice = ChosenJob.asked(session, session.case.id_called(job))
    if as_json:
        _say(job, choice.chain)
    else:
        unit = unit_of(case.scenario.machine, written)
        for line in why_text(choice, session.time, session.number, unit).splitlines():
            say(line)


def _say(job: str, chain: Chain | None) -> None:
    if chain is None:
        raise SessionError(f"job {job} has no chain: it does not wait for nodes; without --json it shows why")
    say_json(attrs.asdict(chain) | {"start": chain.start})
