"""The arrangement of the panels: which is in use, how large it is, and what a small screen shows."""

from collections.abc import Callable, Mapping

from textual.containers import Container
from textual.screen import Screen

from shadowtime.console.widgets.frame.panel import Panel

COMPACT = (100, 30)
"""Below so many columns or lines one panel is shown at a time."""
TALL = 36
"""Lines from which the panels that share a place are seen together."""
WIDE = 140
"""Columns from which a chart takes nearly half of them; on fewer the queue needs more."""
COLUMNS = {"left": (1, 3, 5), "right": (2, 4)}
"""The panels of each column, from above."""
SIZES = ("every panel has its usual size", "this panel is larger", "this panel has the whole screen")
"""What is said of a panel that was made larger so many times."""
PLACES = (1, 3)
"""The panels that share a place."""


class PanelArrangement:
    """The panels and their places. `numbers` are those that may be used; `laid_out` paints them."""

    def __init__(
        self,
        screen: Screen[None],
        panels: Mapping[int, Panel],
        place: int,
        *,
        numbers: Callable[[], tuple[int, ...]],
        laid_out: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        self.panels = panels
        self.used = 2
        """The number of the panel in use."""
        self.place = place
        """Which panel of `PLACES` is seen if they share a place."""
        self.enlarged = 0
        """How large the panel in use is: 0 as usual, 1 larger, 2 the whole screen."""
        self._screen = screen
        self._numbers = numbers
        self._laid_out = laid_out
        self._say = say

    @property
    def compact(self) -> bool:
        """Whether the screen has room for one panel at a time only."""
        return self._screen.app.size.width < COMPACT[0] or self._screen.app.size.height < COMPACT[1]

    @property
    def alone(self) -> bool:
        """Whether the panel in use is the only one that is seen."""
        return self.compact or self.enlarged == 2

    def choose(self, number: int) -> None:
        """Put a panel in use."""
        if number in self._numbers():
            self.show(number)

    def show(self, number: int) -> None:
        """Put a panel in use."""
        self.used = number
        if number in PLACES:
            self.place = number
        self.lay_out()
        self.panels[number].body.focus()

    def bring(self, number: int) -> None:
        """Put a panel in use if it would not be seen otherwise."""
        if not self.seen(number):
            self.show(number)

    def next(self) -> None:
        """To the next panel by number."""
        self._turn(1)

    def previous(self) -> None:
        """To the panel before."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        numbers = self._numbers()
        self.show(numbers[(numbers.index(self.used) + step) % len(numbers)])

    def resize(self, step: int) -> None:
        """Make the panel in use larger or smaller."""
        wanted = min(2, max(0, self.enlarged + step))
        if self.compact:
            self._say("this screen has room for one panel at a time", "warn")
        elif wanted == self.enlarged:
            self._say(SIZES[wanted], "dim")
        else:
            self.enlarged = wanted
            self.lay_out()
            self._say(SIZES[wanted], "dim")

    def lay_out(self) -> None:
        """Give every panel its place and its size."""
        self._screen.set_class(self.compact, "-compact")
        for name, numbers in COLUMNS.items():
            for column in self._screen.query(f"#{name}").results(Container):
                column.display = not self.alone or self.used in numbers
                column.styles.width = self._width(name, numbers)
            for number in numbers:
                panel = self.panels[number]
                panel.display = self.seen(number)
                panel.styles.height = "2fr" if self.enlarged == 1 and number == self.used else "1fr"
        self._laid_out()

    def seen(self, number: int) -> bool:
        """Whether a panel is seen where the one in use is."""
        if self.alone:
            return number == self.used
        if number in PLACES and 3 in self._numbers() and self._screen.app.size.height < TALL:
            return number == self.place
        return number in self._numbers()

    def _width(self, name: str, numbers: tuple[int, ...]) -> str:
        if self.alone or name == "right":
            return "1fr"
        if self.enlarged == 1 and self.used in numbers:
            return "55%"
        if not self.seen(3):
            return "30%"
        return "45%" if self._screen.app.size.width >= WIDE else "40%"
