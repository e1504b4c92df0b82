"""What other simulators found: the jobs that Batsim and AccaSim write, as a table."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.tidy import Table

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
