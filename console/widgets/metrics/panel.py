"""The metrics panel: what the policy goes by, then every metric with its unit and its trend in braille."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console import words
from shadowtime.console.widgets.frame.ink import different
from shadowtime.console.widgets.frame.looks import palette_of
from shadowtime.console.widgets.frame.pen import Penned, strip
from shadowtime.console.widgets.frame.space import UNLIMITED, Need, Space
from shadowtime.console.widgets.frame.timebar_text import BarSample
from shadowtime.console.widgets.metrics.text import (
    BROADEST,
    MEASURES,
    NARROWEST,
    TALL,
    WIDEST,
    Measure,
    Table,
    Trend,
    arranged,
    status_lines,
    trends,
)
from shadowtime.console.widgets.nodemap.cells import Cells

LEAST = 7
"""Lines that are worth being shown."""


class MetricsPanel(Penned, ScrollView, can_focus=True, inherit_bindings=False):
    """Facts such as the policy's status, and metrics; what does not fit is reached by scrolling."""

    DEFAULT_CSS = """
    MetricsPanel {
        width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Up", show=False, id="metrics.up"),
        Binding("down", "scroll_down", "Down", show=False, id="metrics.down"),
    ]

    def __init__(self, unit: words.Unit, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._unit = unit
        self._metrics: object = None
        self._facts: Callable[[], Sequence[tuple[str, str]]] = tuple
        self._samples: Sequence[BarSample] = ()
        self._shown: Sequence[Measure] = MEASURES
        self._status: list[Cells] = []
        self._most_facts = 0, 0
        """The width, and the most lines of the status at it: panels do not move with its words."""
        self._arrangement = arranged(1, 1)
        self._trends: Mapping[str, Trend] = {}
        self._lines: list[Cells] = []

    def use(self, unit: words.Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._unit = unit

    def show(
        self,
        metrics: object,
        samples: Sequence[BarSample],
        shown: Sequence[Measure],
        facts: Callable[[], Sequence[tuple[str, str]]] = tuple,
    ) -> None:
        """Show metrics below some facts, and the trends of the samples so far, oldest first."""
        others = self._shown != shown
        self._metrics, self._shown, self._facts = metrics, shown, facts
        # The newest sample moves with every event. Where several stand behind one dot it waits for the next:
        # drawing twelve trends anew takes a third of a key's time.
        crowded = len(samples) > 4 * self._arrangement.trend
        stale = len(samples) != len(self._samples) if crowded else samples != self._samples
        self._samples = samples
        # A panel that is hidden is not arranged, and may be painted before it hears of its size.
        if not self._arrange() and (stale or others):
            self._trends = trends(samples, self._arrangement, self._shown)
        self._redraw()

    def filled(self, columns: int, lines: int) -> int:
        """How many lines the metrics fill in so many columns and lines, with their axis."""
        above = len(self._status_in(columns))
        room = max(1, lines - above)
        return above + min(room, arranged(columns, room, len(self._shown), len(self._samples) > 1).lines + 1)

    def _status_in(self, columns: int) -> list[Cells]:
        # One cell less: a scrollbar may come.
        return status_lines(self._facts(), columns - 1, palette_of(self.app), self.pen.base)

    @property
    def space(self) -> Space:
        """A line a measure below the facts, in as many columns as are readable; with more, tall trends."""
        facts, count = self._most_facts[1], len(self._shown)

        def lines(columns: int) -> Need:
            low, tall = arranged(columns, 1, count), arranged(columns, UNLIMITED, count)
            return Need.of(LEAST, max(LEAST, facts + low.rows + 1), max(LEAST, facts + tall.rows * TALL + 1))

        return Space(Need(NARROWEST, WIDEST, BROADEST), lines(NARROWEST), lines)

    def on_resize(self, event: events.Resize) -> None:
        self._arrange(resized=True)
        self._redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._lines = []

    def _arrange(self, resized: bool = False) -> bool:
        """Give the status its lines and the metrics the rest; whether that has moved anything."""
        before = (len(self._status), self._arrangement.count, self._arrangement.drawn)
        drawn = len(self._samples) > 1
        width, height = self.size
        if width <= 0:
            return False
        self._status = self._status_in(width)
        before_at, most = self._most_facts
        self._most_facts = width, max(len(self._status), most if before_at == width else 0)
        if before == (len(self._status), len(self._shown), drawn) and not resized:
            return False
        room = max(1, height - len(self._status))
        self._arrangement = arranged(width, room, len(self._shown), drawn)
        self._trends = trends(self._samples, self._arrangement, self._shown)
        self.virtual_size = Size(width, len(self._status) + self._arrangement.lines)
        return True

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        if not self._lines:
            self._lines = self._cells()
        cells = self._lines[line] if line < len(self._lines) else []
        return strip(cells, self.size.width, self.pen.base)

    def _redraw(self) -> None:
        cells, top = self._cells(), self.scroll_offset.y
        stale = [at - top for at in different(cells, self._lines) if 0 <= at - top < self.size.height]
        self._lines = cells
        self.refresh_lines_at(stale)

    def _cells(self) -> list[Cells]:
        if self._metrics is None or not self._trends or not self.size:
            return []
        palette, arrangement = palette_of(self.app), self._arrangement
        table = Table(
            self._metrics, self._trends, arrangement, palette, self.pen.base, self._shown, self._unit
        )
        ends = [self._samples[at].number for at in (0, -1)] if self._samples else [0, 0]
        return [*self._status, *table.lines(*ends)]
