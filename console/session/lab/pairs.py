"""A published table as a picture: each value as it is published beside the simulated one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from console.session.lab.figures import (
    bar_looks,
    finish,
    label_plainly,
    legend,
    new_figure,
    save,
    write_labels,
)
from console.session.lab.plots import words
from console.session.lab.verdicts import Line, TableFound

SPREAD = 30
"""Values that are this many times as large as others are drawn on a logarithmic axis."""


def draw_pairs(found: TableFound, folder: Path, name: str) -> bool:
    """Draw a table as PNG and SVG: a group of bars for each row, in it two for each column.

    Return whether anything was simulated. SessionError without matplotlib. The results of other stated
    readings are marked on the bar of the one that is judged.
    """
    if all(line.ours is None for line in found.lines):
        return False
    rows = list(dict.fromkeys(line.row for line in found.lines))
    columns = list(dict.fromkeys(line.column for line in found.lines))
    figure, axes = new_figure(2 * len(found.lines))
    if rows == [""]:
        # A single row: its columns are the groups.
        groups, series = columns, [""]
        place = {(line.row, line.column): (columns.index(line.column), 0) for line in found.lines}
    else:
        groups, series = rows, columns
        place = {
            (line.row, line.column): (rows.index(line.row), columns.index(line.column))
            for line in found.lines
        }
    width = 0.8 / (2 * len(series))
    for number, look in enumerate(bar_looks(len(series))):
        own = [(place[line.row, line.column][0], line) for line in found.lines]
        own = [(group, line) for group, line in own if place[line.row, line.column][1] == number]
        left = (2 * number - len(series) + 0.5) * width
        _pair(axes, own, left, width, look, series[number])
    write_labels(axes, groups)
    _marks(axes, found.lines, place, len(series), width)
    heights = [abs(line.published) for line in found.lines]
    heights += [abs(line.ours.mean) for line in found.lines if line.ours is not None]
    if not found.table.in_points and min(heights) > 0 and max(heights) > SPREAD * min(heights):
        axes.set_yscale("log")
        label_plainly(axes.yaxis)
    axes.axhline(0, color="black", linewidth=0.6)
    unit = words(found.table.view.measure)
    if found.table.view.relative_to is not None:
        unit = f"{unit}: gain over {found.table.view.relative_to}, per cent"
    finish(
        axes, found.table.view.title, (found.table.rows if rows != [""] else found.table.columns) or "", unit
    )
    legend(axes, found.table.columns if rows != [""] else "")
    save(figure, folder, name)
    return True


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
    place: dict[tuple[str, str], tuple[int, int]],
    series: int,
    width: float,
) -> None:
    """A mark for each other reading."""
    points = []
    for line in lines:
        group, number = place[line.row, line.column]
        x = group + (2 * number - series + 1.5) * width
        points += [(x, value.mean) for value in line.readings.values() if value != line.ours]
    if points:
        at, heights = zip(*points, strict=True)
        axes.scatter(at, heights, marker="_", s=60, color="black", zorder=3, label="another reading")
