"""The forecasts of a ledger as CSV."""

from collections.abc import Iterable

import attrs

from shadowtime.console.session.files.tidy import save_rows
from shadowtime.console.session.slurm.ledger.store import LedgerEntry


def write_forecasts(entries: Iterable[LedgerEntry], path: str, force: bool = False) -> int:
    """Write forecasts with their outcomes and errors; return how many. SessionError; OSError."""
    rows = [(*attrs.astuple(each), each.error, each.slurm_error, each.likely_error) for each in entries]
    names = [field.name for field in attrs.fields(LedgerEntry)]
    save_rows(path, [*names, "error", "slurm_error", "likely_error"], rows, force)
    return len(rows)
