"""The plots of an experiment, in the form of the paper's figure: lines, bars in groups, or points."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.lab.figures import (
    DASHES,
    MARKS,
    bar_looks,
    colours,
    finish,
    label_plainly,
    legend,
    new_figure,
    save,
    write_labels,
)
from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of
from shadowtime.console.session.lab.intervals import Value
from shadowtime.scenarios.experiment import BARS, POINTS, STACKED, Experiment, Plot


def draw(experiment: Experiment, plot: Plot, results: Lookup, folder: Path, name: str) -> bool:
    """Draw a plot as PNG and SVG; return whether there was anything. SessionError without matplotlib."""
    grid = experiment.grids[plot.view.grid]
    frame = frame_of(grid, plot.view, results)
    if not frame.values:
        return False
    series = _series(plot, frame)
    bars = {BARS: sum(map(len, series.values())), STACKED: len(frame.labels(plot.x))}
    figure, axes = new_figure(bars.get(plot.form, 0))
    x_title = plot.x_title or plot.x
    if plot.against is not None:
        beside = frame_of(grid, attrs.evolve(plot.view, measure=plot.against), results)
        _points(axes, series, _series(plot, beside))
        x_title = plot.x_title or words(plot.against)
    elif plot.form == BARS:
        _bars(axes, frame.labels(plot.x), series)
    elif plot.form == STACKED:
        _stacked(axes, frame.labels(plot.x), series)
    else:
        _lines(axes, plot, frame.labels(plot.x), series, published(experiment, plot))
    if plot.per_cent:
        axes.axhline(100, color="black", linestyle=":", linewidth=1)
    usual = f"per cent of {plot.view.relative_to}" if plot.per_cent else words(plot.view.measure)
    finish(axes, plot.view.title, x_title, plot.unit or usual)
    if plot.lines is not None:
        legend(axes, plot.lines)
    if plot.logarithmic:
        axes.set_yscale("log")
        label_plainly(axes.yaxis)
    if plot.logarithmic_x:
        axes.set_xscale("log")
        label_plainly(axes.xaxis)
    save(figure, folder, name)
    return True


def words(measure: str) -> str:
    """`months.mean_bounded_slowdown_fw98` as `mean bounded slowdown`."""
    return measure.rpartition(".")[2].removesuffix("_fw98").removesuffix("_n12").replace("_", " ")


Series = dict[str, dict[str, Value]]
"""The values of each line by their label on the x axis."""


def _series(plot: Plot, frame: Frame) -> Series:
    names = frame.labels(plot.lines) if plot.lines is not None else ("",)
    found: Series = {}
    for name in names:
        values = {}
        for label in frame.labels(plot.x):
            wanted = {plot.x: label, **({plot.lines: name} if plot.lines is not None else {})}
            single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in wanted}
            value = frame.at({**single, **wanted})
            if value is not None and plot.per_cent:
                value = attrs.evolve(value, mean=100 - value.mean)
            if value is not None and (value.mean > 0 or not plot.logarithmic):
                values[label] = value
        if values:
            found[name] = values
    return found


def published(experiment: Experiment, plot: Plot) -> dict[str, dict[str, float]]:
    """Return what the paper publishes of the values of a plot, by line and label."""
    found = dict[str, dict[str, float]]()
    for table in experiment.tables:
        view = attrs.evolve(table.view, title=plot.view.title, average=plot.view.average)
        axes = {table.rows, table.columns} - {None}
        if view != plot.view or axes != {plot.x, plot.lines} - {None}:
            continue
        if plot.per_cent or table.readings is not None:
            continue
        for (row, column), value in table.values.items():
            at = {table.rows: row, table.columns: column}
            found.setdefault(at.get(plot.lines, ""), {})[at[plot.x]] = float(value)
    return found


def _lines(
    axes: Any,
    plot: Plot,
    labels: Sequence[str],
    series: Series,
    beside: Mapping[str, Mapping[str, float]],
) -> None:
    """Lines with marks and intervals; published values are hollow marks."""
    numeric = all(map(is_number, labels))

    def x_of(label: str) -> float:
        return float(label) if numeric else labels.index(label)

    for place, (name, values) in enumerate(series.items()):
        points = sorted((x_of(label), value.mean, value.half or 0.0) for label, value in values.items())
        x, y, halves = zip(*points, strict=True)
        look = {
            "color": colours(len(series))[place],
            "marker": MARKS[place % len(MARKS)],
            "linestyle": "none" if plot.form == POINTS else DASHES[place % len(DASHES)],
            "label": name,
        }
        axes.errorbar(x, y, yerr=halves if any(halves) else None, capsize=3, markersize=4, **look)
        known = [(x_of(label), value) for label, value in beside.get(name, {}).items() if label in labels]
        if known:
            look |= {"linestyle": "none", "label": f"{name}, published" if name else "published"}
            axes.plot(*zip(*known, strict=True), markersize=8, fillstyle="none", **look)
    if not numeric:
        write_labels(axes, list(labels))


def _bars(axes: Any, labels: Sequence[str], series: Series) -> None:
    width = 0.8 / max(len(series), 1)
    looks = bar_looks(len(series))
    for place, (name, values) in enumerate(series.items()):
        x = [labels.index(label) + (place - (len(series) - 1) / 2) * width for label in values]
        heights = [value.mean for value in values.values()]
        halves = [value.half or 0.0 for value in values.values()]
        axes.bar(x, heights, width, yerr=halves if any(halves) else None, label=name, **looks[place])
    write_labels(axes, list(labels))


def _stacked(axes: Any, labels: Sequence[str], series: Series) -> None:
    bottom = dict.fromkeys(labels, 0.0)
    for look, (name, values) in zip(bar_looks(len(series)), series.items(), strict=True):
        x = [labels.index(label) for label in values]
        below = [bottom[label] for label in values]
        axes.bar(x, [value.mean for value in values.values()], 0.8, bottom=below, label=name, **look)
        for label, value in values.items():
            bottom[label] += value.mean
    write_labels(axes, list(labels))


def _points(axes: Any, series: Series, against: Series) -> None:
    for place, (name, values) in enumerate(series.items()):
        both = [(against[name][label].mean, value.mean) for label, value in values.items()]
        x, y = zip(*both, strict=True)
        look = {"color": colours(len(series))[place], "marker": MARKS[place % len(MARKS)]}
        axes.scatter(x, y, s=9, alpha=0.6, label=name, **look)


def is_number(label: str) -> bool:
    """Whether a label is a number, and lies at its value."""
    try:
        float(label)
    except ValueError:
        return False
    return True
