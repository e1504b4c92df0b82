"""Editing: the scenario file in the operator's editor, and the same instant of what it says afterwards."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from textual.app import SuspendNotSupported

from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import (
    Case,
    PolicyError,
    ScenarioError,
    Session,
    SessionError,
    open_session,
    reloaded,
)
from shadowtime.console.session.permissions import permissions_of

EDITORS = ("sensible-editor", "nano", "vi")
"""What is looked for if neither VISUAL nor EDITOR names an editor."""


class Editing:
    """Opens the scenario's file in an editor; `opens` puts a session in the place of this one.

    It also gets the job that was selected, and a message.
    """

    def __init__(
        self,
        view: TravelView,
        desk: Desk,
        pause: Callable[[], None],
        opens: Callable[[Session, int | None, str], None],
    ) -> None:
        self._view = view
        self._desk = desk
        self._pause = pause
        self._opens = opens

    def edit(self) -> None:
        path = self._desk.case.scenario.path
        fault = permissions_of(self._view.app).no_editing or self._kept_back
        if not fault and not (path.suffix == ".toml" and path.is_file()):
            fault = f"{path.name} is no scenario file; expected a .toml to edit"
        if fault:
            self._view.say(fault, "warn")
            return
        editor = _editor()
        if editor is None:
            self._view.say("there is no editor; expected one in the variable EDITOR", "warn")
            return
        self._pause()
        before = _stamp(path)
        try:
            with self._view.app.suspend():
                code = subprocess.run(
                    [*editor, str(path)], stdout=sys.__stdout__, stderr=sys.__stderr__, check=False
                ).returncode
        except SuspendNotSupported:
            self._view.say("a page of a browser cannot open an editor", "warn")
            return
        except OSError as error:
            self._view.say(f"{editor[0]}: {(error.strerror or str(error)).lower()}; EDITOR names it", "warn")
            return
        self._view.app.refresh()
        if code:
            self._view.say(f"{editor[0]} ended with {code}: nothing is read again", "warn")
        elif _stamp(path) == before:
            self._view.say(f"{path.name} is as it was")
        else:
            self.reload()

    @property
    def _kept_back(self) -> str:
        """Why the file is not read again; empty if it may be: what was done would be lost."""
        unsaved = self._desk.session.operator.unsaved
        return "actions are not saved; :save writes them, u takes them back" if unsaved else ""

    def read_again(self) -> None:
        """Read the file again, and go to the same instant, unless what was done would be lost."""
        fault = permissions_of(self._view.app).no_reading or self._kept_back
        if fault:
            self._view.say(fault, "warn")
        else:
            self._pause()
            self.reload()

    def reload(self) -> None:
        """Read the file again in a worker, and go to the same instant of it."""
        shot, case = self._desk.snapshot, self._desk.case
        instant = shot.time if shot.number else None
        self._view.say(f"reading {case.scenario.path.name} ...", "key")
        self._view.run_worker(lambda: self._read(case, instant), thread=True, group="edit")

    def _read(self, case: Case, instant: int | None) -> None:
        """In a worker: a log may be large, and the instant far."""
        call = self._view.app.call_from_thread
        name = case.scenario.path.name
        try:
            session = open_session(reloaded(case))
            session.skip(self._desk.session.skipped)
            if instant is not None:
                session.go(str(instant))
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            fault = " ".join(str(error).splitlines()[0].split())
            call(self._view.say, f"{fault}; what is shown is the file as it was", "warn")
            return
        text = f"{name} is read again; this is the same instant"
        if instant is not None and session.time != instant:
            text = f"{name} is read again; this is the nearest instant: nothing happens at the one before"
        if instant is None:
            text = f"{name} is read again"
        selected = self._desk.selected
        job = None if selected is None else case.columns.id[selected]
        call(self._opens, session, job, text)


def _editor() -> list[str] | None:
    """The editor's command, as the environment names it; None if there is none."""
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(os.environ.get(name, ""))
        except ValueError:
            continue
        if words:
            return words
    return next(([name] for name in EDITORS if shutil.which(name)), None)


def _stamp(path: Path) -> bytes:
    """What a file holds, to see whether it was changed; nothing if it is gone."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
