"""`shadowtime report FILE`: one page of HTML for a meeting."""

from pathlib import Path
from typing import Any

import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import clock_of, takes_case
from shadowtime.console.commands.output import progress_bar, say
from shadowtime.console.commands.slurm.cluster import or_cluster
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import Case
from shadowtime.console.session.clock import KINDS
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.report.machine import machine_report, rival_of, window_of
from shadowtime.console.widgets.report.machine import machine_page


def _on_cluster(reached: Reached, against: str | None, output: str | None, force: bool, **given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise click.UsageError(f"--{'from' if name == 'begin' else name} is for logs and scenarios")
    # Imported late: a scenario needs none of it.
    from shadowtime.console.commands.report.cluster import cluster_html

    if reached.source.overrides:
        raise click.UsageError("a report has the parameters of the cluster; use --against slurm:KEY=VALUE")

    output = output or f"{Path(reached.source.name).name}.html"
    refuse_overwriting([output], force)
    _write(output, cluster_html(reached, against))


@click.command("report")
@or_cluster(_on_cluster, follows=False)
@takes_case
@click.option("--from", "begin", metavar="WHEN", help="Begin then: a date, a time, '31 submit'.")
@click.option("--until", metavar="WHEN", help="End then; +30d is from --from on.")
@click.option(
    "--against",
    metavar="NAME[:KEY=VALUE,...]",
    help="Compare with this policy or variant [default: as = does in the console].",
)
@click.option("-o", "--output", metavar="OUT.html", help="Write to this file [default: FILE.html here].")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@clock_option
def command(
    case: Case,
    begin: str | None,
    until: str | None,
    against: str | None,
    output: str | None,
    force: bool,
    clock: str | None,
) -> None:
    """Write a report for a meeting: one page of HTML with its pictures, to read on a screen or on paper.

    It has the utilization and the queue over time, the waits by class and by user, the ten longest waits and
    why, how good forecasts were, and what another policy would have done. docs/report.md says what each
    figure means.

    FILE can be a captured Slurm cluster, or the word slurm for the live one: then it has the weeks of its
    accounting, the longest waits and why, likely starts, what came of earlier forecasts, and what another
    policy, or other parameters (--against slurm:bf_interval=60), would do. Of a folder of captures it is
    about the last one, with the forecasts of those before.
    """
    output = output or f"{Path(case.scenario.log or case.scenario.path).name.split('.')[0]}.html"
    refuse_overwriting([output], force)
    kind = clock or (KINDS[0] if case.scenario.epoch is None else KINDS[1])
    written = clock_of(case, kind)
    window = window_of(case, begin, until, written)
    rival = rival_of(case, against)
    with progress_bar("Simulating") as on_progress:
        found = machine_report(case, window, rival, on_progress)
    _write(output, machine_page(found, written))


def _write(output: str, page: str) -> None:
    with written_whole(output) as stream:
        stream.write(page)
    say(f"wrote {output}")
