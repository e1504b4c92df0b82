"""Several policies on one workload, run to the end, side by side."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import nsmallest

import attrs

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.facts import Begins, Changed, Comparison
from shadowtime.console.session.files.report import Outcomes
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.copies import Tape
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trajectory import Trajectory, finishing

Found = tuple[Mapping[str, object], Sequence[int]]
"""A report, and the first start of each job; NONE for one that has not started."""


@attrs.frozen
class Elsewhere:
    """The same jobs under a scheduler that is no policy of ours."""

    name: str
    run: Callable[[], Found]


def cases_of(case: Case) -> tuple[Case, ...]:
    """Return the scenario's own policy and every variant: what compare shows unless policies are named."""
    base = base_case(case.scenario)
    return (base, *base.variants())


def compare(
    cases: Sequence[Case | Elsewhere],
    progress: Progress | None = None,
    changed: int = 0,
    of: Case | None = None,
    begins: int = 0,
) -> Comparison:
    """Run every case to its end; `progress` is called with the jobs done and all jobs, of all cases.

    So many of the jobs whose wait changes most are found too; jobs that never start under one are left out.
    `of` has the jobs, if no case has; so many of the jobs that wait have their `begins`.
    """
    jobs = [len(case.jobs) if isinstance(case, Case) else 0 for case in cases]
    reports: list[Mapping[str, object]] = []
    starts: list[Sequence[int]] = []
    for place, case in enumerate(cases):
        done = None if progress is None else partial(_report, progress, sum(jobs[:place]), sum(jobs))
        report, first = case.run() if isinstance(case, Elsewhere) else ran(case, done)
        reports.append(report)
        starts.append(first)
    names = tuple(case.name for case in cases)
    jobs_of = of or next(case for case in cases if isinstance(case, Case))
    most = _most_changed(jobs_of, starts, changed)
    return Comparison(names, tuple(reports), most, _first_begins(jobs_of, starts, begins))


def ran(case: Case, progress: Progress | None) -> Found:
    """Run a case to its end. Nothing of the run is left but what is returned: 8 bytes a job."""
    simulation = case.simulation()
    course = Trajectory(simulation, len(case.jobs), Tape(simulation.copy(), 0))
    course.run(watch=finishing(simulation, progress))
    outcomes = Outcomes(case, simulation)
    left = outcomes.steered().get("not_started")
    return outcomes.report() | ({"not_started": left} if left else {}), outcomes.column("start")


def _most_changed(case: Case, starts: Sequence[Sequence[int]], count: int) -> tuple[Changed, ...]:
    """The jobs whose wait differs most, ties by id; `starts` holds the first starts under each policy."""
    columns = case.columns
    differing = (
        Changed(job, size, submit, tuple(start - submit for start in found))
        for job, size, submit, *found in zip(columns.id, columns.size, columns.submit, *starts, strict=True)
        if min(found) < max(found) and NONE not in found
    )
    return tuple(nsmallest(count, differing, key=lambda changed: (-changed.change, changed.job)))


def _first_begins(case: Case, starts: Sequence[Sequence[int]], count: int) -> tuple[Begins, ...]:
    """The starts of the jobs that wait under some policy, those first that start first under the first."""
    columns = case.columns
    rows = zip(columns.id, columns.size, columns.submit, *starts, strict=True) if count else ()
    waiting = (
        Begins(job, size, submit, tuple(None if start == NONE else start for start in found))
        for job, size, submit, *found in rows
        if any(start == NONE or start > submit for start in found)
    )
    return tuple(nsmallest(count, waiting, key=_begin))


def _begin(begins: Begins) -> tuple[bool, int, int]:
    first = begins.starts[0]
    return first is None, first or 0, begins.job


def _report(progress: Progress, before: int, jobs: int, done: int, _: int) -> None:
    progress(before + done, jobs)
