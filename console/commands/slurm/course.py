"""The instant of a cluster at which `impact` and `advise` act, and how their instants are written."""

import click

from shadowtime.console.commands.output import progress_bar
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import SessionError
from shadowtime.console.session.clock import Clock, dated_clock
from shadowtime.console.session.course.places import parse_place
from shadowtime.console.session.slurm.impact import Course
from shadowtime.console.session.slurm.stepping import History


def course_of(reached: Reached, where: str | None) -> Course:
    """Return what is expected of a cluster from a place on, by default the capture. SessionError."""
    try:
        capture = reached.source.take()
    finally:
        reached.source.close()
    if where is None:
        return Course(capture, capture.taken)
    history = History(capture, capture.taken)
    place = parse_place(where, dated_clock(reached.dates.zone, history.begin), history.begin)
    with progress_bar("Going there"):
        if not any(history.way(place)):
            raise SessionError(f"--at: {where} is after the last event")
    return Course(capture, capture.taken, history.position, history.at)


def cluster_clock(reached: Reached, course: Course, kind: str | None) -> Clock:
    """Return the clock of a cluster: the calendar. UsageError for another one."""
    if kind == "elapsed":
        raise click.UsageError("--clock elapsed is for scenarios; a cluster has the calendar")
    return reached.dates.calendar(course.at)
