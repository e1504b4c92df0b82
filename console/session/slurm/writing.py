"""The rows of a forecast and of a list as CSV."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any

import attrs

from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.slurm.forecasting import Forecast, ForecastRow
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.console.session.slurm.zones import calendar

CALENDAR = "start_at"
"""The column of the start by the calendar."""
NOTHING_MORE: Mapping[str, Callable[[Any], object]] = {}


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
    more = {CALENDAR: lambda row: calendar(row.start, zone)}
    write_list(ForecastRow, found.rows, path, force, between="; ", more=more, words=words)


def write_list(
    kind: type[attrs.AttrsInstance],
    rows: Sequence[attrs.AttrsInstance],
    path: str,
    force: bool = False,
    between: str = " ",
    more: Mapping[str, Callable[[Any], object]] = NOTHING_MORE,
    words: Callable[[Any], str] = str,
) -> None:
    """Write rows of a kind as CSV, a column for each of its fields and for what is asked for beside them.

    `between` stands between several values, each written by `words`.

    SessionError for a file that is there, unless `force`; OSError.
    """
    if not force:
        refuse_overwriting([path])
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row((*(field.name for field in attrs.fields(kind)), *more))
        cells.rows(
            [between.join(map(words, value)) if isinstance(value, tuple) else value for value in _values(row)]
            + [value(row) for value in more.values()]
            for row in rows
        )


def _values(row: attrs.AttrsInstance) -> Iterator[object]:
    """The values of a row, in the order of its fields."""
    return (getattr(row, field.name) for field in attrs.fields(type(row)))
