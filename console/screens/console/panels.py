"""Arranging: which panel is in use, how large it is, and what a small screen shows."""

from textual.containers import Container

from console.screens.console.session_screen import SessionScreen
from console.widgets.frame.panel import Panel

COMPACT = (100, 30)
"""Below so many columns or lines one panel is shown at a time."""
TALL = 44
"""Lines from which the panels that share a place are seen together."""
COLUMNS = {"left": (1, 3, 5), "right": (2, 4)}
"""The panels of each column, from above."""
PLACES = (1, 3)
"""The panels that share a place."""


class Arranging(SessionScreen):
    """What the keys of panels do."""

    place = 1
    """Which panel of `PLACES` is seen where they share a place."""
    enlarged = 0
    """How large the panel in use is: 0 as usual, 1 larger, 2 the whole screen."""

    @property
    def compact(self) -> bool:
        """Whether the screen has room for one panel at a time only."""
        return self.app.size.width < COMPACT[0] or self.app.size.height < COMPACT[1]

    @property
    def alone(self) -> bool:
        """Whether the panel in use is the only one that is seen."""
        return self.compact or self.enlarged == 2

    def action_panel(self, number: int) -> None:
        """Put a panel in use."""
        if number in self.numbers:
            self.show_panel(number)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The panels that may be used: the third is the bars, or the matrix where the policy slices time."""
        return (1, 2, 3, 4, 5)

    def show_panel(self, number: int) -> None:
        """Put a panel in use."""
        self.panel = number
        if number in PLACES:
            self.place = number
        self.lay_out()
        self.query_one(f"#panel{number}", Panel).body.focus()

    def bring(self, number: int) -> None:
        """Put a panel in use where it would not be seen otherwise."""
        if not self.seen(number):
            self.show_panel(number)

    def action_next_panel(self) -> None:
        """To the next panel by number."""
        self._turn(1)

    def action_previous_panel(self) -> None:
        """To the panel before."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        numbers = self.numbers
        self.show_panel(numbers[(numbers.index(self.panel) + step) % len(numbers)])

    def action_resize(self, step: int) -> None:
        """Make the panel in use larger or smaller."""
        wanted = min(2, max(0, self.enlarged + step))
        if self.compact:
            self.say("this screen has room for one panel at a time", "warn")
        elif wanted == self.enlarged:
            self.say("this panel has the whole screen" if step > 0 else "every panel has its usual size")
        else:
            self.enlarged = wanted
            self.lay_out()

    def lay_out(self) -> None:
        """Give every panel its place and its size."""
        self.set_class(self.compact, "-compact")
        for name, numbers in COLUMNS.items():
            column = self.query_one(f"#{name}", Container)
            column.display = not self.alone or self.panel in numbers
            column.styles.width = self._width(name, numbers)
            for number in numbers:
                panel = self.query_one(f"#panel{number}", Panel)
                panel.display = self.seen(number)
                panel.styles.height = "2fr" if self.enlarged == 1 and number == self.panel else "1fr"

    def seen(self, number: int) -> bool:
        """Whether a panel is seen where the one in use is."""
        if self.alone:
            return number == self.panel
        if number in PLACES and 3 in self.numbers and self.app.size.height < TALL:
            return number == self.place
        return number in self.numbers

    def _width(self, name: str, numbers: tuple[int, ...]) -> str:
        if self.alone or name == "right":
            return "1fr"
        if self.enlarged == 1 and self.panel in numbers:
            return "55%"
        return "45%" if self.seen(3) else "30%"
