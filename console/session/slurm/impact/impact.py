"""The impact of changes of a cluster: every job whose expected start or end they move."""

from collections.abc import Sequence

from shadowtime.console.session.impact.expected import Broken
from shadowtime.console.session.impact.impact import Drained, Impact, changes
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.impact.course import Course, format_done
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.scenarios.slurm import format_hosts


class ClusterImpact:
    """Finds the impact of changes at the instant of a course. `run` may be called in any thread.

    `cancel` may be called in any thread, too: then `run` returns None.
    """

    def __init__(self, course: Course, typed: Sequence[str]) -> None:
        """SessionError: what is no change of a cluster."""
        self._course = course
        self._changes = tuple(map(course.typed, typed))
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
        after = course.after(here, self._changes)
        drained = _drained(here, after)
        waiting = course.waiting(here)
        before = course.before(halt, lambda left: progress(waiting - left, 2 * waiting))
        then = course.run(after, halt, lambda left: progress(2 * waiting - left, 2 * waiting))
        jobs = range(len(course.jobs.id))
        rows = changes(course.jobs, jobs, before, then)
        acted = frozenset(change.job for change in self._changes if change.job is not None)
        do = tuple(map(format_done, self._changes))
        return Impact(course.event, course.at, do, acted, rows, len(jobs) - len(rows), drained)

    def _halt(self) -> bool:
        return self._cancelled


def _drained(here: OverTime, after: OverTime) -> Drained | None:
    """The nodes that are up no more after changes, and when they are empty."""
    pairs = zip(here.capture.nodes, after.capture.nodes, strict=True)
    nodes = [then.name for now, then in pairs if now.up and not then.up]
    if not nodes:
        return None
    gone, ends = set(nodes), after.ends
    holders = [
        job for job in after.capture.jobs if job.holding and job.id in ends and not gone.isdisjoint(job.nodes)
    ]
    last = max(holders, key=lambda job: ends[job.id], default=None)
    hosts = format_hosts(nodes)
    return Drained(hosts, None, "") if last is None else Drained(hosts, ends[last.id], last.shown)
