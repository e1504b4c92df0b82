"""The rows of a forecast and of a list as CSV, and the time zone of a cluster."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.slurm.forecast import Forecast, ForecastRow


def write_rows(found: Forecast, path: str, force: bool = False) -> None:
    """Write the rows as CSV. SessionError for a file that is there, unless `force`; OSError."""
    write_list(ForecastRow, found.rows, path, force, between="; ")


def write_list(
    kind: type[attrs.AttrsInstance],
    rows: Sequence[attrs.AttrsInstance],
    path: str,
    force: bool = False,
    between: str = " ",
) -> None:
    """Write rows of a kind as CSV, a column for each of its fields; `between` stands between several values.

    SessionError for a file that is there, unless `force`; OSError.
    """
    if not force:
        refuse_overwriting([path])
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row(field.name for field in attrs.fields(kind))
        cells.rows(
            [between.join(value) if isinstance(value, tuple) else value for value in _values(row)]
            for row in rows
        )


def _values(row: attrs.AttrsInstance) -> Iterator[object]:
    """The values of a row, in the order of its fields."""
    return (getattr(row, field.name) for field in attrs.fields(type(row)))


def zone_of(name: str) -> tzinfo:
    """Return a time zone. SessionError if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SessionError(f"{name!r} is no time zone; expected one such as Europe/Berlin") from None
