"""The panels of a machine in two columns."""

from textual.containers import Container

from shadowtime.console.screens.composed.panels import CHART, EVENTS, METRICS, NODES, QUEUE, PanelArrangement

TALL = 36
"""Lines from which the panels that share a place are seen together."""
WIDE = 140
"""Columns from which a chart takes nearly half of them; on fewer the queue needs more."""
COLUMNS = {"left": (NODES, CHART, METRICS), "right": (QUEUE, EVENTS)}
"""The panels of each column, from above."""


class Columns(PanelArrangement):
    """Node map, chart and metrics on the left, queue and events on the right."""

    def shares(self, number: int) -> bool:
        return number in (NODES, CHART)

    def seen(self, number: int) -> bool:
        if self.alone:
            return number == self.used
        if self.shares(number) and CHART in self._numbers() and self._screen.app.size.height < TALL:
            return number == self.place
        return number in self._numbers()

    def arrange(self) -> None:
        for name, numbers in COLUMNS.items():
            for column in self._screen.query(f"#{name}").results(Container):
                column.display = not self.alone or self.used in numbers
                column.styles.width = self._width(name, numbers)
            for number in numbers:
                grown = self.enlarged == 1 and number == self.used
                self.panels[number].styles.height = "2fr" if grown else "1fr"

    def _width(self, name: str, numbers: tuple[int, ...]) -> str:
        if self.alone or name == "right":
            return "1fr"
        if self.enlarged == 1 and self.used in numbers:
            return "55%"
        if not self.seen(CHART):
            return "30%"
        return "45%" if self._screen.app.size.width >= WIDE else "40%"
