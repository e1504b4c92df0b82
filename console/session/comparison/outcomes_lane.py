"""What another simulator found for the jobs of a case: a column beside runs of ours."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Elsewhere, Found
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.outcomes import Outcome, outcomes_of
from shadowtime.console.session.travel.moments import NONE


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
