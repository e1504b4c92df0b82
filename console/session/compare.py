"""Several policies on one workload, run to the end, side by side."""

from collections.abc import Sequence
from functools import partial

from console.session.case import Case, base_case
from console.session.facts import Comparison
from console.session.predicted import Progress
from console.session.session import Session


def cases_of(case: Case) -> tuple[Case, ...]:
    """Return the scenario's own policy and every variant: what compare shows unless policies are named."""
    base = base_case(case.scenario)
    return (base, *base.variants())


def compare(cases: Sequence[Case], progress: Progress | None = None) -> Comparison:
    """Run every case to its end; `progress` is told how many jobs are done, of how many, in all of them."""
    jobs = [len(case.jobs) for case in cases]
    reports = []
    for place, case in enumerate(cases):
        session = Session(case)
        session.go_end(None if progress is None else partial(_told, progress, sum(jobs[:place]), sum(jobs)))
        reports.append(session.report())
    return Comparison(tuple(case.name for case in cases), tuple(reports))


def _told(progress: Progress, before: int, jobs: int, done: int, _: int) -> None:
    progress(before + done, jobs)
