"""Too small: the one line of a terminal that has no room for the console."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize, ScreenResume
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from shadowtime.console.keys import keyboard_of

LEAST = Size(60, 18)
"""Columns and lines below which panels cannot be read. Terminals of 80x24 less the line of a multiplexer have
room enough."""


def too_small(size: Size) -> bool:
    """Whether a terminal has no room for the console."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(ModalScreen[None]):
    """Says that the terminal is too small, until it is larger."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.exit_console", "quit", id="quit")]
    DEFAULT_CSS = "TooSmall { background: $background; } TooSmall > Static { padding: 0 1; }"

    _left = False

    def __init__(self) -> None:
        super().__init__()
        self._line = Static(markup=False)

    def compose(self) -> ComposeResult:
        yield self._line

    def on_mount(self) -> None:
        self._tell()

    def on_resize(self, _: Resize) -> None:
        self._tell()

    def on_screen_resume(self, _: ScreenResume) -> None:
        """What lay above is gone: the terminal may have grown meanwhile."""
        self._tell()

    def _tell(self) -> None:
        size, key = self.app.size, keyboard_of(self.app).first("quit")
        self._line.update(
            f"too small: {size.width}x{size.height}, needs {LEAST.width}x{LEAST.height}; {key} quits"
        )
        if self.app.screen is self and not too_small(size) and not self._left:
            self._left = True
            self.dismiss()
