"""Expectations of a captured folder: the rows of its `plan.csv` beside the plan that is computed."""

import csv
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import attrs

from shadowtime.console.session.facts import Checked
from shadowtime.console.session.files.tidy import read_rows
from shadowtime.console.session.slurm.forecasting import Forecast, ForecastRow, forecast_of
from shadowtime.console.session.slurm.guard.beside import Beside
from shadowtime.console.session.slurm.writing import CALENDAR, ODDS
from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.documents import read_text
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.text.gate import printable

PLAN = "plan.csv"
"""The plan that is expected of a captured folder, as `shadowtime forecast --csv` writes it."""
_WRITTEN = (*(field.name for field in attrs.fields(ForecastRow)), CALENDAR, *ODDS)
COLUMNS = _WRITTEN[: _WRITTEN.index("marks")]
"""The columns that a plan has; those of newer plans may follow."""
LOOKED_AT = ("order", "job_id", "partition", "reservation", "outcome", "start", "end", "nodes", "note")
"""What is compared, in this order; priorities are what the capture says."""


def check_plan(folder: Path) -> tuple[tuple[Checked, ...], Beside]:
    """Return each expected row of a folder's plan beside the computed one, and the plan beside Slurm's own.

    The plan is that of the instant of the capture. Without a `plan.csv` no row is expected. CaptureError if a
    file cannot be read.
    """
    capture = read_capture(folder)
    path = folder / PLAN
    if not capture.taken:
        if not path.exists():
            return (), Beside()
        raise broken(folder, "does not say when it was read; a plan is expected of that instant")
    found = forecast_of(capture, capture.taken)
    return tuple(_outcomes(path, found)) if path.exists() else (), found.beside


def _outcomes(path: Path, forecast: Forecast) -> Iterator[Checked]:
    expected = list(_expected(path))
    found = [_cells(row) for row in forecast.rows]
    for line, (one, two) in enumerate(zip_longest(expected, found), 2):
        row = one or two
        assert row is not None
        yield Checked(
            file=str(path),
            line=line,
            case="",
            what=f"place {row['order']}, job {row['job_id']} in {row['partition']}",
            expected=_written(one, two),
            found=_written(two, one),
            passed=one is not None and two is not None and all(one[it] == two[it] for it in LOOKED_AT),
        )


def _expected(path: Path) -> Iterator[dict[str, str]]:
    try:
        rows = list(read_rows(read_text(path)))
    except csv.Error as error:
        raise broken(path, f"is no CSV: {printable(str(error))}") from None
    if (
        not rows
        or not tuple(rows[0])[: len(COLUMNS)] == COLUMNS
        or tuple(rows[0]) != _WRITTEN[: len(rows[0])]
    ):
        raise broken(path, f"has other columns than a plan; expected {','.join(COLUMNS)}", "", 1)
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            text = f"has {len(row)} values, {shown(','.join(row))}; expected {len(rows[0])}"
            raise broken(path, text, "", line)
        yield {name: printable(value) for name, value in zip(rows[0], row, strict=True)}


def _cells(row: ForecastRow) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in attrs.asdict(row).items()}


def _written(row: dict[str, str] | None, other: dict[str, str] | None) -> str:
    """A row, or of two rows of one entry what differs."""
    if row is None:
        return "no row"
    names = [name for name in LOOKED_AT if other is None or row[name] != other[name]] or ["outcome"]
    return " ".join(f"{name} {row[name] or 'none'}" for name in names)
