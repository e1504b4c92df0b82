"""The Gantt chart of 40,960 nodes and 10,000 jobs: what a frame costs, and what is behind it."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from shadowtime.console.session import Session, load, open_session
from shadowtime.console.session.jobs.bars import Bars
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.subject import Numbered
from shadowtime.console.widgets.gantt.text import GanttPicture, GanttScene, gutter
from tests.bench.figures import Figure, cpu_seconds
from tests.bench.workloads import crowd_rows

NODES, WAITING = 40_960, 10_000
FRAME = 16.0
"""Milliseconds."""
SIZES = ((80, 24), (120, 36), (200, 50), (300, 100))


def chart() -> Iterator[Figure]:
    """A frame of the whole machine at each size of the screen, in its middle and zoomed out to everything."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crowd.swf"
        path.write_text("\n".join(crowd_rows(WAITING, 2000, NODES)), encoding="utf-8")
        session = open_session(load(path, policy="easy"))
    session.go_event(10_500)
    session.predict()
    bars = Bars(session)
    waiting = f"{len(session.snapshot().waiting):,} wait for 40,960 nodes"
    yield Figure("gantt: look around", 1000 * cpu_seconds(bars.look, 5), "ms", FRAME, waiting)
    for width, height in SIZES:
        for what in ("to the end of all", "a tenth of it", "the same again"):
            yield _frame(session, bars, width, height, what)


def _frame(session: Session, bars: Bars, width: int, height: int, what: str) -> Figure:
    scale = Scale(NODES, height - 8, width - 2 - gutter(Numbered(NODES))).whole()
    span = bars.last - bars.first()
    low = 0 if what != "a tenth of it" else (session.time - bars.first()) - span // 20
    scale = scale.fitted(bars.first() + low, bars.first() + low + (span if not low else span // 10))
    began, pieces = time.thread_time(), 0
    work = bars.work(scale.window)
    while work is not None and work.run():
        pieces += 1
    if work is not None:
        bars.take(work, scale.window)
    recorded = 1000 * (time.thread_time() - began)
    snapshot = session.snapshot()

    def draw(before: GanttPicture | None = None) -> GanttPicture:
        picture = GanttPicture(GanttScene(scale, bars.lanes(scale.window), snapshot.time), before)
        for row in range(scale.rows):
            picture.line(row)
        return picture

    remark = f"{scale.per} nodes a row; recorded in {recorded:.0f} ms behind it"
    again = draw() if what == "the same again" else None
    cost = cpu_seconds(lambda: draw(again), 5)
    return Figure(f"gantt: {width}x{height}, {what}", 1000 * cost, "ms", FRAME, remark)
