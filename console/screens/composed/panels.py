"""The panels of a console: which of them is in use, and how large it is."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.screen import Screen

from shadowtime.console.widgets.frame.panel import Panel

NODES, QUEUE, CHART, EVENTS, METRICS, RUNNING, WHY = range(1, 8)
"""The numbers of the panels, over a machine and over a cluster. The queue of a cluster is its plan."""
SIZES = ("every panel has its usual size", "this panel is larger", "this panel has the whole screen")
"""What is said of a panel that was made larger so many times."""


class PanelArrangement:
    """The panels, and which of them are seen. `numbers` are those that may be used; `laid_out` paints them.

    A subclass gives each its place: `seen` and `arrange`.
    """

    small: ClassVar[tuple[int, int]] = (100, 30)
    """Below so many columns or lines one panel is shown at a time."""

    def __init__(
        self,
        screen: Screen[None],
        panels: Mapping[int, Panel],
        *,
        place: int,
        numbers: Callable[[], tuple[int, ...]],
        laid_out: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        self.panels = panels
        self.used = QUEUE
        """The number of the panel in use."""
        self.place = place
        """Which panel is seen of those that share a place."""
        self.enlarged = 0
        """How large the panel in use is: 0 as usual, 1 larger, 2 the whole screen."""
        self._screen = screen
        self._numbers = numbers
        self._laid_out = laid_out
        self._say = say

    def shares(self, number: int) -> bool:
        """Whether a panel shares its place with others."""
        return False

    def seen(self, number: int) -> bool:
        """Whether a panel is seen where the one in use is."""
        return not self.alone or number == self.used

    def arrange(self) -> None:
        """Give every panel its place and its size."""

    @property
    def compact(self) -> bool:
        """Whether the screen has room for one panel at a time only."""
        width, height = self._screen.app.size
        return width < self.small[0] or height < self.small[1]

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
        self.use(number)
        self.lay_out()
        self.panels[number].body.focus()

    def use(self, number: int) -> None:
        """A panel that is seen is the one in use."""
        self.used = number
        if self.shares(number):
            self.place = number

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

    def usual_size(self) -> bool:
        """Give every panel its usual size; whether one had another."""
        before, self.enlarged = self.enlarged, 0
        if before:
            self.lay_out()
        return bool(before)

    def lay_out(self) -> None:
        """Give every panel its place and its size, and paint what is seen."""
        self._screen.set_class(self.compact, "-compact")
        for number, panel in self.panels.items():
            panel.display = self.seen(number)
        self.arrange()
        self._laid_out()
