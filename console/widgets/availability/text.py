"""Availability as text: time across as in the Gantt chart, and as many nodes high as are free.

`█` is free as all is planned, `░` is free as running jobs end and taken by jobs that are predicted to start.
The job looked at is laid over it, in its letter: its nodes, from its predicted start, for its estimate. `┊`
is the shadow time of the head, `┄` the height of its extra nodes.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import attrs
from rich.style import Style

from shadowtime.console import words
from shadowtime.console.keys import USUAL, Keyboard
from shadowtime.console.session.jobs.availability import Availability
from shadowtime.console.widgets.frame.ink import flowed, printable
from shadowtime.console.widgets.frame.letters import Held, letter
from shadowtime.console.widgets.frame.looks import Palette, job_look, look, quiet
from shadowtime.console.widgets.frame.pen import CHOSEN
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.subject import Charting, Numbered
from shadowtime.console.widgets.gantt.text import NOW, gutter
from shadowtime.console.widgets.nodemap.cells import Cells, joined, restyled

FREE, TAKEN, SHADOW, EXTRA = "█", "░", "┊", "┄"
EIGHTHS = " ▁▂▃▄▅▆▇█"


@attrs.frozen
class AvailabilityScene:
    """What is drawn, and what stands out."""

    scale: Scale
    found: Availability
    label: Callable[[int], str] = str
    row: Callable[[int], Charting | None] = lambda index: None
    selected: int | None = None
    cursor: tuple[int, int] | None = None
    """Row and column."""
    blocks: bool = False
    """Whether a job needs nodes that form a block."""
    palette: Palette = attrs.field(factory=Palette)
    letters: Held = attrs.field(factory=dict)
    base: Style = attrs.field(factory=Style)
    unit: words.Unit = words.NODES
    keyboard: Keyboard = USUAL


class AvailabilityPicture:
    """An outlook as lines: the clock, the rows, the words under them."""

    def __init__(self, scene: AvailabilityScene) -> None:
        self.scene = scene

    @cached_property
    def _count(self) -> int:
        return min(self.scene.scale.rows, self.scene.scale.lines - self.scene.scale.top)

    def _low(self, row: int) -> int:
        """The nodes below a row."""
        scale = self.scene.scale
        return (scale.lines - scale.top - 1 - row) * scale.per

    @cached_property
    def _levels(self) -> Sequence[tuple[int, int] | None]:
        """The free nodes in each column, as planned and as running jobs end; None before now."""
        scale, found = self.scene.scale, self.scene.found
        levels: list[tuple[int, int] | None] = []
        for column in range(scale.columns):
            since = scale.since + column * scale.span
            until = since + scale.span
            if until <= found.now:
                levels.append(None)
                continue
            since = max(since, found.now)
            levels.append((found.planned.least(since, until), found.ends.least(since, until)))
        return levels

    @cached_property
    def _need(self) -> tuple[int, range] | None:
        """The nodes that the job looked at needs, and the columns in which it is predicted to have them."""
        scene = self.scene
        row = None if scene.selected is None else scene.row(scene.selected)
        start = None if row is None else scene.found.starts.get(row.index)
        if row is None or start is None:
            return None
        scale = scene.scale
        last = scale.column_of(max(start, start + row.estimate - 1))
        return row.size, range(max(0, scale.column_of(start)), min(scale.columns, last + 1))

    def heading(self) -> Cells:
        scene = self.scene
        faint = scene.base + quiet(scene.palette)
        ruler = scene.scale.ruler(scene.unit.clock)
        return [(f"{'free':>{gutter(Numbered(scene.scale.nodes)) - 1}} ", faint), (ruler, faint)]

    def line(self, row: int) -> Cells:
        """One row: how many nodes high it is, and what is free of them when."""
        if row >= self._count:
            return []
        scene, scale = self.scene, self.scene.scale
        faint = scene.base + quiet(scene.palette)
        free, taken = scene.base + look("R", scene.palette).style, faint
        low, per, head = self._low(row), scale.per, scene.found.head
        edge = -1 if head is None else scale.column_of(head.time)
        at_extra = head is not None and head.extra > 0 and low < head.extra <= low + per
        cells: Cells = []
        for column, level in enumerate(self._levels):
            cell = (" ", faint)
            if level is not None:
                planned, ends = level
                part = max(0, min(8, 8 * (planned - low) // per))
                if part == 8 or (part and ends - low <= (planned - low) + per // 8):
                    cell = (FREE if part == 8 else EIGHTHS[part], free)
                elif ends > low + per // 2 or (part and ends > planned):
                    cell = (TAKEN, taken)
                if self._need is not None and column in self._need[1]:
                    size = self._need[0]
                    if planned < low + (per + 1) // 2 <= planned + size or planned <= low < planned + size:
                        assert scene.selected is not None
                        hue = scene.base + job_look(scene.selected, scene.palette).style + CHOSEN
                        cell = (letter(scene.letters, scene.selected), hue)
                if column == edge:
                    cell = (SHADOW, scene.base + Style(bold=True)) if cell[0] in f" {TAKEN}" else cell
                elif at_extra and column > edge >= 0 and cell[0] in f" {TAKEN}":
                    cell = (EXTRA, scene.base + Style(bold=True))
            cells.append(cell)
        width = gutter(Numbered(scale.nodes))
        found: Cells = [(f"{min(low + per, scale.nodes):>{width - 1}} ", faint), *joined(cells, scene.base)]
        now = scale.column_of(scene.found.now)
        if 0 <= now < scale.columns and now > 0:
            found = restyled(found, width + now, lambda _: scene.base + Style(bold=True), NOW)
        if scene.cursor is not None and scene.cursor[0] == row:
            found = restyled(
                found, width + scene.cursor[1], lambda style: style + Style(reverse=True, bold=True)
            )
        return found

    def at(self, row: int, column: int) -> None:
        """Return which job has a cell: none has, since only numbers of nodes are known."""

    def under(self, width: int, lines: int) -> list[Cells]:
        """Return the lines under the rows: the cursor or the job looked at, the head, the signs.

        With little room the head and the signs are more than the second line of a job that the picture shows.
        """
        scene = self.scene
        strong, faint = scene.base + Style(bold=True), scene.base + quiet(scene.palette)
        head = self._head(width)
        first, most = self._job(), 1 if head and lines < 4 else 2
        if scene.cursor is not None:
            first, most = self._pointed(scene.cursor[1]), 3
        facts = [*flowed(first, width)[:most], *flowed(head, width)[:2]]
        if scene.cursor is None and lines > 2:
            facts = facts[: lines - 1]
        found = [self._signed(text, strong) for text in facts]
        found += [self._signed(text, faint) for text in flowed(self._signs(), width)[:2]]
        return found[:lines]

    def _signed(self, text: str, style: Style) -> Cells:
        """A line in which the sign of free nodes has the hue that it has in the picture."""
        before, sign, after = text.partition(FREE)
        free = self.scene.base + look("R", self.scene.palette).style
        return [(part, how) for part, how in ((before, style), (sign, free), (after, style)) if part]

    def _pointed(self, column: int) -> list[str]:
        scene, found = self.scene, self.scene.found
        since = max(scene.scale.since + column * scene.scale.span, found.now)
        until = max(scene.scale.since + (column + 1) * scene.scale.span, since + 1)
        planned, ends = found.planned.least(since, until), found.ends.least(since, until)
        text = f"{scene.unit.sized(max(0, planned))} free as planned"
        return [f"at {scene.unit.instant(since)}", text, f"{max(0, ends):,} as running jobs end"]

    def _job(self) -> list[str]:
        scene = self.scene
        row = None if scene.selected is None else scene.row(scene.selected)
        if row is None:
            return [f"{scene.unit.sized(max(0, scene.found.planned.free[0]))} free now"]
        text = f"job {printable(scene.label(row.index))} needs {scene.unit.sized(row.size)}"
        start = scene.found.starts.get(row.index)
        if start is None or (row.predicted is not None and row.predicted.promise == "settled"):
            return [text if row.waits else f"{text}, and has them"]
        promise = "" if row.predicted is None else f"{row.predicted.promise} "
        return [text, f"{promise}{scene.unit.clock.brief(start)} for {words.duration(row.estimate)}"]

    def _head(self, width: int) -> list[str]:
        scene, head = self.scene, self.scene.found.head
        if head is None:
            return []
        clock, job = scene.unit.clock, f"of job {printable(scene.label(head.job))}"
        name = "shadow time" if head.shadow else "start"
        texts = (
            f"{SHADOW} {'' if head.shadow else 'predicted '}{name} {clock.brief(head.time)} {job}",
            f"{SHADOW} {name} {clock.minute(head.time)} {job}",
        )
        extra = [f"{EXTRA} {head.extra:,} extra"] if head.extra > 0 else []
        return [texts[len(texts[0]) > width], *extra]

    def _signs(self) -> list[str]:
        scene = self.scene
        signs = [f"{FREE} free", f"{TAKEN} until a waiting job starts"]
        if scene.blocks:
            signs.append("a job needs a block: free alone is not enough")
        first = scene.keyboard.first
        keys = (("gantt_shorter", "gantt_longer", "zoom"), ("gantt_earlier", "gantt_later", "pan"))
        return [*signs, "  ".join(f"{first(one)} {first(other)} {word}" for one, other, word in keys)]
