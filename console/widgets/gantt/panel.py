"""The Gantt panel: who had, has and is expected to have which nodes, drawn only where it is seen.

The window follows the present instant until the operator pans away. Only what is in sight is asked for.
"""

from collections.abc import Callable
from typing import ClassVar

import attrs
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from shadowtime.console import words
from shadowtime.console.keys import GANTT, keyboard_of
from shadowtime.console.session.jobs.availability import Availability
from shadowtime.console.session.jobs.bars import Viewport
from shadowtime.console.widgets.availability.text import AvailabilityPicture, AvailabilityScene
from shadowtime.console.widgets.frame.ink import different
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.looks import palette_of
from shadowtime.console.widgets.frame.pen import Penned, strip
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.subject import Charted, Charting, ChartStand, NodeAxis, Numbered, Terms
from shadowtime.console.widgets.gantt.text import GanttPicture, GanttScene, gutter
from shadowtime.console.widgets.nodemap.cells import Cells

PAST = 1 / 3
"""Where the present instant is put: so much of the width shows the past."""
LATE = 2 / 3
"""Where it is put back from there while it goes on."""
LEAST = 3
"""Rows that take precedence over the text below."""
NARROW = 48
"""Cells below which what free nodes are takes a line more."""
BESIDE = 15
"""Cells of the border of the chart that are not for its caption."""
AROUND = 4
"""Lines of the axis and of the text below."""


def unseen(index: int) -> Charting | None:
    """Return the row of an unknown job."""
    return None


class GanttPanel(Penned, can_focus=True, inherit_bindings=False):
    """The Gantt chart. `show` gives it a snapshot; `place` the job that stands out."""

    DEFAULT_CSS = """
    GanttPanel { width: 1fr; height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(",".join(key.pressed), key.action, key.label, show=False, id=key.id, tooltip=key.help)
            for key in GANTT
        ),
        Binding("z", "zoom_nodes(1)", "Nearer", show=False, id="zoom_in", tooltip="Fewer nodes a row"),
        Binding("Z", "zoom_nodes(-1)", "Farther", show=False, id="zoom_out", tooltip="More nodes a row"),
        Binding("left", "move(-1, 0)", "Left", show=False, id="gantt.left"),
        Binding("right", "move(1, 0)", "Right", show=False, id="gantt.right"),
        Binding("up", "move(0, -1)", "Up", show=False, id="gantt.up"),
        Binding("down", "move(0, 1)", "Down", show=False, id="gantt.down"),
        Binding("pageup", "page(-1)", "Rows up", show=False, id="gantt.pageup"),
        Binding("pagedown", "page(1)", "Rows down", show=False, id="gantt.pagedown"),
        Binding("enter", "pick", "Detail", show=False, id="detail", tooltip="All about the job there"),
    ]

    class Picked(Message):
        """The operator asked for the detail of the job at the cursor; None: there is no job or no cursor."""

        def __init__(self, job: int | None) -> None:
            super().__init__()
            self.job = job

    class Selected(Message):
        """The operator pointed at a job."""

        def __init__(self, job: int) -> None:
            super().__init__()
            self.job = job

    class Moved(Message):
        """Another part is looked at: something of it may be missing, and the caption is another."""

    def __init__(
        self,
        bars: Charted,
        unit: words.Unit,
        *,
        axis: NodeAxis | None = None,
        terms: Terms | None = None,
        id: str | None = None,
    ) -> None:
        """Draw bars; `axis` has the names of nodes that are not numbered."""
        super().__init__(id=id)
        self._axis, self._terms = axis, terms or Terms()
        self._bars = bars
        self._unit = unit
        self._snapshot: ChartStand | None = None
        self._label: Callable[[int], str] = str
        self._row: Callable[[int], Charting | None] = unseen
        self._free: Callable[[], bool] = bool
        self.selected: int | None = None
        """Index of the job that stands out, from the next picture on."""
        self.blocks = False
        """Whether a job needs nodes that form a block."""
        self._scale: Scale | None = None
        self._fitted = 1
        """What is in sight by itself: 1 what is and comes soon, 2 everything, 0 what the operator chose."""
        self._whole = True
        """Whether all nodes are in sight by themselves."""
        self._cursor: tuple[int, int] | None = None
        """Node and instant."""
        self._picture: GanttPicture | AvailabilityPicture | None = None
        self.outlook: Callable[[], Availability] | None = None
        """How many nodes are free from now on, if that is drawn in the place of the bars."""
        self._words: list[Cells] = []
        self._drawn: list[Cells] = []

    def of(self, bars: Charted, axis: NodeAxis) -> None:
        """Draw other bars, those of other nodes."""
        if self._axis is not axis:
            self._bars, self._axis, self._picture, self._scale = bars, axis, None, None
            self._cursor = None

    def use(self, unit: words.Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit
        self._picture = None

    def show(
        self,
        snapshot: ChartStand,
        label: Callable[[int], str] = str,
        row: Callable[[int], Charting | None] = unseen,
        free: Callable[[], bool] = lambda: True,
    ) -> None:
        """Show the bars as they are at a snapshot: those of the session, which must stand there.

        By index, a job has the label of its id and a row. The bars are not asked while they are not free.
        """
        before, self._snapshot = self._snapshot, snapshot
        self._label, self._row, self._free = label, row, free
        if (
            self._scale is not None
            and before is not None
            # Several events of one instant may change how far it is worth looking.
            and (self._fitted or before.time != snapshot.time)
        ):
            self._follow(self._scale, before.time)
        self.draw()

    def view(self, outlook: Callable[[], Availability] | None) -> None:
        """Draw how many nodes are free from now on, or for None the bars again, all in sight."""
        self.outlook, self._picture, self._cursor = outlook, None, None
        self._fitted, self._whole = 1, True
        if self._scale is not None and self._snapshot is not None:
            self._scale = self._scale.whole()
            self._fit()
            self.draw()

    def place(self, selected: int | None) -> None:
        if selected != self.selected:
            self.selected = selected
            self.draw()

    @property
    def window(self) -> Viewport | None:
        """The part that is looked at; None before it is known how large it is."""
        return None if self._scale is None else self._scale.window

    def share_time(self, other: "GanttPanel") -> None:
        """Look at the same time as another panel, so that the same column is the same instant in both."""
        if self._scale is None or other._scale is None or self._scale.columns != other._scale.columns:
            return
        self._fitted = 0
        self._look(attrs.evolve(self._scale, since=other._scale.since, span=other._scale.span))

    @property
    def caption(self) -> str:
        scale = self._scale
        if scale is None:
            return ""
        span = f"{words.duration(scale.span)} a column"
        if scale.per == 1:
            return span
        whole = f"{span}, {scale.per:,} {self._terms.rows(self._unit)[1]} a row"
        return whole if len(whole) <= self.size.width - BESIDE else f"{span}, {scale.per:,} a row"

    @property
    def space(self) -> Space:
        """A line a node, and as much time as there is room for."""
        nodes = UNLIMITED if self._snapshot is None else self._snapshot.nodes
        return Space(Need(38, 70, UNLIMITED), Need.of(9, 24, nodes + AROUND))

    # Where it looks.

    def _follow(self, scale: Scale, before: int) -> None:
        """Keep the present instant in sight if it was; look anew where all is fitted by itself."""
        assert self._snapshot is not None
        now = self._snapshot.time
        seen = range(scale.columns)
        if scale.column_of(before) not in seen and not self._fitted:
            return
        here = scale.column_of(now)
        if (self.outlook is not None and self._fitted) or self._misfits(
            here, scale.column_of(self._end), scale.columns
        ):
            self._fit()
        elif here not in seen or here > LATE * scale.columns:
            self._scale = scale.at(now - int(PAST * scale.columns) * scale.span)

    def _misfits(self, here: int, last: int, columns: int) -> bool:
        """Whether what is fitted by itself is to be fitted anew: now or the end is too far or too near."""
        if self._fitted == 1:
            return not 0 <= here < columns or last >= 2 * columns or 8 * (last - here) < columns
        return self._fitted == 2 and not 0 <= last < columns

    @property
    def _end(self) -> int:
        """Up to when it looks by itself."""
        return self._bars.last if self._fitted == 2 else self._bars.soon

    def _fit(self) -> None:
        """Bring what is and comes soon into sight, with some of the past; or everything."""
        assert self._snapshot is not None and self._scale is not None
        now, first, last = self._snapshot.time, self._bars.first(), self._end
        since = max(first, now - int((last - now) * PAST / (1 - PAST)))
        if self.outlook is not None:
            since = now
        elif self._fitted == 2 or last == now:
            since = first
        self._scale = self._scale.fitted(since, max(last, now + 1))

    def _measure(self) -> None:
        if self._snapshot is None:
            return
        nodes, scale = self._snapshot.nodes, self._scale
        columns = max(1, self.size.width - gutter(self._named(nodes)))
        rows = max(1, self._room)
        if scale is None or scale.nodes != nodes:
            self._scale = Scale(nodes, rows, columns).whole()
            self._fitted, self._whole = 1, True
            self._fit()
        elif (scale.rows, scale.columns) != (rows, columns):
            self._scale = Scale(nodes, rows, columns, scale.per, scale.top, scale.span, scale.since)
            self._scale = self._scale.whole() if self._whole else self._scale.at_line(scale.top)
            if self._fitted:
                self._fit()

    def _named(self, nodes: int) -> NodeAxis:
        return self._axis or Numbered(nodes)

    @property
    def _room(self) -> int:
        """Lines for the rows: above them is the clock, under them are the words."""
        height = self.size.height
        # On a narrow chart of free nodes what the signs are takes a line more.
        words = 2 + (height >= 10) if self.outlook is None else 3 + (self.size.width < NARROW)
        return height if height <= LEAST else max(LEAST, height - 1 - words)

    @property
    def _rows(self) -> int:
        """Lines that rows take: those that they do not need are for the words."""
        assert self._scale is not None
        return min(self._room, self._scale.lines)

    # Drawing.

    def draw(self) -> None:
        """Ask for what is in sight, and draw those lines that come out different."""
        if self._snapshot is None or not self.size or not self.size.width or not self._free():
            return
        self._measure()
        scale = self._scale
        assert scale is not None
        self._picture = self._drawn_ahead(scale) if self.outlook is not None else self._drawn_bars(scale)
        under = self.size.height - self._rows - 1
        self._words = self._picture.under(self.size.width, max(0, under))
        drawn = [self._line(y) for y in range(self.size.height)]
        stale, self._drawn = different(drawn, self._drawn), drawn
        self.refresh_lines_at(stale)

    def _drawn_ahead(self, scale: Scale) -> AvailabilityPicture:
        assert self.outlook is not None
        return AvailabilityPicture(
            AvailabilityScene(
                scale=scale,
                found=self.outlook(),
                label=self._label,
                row=self._row,
                selected=self.selected,
                cursor=self._cell(scale),
                blocks=self.blocks,
                palette=palette_of(self.app),
                letters=letters_of(self).held,
                base=self.pen.base,
                unit=self._unit,
                keyboard=keyboard_of(self.app),
            )
        )

    def _drawn_bars(self, scale: Scale) -> GanttPicture:
        assert self._snapshot is not None
        return GanttPicture(
            GanttScene(
                scale=scale,
                lanes=self._bars.lanes(scale.window, self.selected),
                time=self._snapshot.time,
                label=self._label,
                row=self._row,
                changed=self._snapshot.changed,
                selected=self.selected,
                cursor=self._cell(scale),
                unknown=self._bars.gaps(scale.window),
                stale=self._bars.stale,
                likely=self._bars.likely,
                unplaced=self._bars.unplaced,
                palette=palette_of(self.app),
                letters=letters_of(self).held,
                base=self.pen.base,
                unit=self._unit,
                keyboard=keyboard_of(self.app),
                axis=self._named(scale.nodes),
                terms=self._terms,
            ),
            self._picture if isinstance(self._picture, GanttPicture) else None,
        )

    def _line(self, y: int) -> Cells:
        assert self._picture is not None
        head = self.size.height - self._room > 0
        if head and y == 0:
            return self._picture.heading()
        row = y - head
        if row < self._rows:
            return self._picture.line(row)
        below = row - self._rows
        return self._words[below] if below < len(self._words) else []

    def render_line(self, y: int) -> Strip:
        cells = self._drawn[y] if y < len(self._drawn) else []
        return strip(cells, self.size.width, self.pen.base)

    def on_resize(self, _: events.Resize) -> None:
        self._drawn = []
        self.draw()
        self.refresh()
        self.post_message(self.Moved())

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._drawn = []
        if self.is_mounted:
            self.draw()

    # What the keys do.

    def _look(self, scale: Scale) -> None:
        if scale != self._scale:
            self._scale = scale
            self.draw()
            self.post_message(self.Moved())

    def action_zoom_time(self, steps: int) -> None:
        """Look at less time (1) or more of it (-1), around the cursor or the present instant."""
        scale = self._scale
        if scale is None or self._snapshot is None:
            return
        around = self._snapshot.time if self._cursor is None else self._cursor[1]
        if scale.column_of(around) not in range(scale.columns):
            around = scale.since + scale.span * (scale.columns // 2)
        self._fitted = 0
        self._look(scale.zoomed(steps, around))

    def action_pan(self, steps: int) -> None:
        """Look at what was a quarter of the width earlier (-1), or later (1)."""
        if self._scale is not None:
            self._fitted = 0
            self._look(self._scale.panned(steps * max(1, self._scale.columns // 4)))

    def action_fit(self) -> None:
        """Look at what is and comes soon, and all nodes; from there at everything."""
        if self._scale is not None and self._snapshot is not None and self._free():
            self._fitted = 2 if self._fitted == 1 else 1
            self._whole = True
            self._scale = self._scale.whole()
            self._fit()
            self.draw()
            self.post_message(self.Moved())

    def action_zoom_nodes(self, steps: int) -> None:
        """About half the nodes a row (1), or twice as many (-1), around the cursor or the middle."""
        if self._scale is not None:
            made = self._scale.nearer(steps, self._middle(self._scale))
            self._whole = made.per == made.farthest
            self._look(made)

    def _middle(self, scale: Scale) -> int:
        if self._cursor is not None:
            return self._cursor[0]
        return min(scale.nodes - 1, (scale.top + scale.rows // 2) * scale.per)

    def action_page(self, pages: int) -> None:
        """See other rows, where not all are in sight."""
        if self._scale is not None:
            self._look(self._scale.at_line(self._scale.top + pages * max(1, self._scale.rows - 1)))

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor by cells; the first move puts it at the present instant."""
        scale = self._scale
        if scale is None or self._snapshot is None:
            return
        cell = self._cell(scale)
        if cell is None:
            row = max(0, min(scale.rows, scale.lines) // 2 - 1)
            now = scale.column_of(self._snapshot.time)
            column = now if now in range(scale.columns) else scale.columns // 2
        else:
            row, column = cell[0] + down, cell[1] + right
        line = max(0, min(scale.top + row, scale.lines - 1))
        self._cursor = (line * scale.per, scale.since + column * scale.span)
        self._reach(scale, line, column)

    def _reach(self, scale: Scale, line: int, column: int) -> None:
        """Bring the cursor into sight."""
        if not 0 <= column < scale.columns:
            self._fitted = 0
            scale = scale.panned(column if column < 0 else column - scale.columns + 1)
        if line < scale.top:
            scale = scale.at_line(line)
        elif line >= scale.top + scale.rows:
            scale = scale.at_line(line - scale.rows + 1)
        if scale == self._scale:
            self.draw()
        else:
            self._look(scale)

    def _cell(self, scale: Scale) -> tuple[int, int] | None:
        """Row and column of the cursor; they may be out of sight."""
        if self._cursor is None:
            return None
        node, instant = self._cursor
        return node // scale.per - scale.top, scale.column_of(instant)

    def action_pick(self) -> None:
        """Ask for the detail of the job at the cursor."""
        self.post_message(self.Picked(self._job()))

    def _job(self) -> int | None:
        cursor = None if self._picture is None else self._picture.scene.cursor
        run = None if cursor is None or self._picture is None else self._picture.at(*cursor)
        return run[2] if run is not None and run[2] >= 0 else None

    def on_click(self, event: events.Click) -> None:
        at, scale = event.get_content_offset(self), self._scale
        if at is None or scale is None:
            return
        row, column = at.y - 1, at.x - gutter(self._named(scale.nodes))
        if 0 <= row < min(scale.rows, scale.lines - scale.top) and 0 <= column < scale.columns:
            self._cursor = ((scale.top + row) * scale.per, scale.since + column * scale.span)
            self.draw()
            job = self._job()
            if job is not None:
                self.post_message(self.Selected(job))
