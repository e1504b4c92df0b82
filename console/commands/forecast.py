"""`shadowtime forecast FOLDER`: what the next backfill cycle of a captured Slurm cluster plans."""

from datetime import datetime, tzinfo

import attrs
import click

from shadowtime.console.commands.options import debug_option, file_argument, json_option
from shadowtime.console.commands.output import Grid, progress_bar, say, say_json, say_table
from shadowtime.console.commands.slurm.cluster import LATEST
from shadowtime.console.session import format_duration
from shadowtime.console.session.slurm import Forecast, ForecastRow, calendar, forecast, write_rows, zone_of
from shadowtime.console.session.slurm.parameters import is_slurm, parse_overrides
from shadowtime.console.words import plan as words
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.console.words.cluster.caveats import sign as sign_of


@click.command("forecast")
@file_argument("folder")
@click.option(
    "--now",
    type=click.IntRange(0, LATEST),
    metavar="EPOCH",
    help="Instant of the cycle, in seconds since 1970 [default: when the queue was read].",
)
@click.option(
    "--timezone", metavar="ZONE", default="UTC", show_default=True, help="Time zone of the cluster's clock."
)
@click.option("--expected", is_flag=True, help="Follow the cluster until every waiting job has started.")
@click.option("--events", is_flag=True, help="With --expected: every end, submission, pass and cycle, too.")
@click.option(
    "--policy",
    default="slurm",
    metavar="slurm[:KEY=VALUE,...]",
    help="Other parameters than those of config.txt, such as slurm:bf_interval=60,bf_max_job_test=50.",
)
@click.option("--csv", "output", metavar="OUT.csv", help="Write the rows to this file, too.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@debug_option
def command(
    folder: str,
    now: int | None,
    timezone: str,
    expected: bool,
    events: bool,
    policy: str,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Forecast which waiting job of a Slurm cluster starts when and where.

    FOLDER has the output of Slurm's commands, as `shadowtime capture slurm -o FOLDER` writes it. Without that
    (docs/slurm-cycle.md, section 15):

    \b
    scontrol show config > config.txt
    squeue --json > squeue.json
    scontrol show nodes --json > nodes.json
    scontrol show partitions --json > partitions.json
    scontrol show reservations --json > reservations.json

    The plan is that of one backfill cycle; `shadowtime run FOLDER` prints it with what each job waits for.
    Whatever changes after the capture changes it. The expected
    starts are those of main passes and cycles from now on, if every job runs until its limit, nobody
    submits another, and nodes and priorities stay (docs/slurm-cycle.md, section 13).
    """
    zone = zone_of(timezone)
    if not is_slurm(policy):
        raise click.UsageError(
            f"a forecast is that of policy slurm; run FOLDER --policy {policy} simulates another"
        )
    with progress_bar("Following the cluster") as on_progress:
        found = forecast(folder, now, zone, expected, parse_overrides(policy), on_progress)
    if events and not expected:
        raise click.UsageError("--events lists what --expected follows; expected --expected with it")
    if output is not None:
        write_rows(found, output, caveat, force, zone)
    if as_json:
        say_json(_fields(found, events, zone))
    else:
        _say(found, zone, events)


def _fields(found: Forecast, events: bool, zone: tzinfo) -> dict[str, object]:
    """The forecast as an object, starts by the calendar, too; each event without what it changes."""
    fields = attrs.asdict(found, filter=lambda field, _: field.name not in ("moments", "puts", "due"))
    hidden = ("puts", "due")
    listed = [
        attrs.asdict(moment, filter=lambda field, _: field.name not in hidden) for moment in found.moments
    ]
    marks = [row.marks for row in found.rows] + [each.marks for each in found.expected]
    for row, of_row in zip((*fields["rows"], *fields["expected"]), marks, strict=True):
        row |= {"marks": of_row, "start_at": calendar(row["start"], zone)}
    fields["caveats"] = found.caveats
    return {**fields, "events": listed} if events else fields


def _say(found: Forecast, zone: tzinfo, events: bool) -> None:
    table = Grid()
    for name in ("job", "partition", "outcome", "start", "in", "nodes", "note"):
        table.add_column(name, overflow="fold")
    for row in found.rows:
        table.add_row(*_cells(row, found, zone))
    if found.rows:
        say_table(table)
    started, planned = (sum(row.outcome == word for row in found.rows) for word in ("started", "planned"))
    say(f"{len(found.rows)} entries at {_instant(found.now, zone)}: {started} start now, {planned} planned")
    for text in words.kept_out_words(found.kept_out):
        say(text)
    if found.expected:
        _say_expected(found, zone)
    if events:
        _say_events(found, zone)
    say(f"Slurm {found.release}; rules of {found.rules}")
    if text := words.beside_words(found.beside, lambda at: _instant(at, zone)):
        say(text)
    marked = [(row.job_id, row.marks) for row in found.rows]
    marked += [(each.job_id, each.marks) for each in found.expected]
    for text in words.left_out_words(found.caveats, marked):
        say(text)


def _say_expected(found: Forecast, zone: tzinfo) -> None:
    table = Grid()
    for name in ("job", "expected", "in", "by", "nodes"):
        table.add_column(name, overflow="fold")
    for each in found.expected:
        if each.start is None:
            table.add_row(each.job_id, f"never{sign_of(each.marks)}", "", "", "")
        else:
            ahead = format_duration(max(0, each.start - found.now))
            start = _instant(each.start, zone) + sign_of(each.marks)
            table.add_row(each.job_id, start, ahead, each.by, each.nodes)
    say_table(table)
    say("expected: every job runs until its limit, and nobody submits another")


def _say_events(found: Forecast, zone: tzinfo) -> None:
    # Imported late: the texts of the panels need what draws them.
    from shadowtime.console.widgets.slurm.dates import Dates
    from shadowtime.console.widgets.slurm.event_text import event_text

    for number, moment in enumerate(found.moments, 1):
        say(f"{number:>5}  {_instant(moment.at, zone)}  {event_text(moment, Dates(zone), found.now)}")


def _cells(row: ForecastRow, found: Forecast, zone: tzinfo) -> list[str]:
    reached = found.limits.get(row.order)
    note = words.note_words(row.note) if reached is None else words.limit_words(reached)
    sign = sign_of(row.marks)
    if row.start is None:
        return [row.job_id, row.partition, row.outcome, sign, "", "", note]
    ahead = format_duration(max(0, row.start - found.now))
    return [row.job_id, row.partition, row.outcome, _instant(row.start, zone) + sign, ahead, row.nodes, note]


def _instant(seconds: int, zone: tzinfo) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, zone):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return str(seconds)
