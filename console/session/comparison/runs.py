"""Several policies on one workload, run to the end, side by side."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import nsmallest

import attrs

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.comparison.verdict import ALL, LaneVerdict, Window, verdict
from shadowtime.console.session.files.report import Outcomes
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.travel.copies import Tape
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trajectory import Trajectory, finishing

Found = tuple[Mapping[str, object], Sequence[int]]
"""A report, and the first start of each job; NONE for one that has not started."""


@attrs.frozen
class Elsewhere:
    """The same jobs under a scheduler that is no policy of ours."""

    name: str
    run: Callable[[Progress], Found]


@attrs.frozen
class Changed:
    """A job that waits differently under several policies: how long until its first start, under each."""

    job: int
    size: int
    submit: int
    waits: tuple[int, ...]


@attrs.frozen
class Begins:
    """When a job first starts under several policies; None: it does not."""

    job: int
    size: int
    submit: int
    starts: tuple[int | None, ...]


@attrs.frozen
class Comparison:
    """Several cases on one workload, run to the end: one report a case, in the order asked for."""

    names: tuple[str, ...]
    reports: tuple[Mapping[str, object], ...]
    changed: tuple[Changed, ...] = ()
    """The jobs whose wait changes most between the first case and the others, most first."""
    begins: tuple[Begins, ...] = ()
    """The jobs that wait under some policy, by their start under the first one, as many as asked for."""
    verdict: LaneVerdict | None = None
    """What the others change against the first."""

    def rows(self) -> tuple[tuple[str, tuple[float | int | None, ...]], ...]:
        """One line a metric: its name, and its value in each case."""
        tables = [metrics for report in self.reports if isinstance(metrics := report["metrics"], Mapping)]
        return tuple((name, tuple(table[name] for table in tables)) for name in (tables[0] if tables else ()))


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
    window: Window = ALL,
) -> Comparison:
    """Run every case to its end; `progress` is called with the jobs done and all jobs, of all cases.

    So many of the jobs whose wait changes most are found too; jobs that never start under one are left out.
    `of` has the jobs, if no case has; so many of the jobs that wait have their `begins`. The jobs that are
    listed, and those of the verdict, are those of the window; reports are those of whole runs.
    """
    jobs = [len(case.jobs) if isinstance(case, Case) else 0 for case in cases]
    reports: list[Mapping[str, object]] = []
    starts: list[Sequence[int]] = []
    for place, case in enumerate(cases):
        done = None if progress is None else partial(_report, progress, sum(jobs[:place]), sum(jobs))
        report, first = case.run(done or no_progress) if isinstance(case, Elsewhere) else _ran(case, done)
        reports.append(report)
        starts.append(first)
    names = tuple(case.name for case in cases)
    jobs_of = of or next(case for case in cases if isinstance(case, Case))
    columns = jobs_of.columns
    found = verdict(columns, names, starts, window, changed)
    most = tuple(
        Changed(columns.id[job], columns.size[job], columns.submit[job], waits)
        for job, waits in zip(found.worst, found.waits, strict=True)
    )
    return Comparison(names, tuple(reports), most, _first_begins(jobs_of, starts, begins, window), found)


def _ran(case: Case, progress: Progress | None) -> Found:
    """Run a case to its end. Nothing of the run is left but what is returned: 8 bytes a job."""
    simulation = case.simulation()
    course = Trajectory(simulation, len(case.jobs), Tape(simulation.copy(), 0))
    course.run(watch=finishing(simulation, progress))
    outcomes = Outcomes(case, simulation)
    left = outcomes.steered().get("not_started")
    return outcomes.report() | ({"not_started": left} if left else {}), outcomes.column("start")


def _first_begins(
    case: Case, starts: Sequence[Sequence[int]], count: int, window: Window
) -> tuple[Begins, ...]:
    """The starts of the jobs that wait under some policy, those first that start first under the first."""
    columns = case.columns
    rows = zip(columns.id, columns.size, columns.submit, columns.user, *starts, strict=True) if count else ()
    waiting = (
        Begins(job, size, submit, tuple(None if start == NONE else start for start in found))
        for job, size, submit, user, *found in rows
        if window.holds(submit, user) and any(start == NONE or start > submit for start in found)
    )
    return tuple(nsmallest(count, waiting, key=_begin))


def _begin(begins: Begins) -> tuple[bool, int, int]:
    first = begins.starts[0]
    return first is None, first or 0, begins.job


def _report(progress: Progress, before: int, jobs: int, done: int, _: int) -> None:
    progress(before + done, jobs)
