"""The forecasts of a ledger as CSV."""

from collections.abc import Iterable

import attrs

from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.slurm.ledger.store import LedgerEntry


def write_forecasts(entries: Iterable[LedgerEntry], path: str, force: bool = False) -> int:
    """Write forecasts with their outcomes and errors; return how many. SessionError; OSError."""
    if not force:
        refuse_overwriting([path])
    count = 0
    with written_whole(path) as stream:
        cells = Cells(stream)
        cells.row(
            [*(field.name for field in attrs.fields(LedgerEntry)), "error", "slurm_error", "likely_error"]
        )
        for entry in entries:
            cells.row([*attrs.astuple(entry), entry.error, entry.slurm_error, entry.likely_error])
            count += 1
    return count
