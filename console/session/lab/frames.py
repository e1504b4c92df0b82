"""Frames: the values of one measure over the cells of a grid, by their labels on every axis."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev

import attrs

from console.session.batches import student
from console.session.lab.measures import Results, measured
from scenarios.experiment import Grid, View, breakdown_of

CONFIDENCE = 0.90


@attrs.frozen
class Value:
    """A value, or the mean of several with half the width of its 90 % confidence interval."""

    mean: float
    half: float | None = None
    count: int = 1


@attrs.frozen
class Frame:
    """Values by label; `axes` names the places of the labels."""

    axes: tuple[str, ...]
    values: Mapping[tuple[str, ...], Value]

    def get(self, **labels: str) -> Value | None:
        """The value at one label of every axis; None where there is none."""
        return self.values.get(tuple(labels[axis] for axis in self.axes))

    def at(self, labels: Mapping[str, str]) -> Value | None:
        """The same, with the labels in a mapping."""
        return self.values.get(tuple(labels[axis] for axis in self.axes))

    def labels(self, axis: str) -> tuple[str, ...]:
        """The labels of an axis, in the order of the grid."""
        place = self.axes.index(axis)
        return tuple(dict.fromkeys(key[place] for key in self.values))


Lookup = Callable[[Mapping[str, object]], Results | None]
"""Gives the results of a cell by its scenario; None where there are none."""


def frame_of(grid: Grid, view: View, results: Lookup) -> Frame:
    """Return what a view of a grid shows: its fixed axes gone, gains taken, one axis averaged over."""
    axes = [axis.name for axis in grid.axes]
    own = breakdown_of(view.measure)
    values = dict[tuple[str, ...], Value]()
    for labels, scenario in grid.cells():
        if any(view.fixed.get(axis, label) != label for axis, label in zip(axes, labels, strict=True)):
            continue
        found = results(scenario)
        if found is None:
            continue
        for label, number in measured(found, view.measure).items():
            values[(*labels, label) if own else labels] = Value(number)
    names = [*axes, *([own] if own else [])]
    frame = Frame(tuple(names), values)
    for axis in list(names):
        if axis in view.fixed:
            frame = _without(frame, axis, view.fixed[axis])
    if view.relative_to is not None:
        frame = _gains(frame, view.relative_to)
    if view.average is not None:
        frame = _averaged(frame, view.average)
    return frame


def _without(frame: Frame, axis: str, label: str) -> Frame:
    place = frame.axes.index(axis)
    kept = {key: value for key, value in frame.values.items() if key[place] == label}
    return Frame(_cut(frame.axes, place), {_cut(key, place): value for key, value in kept.items()})


def _cut(key: tuple[str, ...], place: int) -> tuple[str, ...]:
    return key[:place] + key[place + 1 :]


def _gains(frame: Frame, base: str) -> Frame:
    """By how many per cent each value is less than that of the base on the axis that has the base."""
    axis = next((axis for axis in frame.axes if base in frame.labels(axis)), None)
    if axis is None:
        return Frame(frame.axes, {})
    place = frame.axes.index(axis)
    gains = {}
    for key, value in frame.values.items():
        other = frame.values.get((*key[:place], base, *key[place + 1 :]))
        if key[place] != base and other is not None and other.mean:
            gains[key] = Value(100 * (1 - value.mean / other.mean))
    return Frame(frame.axes, gains)


def _averaged(frame: Frame, axis: str) -> Frame:
    """The means over an axis, with 90 % intervals where there are two values or more."""
    place = frame.axes.index(axis)
    groups = dict[tuple[str, ...], list[float]]()
    for key, value in frame.values.items():
        groups.setdefault(_cut(key, place), []).append(value.mean)
    return Frame(_cut(frame.axes, place), {key: mean_of(numbers) for key, numbers in groups.items()})


def mean_of(numbers: Sequence[float]) -> Value:
    """The mean of independent values with its 90 % confidence interval (Student's t)."""
    count = len(numbers)
    if count < 2:
        return Value(numbers[0])
    return Value(fmean(numbers), student(CONFIDENCE, count - 1) * stdev(numbers) / count**0.5, count)
