"""Frames: the values of one measure over the cells of a grid, by their labels on every axis."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import correlation, fmean, pstdev

import attrs

from shadowtime.console.session.lab.intervals import Value, mean_over
from shadowtime.console.session.lab.measures import Results, measured
from shadowtime.scenarios.experiment import Derived, Grid, View, breakdown_of


@attrs.frozen
class Frame:
    """Values by label; `axes` names the places of the labels."""

    axes: tuple[str, ...]
    values: Mapping[tuple[str, ...], Value]

    def at(self, labels: Mapping[str, str]) -> Value | None:
        """The value at these labels, and at the first of every other axis; None if there is no value."""
        if not self.values:
            return None
        key = (labels[axis] if axis in labels else self.labels(axis)[0] for axis in self.axes)
        return self.values.get(tuple(key))

    def labels(self, axis: str) -> tuple[str, ...]:
        """The labels of an axis, in the order of the grid."""
        place = self.axes.index(axis)
        return tuple(dict.fromkeys(key[place] for key in self.values))


Lookup = Callable[[Mapping[str, object]], Results | None]
"""Gives the results of a cell by its scenario; None if there are no results."""


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
        for label, value in measured(found, view.measure).items():
            values[(*labels, label) if own else labels] = value
    names = [*axes, *([own] if own else [])]
    frame = Frame(tuple(names), values)
    for axis in list(names):
        if axis in view.fixed:
            frame = _without(frame, axis, view.fixed[axis])
    if view.derived is not None:
        frame = derive(frame, view.derived, grid, view, results)
    if view.relative_to is not None:
        frame = _gains(frame, view.relative_to)
    if view.average is not None:
        if view.weight is not None:
            counts = attrs.evolve(view, measure=view.weight, weight=None, average=None, relative_to=None)
            return _pooled(frame, view.average, frame_of(grid, counts, results))
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
    """The means over an axis, with 90 % intervals if there are two values or more."""
    place = frame.axes.index(axis)
    groups = dict[tuple[str, ...], dict[str, float]]()
    for key, value in frame.values.items():
        groups.setdefault(_cut(key, place), {})[key[place]] = value.mean
    return Frame(_cut(frame.axes, place), {key: mean_over(numbers) for key, numbers in groups.items()})


def _pooled(frame: Frame, axis: str, weights: Frame) -> Frame:
    """The means over an axis, each value by the weight of its cell; what is pooled is no sample."""
    place = frame.axes.index(axis)
    sums = dict[tuple[str, ...], tuple[float, float]]()
    for key, value in frame.values.items():
        weight = weights.at(dict(zip(frame.axes, key, strict=True)))
        if weight is not None:
            total, of = sums.get(_cut(key, place), (0.0, 0.0))
            sums[_cut(key, place)] = total + weight.mean * value.mean, of + weight.mean
    found = {key: Value(total / of) for key, (total, of) in sums.items() if of}
    return Frame(_cut(frame.axes, place), found)


def number(value: float) -> str:
    """Four significant digits or so: `6,834.6`, `92.70`, `0.103`; whole numbers as such."""
    size = abs(value)
    if size >= 100_000 or value == round(value):
        return f"{value:,.0f}"
    digits = 1 if size >= 100 else 2 if size >= 10 else 3
    return f"{value:,.{digits}f}"


def written(value: Value | None) -> str:
    """A value with its interval: `6,834.6`, `57.3 ± 2.1`; `-` if there is no value."""
    if value is None:
        return "-"
    mean = number(value.mean)
    return mean if not value.half else f"{mean} ± {number(value.half)}"


def chance(p: float | None) -> str:
    """A p with three decimals; `-` if there is none."""
    return "-" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def derive(frame: Frame, derived: Derived, grid: Grid, view: View, results: Lookup) -> Frame:
    """What is made of the values along an axis (`shadowtime.scenarios.experiment.Derived`)."""
    over = frame.axes.index(derived.over)
    kept = {key: value for key, value in frame.values.items() if key[over] not in derived.skip}
    frame = Frame(frame.axes, kept)
    if derived.among is None:
        return _extreme(frame, over, derived.kind)
    among = frame.axes.index(derived.among)
    if derived.kind in ("won", "won_share"):
        return _won(frame, over, among, derived.kind == "won_share")
    assert derived.pair is not None
    places = sorted((over, among), reverse=True)
    rest = frame.axes
    for place in places:
        rest = _cut(rest, place)
    beside = None
    if derived.beside is not None:
        beside = frame_of(
            grid, attrs.evolve(view, measure=derived.beside, derived=None, average=None), results
        )
    groups = dict[tuple[str, ...], list[tuple[float, float, float]]]()
    for key, value in frame.values.items():
        if key[among] != derived.pair[0]:
            continue
        other = frame.values.get((*key[:among], derived.pair[1], *key[among + 1 :]))
        near = None if beside is None else beside.values.get(key)
        if other is None or (beside is not None and near is None):
            continue
        short = key
        for place in places:
            short = _cut(short, place)
        row = (value.mean, other.mean, 0.0 if near is None else near.mean)
        groups.setdefault(short, []).append(row)
    found = {key: _of_pairs(derived.kind, rows) for key, rows in groups.items()}
    return Frame(rest, {key: value for key, value in found.items() if value is not None})


def _extreme(frame: Frame, over: int, kind: str) -> Frame:
    """One number of the values along an axis, such as the least (`Derived` in `scenarios/experiment.py`)."""
    groups = dict[tuple[str, ...], list[float]]()
    for key, value in frame.values.items():
        groups.setdefault(_cut(key, over), []).append(value.mean)
    found = dict[tuple[str, ...], Value]()
    for key, numbers in groups.items():
        low, high = min(numbers), max(numbers)
        if kind == "spread":
            if low:
                found[key] = Value(100 * (high / low - 1))
            continue
        of = {"least": low, "greatest": high, "deviation": pstdev(numbers), "count": float(len(numbers))}
        found[key] = Value(of[kind])
    return Frame(_cut(frame.axes, over), found)


def _won(frame: Frame, over: int, among: int, share: bool) -> Frame:
    """At how many labels of one axis, or which share, each of another has the least; ties count for all."""
    least = dict[tuple[str, ...], float]()
    for key, value in frame.values.items():
        rest = _cut(key, among)
        least[rest] = min(least.get(rest, value.mean), value.mean)
    won = dict[tuple[str, ...], float]()
    for key, value in frame.values.items():
        short = _cut(key, over)
        won[short] = won.get(short, 0.0) + (value.mean == least[_cut(key, among)])
    if share:
        counts = Counter(_cut(key, over) for key in frame.values)
        won = {key: count / counts[key] for key, count in won.items()}
    return Frame(_cut(frame.axes, over), {key: Value(count) for key, count in won.items()})


def _of_pairs(kind: str, rows: Sequence[tuple[float, float, float]]) -> Value | None:
    if kind in ("gap_mean", "gap_max"):
        gaps = [100 * (other / one - 1) for one, other, _ in rows if one < other and one]
        if not gaps:
            return None
        return Value(fmean(gaps) if kind == "gap_mean" else max(gaps))
    if kind == "excess_max":
        return Value(max(other - one for one, other, _ in rows))
    relative = kind == "correlation"
    pairs = [((one / other - 1 if relative else one - other), near) for one, other, near in rows if other]
    if len(pairs) < 3 or len({gap for gap, _ in pairs}) < 2 or len({near for _, near in pairs}) < 2:
        return None
    found = correlation(*zip(*pairs, strict=True))
    # Half of an interval of one standard error to either side.
    return Value(found, (1 - found * found) / sqrt(len(pairs) - 1), len(pairs))
