"""Where the moments of a lane come from: the rules over time, after changes, or later captures."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.impact.changing import Doing, format_done, make
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.stepping.history import MomentSource
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, Put, Started
from shadowtime.scenarios.slurm import Capture, Job, format_hosts, read_capture
from shadowtime.scenarios.slurm.scenario import is_capture


def changed_source(capture: Capture, doings: Sequence[tuple[int | None, Doing]]) -> MomentSource:
    """Return the moments of a cluster to which something is done, in order, at the end of some seconds.

    None stands for the capture, before its first second.
    """

    def moments(over_time: OverTime) -> Iterator[Moment]:
        for at, doing in doings:
            if at is not None:
                yield from over_time.moments(at)
            before = over_time
            over_time = before.fork()
            make(over_time, doing, capture)
            yield Moment(
                over_time.now,
                Happening.CHANGE,
                (format_done(doing),),
                puts=tuple(_puts(before.capture.jobs, over_time.capture.jobs)),
                due=over_time.due,
                standing=over_time.capture.standing,
                cluster=over_time.capture,
            )
        yield from to_the_end(over_time)

    return moments


def to_the_end(over_time: OverTime) -> Iterator[Moment]:
    """Yield what happens until every job has ended that can start."""
    yield from over_time.moments()
    ends: dict[int, list[Job]] = defaultdict(list)
    left = over_time.ends
    for job in over_time.capture.jobs:
        if job.holding and job.id in left:
            ends[left[job.id]].append(job)
    for at, jobs in sorted(ends.items()):
        names = tuple(job.shown for job in jobs)
        yield Moment(max(at, over_time.now), Happening.END, names, puts=tuple((job.id, None) for job in jobs))


def later_captures(folder: Path) -> Iterator[Capture]:
    """Yield the captures beside a folder that were taken after it, in the order of their names. CaptureError.

    One that was taken before the one that is yielded before it is passed over.
    """
    taken = read_capture(folder).taken
    for each in later_folders(folder):
        found = read_capture(each)
        if found.taken > taken:
            taken = found.taken
            yield found


def later_folders(folder: Path) -> Sequence[Path]:
    """Return the captured folders beside one, by their names, from it on. SessionError if there are none."""
    if not is_capture(folder):
        raise SessionError("this cluster is not read from a folder; its later captures are not known")
    here = folder.resolve()
    found = [each for each in captured_in(here.parent) if _natural(each.name) > _natural(here.name)]
    if not found:
        raise SessionError(f"there is no later capture beside {folder}, in the order of the names")
    return found


def captured_in(folder: Path) -> Sequence[Path]:
    """Return the captured folders in a folder, by their names."""
    return sorted(filter(is_capture, folder.iterdir()), key=lambda each: _natural(each.name))


def _natural(name: str) -> list[tuple[int, str]]:
    """What names with numbers are ordered by: `day9` comes before `day10`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def captured_source(folder: Path) -> MomentSource:
    """Return what later captures show: a start at the begin of its job, an end in the capture without it.

    A job that comes and goes between two captures is in none of them.
    """

    def moments(over_time: OverTime) -> Iterator[Moment]:
        before, since = {job.id: job for job in over_time.capture.jobs}, over_time.now
        for capture in later_captures(folder):
            after = {job.id: job for job in capture.jobs if job.holding or job.waiting}
            span = range(since, capture.taken + 1)
            found = [*_ended(before, after, span), *_begun(before, after, span)]
            others = tuple(_puts(tuple(before.values()), tuple(after.values())))
            shown = {id_ for moment in found for id_, _ in moment.puts}
            yield from sorted(found, key=lambda moment: moment.at)
            left = tuple(put for put in others if put[0] not in shown)
            came = tuple(job.shown for id_, job in left if job is not None and id_ not in before)
            yield Moment(capture.taken, Happening.SUBMISSION, came, puts=left, cluster=capture)
            before, since = after, capture.taken

    return moments


def _ended(before: dict[int, Job], after: dict[int, Job], span: range) -> Iterator[Moment]:
    for id_, job in before.items():
        if job.holding and (id_ not in after or after[id_].waiting):
            yield Moment(
                _within(job.end + 1, span), Happening.END, (job.shown,), puts=((id_, after.get(id_)),)
            )


def _begun(before: dict[int, Job], after: dict[int, Job], span: range) -> Iterator[Moment]:
    for id_, job in after.items():
        known = before.get(id_)
        if job.holding and (known is None or known.waiting):
            nodes = format_hosts(job.nodes)
            started = Started(job.shown, job.shown, job.partitions[0], nodes, job.end)
            yield Moment(
                _within(job.begin, span), Happening.MAIN_PASS, started=(started,), puts=((id_, job),)
            )


def _within(at: int, span: range) -> int:
    """An instant between two captures; what is not known is the last of them."""
    return max(span.start, min(at, span.stop - 1)) if at > 1 else span.stop - 1


def _puts(before: Sequence[Job], after: Sequence[Job]) -> Iterator[Put]:
    """What has become of jobs that are gone, are others now, or are new."""
    then = {job.id: job for job in after}
    known = {job.id: job for job in before}
    for id_, job in known.items():
        found = then.get(id_)
        if found != job:
            yield id_, found
    for id_, job in then.items():
        if id_ not in known:
            yield id_, job
