"""`shadowtime ledger`: how far the forecasts of live clusters were off, beside Slurm's own."""

from collections.abc import Sequence
from pathlib import Path
from time import time

import attrs
import click

from shadowtime.console.clock import duration
from shadowtime.console.commands.endings import say_error
from shadowtime.console.commands.options import count_option, debug_option, json_option
from shadowtime.console.commands.output import BEHIND_FIRST, say, say_json, say_table
from shadowtime.console.commands.slurm.keeping import left_out
from shadowtime.console.session import SessionError, parse_duration
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.ledger.errors import GROUPS, ForecastClass, Side, groups
from shadowtime.console.session.slurm.ledger.odds import likely_of
from shadowtime.console.session.slurm.ledger.store import Ledger, LedgerEntry, ledger_path, write_forecasts
from shadowtime.console.words.phrases import per_cent

HEADINGS = (
    *("", "forecasts", "started", "gone", "10 %", "median", "90 %", "off by", "early", "late"),
    *("both", "ours off by", "Slurm off by", "Slurm early", "Slurm late"),
)


@click.command("ledger")
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=click.Path())
@click.option("--file", "path", metavar="FILE", help="Use this ledger, not that of the user's data folder.")
@click.option("--cluster", metavar="NAME", help="Only forecasts of this cluster.")
@click.option("--since", metavar="DURATION", help="Only forecasts of the last DURATION, such as 7d.")
@click.option(
    "--by", multiple=True, type=click.Choice(list(GROUPS)), help="Group by this only [default: each in turn]."
)
@count_option("--samples", 0, "Of each FOLDER: draw N samples, for its likely starts.")
@click.option("--csv", "output", metavar="OUT.csv", help="Write each forecast with what came of it.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@debug_option
def command(
    folders: tuple[str, ...],
    path: str | None,
    cluster: str | None,
    since: str | None,
    by: tuple[str, ...],
    samples: int,
    output: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show how far live forecasts were off, by horizon, partition and size.

    `open slurm` keeps each forecast, and each later capture shows which jobs have started since. A FOLDER is
    a captured cluster that is added first, in the order of the captures.

    An error is the start less the forecast start: above 0 the job started later than forecast.
    """
    clock = int(time())
    ledger = Ledger(Path(path) if path else ledger_path(), create=bool(folders))
    try:
        if folders:
            _add(ledger, folders, clock, samples)
        entries = list(ledger.entries(clock, cluster, _since(since, clock)))
        ahead = ledger.ahead(clock)
    finally:
        ledger.close()
    if ahead:
        say_error(f"{ledger.path}: {ahead:,} forecasts are from the future, and are left out")
    if output is not None:
        write_forecasts(entries, output, force)
    chosen = by or tuple(GROUPS)
    if as_json:
        found = {name: [attrs.asdict(group) for group in groups(entries, name)] for name in chosen}
        say_json({"ledger": str(ledger.path), "forecasts": len(entries), "by": found})
    else:
        _say(entries, chosen)


def _since(text: str | None, clock: int) -> int:
    if text is None:
        return 0
    try:
        return clock - parse_duration(text)
    except ValueError:
        raise SessionError(f"--since {text!r} is no duration; expected one such as 7d") from None


def _add(ledger: Ledger, folders: Sequence[str], clock: int, samples: int) -> None:
    """Add captured folders in the order of their instants, and report on stderr which are not recorded."""
    taken = [(folder, Folder(Path(folder)).take()) for folder in folders]
    for folder, capture in sorted(taken, key=lambda pair: pair[1].taken):
        found = board(capture)
        added = ledger.add(found, clock)
        if reason := left_out(found, added):
            say_error(f"{folder}: not recorded: {reason}")
        if samples and added.kept:
            likely_of(found, samples, keeps=True, ledger=ledger)


def _say(entries: Sequence[LedgerEntry], by: Sequence[str]) -> None:
    rows = []
    for place, name in enumerate(by):
        for group in groups(entries, name):
            if group.name != "all" or place == len(by) - 1:
                label = group.name if group.name == "all" else f"{name} {group.name}"
                rows.append((label, *_cells(group)))
    say_table(HEADINGS, rows, right=BEHIND_FIRST)
    _say_odds(entries, by)
    clusters = sorted({entry.cluster for entry in entries})
    left = sum(not entry.settled for entry in entries)
    say(f"{len(entries)} forecasts of {', '.join(clusters) or 'no cluster'}; {left} still wait")
    say("10 %, median, 90 %: of the error, start less forecast; off by: the median of its size;")
    say("early, late: by more than a minute; both: started jobs for which Slurm showed a start, too")


def _cells(group: ForecastClass) -> list[str]:
    return [
        f"{group.forecasts:,}",
        f"{group.settled:,}",
        f"{group.gone:,}",
        *([duration(value) for value in group.ours.quantiles] or ["", "", ""]),
        _median(group.ours),
        *_shares(group.ours),
        f"{group.both:,}",
        _median(group.ours_there),
        _median(group.slurm),
        *_shares(group.slurm),
    ]


def _median(side: Side) -> str:
    return "" if side.median is None else duration(side.median)


def _shares(side: Side) -> list[str]:
    return ["", ""] if side.median is None else [per_cent(side.early, 0), per_cent(side.late, 0)]


def _say_odds(entries: Sequence[LedgerEntry], by: Sequence[str]) -> None:
    """Print how far likely starts were off, beside the others of the same forecasts, if there are any."""
    rows = []
    found = [(name, group) for name in by for group in groups(entries, name) if group.odds]
    for place, (name, group) in enumerate(found):
        if group.name != "all" or place == len(found) - 1:
            sides = (group.likely, group.ours_beside, group.slurm_beside)
            held = [per_cent(share or 0, 0) for share in (group.held_raw, group.held)]
            label = group.name if group.name == "all" else f"{name} {group.name}"
            rows.append((label, f"{group.odds:,}", *map(_median, sides), *held))
    if found:
        names = ("odds", "likely off by", "at the limits", "Slurm", "80 % hold raw", "80 % hold")
        say_table(("", *names), rows, right=BEHIND_FIRST)
        say("odds: started jobs of both with a likely start; hold: started between 10 and 90 %")
