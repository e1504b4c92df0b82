"""Tables of a study of one's own: means with intervals, and what differs from one of the columns."""

from collections.abc import Iterator
from enum import StrEnum

import attrs

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of
from shadowtime.console.session.lab.intervals import (
    CONFIDENCE,
    Value,
    are_tied,
    at_level,
    difference,
    holm,
    paired_p,
)
from shadowtime.scenarios.experiment import Experiment, Means


class Sense(StrEnum):
    """What a comparison of two values says."""

    LESS = "less"
    MORE = "more"
    UNDECIDED = "undecided"
    """They are within 1 %, their difference is within its interval, or one of them is a single run."""
    NO_INTERVAL = "no interval"
    """One of them is a single run: nothing shows how far it may be off."""
    BEYOND = "beyond noise"
    WITHIN = "within noise"
    """The runs differ by shaken submissions, which are no sample of other jobs."""


def sense_of(one: Value, other: Value, level: float = CONFIDENCE) -> Sense:
    """Return whether one value is less or more than another."""
    apart = difference(one, other, level)
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
    """What the difference says; None if nothing is compared."""
    p: float | None = None
    """Of the pairs, two-sided, if the difference were 0; None without pairs, and of shaken submissions."""
    holm: float | None = None
    """The same as one of all those of the table; it decides the sense."""


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
    shaken = means.view.average in experiment.grids[means.view.grid].shaken
    found = list[Mean]()
    for row in rows:
        base = None if means.against is None else _at(frame, means, row, means.against)
        for column in frame.labels(means.columns):
            value = _at(frame, means, row, column)
            if value is None:
                continue
            if base is None or column == means.against:
                found.append(Mean(row, column, value, None, None))
                continue
            apart = difference(value, base, means.level)
            sense = sense_of(value, base, means.level)
            if value.half is None or base.half is None:
                sense = Sense.NO_INTERVAL
            elif shaken:
                sense = Sense.WITHIN if sense is Sense.UNDECIDED else Sense.BEYOND
            found.append(Mean(row, column, value, apart, sense, None if shaken else paired_p(apart)))
    return MeansFound(means, tuple(_adjusted(found, means.level)), without)


def _adjusted(found: list[Mean], level: float) -> Iterator[Mean]:
    """The same, each of several questions decided as one of them all."""
    adjusted = iter(holm([mean.p for mean in found if mean.p is not None]))
    for mean in found:
        if mean.p is None:
            yield mean
            continue
        p = next(adjusted)
        yield attrs.evolve(mean, holm=p, sense=Sense.UNDECIDED if p > 1 - level else mean.sense)


def _at(frame: Frame, means: Means, row: str, column: str) -> Value | None:
    value = frame.at({means.columns: column, **({} if means.rows is None else {means.rows: row})})
    return None if value is None else at_level(value, means.level)
