"""The rows of a forecast and of a list as CSV."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, tzinfo

import attrs

from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.slurm.forecasting import Forecast, ForecastRow
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.zones import calendar

CALENDAR = "start_at"
"""The column of the start by the calendar."""
ODDS = "early", "likely", "late"
"""The columns of likely starts, if there are any: 1 in 10 before, the median, 9 in 10 by."""


def write_rows(
    found: Forecast,
    path: str,
    words: Callable[[Caveat], str],
    force: bool = False,
    zone: tzinfo | None = UTC,
) -> None:
    """Write the rows as CSV, the start by the calendar of a zone last; None is that of this machine.

    `words` gives the text of what a row leaves out.

    SessionError for a file that is there, unless `force`; OSError.
    """
    names = [field.name for field in attrs.fields(ForecastRow)]
    starts = {} if found.likely is None else found.likely.starts
    records = [
        {name: getattr(row, name) for name in names}
        | {"marks": tuple(map(words, row.marks)), CALENDAR: calendar(row.start, zone)}
        | {name: getattr(starts.get(row.job_id), name, None) for name in ODDS}
        for row in found.rows
    ]
    odds = () if found.likely is None else ODDS
    write_records([*names, CALENDAR, *odds], records, path, force, between="; ")


def write_records(
    names: Sequence[str],
    records: Iterable[Mapping[str, object]],
    path: str,
    force: bool = False,
    between: str = " ",
) -> None:
    """Write records as CSV, a column for each name; `between` stands between several values.

    SessionError for a file that is there, unless `force`; OSError.
    """
    rows = (
        [between.join(value) if isinstance(value := record[name], tuple) else value for name in names]
        for record in records
    )
    save_rows(path, names, rows, force)
