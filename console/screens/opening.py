"""Opening a file or a captured cluster from a screen: it is read in a worker, since it may be large."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import attrs
from textual.screen import Screen

from shadowtime.console.session import Case, PolicyError, ScenarioError, SessionError, load
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.slurm import is_folder
from shadowtime.console.session.slurm.board import Board, board
from shadowtime.console.session.slurm.capturing import Folder


@attrs.frozen
class Captured:
    """A captured cluster that was read: the folder, and the plan of its next cycle."""

    source: Folder
    board: Board


def read_path(path: Path) -> Case | Captured:
    """Read a scenario, a log or a captured folder.

    ScenarioError, SessionError, PolicyError, OSError: what is wrong with it.
    """
    if not is_folder(path):
        return load(path)
    source = Folder(path)
    return Captured(source, board(source.take()))


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
        self._say(f"reading {path.name} ...")
        self._screen.run_worker(lambda: self._read(path), thread=True, exclusive=True, group="opening")

    def _read(self, path: Path) -> None:
        app = self._screen.app
        try:
            found = read_path(path)
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
