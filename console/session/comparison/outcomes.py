"""Result files of other simulators, Batsim and AccaSim: their jobs, and such a run as a lane."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from shadowtime.console.session.case import Case
from shadowtime.console.session.comparison.runs import Elsewhere, Found
from shadowtime.console.session.comparison.schedule import Ran, schedule_metrics
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import Table
from shadowtime.console.session.travel.moments import NONE

NAMES = ("job", "submit", "start", "finish", "wait", "response")
_BATSIM = ("job_id", "submission_time", "starting_time", "finish_time")
_ACCASIM = re.compile(r"([^;]+);(?:.*;)?([^;]+?)__.*__([^;]+);([^;]+);")

NO_JOB = "no job of a result file; expected jobs.csv of Batsim, or a schedule of AccaSim"


class Outcome(NamedTuple):
    """What became of a job; times are seconds."""

    job: str
    submit: float
    start: float
    finish: float


def read_outcomes(path: str | Path) -> Table:
    """Return the jobs that a result file has (`outcomes_of`), with their waits and responses."""
    rows = outcomes_of(path)
    return Table.of_rows(NAMES, ((*row, row.start - row.submit, row.finish - row.submit) for row in rows))


def outcomes_of(path: str | Path) -> list[Outcome]:
    """Return the jobs that a result file has, by their id as a text.

    The file is Batsim's `jobs.csv`, or the schedule of AccaSim. Times are seconds: Batsim's own, of AccaSim
    from the submission of its first row on. SessionError: the file is neither, or a row lacks times. OSError.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        rows = list(_batsim(text, path) if text.startswith("job_id,") else _accasim(text, path))
    except UnicodeDecodeError:
        text = ""
    except csv.Error as error:
        raise SessionError(f"{path}: {error}; expected jobs.csv of Batsim") from None
    if not text:
        raise SessionError(f"{path}: {NO_JOB}")
    return rows


def _batsim(text: str, path: str | Path) -> Iterator[Outcome]:
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), 2):
        if row.get("final_state") == "REJECTED":
            continue
        try:
            submit, start, finish = (_seconds(row[name]) for name in _BATSIM[1:])
        except (KeyError, TypeError, ValueError):
            expected = ", ".join(_BATSIM[1:])
            raise SessionError(f"{path}:{number}: a job without times; expected {expected}") from None
        yield Outcome(row["job_id"], submit, start, finish)


def _seconds(text: str) -> float:
    """A time of Batsim. ValueError for another text, and for one that is not finite."""
    if not isfinite(seconds := float(text)):
        raise ValueError(text)
    return seconds


def _accasim(text: str, path: str | Path) -> Iterator[Outcome]:
    first: float | None = None
    for number, line in enumerate(text.splitlines(), 1):
        match = _ACCASIM.match(line)
        if match is None:
            raise SessionError(f"{path}:{number}: {NO_JOB}")
        try:
            # The three are of one clock, whose offset cancels out.
            times = [datetime.fromisoformat(f"{each}+00:00").timestamp() for each in match.groups()[1:]]
        except ValueError:
            raise SessionError(f"{path}:{number}: {NO_JOB}") from None
        first = times[0] if first is None else first
        submit, start, finish = (each - first for each in times)
        yield Outcome(match[1], submit, start, finish)


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
