"""Makes lanes of a captured cluster: as it is, with other parameters or changes, as it was captured later.

And beside them the schedulers of the papers, if the cluster is read from a folder.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import partial
from pathlib import Path

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.comparison.divergence import NEVER
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST, Lockstep
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import open_session
from shadowtime.console.session.slurm.impact.following import Doing, format_done, make, read_doing
from shadowtime.console.session.slurm.lanes.cluster_lane import CapturedLane, ClusterLane
from shadowtime.console.session.slurm.lanes.workload import ClusterJobs, compared_jobs, every_job
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, is_slurm, parse_overrides
from shadowtime.console.session.slurm.stepping.history import History, MomentSource
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment, Put, Started
from shadowtime.scenarios.slurm import Capture, Job, format_hosts, read_capture
from shadowtime.scenarios.slurm.scenario import BASE, VARIANTS, is_capture

Done = tuple[int | None, Doing]
"""What is done at the end of a second; None: at the capture."""
CAPTURED = "captured"


class ClusterLanes:
    """Lanes of one captured cluster that stands at `begin`, in seconds since 1970."""

    def __init__(self, capture: Capture, begin: int, zone: tzinfo | None) -> None:
        self._capture, self._begin, self._zone = capture, begin, zone
        self._folder = Path(capture.folder)
        self._jobs: dict[bool, ClusterJobs] = {}

    def jobs(self, of_a_machine: bool = False) -> ClusterJobs:
        """Return the jobs of the lanes, `of_a_machine` those that other schedulers can run.

        SessionError if the cluster is not read from a folder.
        """
        if of_a_machine not in self._jobs:
            if of_a_machine and not is_capture(self._folder):
                raise SessionError(
                    "other schedulers need a cluster that is read from a folder; "
                    "shadowtime capture slurm -o FOLDER keeps one"
                )
            self._jobs[of_a_machine] = (
                compared_jobs(self._capture, self._begin, load(self._folder))
                if of_a_machine
                else every_job(self._capture, self._begin, self._zone)
            )
        return self._jobs[of_a_machine]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the jobs of the lanes that were made last, by their index in them."""
        return next(reversed(self._jobs.values())).names

    def texts(self, line: str) -> tuple[str, ...]:
        """Return the lanes of a typed line; a single one stands beside the cluster as it is. SessionError."""
        found = [text if is_slurm(text) or not _setting(text) else f"{NAME}:{text}" for text in line.split()]
        texts = tuple(dict.fromkeys(found if len(found) != 1 else (NAME, *found)))
        if not texts and not is_capture(self._folder):
            raise SessionError("compare with what? expected parameters, as in compare bf_window=600")
        texts = texts or (NAME, BASE)
        if not FEWEST <= len(texts) <= MOST:
            raise SessionError(f"{len(texts)} cannot be compared; expected {FEWEST} to {MOST} lanes")
        return texts

    def offered(self) -> tuple[str, ...]:
        others = (BASE, *VARIANTS) if is_capture(self._folder) else ()
        return (NAME, *others, CAPTURED)

    def lockstep(self, texts: Sequence[str]) -> Lockstep:
        """Return lanes at the capture. SessionError, ScenarioError, CaptureError."""
        papers = any(not is_slurm(text) and text != CAPTURED for text in texts)
        jobs = self.jobs(papers)
        until = NEVER
        if CAPTURED in texts:
            # All are read once before the lane is made: one that cannot be read is refused here.
            (last,) = deque(later_captures(self._folder), maxlen=1)
            until = jobs.second(last.taken)
        return Lockstep([self._lane(text, jobs) for text in texts], until)

    def second(self, at: int) -> int:
        """Return an instant, in seconds since 1970, as lanes count."""
        return at - self._begin + 1

    def named(self, text: str) -> Case:
        """Return the case of a lane. SessionError, ScenarioError: it names none."""
        if is_slurm(text):
            parse_overrides(text)
            return self.jobs().named(text)
        return self.jobs().named(text) if text == CAPTURED else self.jobs(True).case.spoken(text)

    def whatif(self, position: int, text: str) -> Lockstep:
        """Return the cluster at an event beside another one with the same past, in which something is done.

        SessionError: why it cannot be done.
        """
        lane = self._cluster(NAME, self.jobs(), Overrides())
        lane.step(position)
        return Lockstep([lane, lane.fork(NAME, text)])

    def _lane(self, text: str, jobs: ClusterJobs) -> Lane:
        if text == CAPTURED:
            source = captured_source(self._folder)
            lane: ClusterLane = CapturedLane(text, jobs, partial(History, self._capture, self._begin, source))
            return lane
        if is_slurm(text):
            return self._cluster(text, jobs, parse_overrides(text))
        return open_session(jobs.case.spoken(text))

    def _cluster(
        self,
        name: str,
        jobs: ClusterJobs,
        overrides: Overrides,
        done: Sequence[Done] = (),
    ) -> ClusterLane:
        """The cluster with other parameters, in which something is done at some instants."""
        capture, begin = overrides.apply(self._capture), self._begin
        source = changed_source(capture, done) if done else to_the_end

        def fork(lane: ClusterLane, text: str) -> ClusterLane:
            here = lane.history.instant(lane.number)
            doing = read_doing(text, here, dated_clock(self._zone, here))
            at = doing.later or (here if lane.number else None)
            found = sorted([*done, (at, doing)], key=lambda each: each[0] or 0)
            made = self._cluster(f"if {text}", jobs, overrides, found)
            # Whether it can be done shows at once.
            made.step(lane.number + 1)
            made.go_start()
            return made

        return ClusterLane(name, jobs, partial(History, capture, begin, source), fork)


def _setting(text: str) -> bool:
    """Whether a word sets a parameter: `bf_window=600`."""
    return "=" in text and ":" not in text.partition("=")[0]


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
