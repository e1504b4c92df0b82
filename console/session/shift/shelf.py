"""The shifts that can be taken: the shipped ones, and those in the user's own folder."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import attrs

from shadowtime.console.session.case import load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.shift.attempts import Attempts
from shadowtime.console.session.shift.on_duty import ShiftSession, shift_of
from shadowtime.console.session.shift.station import Orders
from shadowtime.scenarios import read_head, scenario_files, user_folder
from shadowtime.scenarios.shift import MANUAL

FOLDER = "shifts"
"""The folder of shifts: of the shipped scenarios, and in the user's data folder."""
ATTEMPTS = "attempts"
"""The folder of attempts in the user's data folder."""


@attrs.frozen
class ShiftFile:
    """A shift that can be taken, as far as the head of its file says."""

    path: Path
    kind: str
    title: str
    about: str

    @property
    def name(self) -> str:
        """What its scores are kept under."""
        return name_of(self.path)


def name_of(path: Path) -> str:
    """Return what the scores of a shift are kept under: its stem if it is shipped, else its whole path."""
    shipped = {os.path.realpath(shift) for shift in shift_paths()}
    itself = os.path.realpath(path)
    return path.stem if itself in shipped else itself


def own_shifts() -> Path:
    """Return the folder where shifts of one's own are found by themselves."""
    return user_folder() / FOLDER


def shift_paths() -> list[Path]:
    return [path for path in scenario_files() if path.parent.name == FOLDER]


def shift_files() -> tuple[ShiftFile, ...]:
    """Return the shifts, the manual ones first; only their heads are read."""
    heads = map(read_head, (*shift_paths(), *sorted(own_shifts().glob("*.toml"))))
    found = [ShiftFile(head.path, head.shift, head.title, head.about) for head in heads if head.shift]
    return tuple(sorted(found, key=lambda it: it.kind != MANUAL))


def open_shift(path: Path, operator: str, kept: bool = True) -> tuple[ShiftSession, Attempts | None, bool]:
    """Return a shift under way, where it is kept, and whether an attempt was resumed.

    `kept`: whether attempts are read and written. ScenarioError, SessionError: what is wrong with the file.
    """
    case = load(path)
    shift_of(case)
    if not kept:
        return ShiftSession(case), None, False
    attempts = Attempts(user_folder() / ATTEMPTS, operator, path, case.scenario.text)
    keeper: list[Callable[[bool], None]] = []
    session = ShiftSession(case, lambda done: keeper[0](done) if keeper else None)
    resumed = attempts.resume(session)
    if attempts.fault:
        # The orders so far were for the attempt that cannot be read.
        with suppress(SessionError):
            session.heard = len(Orders(attempts).given())
    keeper.append(lambda done: attempts.keep(session, done))
    return session, attempts, resumed
