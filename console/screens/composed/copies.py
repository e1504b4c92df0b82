"""Copies of what is read on a console: to the clipboard, to a file if one is named, as a picture."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.segment import Segment
from textual.app import App
from textual.geometry import Region

from shadowtime.console.screens.composed.panels import PanelArrangement
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.view import TravelView, View
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.texts import printable_lines
from shadowtime.console.widgets.picture.svg import picture

COPIES = ("panel", "reason", "row", "event")
"""What `:copy` copies."""
WIDTH = 100
"""Cells of a line that is copied."""


class Copies:
    """Copies one of `COPIES`; `texts` has all but the panel, each empty if there is none."""

    def __init__(self, view: View, panels: PanelArrangement, texts: Mapping[str, Callable[[], str]]) -> None:
        self._view = view
        self._panels = panels
        self._texts: Mapping[str, Callable[[], str]] = {"panel": self._panel, **texts}

    def copy(self, rest: str) -> None:
        """Copy something, and write it to a file if one is named. Unknown for what is nothing."""
        what, _, name = rest.partition(" ")
        if what not in COPIES:
            begun = f"{what!r} cannot be copied;" if what else "copy what?"
            raise Unknown(f"{begun} expected one of {', '.join(COPIES)}, and a file if it is to be kept")
        text = printable_lines(self._texts[what]())
        if not text:
            raise Unknown(f"there is no {what} to copy here")
        if name.strip():
            refuse_writing(self._view)
        path = path_of(name, "copy") if name.strip() else None
        if path is not None and path.is_file():
            raise Unknown(f"{path} is there already; expected another name")
        self._view.app.copy_to_clipboard(text)
        if path is not None:
            save(self._view, path, text + "\n")
        else:
            self._view.say(f"copied the {what}: {text.splitlines()[0]}", "good")

    def copy_row(self) -> None:
        copy_text(self._view, self._texts["row"]())

    def _panel(self) -> str:
        """What is seen of the panel in use, with its title."""
        panel = self._panels.panels[self._panels.used]
        width, height = panel.body.scrollable_content_region.size
        strips = panel.body.render_lines(Region(0, 0, width, height))
        title = "" if panel.border_title is None else str(panel.border_title)
        return "\n".join([title, *(strip.text.rstrip() for strip in strips)]).rstrip()


def copy_text(view: View, text: str) -> None:
    view.app.copy_to_clipboard(text)
    view.say(f"copied: {text.splitlines()[0] if text else 'nothing'}", "good")


def refuse_writing(view: View) -> None:
    """Unknown if the operator may write no file."""
    refusal = permissions_of(view.app).no_writing
    if refusal:
        raise Unknown(refusal)


def save(view: View, path: Path, text: str) -> None:
    try:
        with written_whole(path) as stream:
            stream.write(text)
    except OSError as error:
        view.say(fault_of(error), "warn")
    else:
        view.say(f"wrote {path}", "good")


def path_of(name: str, command: str) -> Path:
    """Return the path of a typed name. Unknown if there is none."""
    name = name.strip()
    if not name:
        raise Unknown(f"to which file? expected {command} PATH")
    return Path(name).expanduser()


def fault_of(error: OSError) -> str:
    """Return what went wrong with a file, in one line."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason[:1].lower()}{reason[1:]}" if error.filename else reason


def rows_of(app: App[Any]) -> list[list[Segment]]:
    """The rows of the screen, with what shows through a window that lies over it."""
    # The framework's own picture is made of the same strips; no public method returns them.
    update: Any = app.screen._compositor.render_update(
        full=True, screen_stack=app._background_screens, simplify=True
    )
    return [[segment for strip in row for segment in strip] for row in update.strips]


def screenshot(app: App[Any], title: str) -> str:
    return picture(rows_of(app), app.size.width, title)


def save_picture(view: TravelView, path: Path, title: str) -> None:
    """Write a picture of the screen, once what is typed is off it."""
    view.say("")
    view.show_keys()
    view.call_after_refresh(lambda: save(view, path, screenshot(view.app, f"shadowtime {title}")))
