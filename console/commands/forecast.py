"""`shadowtime forecast FILE`: what the next cycle of a Slurm cluster plans; likely starts of a log."""

from datetime import datetime, tzinfo

import attrs
import click

from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.odds.moment import Form, forecast_at
from shadowtime.console.commands.options import debug_option, file_argument, json_option, refuse_live
from shadowtime.console.commands.output import progress_bar, say, say_json, say_table
from shadowtime.console.commands.slurm.cluster import LATEST, is_cluster
from shadowtime.console.session import format_duration
from shadowtime.console.session.slurm import Forecast, ForecastRow, calendar, forecast, write_rows, zone_of
from shadowtime.console.session.slurm.ledger.odds import known_of
from shadowtime.console.session.slurm.likely.odds import SAMPLES
from shadowtime.console.session.slurm.parameters import is_slurm, parse_overrides
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words import plan as words
from shadowtime.console.words.cluster import likely as likely_words
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.console.words.cluster.caveats import sign as sign_of


@click.command("forecast")
@file_argument()
@click.option(
    "--now",
    type=click.IntRange(0, LATEST),
    metavar="EPOCH",
    help="Instant of the cycle, in seconds since 1970 [default: when the queue was read].",
)
@click.option("--timezone", metavar="ZONE", show_default="UTC", help="Time zone of the cluster's clock.")
@click.option("--expected", is_flag=True, help="Follow the cluster until every waiting job has started.")
@click.option("--likely", is_flag=True, help="Sample what may come: the likely start of each waiting job.")
@click.option(
    "--samples",
    type=click.IntRange(1),
    metavar="N",
    help=f"With --likely: draw N [default: {SAMPLES}].",
)
@click.option("--events", is_flag=True, help="With --expected: every end, submission, pass and cycle, too.")
@click.option(
    "--policy",
    metavar="NAME[:KEY=VALUE,...]",
    help="Of a cluster: other parameters than those of config.txt, such as slurm:bf_interval=60;"
    " of a log or a scenario: another policy.",
)
@click.option(
    "--at", "where", metavar="WHEN", help="Of a log or a scenario: a time, #EVENT, 50%, '31 start'."
)
@clock_option
@click.option("--csv", "output", metavar="OUT.csv", help="Write the rows to this file, too.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@debug_option
def command(
    file: str,
    now: int | None,
    timezone: str | None,
    expected: bool,
    likely: bool,
    samples: int | None,
    events: bool,
    policy: str | None,
    where: str | None,
    clock: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Forecast which waiting job starts when: of a Slurm cluster, or at a moment of a log or a scenario.

    FILE is a captured cluster, or with --at a log or a scenario: then each waiting job has its expected start
    (every job runs to its estimate, nobody comes) and its likely start with the odds (docs/forecast.md).

    The folder of a cluster has the output of Slurm's commands, as `shadowtime capture slurm -o FOLDER`
    writes it. Without that (docs/slurm-cycle.md, section 15):

    \b
    scontrol show config > config.txt
    squeue --json > squeue.json
    scontrol show nodes --json > nodes.json
    scontrol show partitions --json > partitions.json
    scontrol show reservations --json > reservations.json

    The plan is that of one backfill cycle; `shadowtime run FOLDER` prints it with what each job waits for.
    Whatever changes after the capture changes it. The expected
    starts are those of main passes and cycles from now on, if every job runs until its limit, nobody
    submits another, and nodes and priorities stay (docs/slurm-cycle.md, section 13). The likely starts come
    from samples in which jobs run as long as those of the accounting did, and others come as they came.
    """
    if not is_cluster(file):
        if now is not None or timezone is not None or expected or events or likely:
            for_clusters = "--now, --timezone, --expected, --likely and --events"
            raise click.UsageError(f"{file} is no cluster; {for_clusters} are for clusters")
        forecast_at(file, policy, where, Form(clock, output, force, as_json))
        return
    refuse_live("forecast", file)
    if where is not None or clock is not None:
        raise click.UsageError(f"{file} is a cluster; --at and --clock are for logs and scenarios")
    if samples is not None and not likely:
        raise click.UsageError("--samples is of --likely; expected --likely with it")
    zone = zone_of(timezone or "UTC")
    policy = "slurm" if policy is None else policy
    if not is_slurm(policy):
        raise click.UsageError(
            f"a forecast is that of policy slurm; run FOLDER --policy {policy} simulates another"
        )
    with progress_bar("Following the cluster") as on_progress:
        drawn = (samples or SAMPLES) if likely else 0
        found = forecast(file, now, zone, expected, parse_overrides(policy), on_progress, drawn, known_of)
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
    fields = attrs.asdict(found, filter=lambda field, _: field.name not in ("moments", "puts", "due", "past"))
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
    odds = () if found.likely is None else likely_words.HEADINGS
    rows = []
    for row in found.rows:
        cells = _cells(row, found, zone)
        if found.likely is not None:
            start = found.likely.starts.get(row.job_id)
            cells[5:5] = likely_words.cells(start, lambda at: _instant(at, zone))
        rows.append(cells)
    if rows:
        say_table(("job", "partition", "outcome", "start", "in", *odds, "nodes", "note"), rows, fold=True)
    started, planned = (sum(row.outcome == word for row in found.rows) for word in ("started", "planned"))
    say(f"{len(found.rows)} entries at {_instant(found.now, zone)}: {started} start now, {planned} planned")
    for text in words.kept_out_words(found.kept_out):
        say(text)
    if found.likely is not None:
        for text in likely_words.odds_words(found.likely):
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
    rows = []
    for each in found.expected:
        if each.start is None:
            rows.append((each.job_id, f"never{sign_of(each.marks)}", "", "", ""))
        else:
            ahead = format_duration(max(0, each.start - found.now))
            start = _instant(each.start, zone) + sign_of(each.marks)
            rows.append((each.job_id, start, ahead, each.by, each.nodes))
    say_table(("job", "expected", "in", "by", "nodes"), rows, fold=True)
    say("expected: every job runs until its limit, and nobody submits another")


def _say_events(found: Forecast, zone: tzinfo) -> None:
    # Imported late: the texts of the panels need what draws them.
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
