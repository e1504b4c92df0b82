"""An impact in a file: a row for each job that moves."""

from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.impact.impact import Impact

LIMITS = ("job", "user", "size", "what", "before", "after", "change")
LIKELY = ("likely_before", "likely_after", "likely_change", "tenth_change", "agreeing", "samples")
"""Columns with samples: those of `impact --json`. Instants and changes in seconds; empty from or to never."""


def write_impact(found: Impact, path: str, force: bool = False) -> None:
    """Write the rows as CSV. SessionError for a file that is there, unless `force`; OSError."""
    if not force:
        refuse_overwriting([path])
    columns = (*LIMITS, *(LIKELY if found.odds.samples else ()))
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row(columns)
        for row in found.rows:
            values = row.as_dict() | {"what": row.what}
            cells.row(values.get(column) for column in columns)
