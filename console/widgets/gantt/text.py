"""The Gantt chart as text: nodes down, time across, a bar for each job that holds them.

A bar begins with the letter of its job, unless it is likely: then nobody knows where it begins. It holds
the job's id if there is room. Its fill shows the rest without any colour: `█` it ran, `▓` it runs to its
estimate, `▒` it is expected; a job that held its nodes without running shows the letter of its state. A cell
of several nodes, or of a long time, shows the job that has half of the taken part, or more; `▄` if less than
three quarters are taken; dots if no job has half.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import attrs
from rich.style import Style

from shadowtime.console import words
from shadowtime.console.clock import MINUTE
from shadowtime.console.keys import USUAL, Keyboard
from shadowtime.console.session.clock import same_day
from shadowtime.console.session.jobs.bars import (
    DOWN,
    EXPECTED,
    LIKELY,
    NOBODY_MOST,
    NODES_DOWN,
    PREDICTED,
    RESERVED_FIRST,
    CellRun,
    Lanes,
)
from shadowtime.console.widgets.frame.ink import flowed, printable
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.frame.looks import (
    STATES,
    Depth,
    Look,
    Palette,
    chosen_look,
    job_look,
    look,
    quiet,
)
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.subject import Charting, NodeAxis, Numbered, Terms
from shadowtime.console.widgets.nodemap.cells import Cells, restyled
from shadowtime.console.widgets.nodemap.scene import CHANGED
from shadowtime.console.words import likely

RAN, PARTLY, NOW, HATCH, SOME, UNKNOWN, CURSOR = "█", "▄", "│", "/", ",", "?", "+"
CROWDS = "⣀⣤⣶⣿"
"""Several jobs share a cell: the more of it is taken, the higher, as in a trend."""
SHADES = "░▒▓"
"""From now on: the surer, the denser."""
CHANCES = ("sure", "likely", "possible")
"""What shades stand for, the densest first."""
AHEAD = -1
"""In the place of a job: several, from now on."""
LABELLED = 4
"""Cells of the shortest bar that has room for an id."""
ENOUGH = 6
"""Eighths of a cell that are taken where its job is said to fill it."""


def crowd(eighths: int) -> str:
    """What stands where several jobs share a cell, by how much of it is taken."""
    return CROWDS[max(eighths - 1, 0) // 2]


_FILLS = {EXPECTED: SHADES[2], PREDICTED: SHADES[1], DOWN: HATCH}


def fill(kind: str, eighths: int) -> str:
    if kind == "R":
        return RAN if eighths >= ENOUGH else PARTLY
    if kind == LIKELY:
        return chance(eighths)
    return _FILLS.get(kind, kind)


def chance(eighths: int) -> str:
    """What a likely bar is filled with: nothing up to 1 in 8, then shades up to 4 and 7 in 8, and above."""
    return " " if eighths <= 1 else SHADES[0 if eighths <= 4 else 1 if eighths < 8 else 2]


def together(runs: Sequence[CellRun], at: int) -> int:
    """The place behind the runs of one job that touch, from the one at a place on: they are one bar."""
    end = at + 1
    while end < len(runs) and runs[end][2] == runs[at][2] >= 0 and runs[end][0] == sum(runs[end - 1][:2]):
        end += 1
    return end


@attrs.define
class GanttScene:
    """What is drawn, and what stands out: the job looked at, what the last event changed, the cursor."""

    scale: Scale
    lanes: Lanes
    time: int
    label: Callable[[int], str] = str
    row: Callable[[int], Charting | None] = lambda index: None
    changed: frozenset[int] = frozenset()
    selected: int | None = None
    cursor: tuple[int, int] | None = None
    """Row and column."""
    unknown: Sequence[tuple[int, int]] = ()
    """Parts of the past of which nothing is known yet."""
    stale: bool = False
    """Whether those that are expected are drawn as they were at another event."""
    likely: bool = False
    """Whether a bar from now on is as strong as it is likely."""
    unplaced: int = 0
    palette: Palette = attrs.field(factory=Palette)
    letters: Held = attrs.field(factory=dict)
    base: Style = attrs.field(factory=Style)
    unit: words.Unit = words.NODES
    keyboard: Keyboard = USUAL
    axis: NodeAxis = attrs.field()
    terms: Terms = attrs.field(factory=Terms)
    _styles: dict[int, Style] = attrs.field(init=False, factory=dict)
    now_style: Style = attrs.field(init=False)

    @axis.default
    def _axis(self) -> NodeAxis:
        return Numbered(self.scale.nodes)

    @now_style.default
    def _now_style(self) -> Style:
        return self.base + Style(bold=True)

    def style(self, job: int) -> Style:
        """How the bars of a job are drawn: a hue a job, another one for several, grey for nobody."""
        found = self._styles.get(job)
        if found is None:
            found = self._styles[job] = self._style(job)
        return found

    def _style(self, job: int) -> Style:
        if job == AHEAD and self.palette.depth is not Depth.NONE:
            return self.base + look("N", self.palette).style
        if job < 0:
            return self.base + quiet(self.palette)
        hue = chosen_look(self.palette) if job == self.selected else job_look(job, self.palette)
        return _painted(hue, self.base, job in self.changed)


@lru_cache(4096)
def _painted(hue: Look, base: Style, changed: bool) -> Style:
    """The style of a bar, made once: to add styles costs more than all else of a line."""
    style = base + hue.style
    return style + CHANGED if changed else style


@attrs.define
class GanttPicture:
    """A scene as lines: the clock, the rows, the words under them.

    All of 40,960 nodes and 10,000 jobs anew: 0.6 ms of CPU at 80x24, 2.2 at 120x36, 4 at 200x50, 12 at
    300x100, where 13,000 bars are seen; where most rows are as they were, at most 4 (`tests.bench chart`).
    """

    scene: GanttScene
    before: "GanttPicture | None" = None
    """The picture drawn last: rows that come out the same are taken from it."""
    _lines: dict[int, Cells] = attrs.field(init=False, factory=dict)
    touched: frozenset[int] | None = attrs.field(init=False)
    """The jobs that are drawn in another way than before; None where all rows are."""

    @touched.default
    def _touched(self) -> frozenset[int] | None:
        if self.before is None:
            return None
        now, then = self.scene, self.before.scene
        self.before.before = None
        if (
            now.scale != then.scale
            or now.scale.column_of(now.time) != then.scale.column_of(then.time)
            or now.unknown != then.unknown
            or (now.palette, now.base) != (then.palette, then.base)
        ):
            return None
        chosen = {now.selected, then.selected} if now.selected != then.selected else set()
        if now.letters is not then.letters:
            chosen |= dict(now.letters.items() ^ then.letters.items()).keys()
        return (now.changed ^ then.changed) | frozenset(job for job in chosen if job is not None)

    @cached_property
    def runs(self) -> list[Sequence[CellRun]]:
        """The runs of each row."""
        return [self.scene.lanes.runs(row) for row in range(self.scene.lanes.count)]

    @cached_property
    def gutter(self) -> int:
        """Cells before the columns: the label of a row."""
        return gutter(self.scene.axis)

    @cached_property
    def now(self) -> int:
        """The column of the present instant; it may be out of sight."""
        return self.scene.scale.column_of(self.scene.time)

    @cached_property
    def _blank(self) -> str:
        """An idle row: what is not known, and the present instant."""
        scale = self.scene.scale
        found = [" "] * scale.columns
        for since, until in self.scene.unknown:
            for at in range(
                max(0, scale.column_of(since)), min(scale.columns, scale.column_of(until - 1) + 1)
            ):
                found[at] = UNKNOWN
        return "".join(found)

    def heading(self) -> Cells:
        faint = self.scene.base + quiet(self.scene.palette)
        return [
            (f"{self.scene.terms.rows(self.scene.unit)[0]:>{self.gutter - 1}} ", faint),
            (self.scene.scale.ruler(self.scene.unit.clock), faint),
        ]

    def line(self, row: int) -> Cells:
        """One row: its bars, the line of the present instant over them, the cursor."""
        if row >= self.scene.lanes.count:
            return []
        cells = self._lines.get(row)
        if cells is None:
            cells = self._lines[row] = self._kept(row) or self._drawn(row)
        if self.scene.cursor is not None and self.scene.cursor[0] == row:
            return restyled(cells, self.gutter + self.scene.cursor[1], _turned, CURSOR)
        return cells

    def _kept(self, row: int) -> Cells | None:
        """The line as it was drawn before, where nothing in it is another."""
        if self.before is None or self.touched is None:
            return None
        for near in (row - 1, row) if row else (row,):
            if self.runs[near] != self.before.runs[near]:
                return None
        if self.touched and any(run[2] in self.touched for run in self.runs[row]):
            return None
        return self.before._lines.get(row)

    def _drawn(self, row: int) -> Cells:
        scene = self.scene
        faint = scene.base + quiet(scene.palette)
        cells: Cells = [
            (f"{printable(scene.axis.label(scene.scale.nodes_of(row))):>{self.gutter - 1}} ", faint)
        ]
        runs, place, at = self.runs[row], 0, 0
        while place < len(runs):
            first, columns, job, kind, eighths = runs[place]
            if first > at:
                cells.append((self._blank[at:first], faint))
            end = together(runs, place)
            if job < 0:
                shared = job == NOBODY_MOST and kind != LIKELY
                few = self._few_down(runs[place])
                filled = crowd(eighths) if shared else SOME if few else fill(kind, eighths)
                style = scene.style(AHEAD if job == NOBODY_MOST and first >= self.now else job)
                cells.append((filled * columns, style))
            elif end == place + 1 and columns < LABELLED and first != self.now:
                # Most bars of a crowded picture: too short for more than the letter.
                filled = self._filled(job, kind, eighths)
                # What may begin anywhere in a stretch has no beginning to put a letter at.
                head = filled if kind == LIKELY else letter(self.scene.letters, job)
                cells.append((head + filled * (columns - 1), scene.style(job)))
            else:
                cells += self._bar(row, runs[place:end])
            at, place = sum(runs[end - 1][:2]), end
        if at < scene.scale.columns:
            cells.append((self._blank[at:], faint))
        if 0 <= self.now < scene.scale.columns:
            cells = restyled(cells, self.gutter + self.now, lambda _: scene.now_style, NOW)
        return cells

    def _few_down(self, run: CellRun) -> bool:
        """Whether only some of the nodes of a row are down."""
        return run[3] == DOWN and run[4] < ENOUGH and self.scene.scale.per > 1

    def _filled(self, job: int, kind: str, eighths: int) -> str:
        """What fills the bar of a job: without colour, its letter if it is the one looked at."""
        plain = job == self.scene.selected and self.scene.palette.depth is Depth.NONE
        return letter(self.scene.letters, job) if plain else fill(kind, eighths)

    def _bar(self, row: int, runs: Sequence[CellRun]) -> Cells:
        """A bar with room for an id: its letter, its id, what fills it."""
        first, _, job, kind, _ = runs[0]
        text = [
            sign
            for _, columns, _, kind, eighths in runs
            for sign in self._filled(job, kind, eighths) * columns
        ]
        head = 1 if first == self.now and len(text) > 1 else 0
        if kind != LIKELY or first <= self.now:
            text[head] = letter(self.scene.letters, job)
        self._write_label(row, runs, text, head + 1)
        return [("".join(text), self.scene.style(job))]

    def _write_label(self, row: int, runs: Sequence[CellRun], text: list[str], begin: int) -> None:
        """Put the id of the job on the roomier side of the present instant, in the first row of its block."""
        label = printable(self.scene.label(runs[0][2]))
        now = min(max(self.now - runs[0][0], begin), len(text))
        sides = ((begin, now), (now + 1, len(text)))
        low, high = max(sides, key=lambda side: side[1] - side[0])
        room = high - low
        if room >= len(label) + 6:
            label = f" {label} "
        place = low + (room - len(label)) // 2
        if room >= len(label) + 2 and not self._continues(row, runs):
            text[place : place + len(label)] = label

    def _continues(self, row: int, runs: Sequence[CellRun]) -> bool:
        """Whether the row above shows the same job in some of the same columns."""
        if not row:
            return False
        first, end, above = runs[0][0], sum(runs[-1][:2]), self.runs[row - 1]
        place = max(0, bisect_right(above, first, key=_first) - 1)
        while place < len(above) and above[place][0] < end:
            if above[place][2] == runs[0][2] and sum(above[place][:2]) > first:
                return True
            place += 1
        return False

    def at(self, row: int, column: int) -> CellRun | None:
        """The run of cells at a place; None where nobody has it."""
        if not 0 <= row < self.scene.lanes.count:
            return None
        runs = self.runs[row]
        place = bisect_right(runs, column, key=_first) - 1
        return runs[place] if place >= 0 and column < runs[place][0] + runs[place][1] else None

    def under(self, width: int, lines: int) -> list[Cells]:
        """Return the lines under the rows: the selected job or the cursor, and the meaning of the signs."""
        scene = self.scene
        strong, faint = scene.base + Style(bold=True), scene.base + quiet(scene.palette)
        if scene.cursor is not None:
            # What is at the cursor is asked for: in a narrow chart it takes three lines.
            facts = flowed(self._pointed(scene.cursor), width)[:3]
        else:
            facts = flowed(self._seen(), width)[: max(1, min(2, lines - 1))]
        found: list[Cells] = [[(text, strong)] for text in facts]
        if scene.selected is not None and facts[0].startswith(f"{self._mark} "):
            found[0] = [(self._mark, scene.style(scene.selected)), (facts[0][1:], strong)]
        found += [[(text, faint)] for text in flowed(self._signs(), width)]
        return found[:lines]

    @cached_property
    def _mark(self) -> str:
        """What the bars of the job looked at are filled with, before its name."""
        chosen, plain = self.scene.selected, self.scene.palette.depth is Depth.NONE
        return letter(self.scene.letters, chosen) if plain and chosen is not None else RAN

    def _seen(self) -> list[str]:
        """The job looked at, and what of the picture is not as it seems."""
        scale, scene = self.scene.scale, self.scene
        row = None if scene.selected is None else scene.row(scene.selected)
        found = [] if scene.selected is None else self._job(scene.selected)
        off = "" if row is None else self._off(row)
        if off:
            found[0] += f" {off}"
        elif row is not None:
            found[0] = f"{self._mark} {found[0]}"
        if not 0 <= self.now < scale.columns:
            out = f"now, {scene.unit.instant(scene.time)}, is out of sight"
            found = [out, f"{scene.keyboard.first('gantt_fit')} fits", *found]
        if scene.stale:
            found.append(f"{SHADES[1]} as of an earlier event")
        others = scene.unplaced - (off == self._homeless)
        if others > 0:
            found.append(f"{words.count(others, 'expected job')} {self._homeless}")
        return found or [f"now {scene.unit.instant(scene.time)}"]

    @cached_property
    def _homeless(self) -> str:
        return f"not drawn: too few {self.scene.terms.rows(self.scene.unit)[1]} idle"

    def _off(self, row: Charting) -> str:
        """Where a job is of which no cell is seen; empty if one is, or if it has no instants."""
        scale, scene = self.scene.scale, self.scene
        if any(run[2] == row.index for runs in self.runs for run in runs):
            return ""
        due = row.predicted if row.waits else None
        start = row.start if due is None else due.time
        end = row.end if due is None else due.time + row.estimate
        if start is None:
            return ""
        if start >= scale.until:
            return "is after the chart"
        if end is not None and end <= scale.since:
            return "is before the chart"
        if scale.lines > scale.rows:
            return "is not in these rows"
        if row.waits and scene.unplaced:
            return self._homeless
        return "is nowhere likely enough" if row.waits and scene.likely else "is among several jobs"

    def _job(self, job: int, kind: str = "") -> list[str]:
        """A job, and when it has the nodes of a bar of this kind; without one, of its own."""
        row = self.scene.row(job)
        if row is None:
            return [f"job {printable(self.scene.label(job))}"]
        kind = kind or {"F": "R", "N": PREDICTED}.get(row.state, row.state)
        when = _when(row, kind, self.scene)
        if kind in (PREDICTED, LIKELY) and row.likely is not None and self.scene.likely:
            when = likely.short(row.likely, self.scene.unit.clock)
        return [f"job {row.id}", *when, f"{self.scene.unit.sized(row.size)}{words.of_user(row.user)}"]

    def _signs(self) -> list[str]:
        ahead = CHANCES if self.scene.likely else (f"to its {self.scene.terms.latest}", "expected")
        signs = zip(SHADES[::-1], ahead, strict=False)
        found = [f"{RAN} ran", *(f"{sign} {word}" for sign, word in signs), f"{NOW} now"]
        scale = self.scene.scale
        if scale.per > 1 or scale.span > 1:
            found += [f"{PARTLY} partly", f"{CROWDS} several jobs"]
        down, *others = self.scene.terms.signs
        some = any(self._few_down(run) for row in self.runs for run in row)
        return [*found, f"{down}  {SOME} some" if some else down, *others, self._keys()]

    def _keys(self) -> str:
        """The keys of the chart: `w s zoom  a d pan`."""
        actions = (
            (("gantt_shorter", "gantt_longer"), "zoom"),
            (("gantt_earlier", "gantt_later"), "pan"),
            (("gantt_fit",), "fit"),
            (("zoom_in", "zoom_out"), self.scene.terms.rows(self.scene.unit)[1]),
        )
        first = self.scene.keyboard.first
        return "  ".join(" ".join((*map(first, ids), word)) for ids, word in actions)

    def _pointed(self, cursor: tuple[int, int]) -> list[str]:
        """The cell at the cursor: its nodes, its time, whose it is."""
        scale, unit = self.scene.scale, self.scene.unit
        nodes = scale.nodes_of(cursor[0])
        named = f"{self.scene.terms.rows(unit)[len(nodes) != 1]} {printable(self.scene.axis.named(nodes))}"
        since = scale.since + cursor[1] * scale.span
        place = f"{named}, {unit.instant(since)}" + (
            f" + {words.duration(scale.span)}" if scale.span > 1 else ""
        )
        return [place, *self._owned(self.at(*cursor), since)]

    def _owned(self, run: CellRun | None, since: int) -> list[str]:
        if run is None:
            gap = any(
                begin < since + self.scene.scale.span and since < end for begin, end in self.scene.unknown
            )
            unsure = self.scene.likely and since >= self.scene.time
            return ["not known yet" if gap else "idle in most cases" if unsure else "idle"]
        _, _, job, kind, eighths = run
        if job <= RESERVED_FIRST:
            return [f"reserved: {printable(self.scene.label(job))}"]
        if job < 0:
            return ["down" if job == NODES_DOWN else f"several jobs, {100 * eighths // 8} % taken"]
        share = [f"in {eighths} of 8 cases"] if kind == LIKELY else []
        named, *others = self._job(job, kind)
        return [*share, "  ".join((named, *others[:1])), *others[1:]]


def _first(run: CellRun) -> int:
    return run[0]


def _turned(style: Style) -> Style:
    return style + Style(reverse=not style.reverse, bold=True)


def _when(row: Charting, kind: str, scene: GanttScene) -> Sequence[str]:
    clock = scene.unit.clock
    brief = clock.brief if scene.scale.span < MINUTE else clock.minute
    if kind == PREDICTED and row.predicted is not None:
        start = brief(row.predicted.time)
        end = brief(row.predicted.time + row.estimate)
        return [f"{row.predicted.promise} {start} to {same_day(end, start)}"]
    if kind in ("R", EXPECTED):
        start = "" if row.start is None else brief(row.start)
        ran = start if row.end is None else f"{start} to {same_day(brief(row.end), start)}"
        return [ran] if row.state == "F" else [ran, f"by its {scene.terms.latest}"]
    return [STATES[kind].word] if kind in STATES else []


def gutter(axis: NodeAxis) -> int:
    """Cells before the columns."""
    return 2 + axis.width
