"""Likely starts in files: a record for each waiting job."""

from collections.abc import Iterable

from shadowtime.console.session.facts import Row
from shadowtime.console.session.files.tidy import save_rows

COLUMNS = (
    "id",
    "user",
    "size",
    "limit",
    "wait",
    "expected",
    "early",
    "likely",
    "late",
    "samples",
    "calibrated",
)
"""Instants and durations in seconds; empty if it never starts, or there are no odds."""


def record_of(row: Row) -> dict[str, object]:
    likely = row.likely
    return {
        "id": row.id,
        "user": row.user,
        "size": row.size,
        "limit": row.estimate,
        "wait": row.wait,
        "expected": None if row.predicted is None else row.predicted.time,
        "early": None if likely is None else likely.early,
        "likely": None if likely is None else likely.likely,
        "late": None if likely is None else likely.late,
        "samples": 0 if likely is None else likely.samples,
        "calibrated": likely is not None and likely.calibrated,
    }


def records_of(rows: Iterable[Row]) -> list[dict[str, object]]:
    return [record_of(row) for row in rows]


def write_starts(rows: Iterable[Row], path: str, force: bool = False) -> None:
    """Write the records as CSV. SessionError for a file that is there, unless `force`; OSError."""
    save_rows(path, COLUMNS, [record.values() for record in records_of(rows)], force)
