"""Unsaved actions on the disk: a scenario file after each action, which outlives whatever ends the process.

The file lies in the user's data folder and is removed when the operator saves the session or lets it go. The
process that writes it holds a lock on it, so that nobody takes up the actions of a session that goes on.
"""

import fcntl
import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time_ns

import attrs
from platformdirs import user_data_path

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.files.writers import drop_left, written_whole
from shadowtime.console.session.operator.acting import Operator
from shadowtime.console.session.operator.journal import numbered
from shadowtime.scenarios import Action


@attrs.frozen
class LeftBehind:
    """The file of a session that ended before its actions were saved."""

    path: Path
    when: float
    """When it was written, in seconds since 1970."""

    def actions(self) -> tuple[Action, ...]:
        """Return the operator's actions in it. ScenarioError or SessionError if the file cannot be read."""
        return tuple(attrs.evolve(action, line=0) for action in numbered(load(self.path).scenario.actions))

    def delete(self) -> None:
        with suppress(OSError):
            self.path.unlink()


class Recovery:
    """The unsaved actions of one session."""

    def __init__(self, operator: Operator, case: Case) -> None:
        self._operator = operator
        self._path = _folder() / f"{_prefix(case)}{os.getpid()}-{time_ns():x}.toml"
        drop_left(self._path.parent)
        self._held: int | None = None
        """The file that is locked."""

    def write(self) -> None:
        """Write the unsaved actions, or remove the file if there are none. OSError; SessionError."""
        if not self._operator.unsaved:
            self.forget()
            return
        text = self._operator.text(self._path)
        held = None
        try:
            with written_whole(self._path, private=True, folders=True) as stream:
                stream.write(text)
                # The lock of what is written goes with it when it takes its name: nobody sees it without.
                held = os.dup(stream.fileno())
        except BaseException:
            if held is not None:
                os.close(held)
            raise
        self._let_go()
        self._held = held

    def forget(self) -> None:
        """Remove the file: the actions are saved, or not wanted."""
        if self._held is not None:
            self._let_go()
            with suppress(OSError):
                self._path.unlink()

    def _let_go(self) -> None:
        if self._held is not None:
            os.close(self._held)
            self._held = None


def left_behind(case: Case) -> tuple[LeftBehind, ...]:
    """Return what sessions of a case left behind, the latest first."""
    found = []
    # A folder that cannot be read holds nothing for us. A prefix has nothing that a pattern reads.
    with suppress(OSError):
        for path in _folder().glob(f"{_prefix(case)}*.toml"):
            with suppress(OSError):
                if path.is_file() and _is_free(path):
                    found.append(LeftBehind(path, path.stat().st_mtime))
    return tuple(sorted(found, key=lambda left: left.when, reverse=True))


def _is_free(path: Path) -> bool:
    """Whether no process holds the file."""
    held = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks.
        return True
    finally:
        os.close(held)
    return True


def _folder() -> Path:
    return user_data_path("shadowtime") / "recovery"


def _prefix(case: Case) -> str:
    """Return how the files of a case begin: the scenario's name, and what else makes it the same case."""
    scenario = case.scenario
    parts = (Path(os.path.realpath(scenario.path)), case.policy, sorted(case.parameters.items()), case.nodes)
    stem = re.sub(r"[^\w.-]", "_", scenario.path.stem, flags=re.ASCII)[:60]
    return f"{stem}-{sha256(repr(parts).encode(errors='surrogateescape')).hexdigest()[:16]}-"
