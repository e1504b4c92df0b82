"""A published table as a picture: each value as it is published beside the simulated one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shadowtime.console.session.lab.figures import (
    MARKS,
    bar_looks,
    finish,
    label_plainly,
    legend,
    new_figure,
    save,
    write_labels,
)
from shadowtime.console.session.lab.judging.verdicts import Line, TableFound
from shadowtime.console.session.lab.plots import words

SPREAD = 1000
"""Values that are this many times as large as others are drawn on a logarithmic axis."""
FEWEST = 4
"""Groups that a figure has room for at least."""


def draw_pairs(found: TableFound, folder: Path, name: str) -> bool:
    """Draw a table as PNG and SVG: a group of bars for each row, in it two for each column.

    Return whether anything was simulated. SessionError without matplotlib. The results of other stated
    readings are marked on the bar of the one that is judged.
    """
    if all(line.ours is None for line in found.lines):
        return False
    groups, series, place = _places(found)
    figure, axes = new_figure(2 * len(found.lines))
    width = 0.8 / (2 * len(series))
    for number, look in enumerate(bar_looks(len(series))):
        own = [(place[line.row, line.column][0], line) for line in found.lines]
        own = [(group, line) for group, line in own if place[line.row, line.column][1] == number]
        left = (2 * number - len(series) + 0.5) * width
        _pair(axes, own, left, width, look, series[number])
    write_labels(axes, groups)
    # Two bars alone would be as wide as the figure.
    spare = max(0.0, (FEWEST - len(groups)) / 2)
    axes.set_xlim(-0.5 - spare, len(groups) - 0.5 + spare)
    _marks(axes, found.lines, place, len(series), width)
    _scale(axes, found)
    view, rows = found.table.view, found.table.rows
    unit = words(view.measure)
    if view.relative_to is not None:
        unit = f"{unit}: gain over {view.relative_to}, per cent"
    finish(axes, view.title, rows if rows is not None else found.table.columns, unit)
    legend(axes, "" if rows is None else found.table.columns)
    save(figure, folder, name)
    return True


Places = dict[tuple[str, str], tuple[int, int]]
"""The group and the series of each value, by its row and column."""


def _places(found: TableFound) -> tuple[list[str], list[str], Places]:
    """The groups, the series, and where each value belongs; of a table of one row the columns are groups."""
    rows = list(dict.fromkeys(line.row for line in found.lines))
    columns = list(dict.fromkeys(line.column for line in found.lines))
    keys = [(line.row, line.column) for line in found.lines]
    if found.table.rows is None:
        return columns, [""], {key: (columns.index(key[1]), 0) for key in keys}
    return rows, columns, {key: (rows.index(key[0]), columns.index(key[1])) for key in keys}


def _scale(axes: Any, found: TableFound) -> None:
    """A line at nothing; a logarithmic axis if values differ too much for one that is not."""
    heights = [abs(line.published) for line in found.lines]
    heights += [abs(line.ours.mean) for line in found.lines if line.ours is not None]
    if not found.table.in_points and min(heights) > 0 and max(heights) > SPREAD * min(heights):
        axes.set_yscale("log")
        label_plainly(axes.yaxis)
    else:
        axes.axhline(0, color="black", linewidth=0.6)


def _pair(
    axes: Any, own: Sequence[tuple[int, Line]], left: float, width: float, look: dict[str, Any], name: str
) -> None:
    """The published values hollow, ours filled, with their intervals."""
    before = f"{name}, " if name else ""
    hollow = {"facecolor": "none", "edgecolor": look["color"], "hatch": "////", "linewidth": 0.9}
    x = [group + left for group, _ in own]
    axes.bar(x, [line.published for _, line in own], width, label=f"{before}published", **hollow)
    known = [(group + left + width, line.ours) for group, line in own if line.ours is not None]
    halves = [ours.half or 0.0 for _, ours in known]
    axes.bar(
        [at for at, _ in known],
        [ours.mean for _, ours in known],
        width,
        yerr=halves if any(halves) else None,
        capsize=2,
        label=f"{before}ours",
        color=look["color"],
        edgecolor="black",
        linewidth=0.4,
    )


def _marks(
    axes: Any,
    lines: Sequence[Line],
    place: Places,
    series: int,
    width: float,
) -> None:
    """A mark for each other reading, with a name of its own."""
    points = dict[str, list[tuple[float, float]]]()
    for line in lines:
        group, number = place[line.row, line.column]
        x = group + (2 * number - series + 1.5) * width
        for label, value in line.readings.items():
            if value is not line.ours:
                points.setdefault(label, []).append((x, value.mean))
    for rank, (label, found) in enumerate(points.items()):
        at, heights = zip(*found, strict=True)
        look = {"marker": MARKS[rank % len(MARKS)], "color": "white", "edgecolor": "black"}
        axes.scatter(at, heights, s=36, zorder=3, label=label, **look)
