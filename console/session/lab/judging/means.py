"""Tables of a study of one's own: means with intervals, and what differs from one of the columns."""

from enum import StrEnum

import attrs

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of
from shadowtime.console.session.lab.intervals import Value, are_tied, difference
from shadowtime.scenarios.experiment import Experiment, Means


class Sense(StrEnum):
    """What a comparison of two values says."""

    LESS = "less"
    MORE = "more"
    UNDECIDED = "undecided"
    """They are within 1 %, their difference is within its interval, or one of them is a single run."""


def sense_of(one: Value, other: Value) -> Sense:
    """Return whether one value is less or more than another."""
    apart = difference(one, other)
    # How far a single run may be off, beside a mean of several, nobody knows.
    alone = (one.half is None) != (other.half is None)
    if alone or are_tied(one.mean, other.mean) or apart.least <= 0 <= apart.most:
        return Sense.UNDECIDED
    return Sense.LESS if apart.mean < 0 else Sense.MORE


@attrs.frozen
class Mean:
    """What came out in one place of the table."""

    row: str
    column: str
    ours: Value
    apart: Value | None
    """Ours less that of the column that it is compared with: of pairs, if both were run with common seeds."""
    sense: Sense | None
    """What the difference says; None if nothing is compared, or only single runs, without interval."""


@attrs.frozen
class MeansFound:
    """A table of means with its values, row by row."""

    means: Means
    values: tuple[Mean, ...]
    without: tuple[str, ...] = ()
    """The rows and columns that have no value at all."""


def tabled(experiment: Experiment, means: Means, results: Lookup) -> MeansFound:
    """Return what came out; places that were not run are left out."""
    frame = frame_of(experiment.grids[means.view.grid], means.view, results)
    without = tuple(
        label
        for axis in experiment.grids[means.view.grid].axes
        if axis.name in (means.rows, means.columns)
        for label in axis.labels
        if means.view.fixed.get(axis.name, label) == label and label not in frame.labels(axis.name)
    )
    if not frame.values:
        return MeansFound(means, (), without)
    rows = ("",) if means.rows is None else frame.labels(means.rows)
    found = list[Mean]()
    for row in rows:
        base = None if means.against is None else _at(frame, means, row, means.against)
        for column in frame.labels(means.columns):
            value = _at(frame, means, row, column)
            if value is None:
                continue
            if base is None or column == means.against:
                found.append(Mean(row, column, value, None, None))
            else:
                apart = difference(value, base)
                sense = None if apart.half is None else sense_of(value, base)
                found.append(Mean(row, column, value, apart, sense))
    return MeansFound(means, tuple(found), without)


def _at(frame: Frame, means: Means, row: str, column: str) -> Value | None:
    named = {means.columns: column, **({} if means.rows is None else {means.rows: row})}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in named}
    return frame.at({**single, **named})
