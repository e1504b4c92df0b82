"""Opening a file or a captured cluster from a screen: it is read in a worker, since it may be large."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import attrs
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import get_current_worker

from shadowtime.console.screens.travel.journey import REPORT_EVERY
from shadowtime.console.session import Case, PolicyError, ScenarioError, SessionError, load
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm import is_folder
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.work import Broken
from shadowtime.console.words.phrases import so_far


@attrs.frozen
class Captured:
    """A captured cluster that was read: the folder, and the plan of its next cycle."""

    source: Folder
    board: Board
    at: str | None = None
    """The place at which it was saved."""


class FileReading:
    """A file or a folder that a worker reads: how far that is, and whether it is still wanted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._share = 0.0
        self._stopped = False
        self.over = False
        """Whether `run` has ended, in whatever way."""

    @property
    def words(self) -> str:
        """How far it is, for the line of messages."""
        return f"reading {self.path.name}{so_far(self._share)} ..."

    def stop(self) -> None:
        """Have `run` end soon, with Broken; may be called in any thread."""
        self._stopped = True

    def run(self) -> Case | Captured:
        """Read a scenario, a log or a captured folder, in a worker.

        ScenarioError, SessionError, PolicyError, OSError: what is wrong with it. Broken: it is not wanted.
        """
        try:
            if not is_folder(self.path):
                case = load(self.path, progress=self._come)
                if case.saved_cluster is None:
                    return case
                source, at = Folder(case.saved_cluster), f"#{case.stood or 0}"
            else:
                source, at = Folder(self.path), None
            return Captured(source, board(source.take()), at)
        finally:
            self.over = True

    def _come(self, done: int, total: int) -> None:
        # The end of the console, or of the screen, cancels its workers.
        if self._stopped or get_current_worker().is_cancelled:
            raise Broken
        self._share = done / total


@runtime_checkable
class Opens(Protocol):
    """The application: it makes consoles, and keeps which files were opened last."""

    def open_found(self, found: Case | Captured) -> None:
        """Show a console over the present screen."""

    @property
    def recent(self) -> Sequence[Path]:
        """The files that were opened last, the latest first."""


class Opening:
    """Opens files from a screen, whatever screen that is."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen

    def open(self, path: Path) -> None:
        """Read a file in a worker, and open it over this screen; a message says why not."""
        refusal = permissions_of(self._screen.app).no_reading
        if refusal:
            self._say(refusal, "warn")
            return
        reading = FileReading(path)
        self._say(reading.words)
        reporter: Timer = self._screen.set_interval(REPORT_EVERY, lambda: self._report(reading, reporter))
        self._screen.run_worker(lambda: self._read(reading), thread=True, exclusive=True, group="opening")

    def _report(self, reading: FileReading, reporter: Timer) -> None:
        if reading.over:
            reporter.stop()
        else:
            self._say(reading.words)

    def _read(self, reading: FileReading) -> None:
        app = self._screen.app
        try:
            found = reading.run()
        except Broken:
            return
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            app.call_from_thread(self._say, str(error).splitlines()[0], "warn")
        else:
            app.call_from_thread(self._open, found)

    def _open(self, found: Case | Captured) -> None:
        app: object = self._screen.app
        if self._screen.is_attached and isinstance(app, Opens):
            self._say("")
            app.open_found(found)

    def _say(self, text: str, role: str = "dim") -> None:
        say = getattr(self._screen, "say", None)
        if say is not None:
            say(text, role)
        elif text:
            self._screen.app.notify(text, markup=False)


def recent_of(app: object) -> Sequence[Path]:
    """The files that an application opened last."""
    return app.recent if isinstance(app, Opens) else ()
