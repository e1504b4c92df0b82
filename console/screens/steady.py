"""A screen that is laid out once for a size."""

from textual.geometry import Size
from textual.screen import Screen, ScreenResultType


class SteadyScreen(Screen[ScreenResultType]):
    """Leaves out what the framework does for a screen that has its size: to lay it out and paint it again.

    A screen gets its size when it is shown. An event that says so follows, also for the screen behind it.
    """

    def _screen_resized(self, size: Size) -> None:
        if size != self.outer_size:
            super()._screen_resized(size)
