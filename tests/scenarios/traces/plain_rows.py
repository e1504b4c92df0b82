"""A reader of rows that is obviously right: plain Python, one row at a time. The compiled one must agree."""

import re
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)")
LIMIT = 2**62


def number(field: bytes) -> int | str:
    """The value of a field, or the kind of its flaw."""
    if not NUMBER.fullmatch(field):
        return "number"
    value = int(Decimal(field.decode()).to_integral_value(ROUND_HALF_UP))
    return value if abs(value) <= LIMIT else "range"


def lines(text: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Line number and fields of every row."""
    for count, line in enumerate(text.split(b"\n"), 1):
        fields = re.findall(rb"[^ \t\r]+", line)
        if fields and not fields[0].startswith(b";"):
            yield count, fields


def parts(rows: Sequence[tuple[int, list[int]]]) -> set[int]:
    """The lines of partial executions (status 2 to 4) of jobs that have a row of another status."""
    whole = {row[0] for _, row in rows if row[10] not in (2, 3, 4)}
    return {line for line, row in rows if row[10] in (2, 3, 4) and row[0] in whole}


def plain_rows(
    text: bytes, nodes: int, extend: bool, drop_missing: bool, first: int, last: int, status: str = "keep"
) -> tuple[list[tuple[int, ...]], dict[str, int], set[tuple[int, str]]]:
    """Jobs (id, submit, runtime, estimate, size, killed, user, queue, cancel, after, think, status), what is
    dropped, flaws."""
    jobs: list[tuple[int, ...]] = []
    good: list[tuple[int, list[int]]] = []
    dropped: dict[str, int] = {}
    flaws: set[tuple[int, str]] = set()
    for line, fields in lines(text):
        values = [number(field) for field in fields]
        if len(values) != 18:
            flaws.add((line, "count"))
            continue
        bad = {(line, value) for value in values if isinstance(value, str)}
        row = [value for value in values if isinstance(value, int)]
        for value, kind in zip(values, ("negative_id", "negative_submit"), strict=False):
            if isinstance(value, int) and value < 0:
                bad.add((line, kind))
        flaws |= bad
        if not bad:
            good.append((line, row))
    partial = parts(good)
    for line, row in good:
        if not first <= row[1] < last:
            continue
        job = "partial" if line in partial else judged(row, nodes, extend, drop_missing, status)
        if isinstance(job, str):
            dropped[job] = dropped.get(job, 0) + 1
        else:
            jobs.append(job)
    return sorted(jobs, key=lambda job: job[1]), dropped, flaws


def judged(
    row: list[int], nodes: int, extend: bool, drop_missing: bool, status: str
) -> tuple[int, ...] | str:
    """The job of a good row, or the reason for which it is dropped."""
    number, submit, runtime, estimate = row[0], row[1], row[3], row[8]
    size = row[7] if row[7] > 0 else row[4]
    cancelled, cancel = row[10] == 5, -1
    if cancelled and status == "drop":
        return "cancelled"
    if cancelled and status == "replay" and row[2] >= 0 and row[2] + max(runtime, 0) <= LIMIT:
        cancel = row[2] + max(runtime, 0)
        runtime = runtime if runtime > 0 else estimate
    if runtime <= 0:
        return "runtime"
    if size <= 0:
        return "size"
    if size > nodes:
        return "larger_than_machine"
    if estimate <= 0 and drop_missing:
        return "estimate"
    estimate = estimate if estimate > 0 else runtime
    killed = runtime > estimate and not extend
    runtime, estimate = (estimate, estimate) if killed else (runtime, max(runtime, estimate))
    later = cancel, row[16] if row[16] > 0 else -1, max(row[17], 0), row[10]
    return number, submit, runtime, estimate, size, int(killed), row[11], row[14], *later
