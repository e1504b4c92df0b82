"""The lists of a cluster, and everything about a reservation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import format_hosts
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import ACTIVE, PARTITIONS, Listing, ReservationRow
from shadowtime.console.session.slurm.board.standing import PartitionRow
from shadowtime.console.widgets.frame.ink import Line, fact, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import summary_line
from shadowtime.console.widgets.table.columns import Column, FieldLook, columns_of, written

T = TypeVar("T")
INDENT = 10


def list_columns(listing: Listing[T], at: BoardReading, dates: Dates) -> Sequence[Column[T]]:
    brief = partial(dates.brief, now=at.board.now)

    looks: Mapping[str, FieldLook[Any]] = LOOKS[listing.name]
    if listing is PARTITIONS:
        looks = {**looks, **_partition_looks(at, brief, dates)}
    return columns_of(listing.fields, at, written(brief), looks)


LOOKS: Mapping[str, Mapping[str, FieldLook[Any]]] = {
    "reservations": {
        "name": FieldLook(role=lambda _: "strong"),
        "state": FieldLook(role=lambda row: "warn" if row.state == ACTIVE else ""),
        "waiting": FieldLook(lambda row: " ".join(row.waiting)),
        "delays": FieldLook(lambda row: " ".join(row.delays), lambda _: "plan"),
    },
    "out": {
        "node": FieldLook(role=lambda _: "strong"),
        "state": FieldLook(role=lambda _: "bad"),
        "jobs": FieldLook(lambda row: " ".join(row.jobs)),
    },
    "partitions": {
        "name": FieldLook(role=lambda _: "strong"),
        "state": FieldLook(role=lambda row: "" if row.state == "up" else "bad"),
        "size": FieldLook(lambda row: f"{row.up}/{row.size}"),
        "wait": FieldLook(lambda row: duration(row.longest_wait) if row.longest_job else ""),
    },
}
"""How fields of the lists are shown, where that is not how their kinds are."""


def _partition_looks(
    at: BoardReading, brief: Callable[[int], str], dates: Dates
) -> Mapping[str, FieldLook[PartitionRow]]:
    rows = {(row.job, row.partition): row for row in reversed(at.board.rows)}

    def following(row: PartitionRow) -> str:
        if row.next_start is None:
            return "none" if row.waiting else ""
        return "now" if row.next_start <= at.board.now else brief(row.next_start)

    def why(row: PartitionRow) -> str:
        job = rows.get((row.longest_job, row.name))
        return "" if job is None else summary_line(at.board, job, dates)

    return {"starts": FieldLook(following, lambda _: "plan"), "longest": FieldLook(why)}


def reservation_lines(board: Board, row: ReservationRow, dates: Dates, width: int) -> Iterator[Line]:
    """Yield the lines about a reservation, with the running jobs that are still there once it has begun."""
    yield from wrap(f"reservation {row.name}, {row.state}", width, "strong")
    length = duration(row.end - row.begin)
    begin, end = dates.whole(row.begin), dates.whole(row.end)
    yield from fact("from", f"{begin} until {end}, {length}", width, INDENT)
    yield from fact("nodes", f"{row.nodes or 'none'} ({row.size})", width, INDENT)
    for name, values in (("users", row.users), ("accounts", row.accounts), ("flags", row.flags)):
        if values:
            yield from fact(name, ", ".join(values), width, INDENT)
    yield from _there(board, row, dates, width)
    yield from fact("wait", f"for it: {', '.join(row.waiting) or 'nobody'}", width, INDENT)
    without = "would start earlier without it in the next cycle"
    yield from fact(
        "delays", f"{', '.join(row.delays)}: {without}" if row.delays else "nobody", width, INDENT
    )


def _there(board: Board, row: ReservationRow, dates: Dates, width: int) -> Iterator[Line]:
    """The jobs that run on its nodes past its begin, the last to end first."""
    own = next(
        (frozenset(each.nodes) for each in board.capture.reservations if each.name == row.name), frozenset()
    )
    jobs = [
        job
        for job in board.capture.jobs
        if job.holding
        and job.reservation != row.name
        and job.end > row.begin
        and not own.isdisjoint(job.nodes)
    ]
    when = "there now" if row.state == ACTIVE else "still there when it begins"
    for place, job in enumerate(sorted(jobs, key=lambda job: -job.end)):
        hosts = format_hosts(name for name in job.nodes if name in own)
        text = f"job {job.shown} of {job.user} on {hosts} until {dates.brief(job.end, board.now)}"
        yield from fact("jobs" if place == 0 else "", f"{text}, {when}", width, INDENT)
    if not jobs:
        yield from fact("jobs", f"no other job is {when}", width, INDENT)
