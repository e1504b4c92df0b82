"""The plots of an experiment as charts, in the form of the paper's figure."""

from collections.abc import Mapping

import attrs

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of
from shadowtime.console.session.lab.intervals import Value, at_level
from shadowtime.console.session.lab.reproduce import BARS, LEVEL, STACKED, Experiment, Plot
from shadowtime.console.widgets.study.chart import Chart, Dot, Series

Lines = dict[str, dict[str, Value]]
"""The values of each line by their label on the x axis."""


def chart_of(experiment: Experiment, plot: Plot, results: Lookup) -> Chart | None:
    """Return the chart of a plot; None if nothing of it was run."""
    grid, x_title = experiment.grids[plot.view.grid], plot.x_title or plot.x
    frame = frame_of(grid, plot.view, results)
    if not frame.values:
        return None
    if not experiment.paper:
        values = {key: at_level(value, LEVEL) for key, value in frame.values.items()}
        frame = attrs.evolve(frame, values=values)
    lines, labels = _lines(plot, frame), tuple[str, ...]()
    if plot.against is not None:
        beside = _lines(plot, frame_of(grid, attrs.evolve(plot.view, measure=plot.against), results))
        x_title = plot.x_title or words(plot.against)
        series = [
            Series(name, [Dot(beside[name][at].mean, value.mean) for at, value in values.items()])
            for name, values in lines.items()
        ]
    else:
        labels, series = _over_labels(plot, frame.labels(plot.x), lines, published(experiment, plot))
    usual = f"per cent of {plot.view.relative_to}" if plot.per_cent else words(plot.view.measure)
    return Chart(
        series,
        plot.view.title,
        x_title,
        plot.unit or usual,
        labels,
        plot.form,
        plot.logarithmic,
        plot.logarithmic_x,
        100.0 if plot.per_cent else None,
    )


def words(measure: str) -> str:
    """`months.mean_bounded_slowdown_fw98` as `mean bounded slowdown`."""
    return measure.rpartition(".")[2].removesuffix("_fw98").removesuffix("_n12").replace("_", " ")


def _lines(plot: Plot, frame: Frame) -> Lines:
    names = frame.labels(plot.lines) if plot.lines is not None else ("",)
    found: Lines = {}
    for name in names:
        values = {}
        for label in frame.labels(plot.x):
            value = frame.at({plot.x: label, **({plot.lines: name} if plot.lines is not None else {})})
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


def _over_labels(
    plot: Plot, labels: tuple[str, ...], lines: Lines, known: Mapping[str, Mapping[str, float]]
) -> tuple[tuple[str, ...], list[Series]]:
    """The labels of the x axis, () where they are numbers and lie at their values; and the series."""
    numeric = plot.form not in (BARS, STACKED) and all(map(is_number, labels))
    places = {label: float(label) if numeric else float(at) for at, label in enumerate(labels)}
    series = list[Series]()
    for name, values in lines.items():
        dots = [Dot(places[at], value.mean, value.half or 0.0) for at, value in values.items()]
        beside = [Dot(places[at], value) for at, value in known.get(name, {}).items() if at in places]
        series.append(Series(name, sorted(dots, key=lambda dot: dot.x), beside))
    return () if numeric else labels, series


def is_number(label: str) -> bool:
    """Whether a label is a number, and lies at its value."""
    try:
        float(label)
    except ValueError:
        return False
    return True
