"""The rows of a forecast as CSV, and the time zone of a cluster."""

from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.slurm.forecast import Forecast, ForecastRow


def write_rows(found: Forecast, path: str, force: bool = False) -> None:
    """Write the rows as CSV. SessionError for a file that is there, unless `force`; OSError."""
    if not force:
        refuse_overwriting([path])
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row(field.name for field in attrs.fields(ForecastRow))
        cells.rows((*attrs.astuple(row)[:-1], "; ".join(row.marks)) for row in found.rows)


def zone_of(name: str) -> tzinfo:
    """Return a time zone. SessionError if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SessionError(f"{name!r} is no time zone; expected one such as Europe/Berlin") from None
