"""The matrix panel: the time slots of a policy that slices time, drawn only where they are seen.

The cursor stands on the job that is looked at: moving it here selects a job for every panel, and one that is
selected elsewhere stands out here.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console.session.facts import Snapshot
from shadowtime.console.widgets.frame.ink import different
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.looks import palette_of
from shadowtime.console.widgets.frame.pen import Penned, strip
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space
from shadowtime.console.widgets.matrix.text import (
    HEAD,
    MatrixJobs,
    MatrixPicture,
    MatrixScene,
    Runs,
    never,
    under,
)
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.scene import nobody, view
from shadowtime.console.words import Unit

LEAST_ROWS = 3
"""Rows that are seen before any words under them are."""
WORDS = 5
"""Lines under the rows: the mean, the next switch, the quantum, the signs, the selected job."""


class MatrixPanel(Penned, ScrollView, can_focus=True, inherit_bindings=False):
    """The Ousterhout matrix. `show` gives it a snapshot; `place` the job that stands out."""

    DEFAULT_CSS = """
    MatrixPanel { width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1, 0)", "Job left", show=False, id="matrix.left"),
        Binding("right", "move(1, 0)", "Job right", show=False, id="matrix.right"),
        Binding("up", "move(0, -1)", "Row up", show=False, id="matrix.up"),
        Binding("down", "move(0, 1)", "Row down", show=False, id="matrix.down"),
        Binding("pageup", "page(-1)", "Rows up", show=False, id="matrix.pageup"),
        Binding("pagedown", "page(1)", "Rows down", show=False, id="matrix.pagedown"),
    ]

    class Selected(Message):
        """The operator moved the cursor to a job."""

        def __init__(self, job: int) -> None:
            super().__init__()
            self.job = job

    def __init__(self, unit: Unit, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._snapshot: Snapshot | None = None
        self._unit = unit
        self._jobs = MatrixJobs()
        self._selected: int | None = None
        self._picture: MatrixPicture | None = None
        self._words: list[Cells] = []
        self._column = 0
        """The node over and under which the cursor goes from row to row."""
        self._drawn: list[Cells] = []
        self._most = 1
        """The most rows so far: what the panel needs does not jump from step to step."""

    def use(self, unit: Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit

    def show(
        self,
        snapshot: Snapshot,
        columns: Callable[[int], Runs] = never,
        label: Callable[[int], str] = str,
        user: Callable[[int], str] = nobody,
    ) -> None:
        """Show the matrix of a snapshot. A job, by index, has columns, the label of its id, and a user."""
        self._snapshot = snapshot
        self._jobs = MatrixJobs(columns, label, user)
        if snapshot.matrix is not None:
            self._most = max(self._most, len(snapshot.matrix.rows))
        self._compose_picture()

    def place(self, selected: int | None) -> None:
        """Let a job stand out, and bring its row into sight."""
        if selected != self._selected:
            self._selected = selected
            self._compose_picture()
        row = self._row
        if row is not None:
            self._bring(row)

    @property
    def space(self) -> Space:
        """The rows under their head, and below them what is said of the matrix and of the selected job."""
        lines = HEAD + WORDS
        return Space(
            Need(36, 60, UNLIMITED), Need.of(lines + LEAST_ROWS, lines + self._most, lines + self._most)
        )

    @property
    def caption(self) -> str:
        """What is shown, for a short title: which row has the machine."""
        matrix = None if self._snapshot is None else self._snapshot.matrix
        if matrix is None or matrix.current is None:
            return "no job has a row"
        last = len(matrix.rows) - 1
        return f"row {matrix.current}" + (f" of 0-{last:,}" if last else "") + " is on"

    @property
    def _row(self) -> int | None:
        return None if self._picture is None else self._picture.scene.row_of(self._selected)

    def _compose_picture(self) -> None:
        """Make the scene anew, and draw those lines in sight that come out different."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.matrix is None or not self.size:
            return
        scene = MatrixScene(
            matrix=snapshot.matrix,
            owners=view(snapshot.owners),
            time=snapshot.time,
            pending=snapshot.pending,
            jobs=self._jobs,
            running=frozenset(snapshot.running),
            changed=snapshot.changed,
            selected=self._selected,
            palette=palette_of(self.app),
            letters=letters_of(self).held,
            base=self.pen.base,
            unit=self._unit,
        )
        # One cell less than there is: a scrollbar may come.
        self._picture = MatrixPicture(scene, max(1, self.size.width - 1))
        room = self.size.height - self._head - min(LEAST_ROWS, len(snapshot.matrix.rows))
        self._words = under(self._picture, max(0, room))
        lines = len(snapshot.matrix.rows) + self.size.height - self._room
        if self.virtual_size != Size(self.size.width, lines):
            self.virtual_size = Size(self.size.width, lines)
        self._redraw()

    def _redraw(self) -> None:
        drawn = [self._cells(y) for y in range(self.size.height)]
        stale, self._drawn = different(drawn, self._drawn), drawn
        self.refresh_lines_at(stale)

    @property
    def _room(self) -> int:
        return max(1, self.size.height - self._head - len(self._words))

    @property
    def _head(self) -> int:
        """Lines above the rows: fewer where there is hardly room for the rows."""
        return max(0, min(HEAD, self.size.height - LEAST_ROWS))

    def _cells(self, y: int) -> Cells:
        picture, snapshot = self._picture, self._snapshot
        if picture is None or snapshot is None:
            return []
        if y < self._head:
            last = y == self._head - 1
            return picture.now(snapshot.metrics.utilization_now) if last else picture.heading()
        below = y - self._head - self._room
        if below >= 0:
            return self._words[below]
        row = y - self._head + self.scroll_offset.y
        return picture.row(row) if row < len(picture.scene.matrix.rows) else []

    def render_line(self, y: int) -> Strip:
        if len(self._drawn) != self.size.height:
            self._drawn = [self._cells(at) for at in range(self.size.height)]
        return strip(self._drawn[y], self.size.width, self.pen.base)

    def on_resize(self, _: Resize) -> None:
        self._drawn = []
        self._compose_picture()
        self.place(self._selected)
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._drawn = []
        if self.is_mounted:
            self._compose_picture()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._drawn = []

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset(self)
        if self._picture is None or at is None or not self._head <= at.y < self._head + self._room:
            return
        row = at.y - self._head + self.scroll_offset.y
        if row < len(self._picture.scene.matrix.rows):
            job = self._picture.job_at(row, at.x)
            if job is not None:
                self._column = self._first(job)
                self.post_message(self.Selected(job))

    def action_page(self, pages: int) -> None:
        self._to_row(pages * max(1, self._room - 1))

    def action_move(self, right: int, down: int) -> None:
        """Move the cursor to another job of the row, or to another row.

        The first move goes to the row that has the machine.
        """
        if self._picture is None:
            return
        matrix, row = self._picture.scene.matrix, self._row
        if row is None:
            if matrix.current is not None:
                self._enter(matrix.current, 1)
        elif down:
            self._to_row(down)
        else:
            jobs = sorted(matrix.rows[row], key=self._first)
            at = jobs.index(self._selected) if self._selected in jobs else 0
            job = jobs[min(max(at + right, 0), len(jobs) - 1)]
            self._column = self._first(job)
            self.post_message(self.Selected(job))

    def _to_row(self, down: int) -> None:
        row = self._row
        if row is None or self._picture is None:
            return
        target = min(max(row + down, 0), len(self._picture.scene.matrix.rows) - 1)
        if self._selected is not None and self._column not in self._span(self._selected):
            self._column = self._first(self._selected)
        self._enter(target, 1 if down > 0 else -1)

    def _enter(self, row: int, direction: int) -> None:
        """Select the job of a row that is nearest to the column; a row without jobs is passed over."""
        assert self._picture is not None
        rows = self._picture.scene.matrix.rows
        while 0 <= row < len(rows) and not rows[row]:
            row += direction
        if 0 <= row < len(rows):
            self.post_message(self.Selected(min(rows[row], key=partial(self._distance, self._column))))

    def _span(self, job: int) -> range:
        """The nodes from the first to the last of a job."""
        runs = self._jobs.columns(job)
        return range(min(run[0] for run in runs), max(sum(run) for run in runs)) if runs else range(0)

    def _first(self, job: int) -> int:
        return self._span(job).start

    def _distance(self, node: int, job: int) -> int:
        nodes = self._span(job)
        return 0 if node in nodes else min(abs(node - nodes.start), abs(node - nodes.stop + 1))

    def _bring(self, row: int) -> None:
        top = self.scroll_offset.y
        if not top <= row < top + self._room:
            self.scroll_to(y=row if row < top else row - self._room + 1, animate=False)
            self._redraw()
