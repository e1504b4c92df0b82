"""The metrics panel: every metric so far with its unit, and its trend in braille."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from console.session.facts import Metrics, Sample, Snapshot
from console.widgets.looks import palette_of
from console.widgets.metrics_text import Table, arranged, trends
from console.widgets.nodemap_cells import Cells, strip
from console.widgets.panel_ink import different


class MetricsPanel(ScrollView, can_focus=True, inherit_bindings=False):
    """The metrics of a snapshot; what does not fit is reached by scrolling."""

    DEFAULT_CSS = """
    MetricsPanel {
        width: 1fr; height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_up", "Up", show=False, id="metrics.up"),
        Binding("down", "scroll_down", "Down", show=False, id="metrics.down"),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._metrics: Metrics | None = None
        self._samples: Sequence[Sample] = ()
        self._arrangement = arranged(1, 1)
        self._trends: Mapping[str, list[str]] = {}
        self._lines: list[Cells] = []

    def show(self, snapshot: Snapshot, samples: Sequence[Sample] = ()) -> None:
        """Show the metrics of a snapshot; trends are drawn over the samples so far, oldest first."""
        self._metrics = snapshot.metrics
        # The newest sample moves with every event. Where several stand behind one dot it waits for the next:
        # drawing twelve trends anew takes a third of a key's time.
        crowded = len(samples) > 4 * self._arrangement.trend
        if len(samples) != len(self._samples) if crowded else samples != self._samples:
            self._trends = trends(samples, self._arrangement)
        self._samples = samples
        self._redraw()

    def on_resize(self, event: events.Resize) -> None:
        self._arrangement = arranged(self.size.width, self.size.height)
        self._trends = trends(self._samples, self._arrangement)
        self.virtual_size = Size(self.size.width, self._arrangement.lines)
        self._redraw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._lines = []

    def render_line(self, y: int) -> Strip:
        line = y + self.scroll_offset.y
        if not self._lines:
            self._lines = self._cells()
        cells = self._lines[line] if line < len(self._lines) else []
        return strip(cells, self.size.width, self.rich_style)

    def _redraw(self) -> None:
        """Draw those lines that came out different."""
        cells, top = self._cells(), self.scroll_offset.y
        stale = [at - top for at in different(cells, self._lines) if 0 <= at - top < self.size.height]
        self._lines = cells
        if stale:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in stale))

    def _cells(self) -> list[Cells]:
        if self._metrics is None or not self._trends or not self.size:
            return []
        palette = palette_of(self.app)
        table = Table(self._metrics, self._trends, self._arrangement, palette, self.rich_style)
        return [table.line(line) for line in range(self._arrangement.lines)]
