"""Bars of small machines, for the tests of the Gantt chart, without a session."""

from collections.abc import Sequence

import attrs

from shadowtime.console.session.facts import Prediction, Row
from shadowtime.console.session.jobs.bars import CellRun
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.text import GanttPicture, GanttScene
from shadowtime.console.widgets.nodemap.cells import text_of

Held = tuple[int, int, int, int, int, str]
"""(job, first node, nodes, since, until, kind)"""

NOW = 600
STORY: tuple[Held, ...] = (
    (0, 0, 6, 0, 300, "R"),
    (1, 0, 4, 300, 600, "R"),
    (2, 6, 2, 120, 480, "R"),
    (2, 6, 2, 480, 540, "o"),
    (1, 0, 4, 600, 900, "."),
    (3, 4, 2, 600, 640, "i"),
    (3, 4, 2, 640, 1200, "."),
    (4, 0, 4, 900, 1500, "~"),
    (2, 6, 2, 1200, 1400, "~"),
    (-2, 8, 2, 700, 1300, "X"),
)
"""Ten nodes at second 600: two ran, one was saved, one is loaded and runs on, two are expected, an outage."""


@attrs.define
class NaiveCells:
    """Who has each cell, summed as naively as can be."""

    scale: Scale
    held: Sequence[Held] = STORY

    @property
    def count(self) -> int:
        return max(0, min(self.scale.rows, self.scale.lines - self.scale.top))

    def runs(self, row: int) -> list[CellRun]:
        found: list[CellRun] = []
        for column in range(self.scale.columns):
            job, kind, eighths = self._cell(row, column)
            if job == -1:
                continue
            last = found[-1] if found else (-9, 0, 0, "", 0)
            if last[0] + last[1] == column and last[2:] == (job, kind, eighths):
                found[-1] = (last[0], last[1] + 1, job, kind, eighths)
            else:
                found.append((column, 1, job, kind, eighths))
        return found

    def _cell(self, row: int, column: int) -> tuple[int, str, int]:
        nodes = self.scale.nodes_of(row)
        since = self.scale.since + column * self.scale.span
        taken: dict[int, int] = {}
        kinds: dict[int, str] = {}
        for job, first, count, begin, end, kind in self.held:
            wide = max(0, min(first + count, nodes.stop) - max(first, nodes.start))
            area = wide * max(0, min(end, since + self.scale.span) - max(begin, since))
            if area:
                kinds[job] = kind if area > taken.get(job, 0) else kinds[job]
                taken[job] = taken.get(job, 0) + area
        busy = sum(taken.values())
        if not busy:
            return -1, "", 0
        job = max(taken, key=lambda job: taken[job])
        seen = taken[job] if job == -2 else busy
        eighths = min(8, -(-8 * seen // (len(nodes) * self.scale.span)))
        return (job, kinds[job], eighths) if 2 * taken[job] >= busy else (-3, kinds[job], eighths)


def scale(
    rows: int = 10, columns: int = 50, per: int = 1, span: int = 30, since: int = 0, top: int = 0
) -> Scale:
    """A scale of the ten nodes."""
    return Scale(10, rows, columns, per, top, span, since)


def row_of(job: int) -> Row:
    """A row of the queue: job 0 is over, job 1 runs, job 4 waits for second 900."""
    state = {0: "F", 1: "R", 3: "i"}.get(job, "N")
    return Row(
        index=job,
        id=job + 100,
        user="kim",
        klass="",
        queue="",
        name="",
        state=state,
        size=4,
        submit=0,
        estimate=600,
        wait=0,
        start=None if state == "N" else 300 * job,
        end=None if state == "N" else 300 * job + 300,
        predicted=Prediction(900, "expected", 1) if state == "N" else None,
    )


def scene(of: Scale, held: Sequence[Held] = STORY, **others: object) -> GanttScene:
    """A scene of the story."""
    values: dict[str, object] = {
        "time": NOW,
        "label": lambda job: str(job + 100),
        "row": row_of,
        **others,
    }
    return GanttScene(of, NaiveCells(of, held), **values)  # type: ignore[arg-type]


def lines(picture: GanttPicture) -> list[str]:
    """The clock and the rows as bare text."""
    scale = picture.scene.scale
    drawn = [picture.heading(), *(picture.line(row) for row in range(scale.rows))]
    return [text_of(line).rstrip() for line in drawn]
