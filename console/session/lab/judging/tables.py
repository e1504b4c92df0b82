"""Judging a published table: each value beside ours."""

from collections.abc import Sequence
from decimal import Decimal
from math import ceil

import attrs

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of
from shadowtime.console.session.lab.intervals import Value, are_tied
from shadowtime.console.session.lab.judging.chance import band_of, is_inside, of_value, reaches, unit_of
from shadowtime.console.session.lab.judging.verdicts import (
    MOSTLY,
    Line,
    TableFound,
    Verdict,
    shown_reading,
    verdict_of,
)
from shadowtime.scenarios.experiment import Experiment, Published


def judge_table(experiment: Experiment, table: Published, results: Lookup) -> TableFound:
    frame = frame_of(experiment.grids[table.view.grid], table.view, results)
    lines = [_line(table, row, column, value, frame) for (row, column), value in table.values.items()]
    known = [line for line in lines if line.ours is not None]
    judged = tuple(
        attrs.evolve(
            line,
            chance=of_value(table, line.row, line.column, line.ours),
            verdict=Verdict.NO_DATA
            if line.ours is None
            else verdict_of(
                line.near,
                _has_pattern(table, line, known),
                _is_bracketed(line),
                line.undecided,
                stand_in=table.source.is_stand_in,
            ),
        )
        for line in lines
    )
    if not known:
        return TableFound(table, judged, "nothing could be run")
    near = sum(line.near for line in known)
    worst = _worst(table, known)
    if near == len(known) or not table.source.is_judged:
        return TableFound(table, judged, f"within {worst}")
    unit = "points" if table.in_points else "%"
    band = f"{unit_of(table) * table.within:g} {unit}"
    return TableFound(table, judged, f"{near} of {len(known)} within {band}, the worst {worst} off")


def _worst(table: Published, lines: list[Line]) -> str:
    """How far the farthest value is off: in points if a ratio means nothing, else in per cent."""
    if table.in_points:
        distance = max(abs(line.ours.mean - line.published) for line in lines if line.ours is not None)
        return f"{distance:.2f} points" if table.correlated else f"{distance:.0f} points"
    ratios = [abs(line.ratio - 1) for line in lines if line.ratio is not None]
    # Rounded up: nothing is within 0.0 %.
    return f"{max(1, ceil(round(1000 * max(ratios, default=0.0), 6))) / 10:.1f} %"


def _ours(frame: Frame, table: Published, row: str, column: str) -> dict[str, Value]:
    """Ours under each stated reading; under '' if there is one reading."""
    if not frame.values:
        return {}
    labels = {table.columns: column, **({} if table.rows is None else {table.rows: row})}
    if table.readings is None:
        value = frame.at(labels)
        return {} if value is None else {"": value}
    found = {label: frame.at({**labels, table.readings: label}) for label in frame.labels(table.readings)}
    return {label: value for label, value in found.items() if value is not None}


def _line(table: Published, row: str, column: str, said: Decimal, frame: Frame) -> Line:
    found = _ours(frame, table, row, column)
    ours = found.get("") if table.readings is None else found.get(shown_reading(table, found) or "")
    readings = {} if table.readings is None else found
    if ours is None:
        return Line(row, column, said, None, False, False, readings=readings)
    band = band_of(table, said)
    near = is_inside(ours, band)
    return Line(row, column, said, ours, near, not near and reaches(ours, band), readings=readings)


def _has_pattern(table: Published, line: Line, lines: Sequence[Line]) -> bool:
    """Whether a value has the published sign, and the published order beside most of its row.

    A table of one column has the order of its rows. What has nothing beside it has a sign alone.
    """
    if line.ours is None:
        return False
    if table.in_points and line.ours.mean * line.published < 0:
        return False
    beside = [each for each in lines if each.row == line.row and each is not line]
    beside = beside or [each for each in lines if each.column == line.column and each is not line]
    pairs = [
        (line.published < other.published) == (line.ours.mean < other.ours.mean)
        for other in beside
        if other.ours is not None
        and not are_tied(line.published, other.published)
        and not are_tied(line.ours.mean, other.ours.mean)
    ]
    if not pairs:
        return table.in_points and not are_tied(line.published, 0.0)
    return sum(pairs) >= MOSTLY * len(pairs)


def _is_bracketed(line: Line) -> bool:
    """Whether the published value lies between the results of two stated readings."""
    values = [value.mean for value in line.readings.values()]
    return len(values) > 1 and min(values) <= line.published <= max(values)
