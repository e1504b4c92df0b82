"""The reservations of `scontrol show reservations`, as JSON or as lines."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo
from pathlib import Path

from shadowtime.scenarios.slurm.errors import CaptureError, said
from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.oneliner import read_lines
from shadowtime.scenarios.slurm.records import LeftOut, Reservation
from shadowtime.scenarios.traces.calendar import Calendar

REQUIRED = "name", "start_time", "end_time", "node_list", "flags"


def read_reservations(records: Iterable[Record], left_out: list[LeftOut]) -> Iterator[Reservation]:
    """Yield the reservations of a JSON file; one with an odd field is listed in `left_out`."""
    for record in records:
        record.require(REQUIRED)
        name = record.text("name")
        try:
            yield read_reservation(record)
        except CaptureError as error:
            left_out.append(LeftOut("reservation", name, said(error)))


def read_reservation(record: Record) -> Reservation:
    return Reservation(
        name=record.text("name"),
        begin=record.number("start_time"),
        end=record.number("end_time"),
        nodes=record.hosts("node_list"),
        flags=frozenset(record.words("flags")),
        users=record.words("users"),
        cores=record.number("core_count"),
        licenses=record.text("licenses"),
        accounts=record.words("accounts"),
    )


def read_reservation_lines(path: Path, zone: tzinfo, left_out: list[LeftOut]) -> Iterator[Reservation]:
    """Yield the reservations of a file of lines, whose instants are in the time of a zone."""
    calendar = Calendar(zone)
    for line in read_lines(path, "ReservationName"):
        line.require("ReservationName", "StartTime", "EndTime", "Nodes", "Flags")
        try:
            yield Reservation(
                name=line.text("ReservationName"),
                begin=line.instant("StartTime", calendar),
                end=line.instant("EndTime", calendar),
                nodes=line.hosts("Nodes"),
                flags=frozenset(line.words("Flags")),
                users=line.words("Users"),
                cores=line.count("CoreCnt"),
                licenses=line.text("Licenses"),
                accounts=line.words("Accounts"),
            )
        except CaptureError as error:
            left_out.append(LeftOut("reservation", line.text("ReservationName"), said(error)))
