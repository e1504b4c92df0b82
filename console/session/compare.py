"""Several policies on one workload, run to the end, side by side."""

from collections.abc import Sequence

from console.session.case import Case, base_case
from console.session.facts import Comparison
from console.session.predicted import Progress
from console.session.session import Session


def cases_of(case: Case) -> tuple[Case, ...]:
    """Return the scenario's own policy and every variant: what compare shows unless policies are named."""
    base = base_case(case.scenario)
    return (base, *base.variants())


def compare(cases: Sequence[Case], progress: Progress | None = None) -> Comparison:
    """Run every case to its end; `progress` is told after each how many are done, of how many."""
    reports = []
    for done, case in enumerate(cases, 1):
        session = Session(case)
        session.go_end()
        reports.append(session.report())
        if progress is not None:
            progress(done, len(cases))
    return Comparison(tuple(case.name for case in cases), tuple(reports))
