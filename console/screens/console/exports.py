"""Ways out of the console: files for other programs, a picture, and copies of what is read."""

from pathlib import Path

from textual.geometry import Region
from textual.timer import Timer

from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.panels import PanelArrangement
from shadowtime.console.screens.console.selection import Selection
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.console.view import ConsoleView
from shadowtime.console.screens.pages.detail_text import event_lines
from shadowtime.console.screens.screenshot import screenshot
from shadowtime.console.session import SessionError
from shadowtime.console.session.files.exports import WAYS, Export, Stopped
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.texts import printable_lines
from shadowtime.console.widgets.frame.ink import texts

PICTURE = "svg"
KINDS = (PICTURE, *WAYS)
"""What `:export` writes."""
COPIES = ("panel", "reason", "row", "event")
"""What `:copy` copies."""
TELLING = 0.2
"""Seconds between two reports of how far an export has come."""
WIDTH = 100
"""Cells of a line of an event that is copied."""


class Exports:
    """Writes files and pictures, and copies to the clipboard."""

    def __init__(self, view: ConsoleView, desk: Desk, selection: Selection, panels: PanelArrangement) -> None:
        self._view = view
        self._session = desk.session
        self._desk = desk
        self._selection = selection
        self._panels = panels
        self._export: Export | None = None
        self._reporter: Timer | None = None
        self._share = 0.0

    def export(self, rest: str) -> None:
        """Write a file, in a worker: over one that is there if the kind ends in `!`.

        Unknown: what is no kind, a missing name, a file that is there.
        """
        self._refuse_writing()
        word, _, name = rest.partition(" ")
        kind, over = word.removesuffix("!"), word.endswith("!")
        if kind not in KINDS:
            begun = f"{kind!r} is no way out;" if kind else "export what?"
            raise Unknown(f"{begun} expected one of {', '.join(KINDS)}")
        path = _path(name, f"export {kind}")
        if self._simulated(path):
            raise Unknown(f"{path} is what is simulated; expected another file to write to")
        if path.is_file() and not over:
            raise Unknown(f"{path} is there already; export {kind}! writes over it")
        if self._export is not None:
            raise Unknown(f"{self._export.path} is being written; Esc stops that")
        if kind == PICTURE:
            # What is typed has to be off the screen first.
            self._view.say("")
            self._view.call_after_refresh(lambda: self._picture(path))
            return
        self._export, self._share = Export(self._session, kind, path), 0.0
        self._reporter = self._view.set_interval(TELLING, self._report)
        export = self._export
        self._view.run_worker(lambda: self._write(export), thread=True, group="export")

    def _refuse_writing(self) -> None:
        """Unknown if the operator may write no file."""
        refusal = permissions_of(self._view.app).no_writing
        if refusal:
            raise Unknown(refusal)

    def _simulated(self, path: Path) -> bool:
        """Whether a path leads to the scenario's own file, to its log or to where the session is saved."""
        scenario = self._session.case.scenario
        own = (scenario.path, scenario.log, self._session.saved_to)
        return path.exists() and any(
            each is not None and each.exists() and path.samefile(each) for each in own
        )

    def stop(self) -> bool:
        """Stop an export; whether there was one."""
        if self._export is not None:
            self._export.stop()
        return self._export is not None

    def _picture(self, path: Path) -> None:
        self._save(path, screenshot(self._view.app, f"shadowtime {self._session.case.scenario.title}"))

    def _save(self, path: Path, text: str) -> None:
        """Write a text and tell it."""
        try:
            with written_whole(path) as stream:
                stream.write(text)
        except OSError as error:
            self._view.say(_told(error), "warn")
        else:
            self._view.say(f"wrote {path}", "good")

    def _write(self, export: Export) -> None:
        """In a worker: write, and hand over how it ended."""
        fault = ""
        try:
            export.run(self._come)
        except Stopped:
            fault = f"stopped: {export.path} is as it was"
        except OSError as error:
            fault = _told(error)
        except SessionError as error:
            fault = str(error)
        if self._view.is_attached:
            self._view.app.call_from_thread(self._written, export, fault)

    def _come(self, done: int, total: int) -> None:
        self._share = done / total if total else 1.0

    def _report(self) -> None:
        if self._export is not None:
            self._view.say(f"writing {self._export.path}: {self._share:.0%} ...  Esc stops it", "key")

    def _written(self, export: Export, fault: str) -> None:
        if self._reporter is not None:
            self._reporter.stop()
        self._export = self._reporter = None
        if fault:
            self._view.say(fault, "warn")
        else:
            self._view.say(f"wrote {export.path}{export.remark and f': {export.remark}'}", "good")

    def copy(self, rest: str) -> None:
        """Copy something to the clipboard, and to a file if one is named. Unknown for what is nothing."""
        what, _, name = rest.partition(" ")
        if what not in COPIES:
            begun = f"{what!r} cannot be copied;" if what else "copy what?"
            raise Unknown(f"{begun} expected one of {', '.join(COPIES)}, and a file if it is to be kept")
        text = printable_lines(self.copied(what))
        if not text:
            raise Unknown(f"there is no {what} to copy here")
        if name.strip():
            self._refuse_writing()
        path = _path(name, "copy") if name.strip() else None
        if path is not None and path.is_file():
            raise Unknown(f"{path} is there already; expected another name")
        self._view.app.copy_to_clipboard(text)
        if path is not None:
            self._save(path, text + "\n")
        else:
            self._view.say(f"copied the {what}: {text.splitlines()[0]}", "good")

    def copied(self, what: str) -> str:
        """The text of one of `COPIES`; empty if there is no text."""
        match what:
            case "panel":
                return self._panel_text()
            case "row":
                return self._selection.queue_line
            case "event":
                event = self._selection.event
                return "" if event is None else "\n".join(texts(event_lines(event, WIDTH, self._desk.unit)))
            case _:
                return self._selection.explained

    def _panel_text(self) -> str:
        """What is seen of the panel in use, with its title."""
        panel = self._panels.panels[self._panels.used]
        width, height = panel.body.scrollable_content_region.size
        strips = panel.body.render_lines(Region(0, 0, width, height))
        title = "" if panel.border_title is None else str(panel.border_title)
        return "\n".join([title, *(strip.text.rstrip() for strip in strips)]).rstrip()


def _path(name: str, command: str) -> Path:
    name = name.strip()
    if not name:
        raise Unknown(f"to which file? expected {command} PATH")
    return Path(name).expanduser()


def _told(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason[:1].lower()}{reason[1:]}" if error.filename else reason
