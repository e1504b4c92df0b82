"""What stands on the screen, as a picture."""

from typing import Any

from rich.segment import Segment
from textual.app import App

from shadowtime.console.widgets.picture.svg import picture


def rows_of(app: App[Any]) -> list[list[Segment]]:
    """The rows of the screen, with what shows through a window that lies over it."""
    # The framework's own picture is made of the same strips; no public method returns them.
    update: Any = app.screen._compositor.render_update(
        full=True, screen_stack=app._background_screens, simplify=True
    )
    return [[segment for strip in row for segment in strip] for row in update.strips]


def screenshot(app: App[Any], title: str) -> str:
    return picture(rows_of(app), app.size.width, title)
