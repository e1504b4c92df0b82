"""Slurm beside other schedulers: a captured cluster over time, as a run of the folder's scenario."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Elsewhere
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from shadowtime.console.session.slurm.forecasting import forecast_of
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.guard.marked import Marks
from shadowtime.console.session.slurm.moments import Happening, Started
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import NAME, Overrides, parameters_of
from shadowtime.console.session.travel.moments import NONE
from shadowtime.scenarios.slurm import Capture, read_capture
from shadowtime.scenarios.slurm.scenario import now_of, slurm_names


def slurm_lane(folder: Path, case: Case, overrides: Overrides, name: str = NAME) -> Elsewhere:
    """Return a run of a captured cluster under Slurm, on the jobs of its scenario."""
    return Elsewhere(name, lambda: _Run.of(folder, case, overrides).result())


def task_names(folder: Path) -> Mapping[int, str]:
    """Return the names of tasks of arrays and of components of jobs, by their numbers in the scenario."""
    capture = read_capture(folder)
    held = {job.id: job.shown for job in capture.jobs if job.holding}
    names = held | {job: name for job, name in slurm_names(capture, now_of(capture)).items() if name}
    return {job: name for job, name in names.items() if name != str(job)}


@attrs.frozen
class _Run:
    """What became of the jobs of a scenario. Second 0 of the scenario is the one before the capture."""

    capture: Capture
    case: Case
    now: int
    starts: Mapping[str, tuple[int, Happening, Started]]
    """Job, as Slurm names it -> when and by what it starts."""
    moments: int

    @classmethod
    def of(cls, folder: Path, case: Case, overrides: Overrides) -> "_Run":
        """Follow the cluster until no job can start."""
        capture = overrides.apply(read_capture(folder))
        now = now_of(capture)
        moments = list(OverTime(capture, now).moments())
        starts = {each.job: (moment.at, moment.what, each) for moment in moments for each in moment.started}
        return cls(capture, case, now, starts, len(moments))

    def result(self) -> tuple[Mapping[str, object], Sequence[int]]:
        """The report, and the first start of each job of the scenario; NONE for one that does not start."""
        columns = self.case.columns
        names = slurm_names(self.capture, self.now)
        rows = zip(columns.id, columns.size, columns.submit, columns.runtime, strict=True)
        ran = [self._ran(names[id_], size, submit, runtime) for id_, size, submit, runtime in rows]
        ended = [each.end for each in ran if each.end is not None]
        report = {
            "scenario": self.case.scenario.title,
            "policy": NAME,
            "parameters": parameters_of(self.capture),
            "nodes": self.case.nodes,
            "jobs": len(ran),
            "events": self.moments,
            "span": max(ended, default=0),
            "not_started": sum(each.start is None for each in ran),
            "starts": {job: at for job, (at, _, _) in self.starts.items()},
            "marks": self._marks(names),
            "metrics": schedule_metrics(ran, self.case.nodes),
        }
        return report, [NONE if each.start is None else each.start for each in ran]

    def _marks(self, names: Mapping[int, str | None]) -> dict[str, list[Caveat]]:
        """The marked jobs, by the names of Slurm, and what the start of each leaves out."""
        marks = Marks(self.capture, forecast_of(self.capture, self.now).rows)
        waiting = sorted(filter(None, names.values()))
        return {name: list(marks.of(name)) for name in waiting if marks.of(name)}

    def _ran(self, name: str | None, size: int, submit: int, runtime: int) -> Ran:
        """A job that held nodes already, one that starts, or one that does not."""
        if name is None:
            return Ran(size, submit, submit, submit + runtime, False)
        if name not in self.starts:
            return Ran(size, submit, None, None, False)
        at, what, started = self.starts[name]
        return Ran(size, submit, self._second(at), self._second(started.end), what is Happening.BACKFILL)

    def _second(self, at: int) -> int:
        return at - self.now + 1
