"""An impact in a file: a row for each job that moves."""

from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.impact.impact import Impact

LIMITS = ("job", "user", "size", "what", "before", "after", "change")
LIKELY = ("likely_before", "likely_after", "likely_change", "tenth_change", "agreeing", "samples")
"""Columns with samples: those of `impact --json`. Instants and changes in seconds; empty from or to never."""


def write_impact(found: Impact, path: str, force: bool = False) -> None:
    """Write the rows as CSV. SessionError for a file that is there, unless `force`; OSError."""
    columns = (*LIMITS, *(LIKELY if found.odds.samples else ()))
    records = (row.as_dict() | {"what": row.what} for row in found.rows)
    save_rows(path, columns, ([record.get(column) for column in columns] for record in records), force)
