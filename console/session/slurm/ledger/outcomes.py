"""The forecasts of a ledger as CSV."""

import csv
from collections.abc import Iterable

import attrs

from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.slurm.ledger.store import Entry


def write_forecasts(entries: Iterable[Entry], path: str, force: bool = False) -> int:
    """Write forecasts with their outcomes and errors; return how many. SessionError; OSError."""
    if not force:
        refuse_overwriting([path])
    count = 0
    with written_whole(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*(field.name for field in attrs.fields(Entry)), "error", "slurm_error"])
        for entry in entries:
            writer.writerow([*attrs.astuple(entry), entry.error, entry.slurm_error])
            count += 1
    return count
