"""The panels of a cluster: the plan over the whole width, below it the reason beside one of the others."""

from typing import ClassVar

from textual.containers import Container

from shadowtime.console.screens.composed.panels import NODES, QUEUE, WHY, PanelArrangement

UNDER = 7
"""Lines of the reason under the plan on a small screen."""


class Stack(PanelArrangement):
    """All but the plan and the reason share one place; a small screen has the reason under the plan only."""

    small: ClassVar[tuple[int, int]] = (110, 30)

    def shares(self, number: int) -> bool:
        return number not in (QUEUE, WHY)

    def seen(self, number: int) -> bool:
        if self.alone:
            under = number == WHY and self.used == QUEUE and self.enlarged < 2
            return number == self.used or under
        return number in (QUEUE, WHY, self.place)

    def arrange(self) -> None:
        grown = self.enlarged == 1
        plan_grows = grown and self.used == QUEUE
        under = self.alone and self.used == QUEUE
        self.panels[QUEUE].styles.height = "2fr" if grown and not plan_grows else "3fr"
        for lower in self._screen.query("#lower").results(Container):
            lower.display = any(self.seen(number) for number in self.panels if number != QUEUE)
            lower.styles.height = UNDER if under else "1fr" if plan_grows else "3fr" if grown else "2fr"
        for number, panel in self.panels.items():
            if number != QUEUE:
                panel.styles.width = self._width(number, grown and number == self.used)

    def _width(self, number: int, grown: bool) -> str:
        if grown:
            return "4fr"
        if number == WHY:
            return "2fr"
        return "2fr" if number == NODES else "3fr"
