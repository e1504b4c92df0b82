"""The Gantt chart: what the Gantt panel needs of the session, and the worker that records what is missing."""

from collections.abc import Callable

from textual.screen import Screen

from shadowtime.console.screens.console.background import Workers
from shadowtime.console.session import Case, Session
from shadowtime.console.session.facts import Row, Snapshot
from shadowtime.console.session.jobs.availability import Availability, availability
from shadowtime.console.session.jobs.bars import Bars
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.words import Unit


class GanttChart(Workers):
    """The Gantt panel of one screen. `free` returns whether the session may be touched now."""

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        unit: Unit,
        *,
        free: Callable[[], bool],
        label: Callable[[int], str],
        row: Callable[[int], Row],
    ) -> None:
        super().__init__(screen)
        self.bars = Bars(session)
        self.panel = GanttPanel(self.bars, unit, id="gantt")
        self.panel.blocks = session.case.scenario.machine.torus is not None
        self._session = session
        self._ahead: Availability | None = None
        self._ahead_of: tuple[int, bool, Case] | None = None
        """The event, and whether its predictions had come, of what is known."""
        self._free = free
        self._label = label
        self._row = row
        self._working = False

    def show(self, snapshot: Snapshot, selected: int | None) -> None:
        """Paint the bars at a snapshot, a job standing out, and have what is missing of them found."""
        if self._free():
            self.bars.look()
            if self.panel.window is not None:
                self.bars.follow(self.panel.window)
            self.panel.selected = selected
            self.panel.show(snapshot, self._label, self._told, self._free)
            self.seek()

    def view(self, ahead: bool) -> None:
        """Draw the free nodes from now on, or the bars again."""
        self.panel.view(self._available if ahead else None)

    def _available(self) -> Availability:
        # What the cursor and the selection change is drawn from what is known: 10,000 jobs take 8 ms to plan.
        session = self._session
        at = (session.number, session.predicted, session.case)
        if self._ahead is None or (self._free() and at != self._ahead_of):
            self._ahead, self._ahead_of = availability(session), at
        return self._ahead

    def _told(self, index: int) -> Row | None:
        return self._row(index) if self._free() else None

    def seek(self) -> None:
        """Begin to record what is missing in sight, unless that is under way."""
        window = self.panel.window
        if self._working or self._stopped or window is None or not self._free():
            return
        work = self.bars.work(window)
        if work is None:
            return
        self._working = True

        def run() -> None:
            going = True
            try:
                while going and not self._stopped:
                    going = work.run()
                    self._hand_over(taken)
            finally:
                self._working = False
            self._hand_over(self.seek)

        def taken() -> None:
            seen = self.panel.window
            if self._free() and seen is not None:
                self.bars.take(work, seen)
                self.panel.draw()

        self._screen.run_worker(run, thread=True, group="bars")
