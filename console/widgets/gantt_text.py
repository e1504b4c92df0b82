"""The Gantt chart as text: nodes down, time across, a bar for each job that holds them.

A bar begins with the letter of its job, and holds the job's id where there is room. What fills it tells the
rest without any colour: `=` it ran, `.` it runs to its estimate, `~` it is expected, the letter of its state
where it held its nodes and did not run. A cell that stands for several nodes, or for long, shows the job that
has more than half of what is taken; `-` where less than three quarters are taken; a shade where nobody has
more than half.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property

import attrs
from rich.style import Style

from console import words
from console.clock import clock
from console.session.bars import DOWN, EXPECTED, NOBODY_MOST, NODES_DOWN, PREDICTED, Lanes
from console.session.facts import Row
from console.widgets.gantt_scale import Scale
from console.widgets.looks import STATES, Palette, job_letter, job_look, look, quiet
from console.widgets.matrix_text import flowed
from console.widgets.nodemap_cells import Cells, restyled
from console.widgets.nodemap_scene import CHANGED, SELECTED
from console.widgets.panel_ink import printable

RAN, PARTLY, NOW, HATCH, UNKNOWN = "=", "-", "|", "/", "?"
SHADES = "░▒▓"
ENOUGH = 6
"""Eighths of a cell that are taken where its job is said to fill it."""
Run = tuple[int, int, int, str, int]
"""(first column, columns, index of the job, kind, eighths taken)"""


def shade(eighths: int) -> str:
    """What stands where several jobs share a cell, by how much of it is taken."""
    return SHADES[0 if eighths <= 2 else 1 if eighths < ENOUGH else 2]


def fill(kind: str, eighths: int) -> str:
    """What a bar is filled with."""
    if kind == "R":
        return RAN if eighths >= ENOUGH else PARTLY
    return HATCH if kind == DOWN else kind


@attrs.frozen
class Bar:
    """Neighbouring cells of one job in one row: their runs, in order."""

    job: int
    runs: Sequence[Run]

    @property
    def first(self) -> int:
        return self.runs[0][0]

    @property
    def end(self) -> int:
        return self.runs[-1][0] + self.runs[-1][1]


def bars_of(runs: Sequence[Run]) -> list[Bar]:
    """The runs of a row, those of one job that touch put together."""
    found: list[list[Run]] = []
    for run in runs:
        last = found[-1][-1] if found else None
        if last is not None and last[2] == run[2] >= 0 and last[0] + last[1] == run[0]:
            found[-1].append(run)
        else:
            found.append([run])
    return [Bar(listed[0][2], listed) for listed in found]


@attrs.define
class Scene:
    """What is drawn, and what stands out: the job looked at, what the last event changed, the cursor."""

    scale: Scale
    lanes: Lanes
    time: int
    label: Callable[[int], str] = str
    row: Callable[[int], Row | None] = lambda index: None
    changed: frozenset[int] = frozenset()
    selected: int | None = None
    cursor: tuple[int, int] | None = None
    """Row and column."""
    unknown: Sequence[tuple[int, int]] = ()
    """Parts of the past of which nothing is known yet."""
    stale: bool = False
    """Whether those that are expected are drawn as they were at another event."""
    unplaced: int = 0
    palette: Palette = attrs.field(factory=Palette)
    base: Style = attrs.field(factory=Style)
    unit: str = "node"
    _styles: dict[tuple[int, str], Style] = attrs.field(init=False, factory=dict)

    def style(self, job: int, kind: str) -> Style:
        """How a bar is drawn: a hue a job, stronger where it runs on, weaker where it is expected."""
        found = self._styles.get((job, kind))
        if found is None:
            found = self._styles[job, kind] = self._style(job, kind)
        return found

    def _style(self, job: int, kind: str) -> Style:
        if job == NODES_DOWN:
            return self.base + quiet(self.palette)
        if job == NOBODY_MOST:
            return self.base + look("R", self.palette).style
        style = self.base + job_look(job, self.palette).style
        if kind == EXPECTED:
            style += Style(bold=True)
        elif kind == PREDICTED:
            style += Style(dim=True)
        if job in self.changed:
            style += CHANGED
        return style + SELECTED if job == self.selected else style


@attrs.define
class Picture:
    """A scene as lines: the clock, the rows, the words under them."""

    scene: Scene

    @cached_property
    def gutter(self) -> int:
        """Cells before the columns: the number of the first node of a row."""
        return gutter(self.scene.scale.nodes)

    @cached_property
    def now(self) -> int:
        """The column of the present instant; it may be out of sight."""
        return self.scene.scale.column_of(self.scene.time)

    @cached_property
    def _blank(self) -> list[str]:
        """An idle row: what is not known, and the present instant."""
        scale = self.scene.scale
        found = [" "] * scale.columns
        for since, until in self.scene.unknown:
            for at in range(
                max(0, scale.column_of(since)), min(scale.columns, scale.column_of(until - 1) + 1)
            ):
                found[at] = UNKNOWN
        return found

    @cached_property
    def _bars(self) -> list[list[Bar]]:
        return [bars_of(self.scene.lanes.runs(row)) for row in range(self.scene.lanes.count)]

    def heading(self) -> Cells:
        """The clock."""
        faint = self.scene.base + quiet(self.scene.palette)
        return [(f"{self.scene.unit:>{self.gutter - 1}} ", faint), (self.scene.scale.ruler(), faint)]

    def line(self, row: int) -> Cells:
        """One row: its bars, the line of the present instant over them, the cursor."""
        scene = self.scene
        faint = scene.base + quiet(scene.palette)
        if row >= scene.lanes.count:
            return []
        cells: Cells = [(f"{scene.scale.nodes_of(row).start:>{self.gutter - 1}} ", faint)]
        at = 0
        for bar in self._bars[row]:
            if bar.first > at:
                cells.append(("".join(self._blank[at : bar.first]), faint))
            cells += self._bar(row, bar)
            at = bar.end
        if at < scene.scale.columns:
            cells.append(("".join(self._blank[at:]), faint))
        if 0 <= self.now < scene.scale.columns:
            cells = restyled(cells, self.gutter + self.now, lambda _: scene.base + Style(bold=True), NOW)
        if scene.cursor is not None and scene.cursor[0] == row:
            cells = restyled(cells, self.gutter + scene.cursor[1], _turned)
        return cells

    def _bar(self, row: int, bar: Bar) -> Cells:
        if bar.job < 0:
            _, columns, job, kind, eighths = bar.runs[0]
            filled = shade(eighths) if job == NOBODY_MOST else fill(kind, eighths)
            return [(filled * columns, self.scene.style(job, kind))]
        text = [
            character
            for _, columns, _, kind, eighths in bar.runs
            for character in fill(kind, eighths) * columns
        ]
        head = 1 if bar.first == self.now and len(text) > 1 else 0
        text[head] = job_letter(bar.job)
        self._write_label(row, bar, text, head + 1)
        cells: Cells = []
        at = 0
        for _, columns, _, kind, _ in bar.runs:
            style = self.scene.style(bar.job, kind)
            part = "".join(text[at : at + columns])
            if cells and cells[-1][1] is style:
                cells[-1] = (cells[-1][0] + part, style)
            else:
                cells.append((part, style))
            at += columns
        return cells

    def _write_label(self, row: int, bar: Bar, text: list[str], begin: int) -> None:
        """Put the id of the job on the roomier side of the present instant, in the first row of its block."""
        label = printable(self.scene.label(bar.job))
        now = min(max(self.now - bar.first, begin), len(text))
        sides = ((begin, now), (now + 1, len(text)))
        low, high = max(sides, key=lambda side: side[1] - side[0])
        place = low + (high - low - len(label)) // 2
        if high - low >= len(label) + 2 and not self._continues(row, bar):
            text[place : place + len(label)] = label

    def _continues(self, row: int, bar: Bar) -> bool:
        """Whether the row above shows the same job in the same columns."""
        above = self._bars[row - 1] if row else []
        place = bisect_right(above, bar.first, key=lambda other: other.first) - 1
        return any(
            other.job == bar.job for other in above[max(place, 0) : place + 3] if other.first < bar.end
        )

    def at(self, row: int, column: int) -> Run | None:
        """The run of cells at a place; None where nobody has it."""
        if not 0 <= row < self.scene.lanes.count:
            return None
        runs = self.scene.lanes.runs(row)
        place = bisect_right(runs, column, key=lambda run: run[0]) - 1
        return runs[place] if place >= 0 and column < runs[place][0] + runs[place][1] else None

    def under(self, width: int, lines: int) -> list[Cells]:
        """What stands under the rows, in so many lines: what is looked at, and what the signs mean."""
        scene = self.scene
        told = self._seen() if scene.cursor is None else self._pointed(scene.cursor)
        kinds = ((told, scene.base + Style(bold=True)), (self._signs(), scene.base + quiet(scene.palette)))
        found: list[Cells] = [[(text, style)] for texts, style in kinds for text in flowed(texts, width)[:2]]
        return found[:lines]

    def _seen(self) -> list[str]:
        """The job looked at, and what of the picture is not as it seems."""
        scale, scene = self.scene.scale, self.scene
        found = [] if scene.selected is None else self._job(scene.selected)
        if not 0 <= self.now < scale.columns:
            found = [f"now, {clock(scene.time)}, is out of sight: f fits"]
        if scene.stale:
            found.append("~ as of an earlier event")
        if scene.unplaced:
            found.append(f"{scene.unplaced:,} expected without idle {scene.unit}s")
        return found or [f"now {clock(scene.time)}"]

    def _job(self, job: int, kind: str = "") -> list[str]:
        """A job, and when it has the nodes of a bar of this kind; without one, of its own."""
        row = self.scene.row(job)
        if row is None:
            return [f"job {printable(self.scene.label(job))}"]
        user = row.user and f" of {printable(row.user)}"
        kind = kind or {"F": "R", "N": PREDICTED}.get(row.state, row.state)
        return [f"job {row.id}{user}, {words.count(row.size, self.scene.unit)}", _when(row, kind)]

    def _signs(self) -> list[str]:
        found = ["= ran", ". to its estimate", "~ expected", "| now"]
        scale = self.scene.scale
        if scale.per > 1 or scale.span > 1:
            found += [f"{SHADES} several jobs", "- partly"]
        return [*found, "/ down", "w s zoom  a d pan  f fit  z Z nodes"]

    def _pointed(self, cursor: tuple[int, int]) -> list[str]:
        """The cell at the cursor: its nodes, its time, whose it is."""
        scale, unit = self.scene.scale, self.scene.unit
        nodes = scale.nodes_of(cursor[0])
        named = f"{unit} {nodes.start}" if len(nodes) == 1 else f"{unit}s {nodes.start}-{nodes.stop - 1}"
        since = scale.since + cursor[1] * scale.span
        place = f"{named}, {clock(since)}" + (f" + {words.duration(scale.span)}" if scale.span > 1 else "")
        return [place, *self._owned(self.at(*cursor), since)]

    def _owned(self, run: Run | None, since: int) -> list[str]:
        if run is None:
            gap = any(
                begin < since + self.scene.scale.span and since < end for begin, end in self.scene.unknown
            )
            return ["not known yet" if gap else "idle"]
        _, _, job, kind, eighths = run
        if job < 0:
            return ["down" if job == NODES_DOWN else f"several jobs, {100 * eighths // 8} % taken"]
        return self._job(job, kind)


def _turned(style: Style) -> Style:
    return style + Style(reverse=not style.reverse, bold=True)


def _when(row: Row, kind: str) -> str:
    """When a job has the nodes of a bar."""
    if kind == PREDICTED and row.predicted is not None:
        start = row.predicted.time
        return f"{row.predicted.promise} {clock(start)} to {clock(start + row.estimate)}"
    if kind in ("R", EXPECTED):
        end = "" if row.end is None else f" to {clock(row.end)}"
        ran = f"{'' if row.start is None else clock(row.start)}{end}"
        return ran if row.state == "F" else f"{ran} by its estimate"
    return STATES[kind].word if kind in STATES else ""


def gutter(nodes: int) -> int:
    """Cells before the columns."""
    return 2 + max(4, len(str(max(0, nodes - 1))))
