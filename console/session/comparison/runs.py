"""Several policies on one workload, run to the end, side by side."""

from collections.abc import Sequence
from functools import partial
from heapq import nsmallest

from console.session.case import Case, base_case
from console.session.facts import Changed, Comparison
from console.session.progress import Progress
from console.session.session import Session
from console.session.travel.moments import NONE


def cases_of(case: Case) -> tuple[Case, ...]:
    """Return the scenario's own policy and every variant: what compare shows unless policies are named."""
    base = base_case(case.scenario)
    return (base, *base.variants())


def compare(cases: Sequence[Case], progress: Progress | None = None, changed: int = 0) -> Comparison:
    """Run every case to its end; `progress` is called with the jobs done and all jobs, of all cases.

    So many of the jobs whose wait changes most are found too; jobs that never start under one are left out.
    """
    jobs = [len(case.jobs) for case in cases]
    reports, starts = [], []
    for place, case in enumerate(cases):
        session = Session(case)
        session.go_end(None if progress is None else partial(_report, progress, sum(jobs[:place]), sum(jobs)))
        outcomes = session.outcomes()
        reports.append(outcomes.report())
        starts.append(outcomes.columns["start"])
    names = tuple(case.name for case in cases)
    return Comparison(names, tuple(reports), _most_changed(cases[0], starts, changed))


def _most_changed(case: Case, starts: Sequence[Sequence[int]], count: int) -> tuple[Changed, ...]:
    """The jobs whose wait differs most, ties by id; `starts` holds the first starts under each policy."""
    columns = case.columns
    differing = (
        Changed(job, size, submit, tuple(start - submit for start in found))
        for job, size, submit, *found in zip(columns.id, columns.size, columns.submit, *starts, strict=True)
        if min(found) < max(found) and NONE not in found
    )
    return tuple(nsmallest(count, differing, key=lambda changed: (-changed.change, changed.job)))


def _report(progress: Progress, before: int, jobs: int, done: int, _: int) -> None:
    progress(before + done, jobs)
