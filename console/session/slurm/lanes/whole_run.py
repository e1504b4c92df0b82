"""A captured cluster over time to its end, on the jobs that other schedulers can run: one column."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Elsewhere
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.slurm.forecasting import JobMarks, forecast_of
from shadowtime.console.session.slurm.lanes.cluster_lane import FAR, ClusterCourse, known_time
from shadowtime.console.session.slurm.lanes.workload import ClusterJobs, compared_jobs
from shadowtime.console.session.slurm.parameters import (
    NAME,
    Overrides,
    is_slurm,
    parameters_of,
    parse_overrides,
)
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.scenario import now_of


def spoken_lane(folder: Path, case: Case, text: str) -> Case | Elsewhere:
    """Return the lane of a captured folder that a text names: Slurm, also with parameters, or a policy.

    SessionError or ScenarioError in one line: it names none.
    """
    if not is_slurm(text):
        return case.spoken(text)
    overrides = parse_overrides(text)
    return slurm_lane(folder, case, overrides, text.strip() if overrides else NAME)


def slurm_lane(folder: Path, case: Case, overrides: Overrides, name: str = NAME) -> Elsewhere:
    """Return a run of a captured cluster under Slurm, on the jobs of its scenario."""
    return Elsewhere(name, lambda progress: _result(folder, case, overrides, progress))


def named_tasks(folder: Path, case: Case) -> Case:
    """Return a case that calls tasks of arrays and components of jobs of a captured folder as Slurm does."""
    return _jobs(folder, case).case


def _jobs(folder: Path, case: Case) -> ClusterJobs:
    capture = read_capture(folder)
    return compared_jobs(capture, now_of(capture), case)


def _result(
    folder: Path, case: Case, overrides: Overrides, progress: Progress
) -> tuple[Mapping[str, object], Sequence[int]]:
    """The report, and the first start of each job of the scenario; NONE for one that does not start."""
    jobs = _jobs(folder, case)
    capture = overrides.apply(read_capture(folder))
    course = ClusterCourse(History(capture, jobs.begin), jobs)
    more = True
    while more:
        # How many events there are is not known.
        progress(0, 0)
        more = course.run()
    found, outcomes, columns = course.results(), course.outcomes, case.columns
    ran = [
        Ran(size, submit, known_time(start), known_time(end), bool(backfilled))
        for size, submit, start, end, backfilled in zip(
            columns.size, columns.submit, found["start"], found["finish"], outcomes.backfilled, strict=True
        )
    ]
    waited = sorted(name for name, event in zip(jobs.names, outcomes.started, strict=True) if event)
    marks = JobMarks(capture, forecast_of(capture, jobs.begin).rows)
    starts = {
        name: outcomes.time(event) + jobs.begin - 1
        for name, event in zip(jobs.names, outcomes.started, strict=True)
        if 0 < event < FAR
    }
    report = {
        "scenario": case.scenario.title,
        "policy": NAME,
        "parameters": parameters_of(capture),
        "nodes": case.nodes,
        "jobs": len(ran),
        "events": course.number,
        "span": max((each.end for each in ran if each.end is not None), default=0),
        "not_started": sum(each.start is None for each in ran),
        "starts": starts,
        "marks": {name: list(marks.of(name)) for name in waited if marks.of(name)},
        "metrics": schedule_metrics(ran, case.nodes),
    }
    return report, list(found["start"])
