"""The instant of a cluster at which `impact` and `advise` act, and how their instants are written."""

import click

from shadowtime.console.commands.output import progress_bar
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.clock import Clock, dated_clock
from shadowtime.console.session.course.places import parse_place, refuse_beyond
from shadowtime.console.session.slurm.capturing import take_once
from shadowtime.console.session.slurm.impact.following import SAMPLED, Shown
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.ledger.odds import known_of
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.session.texts import printable


def outlook_of(reached: Reached, where: str | None, likely: bool = False) -> ClusterOutlook:
    """Return what is expected of a cluster from a place on, by default the capture. SessionError.

    `likely`: samples are drawn, too.
    """
    capture, zone = take_once(reached.source), reached.dates.zone
    known = known_of(printable(capture.settings.cluster), capture.taken) if likely else None
    shown = SAMPLED if known is None else Shown(known.levels)
    if where is None:
        return ClusterOutlook(capture, capture.taken, zone=zone, likely=likely, shown=shown)
    history = History(capture, capture.taken)
    place = parse_place(where, dated_clock(zone, history.begin), history.begin)
    with progress_bar("Going there"):
        history.go_place(place)
    refuse_beyond(place, f"--at: {where}", history.number, history.time, history.over)
    return ClusterOutlook(capture, capture.taken, history.number, history.time, zone, likely, shown)


likely_option = click.option(
    "--likely",
    is_flag=True,
    help="Of a cluster: draw 25 samples of what may come, too, each with and without; a log always has them.",
)


def cluster_clock(reached: Reached, outlook: ClusterOutlook, kind: str | None) -> Clock:
    """Return the clock of a cluster: the calendar. UsageError for another one."""
    if kind == "elapsed":
        raise click.UsageError("--clock elapsed is for scenarios; a cluster has the calendar")
    return reached.dates.calendar(outlook.time)
