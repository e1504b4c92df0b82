"""What stands for the terminal of a console behind a page."""

import asyncio

from textual.drivers.web_driver import WebDriver
from textual.events import Resize
from textual.geometry import Size


class PageDriver(WebDriver):
    """The framework's driver, which keeps the sizes of a page in their order."""

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Hand a new size on in the way of the first one, which a shorter way would overtake at the start."""
        match packet_type, payload:
            case "resize", {"width": int(width), "height": int(height)}:
                size = Size(width, height)
                self._size = width, height
                asyncio.run_coroutine_threadsafe(self._app._post_message(Resize(size, size)), self._loop)
            case _:
                super().on_meta(packet_type, payload)
