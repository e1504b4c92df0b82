"""Makes lanes of a captured cluster: as it is, with other parameters or changes, as it was captured later.

And beside them the schedulers of the papers, if the cluster is read from a folder.
"""

from collections import deque
from collections.abc import Sequence
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
from shadowtime.console.session.slurm.impact.changing import Doing, read_doing
from shadowtime.console.session.slurm.lanes.cluster_lane import CapturedLane, ClusterLane
from shadowtime.console.session.slurm.lanes.courses import (
    captured_source,
    changed_source,
    later_captures,
    to_the_end,
)
from shadowtime.console.session.slurm.lanes.workload import ClusterJobs, compared_jobs, every_job
from shadowtime.console.session.slurm.parameters import NAME, Overrides, is_slurm, parse_overrides
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.slurm import Capture
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
