"""A plan beside what Slurm itself showed when the queue was read: its expected starts, and its reasons."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.slurm.guard.reasons import LEFT_OUT, WAITS, believed, limit_known, reason_of
from shadowtime.console.session.slurm.queue import Waiting
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.text.gate import printable


class _Row(Protocol):
    @property
    def job_id(self) -> str: ...

    @property
    def start(self) -> int | None: ...


@attrs.frozen
class Apart:
    """A job for which the plan and Slurm differ; instants are seconds since 1970, None for no start."""

    job_id: str
    start: int | None
    slurm_start: int | None
    slurm_reason: str


@attrs.frozen
class Beside:
    """How many waiting jobs could be compared, and those that differ, in the order of the capture."""

    compared: int = 0
    apart: tuple[Apart, ...] = ()
    age: int | None = None
    """Seconds since Slurm's last cycle began; None if that is not known."""
    started: int = 0
    """Running jobs that have started since then."""
    submitted: int = 0
    """Waiting jobs that have been submitted since then."""


def kept_by_slurm(capture: Capture, job: Job) -> bool:
    """Return whether Slurm's reason keeps a job out of its plan: a start that is shown can be an old one."""
    reason = reason_of(job)
    return reason in LEFT_OUT or limit_known(capture, reason)


def beside_slurm(capture: Capture, entries: Sequence[Waiting], rows: Sequence[_Row], now: int) -> Beside:
    """Compare a plan with the starts and the reasons that Slurm showed.

    Slurm's are those of its last cycle. Starts agree within `bf_resolution`; a start that is past is now. Of
    a job with several rows the start nearest to Slurm's counts. A reason of a job without an entry, or of a
    limit that the plan knows, is against a start of ours; Priority and Resources are against no entry.
    """
    starts: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row.start is not None:
            starts[row.job_id].append(row.start)
    found = list(
        _pairs(capture, {entry.name for entry in entries}, {row.job_id for row in rows}, starts, now)
    )
    apart, last = tuple(apart for differs, apart in found if differs), capture.last_cycle
    if not 0 < last <= now:
        return Beside(len(found), apart)
    started = sum(job.holding and job.begin > last for job in capture.jobs)
    submitted = sum(job.waiting and job.submit > last for job in capture.jobs)
    return Beside(len(found), apart, now - last, started, submitted)


def _pairs(
    capture: Capture, queued: set[str], tried: set[str], starts: dict[str, list[int]], now: int
) -> Iterator[tuple[bool, Apart]]:
    """Each waiting job of which something can be compared, and whether it differs."""
    bound = capture.settings.backfill.resolution
    for job in capture.jobs:
        name, reason = job.shown, reason_of(job)
        if not job.waiting or believed(capture, job):
            continue
        kept = kept_by_slurm(capture, job)
        theirs = max(job.begin, now) if job.begin and name in tried and not kept else None
        if theirs is None and not kept and reason not in WAITS:
            continue
        near = theirs or now
        ours = min(starts.get(name, ()), key=lambda start: abs(start - near), default=None)
        against = (kept and ours is not None) or (reason in WAITS and name not in queued)
        differs = theirs is not None and (ours is None or abs(ours - theirs) > bound)
        yield against or differs, Apart(name, ours, theirs, printable(reason))
