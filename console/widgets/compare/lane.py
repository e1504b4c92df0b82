"""A lane of the compare view: how busy its machine is, a map or the matrix of it, and its jobs."""

from collections.abc import Sequence

import attrs
from textual.containers import Container
from textual.content import Content
from textual.geometry import Region

from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lane_figures import LaneFigures, carried
from shadowtime.console.session.facts import Row
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane
from shadowtime.console.widgets.compare.text import head
from shadowtime.console.widgets.frame.ink import printable, width_of
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.space import FRAME
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.matrix.panel import MatrixPanel
from shadowtime.console.widgets.nodemap.panel import NodeMap
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.widgets.queue.columns import Shape
from shadowtime.console.widgets.queue.panel import Queue
from shadowtime.console.widgets.table.list_table import SEVERAL
from shadowtime.console.words import Unit, unit_of

NOBODY = "nobody waits, nobody runs"
FRAMED = 4
"""Cells of a frame beside its title."""
LEAST_ROOM = 7
"""Lines below which the jobs have them all; from there on a picture has two fifths, or what jobs leave."""


class LaneView(Frame):
    """One lane. `show` gives it the standings; the queue in it has the focus where the lane is in use."""

    def __init__(self, place: int, session: Lane, bars: GanttPanel) -> None:
        self.place = place
        self.bars = bars
        self.charted = False
        """Whether bars over time are shown, and not who has which nodes now."""
        self.session = session
        case = session.case
        columns, machine = case.columns, case.scenario.machine
        last = columns.submit[-1] if len(columns.submit) else 0
        shape = Shape.of(columns.id, columns.user, columns.klass, case.nodes, last)
        self.head = StatusLine()
        self._heads = 1
        """Lines with the lane's utilization and jobs."""
        names: Sequence[str] = ()
        if isinstance(session, ClusterLane):
            names = session.nodes
            shape = attrs.evolve(shape, id=max(shape.id, *map(len, session.jobs.names)))
        unit = unit_of(machine)
        self.map = NodeMap(torus=Torus.of(machine), unit=unit, names=names)
        self._clock = unit.clock
        self.matrix = MatrixPanel(unit)
        self.queue = Queue(shape, self._queued, unit, starts_first=True)
        self.queue.nothing = NOBODY
        self._picture: GanttPanel | MatrixPanel | NodeMap = bars
        self._users = columns.user
        self._rows: dict[int, Row] = {}
        self._now = 0
        super().__init__(f"[{place + 1}]", self.head, self.map, self.matrix, self.bars, self.queue)
        self.add_class("lane")

    def show(self, it: LaneFigures, chosen: int | None, order: Sequence[int]) -> None:
        """Show the lane as it stands, with the job that is looked at, and the jobs in an order."""
        shot = it.snapshots[self.place]
        self._rows.clear()
        self._now = it.time
        if it.clock != self._clock:
            self._clock = it.clock
            self._use(unit_of(self.session.case.scenario.machine, it.clock))
        sliced = shot.matrix is not None
        self._picture = self.bars if self.charted else self.matrix if sliced else self.map
        if self.charted:
            pass
        elif sliced:
            self.matrix.show(shot, self.session.columns, self._label, self._users.__getitem__)
        else:
            self.map.show(
                shot,
                states=shot.holding,
                label=self._label,
                user=self._users.__getitem__,
                start=lambda index: self._row(index).start,
                end=lambda index: self._row(index).end,
                clock=it.clock,
            )
        self.queue.show(shot, order, chosen, "order", False)
        self.place_at(chosen)
        self._share()

    def on_resize(self) -> None:
        self._share()

    @property
    def pictured(self) -> bool:
        """Whether a picture has room above the jobs."""
        return self.size.height - self._heads >= LEAST_ROOM

    @property
    def needed(self) -> int:
        """The lines in which it shows all that it has."""
        picture = self._picture.space.lines_at(self.size.width).most
        return self._heads + picture + self.queue.most_rows + self.queue.heading_lines + FRAME

    def _share(self) -> None:
        """Give each of picture and jobs the lines that it fills; where there are few, jobs go first."""
        room = self.size.height - self._heads
        rows = min(self.queue.most_rows, SEVERAL) + self.queue.heading_lines
        lines = min(self._picture.space.lines_at(self.size.width).most, max(room * 2 // 5, room - rows))
        self.head.styles.height = self._heads
        for picture in (self.bars, self.map, self.matrix):
            picture.display = picture is self._picture and self.pictured
            picture.styles.height = max(1, lines)

    def _use(self, unit: Unit) -> None:
        """Write instants by another clock."""
        self.matrix.use(unit)
        self.queue.use(unit)
        self.bars.use(unit)

    def title(self, it: LaneFigures, seen: Sequence[int]) -> None:
        """Paint the title, and utilization and jobs in as many lines as the lanes seen need."""
        shot = it.snapshots[self.place]
        width = self.size.width
        self.head.put(*([(text, "text")] for text in head(it, self.place, max(1, width))))
        self._heads = max(len(head(it, place, max(1, width))) for place in seen)
        self._share()
        total = "" if shot.total is None else f"/{shot.total:,}"
        name, event = f"[{self.place + 1}] {printable(it.names[self.place])}", f"{shot.number:,}{total}"
        titles = (f"{name}  event {event}", f"{name}  {event}", f"{name}  {shot.number:,}", name)
        title = next((it for it in titles if width_of([(it, "")]) <= width - FRAMED), name)
        if self._border_title is None or title != self._border_title.plain:
            # Set as a property it would paint the whole lane anew.
            self._border_title = Content(title)
            self.refresh(Region(-1, -1, self.outer_size.width, 1))

    def place_at(self, chosen: int | None) -> None:
        """Let a job stand out, where it is in this lane."""
        self.queue.place_on(chosen)
        self.map.selected = chosen
        self.matrix.place(chosen)

    def _queued(self, order: Sequence[int], first: int, count: int) -> Sequence[Row]:
        """Rows of the queue as of the common instant."""
        return [carried(row, self._now) for row in self.session.rows(order, first, count)]

    def _row(self, index: int) -> Row:
        row = self._rows.get(index)
        if row is None:
            row = self._rows[index] = self.session.row(index)
        return row

    def _label(self, index: int) -> str:
        return str(self.session.id_of(index))


class Lanes(Container):
    """The lanes side by side."""
