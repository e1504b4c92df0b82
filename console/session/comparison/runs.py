"""Several policies on one workload, run to the end, side by side; such a run as a lane; typed sweeps."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from itertools import product
from pathlib import Path
from threading import Event as Flag

import attrs

from shadowtime.console.session.case import Case, base_case
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from shadowtime.console.session.comparison.verdict import ALL, LaneVerdict, Window, verdict
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.report import Outcomes
from shadowtime.console.session.files.tidy import Outcome, outcomes_of, save_rows
from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.travel.copies import Tape
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trajectory import Trajectory, finishing
from shadowtime.scenarios.policy import split_settings

Found = tuple[Mapping[str, object], Sequence[int]]
"""A report, and the first start of each job; NONE for one that has not started."""
MOST = 64
"""Runs of one sweep."""
EXPECTED = "expected policies, such as easy gang:quantum=60,600"


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


def outcomes_lanes(paths: Sequence[str], case: Case) -> tuple[Elsewhere, ...]:
    """Return result files as lanes, under the names of the files; under their paths if two have one name."""
    names = Counter(Path(path).name for path in paths)
    return tuple(outcomes_lane(path, case, path if names[Path(path).name] > 1 else "") for path in paths)


def outcomes_lane(path: str, case: Case, name: str = "") -> Elsewhere:
    """Return the result file of another simulator as a run of the case's jobs, under the name of the file.

    Waits and responses are its own, to the whole second, counted from the submissions of the case. A job that
    it lacks has not started. SessionError: the file is no result file, or has other jobs. OSError.
    """
    found = _found(path, case)
    return Elsewhere(name or Path(path).name, lambda _: found)


def _found(path: str, case: Case) -> Found:
    columns = case.columns
    theirs = dict[int, Outcome]()
    for outcome in outcomes_of(path):
        index = _index(path, case, outcome.job)
        if index in theirs:
            raise SessionError(f"{path}: job {columns.id[index]} is there twice; expected one row a job")
        if not outcome.submit <= outcome.start <= outcome.finish:
            raise SessionError(
                f"{path}: job {columns.id[index]} starts before it comes, or ends before it starts;"
                " expected times that ascend"
            )
        theirs[index] = outcome
    # The first submission of theirs may be at another instant of another clock.
    apart = {index: outcome.submit - columns.submit[index] for index, outcome in theirs.items()}
    for index, by in apart.items():
        if abs(by - next(iter(apart.values()))) > 1:
            raise SessionError(
                f"{path}: job {columns.id[index]} does not come with the others, "
                f"as it does in {case.scenario.path.name}; expected the results of the same jobs"
            )
    ran = [
        Ran(size, submit, *_times(theirs.get(index), submit), backfilled=False)
        for index, (size, submit) in enumerate(zip(columns.size, columns.submit, strict=True))
    ]
    report: Mapping[str, object] = {
        "scenario": case.scenario.title,
        "policy": "",
        "nodes": case.nodes,
        "jobs": len(ran),
        "not_started": len(ran) - len(theirs),
        "span": max((each.end - columns.submit[0] for each in ran if each.end is not None), default=None),
        # Who passed whom is not in the file.
        "metrics": schedule_metrics(ran, case.nodes) | {"backfill_ratio": None},
    }
    return report, [NONE if each.start is None else each.start for each in ran]


def _index(path: str, case: Case, job: str) -> int:
    """The row of a job; Batsim writes the name of its workload before the number: `w0!12`."""
    try:
        return case.index_of(int(job.rpartition("!")[2]))
    except ValueError:
        raise SessionError(f"{path}: the job {job!r} has no number; expected the results of jobs") from None
    except SessionError as error:
        raise SessionError(f"{path}: {error}") from None


def _times(outcome: Outcome | None, submit: int) -> tuple[int | None, int | None]:
    if outcome is None:
        return None, None
    return submit + round(outcome.start - outcome.submit), submit + round(outcome.finish - outcome.submit)


class Stopped(Exception):
    """The operator broke the sweep off."""


def spoken(text: str) -> tuple[str, ...]:
    """Return every policy of a sweep as `--policy` spells it: `gang:quantum=60,600` stands for two.

    A part between commas without `=` is one more value of the parameter before it; parameters with several
    values are combined. SessionError for a text without policies, and for more than `MOST` runs.
    """
    found: list[str] = []
    for word in text.split():
        name, colon, settings = word.partition(":")
        axes: list[list[str]] = []
        for part in split_settings(settings):
            if "=" in part:
                axes.append([part])
            elif part and axes:
                axes[-1].append(f"{axes[-1][0].partition('=')[0]}={part}")
            elif part or colon:
                raise SessionError(f"{word}: {part or name!r} is no parameter; {EXPECTED}")
        found += [f"{name}:{','.join(chosen)}" if chosen else name for chosen in product(*axes)]
        if len(found) > MOST:
            raise SessionError(f"{len(found):,} runs are more than a sweep does; expected {MOST} at most")
    if not found:
        raise SessionError(f"sweep over what? {EXPECTED}")
    return tuple(dict.fromkeys(found))


class Sweep:
    """The runs of a sweep; `run` belongs to a worker, `stop` may be called in any thread.

    SessionError and PolicyError, in one line, for a policy or a parameter that does not exist.
    """

    def __init__(self, case: Case, text: str) -> None:
        self.policies = spoken(text)
        self.cases: Sequence[Case] = [case.spoken(policy) for policy in self.policies]
        self.done = 0.0
        """The share of the work that is done."""
        self._stopped = Flag()

    def stop(self) -> None:
        self._stopped.set()

    def run(self) -> Comparison:
        """Run every case to its end. Raises Stopped."""
        return compare(self.cases, self._come)

    def _come(self, done: int, total: int) -> None:
        self.done = done / total if total else 1.0
        if self._stopped.is_set():
            raise Stopped


def save_csv(comparison: Comparison, path: Path) -> None:
    """Write the metrics, one a row, with a column for each policy. OSError."""
    rows = ([metric, *values] for metric, values in comparison.rows())
    save_rows(path, ["metric", *comparison.names], rows, force=True)
