"""The impact of changes of a cluster: every job whose expected start or end they move."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo

import attrs

from shadowtime.console.session.impact.expected import Broken
from shadowtime.console.session.impact.impact import Impact, Stay, Vacated, changes
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.impact.course import Course, Doing, Followed, format_done
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.scenarios.slurm import Capture, Job, format_hosts
from shadowtime.scenarios.slurm.changes import Change


class ClusterImpact:
    """Finds the impact of changes at the instant of a course. `run` may be called in any thread.

    `cancel` may be called in any thread, too: then `run` returns None.
    """

    def __init__(self, course: Course, typed: Sequence[str], zone: tzinfo | None) -> None:
        """`zone` is that of typed instants. SessionError: what is no change of a cluster."""
        self._course = course
        self._changes = tuple(course.typed(text, zone) for text in typed)
        self._cancelled = False

    def cancel(self) -> None:
        """Break the work off."""
        self._cancelled = True

    def run(self, progress: Progress | None = None) -> Impact | None:
        """Return the impact. SessionError: why a change cannot be made; CaptureError."""
        try:
            return self._found(progress or no_progress)
        except Broken:
            return None

    def _found(self, progress: Progress) -> Impact:
        course, halt = self._course, self._halt
        here = course.here(halt)
        # Whether the first changes can be made shows at once.
        after = course.after(here, [change for change in self._changes if change.later is None])
        waiting = course.waiting(here)
        before = course.before(halt, lambda left: progress(waiting - left, 2 * waiting))
        vacated = list(_drained(here.capture, after, course.at))
        so_far: Followed | None = None
        for at, made, begun in _steps(self._changes):
            so_far = course.until(after, at, halt, so_far)
            for change in made:
                drained_of, after = after.capture, course.after(after, [change])
                vacated += _drained(drained_of, after, at)
            vacated += _reserved(after, begun)
        then = course.run(after, halt, lambda left: progress(2 * waiting - left, 2 * waiting), so_far)
        jobs = range(len(course.jobs.id))
        marks, caveats = course.marks(here)
        rows = [
            attrs.evolve(row, marks=marks.of(str(row.job)))
            for row in changes(course.jobs, jobs, before, then)
        ]
        acted = frozenset(change.job for change in self._changes if change.job is not None)
        do = tuple(map(format_done, self._changes))
        unchanged = len(jobs) - len(rows)
        return Impact(course.event, course.at, do, acted, tuple(rows), unchanged, tuple(vacated), caveats)

    def _halt(self) -> bool:
        return self._cancelled


def _steps(changes: Sequence[Doing]) -> Iterator[tuple[int, list[Change], list[Change]]]:
    """Each instant at which something is done later, in order: what, and which new reservations begin."""
    for at in sorted({change.at for change in changes if change.at is not None}):
        here = [change for change in changes if isinstance(change, Change) and change.at == at]
        yield at, [each for each in here if each.later], [each for each in here if not each.later]


def _drained(before: Capture, after: OverTime, at: int) -> Iterator[Vacated]:
    """The nodes that are up no more after changes, if there are any."""
    pairs = zip(before.nodes, after.capture.nodes, strict=True)
    nodes = [then.name for now, then in pairs if now.up and not then.up]
    if nodes:
        yield Vacated(format_hosts(nodes), at, _stays(after, nodes, at))


def _reserved(over_time: OverTime, changes: Sequence[Change]) -> Iterator[Vacated]:
    """The nodes of the reservations that begin, of those that changes have made."""
    names = {change.name for change in changes}
    for each in over_time.capture.reservations:
        if each.name in names:
            stays = _stays(over_time, each.nodes, each.begin + 1)
            yield Vacated(format_hosts(each.nodes), each.begin, stays, each.name, each.end)


def _stays(over_time: OverTime, nodes: Sequence[str], after: int) -> tuple[Stay, ...]:
    """The jobs that hold some of the nodes until later than an instant, the last to end first."""
    gone, ends = frozenset(nodes), over_time.ends

    def stay(job: Job) -> Stay:
        held = [name for name in job.nodes if name in gone]
        return Stay(job.shown, job.user, format_hosts(held), ends[job.id])

    holding = (job for job in over_time.capture.jobs if job.holding and ends.get(job.id, 0) > after)
    found = [stay(job) for job in holding if not gone.isdisjoint(job.nodes)]
    return tuple(sorted(found, key=lambda each: -each.until))
