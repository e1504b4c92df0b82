"""What can be done to a cluster over time: changes of jobs, nodes and reservations, and other parameters."""

import attrs

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.instants import INSTANT, instant_from
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, parse_overrides
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.changes import Change, changed, format_change, parse_change


@attrs.frozen
class Setting:
    """Parameters of `slurm.conf` that get other values: `set bf_max_job_user=3`."""

    overrides: Overrides
    job: None = None
    """It is about no job."""
    at: None = None
    later: None = None
    """It is made at the instant at which it is asked about."""


Doing = Change | Setting


def read_doing(text: str, time: int, clock: Clock) -> Doing:
    """Return what a line says that is typed at an instant. SessionError, also for an instant that is past."""

    def instant(word: str) -> int:
        found = instant_from(word, time, clock)
        if found is None:
            raise ValueError(f"{word[:60]!r} is no instant; expected {INSTANT}")
        if found < time:
            raise ValueError(f"{word!r} is past; expected an instant that is still to come")
        return found

    word, _, rest = text.strip().partition(" ")
    if word == "set":
        settings = rest.replace(",", " ").split()
        if not settings:
            raise SessionError("set what? expected a parameter, as in set bf_max_job_user=3")
        return Setting(parse_overrides(NAME, settings))
    try:
        change = parse_change(text, instant)
    except ValueError as error:
        raise SessionError(str(error)) from None
    return attrs.evolve(change, at=None) if change.later == time else change


def make(over_time: OverTime, doing: Doing, capture: Capture) -> None:
    """Do it to a cluster as it stands; `capture` has the jobs that are over. SessionError: the refusal."""
    if isinstance(doing, Setting):
        over_time.change(doing.overrides.apply(over_time.capture))
        return
    former = {job.id: job for job in (*over_time.capture.jobs, *capture.jobs)}
    try:
        over_time.change(changed(over_time.capture, doing, former))
    except ValueError as error:
        when = f"at {doing.when}: " if doing.later is not None else ""
        raise SessionError(f"{when}{error}") from None


def format_done(change: Doing) -> str:
    return f"set {change.overrides.settings}" if isinstance(change, Setting) else format_change(change)
