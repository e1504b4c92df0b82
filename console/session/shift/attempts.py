"""Attempts at a shift on the disk: what was done and seen outlives whatever ends the process.

One JSON file for each operator and shift, in the user's data folder. A new version takes its place when it is
whole: whenever the process is killed, the file is the one before or after a move or an action.
What an earlier attempt has seen stays there: it is hindsight in the next one.
"""

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.operator.here import typed_action
from shadowtime.console.session.shift.hindsight import Hindsight
from shadowtime.console.session.shift.on_duty import ShiftSession
from shadowtime.scenarios import ScenarioError, format_action

FORMAT = "shadowtime shift 1"
"""The first field of a file; the number is the version."""


@attrs.frozen
class Attempt:
    """An attempt as far as it has come."""

    actions: tuple[tuple[int, str], ...] = ()
    """The event that each follows, and the action as it is typed."""
    number: int = 0
    """The event at which the operator stands."""
    seen: int = 0
    furthest: int = 0
    replayed: int = 0
    handed_in: bool = False
    injected: tuple[tuple[int, str], ...] = ()
    """What an instructor added: at which instant, and as it is typed."""
    heard: int = 0
    """Orders of another process that were heard."""


class Attempts:
    """The file of one operator's attempts at one shift."""

    def __init__(self, folder: Path, operator: str, path: Path, text: str) -> None:
        """`path` and `text` are those of the shift: with another text it is another shift."""
        parts = (operator, os.path.realpath(path), text)
        stem = re.sub(r"[^\w.-]", "_", path.stem, flags=re.ASCII)[:60]
        self.path = (
            folder / f"{stem}-{sha256(repr(parts).encode(errors='surrogateescape')).hexdigest()[:16]}.json"
        )
        self.fault = ""
        """Why the file cannot be used, in one line; empty if it can."""

    def resume(self, session: ShiftSession) -> bool:
        """Stand where the last attempt stands; return whether there is one that has not been given up.

        A file that cannot be used is left as it is, and `fault` says why.
        """
        found = self._read()
        if found is None:
            return False
        try:
            trial = ShiftSession(session.file)
            for at, text in found.injected:
                trial.inject_again(at, text)
            actions = [attrs.evolve(typed_action(text), after=after) for after, text in found.actions]
            trial.take_up(actions, found.number)
            session.go_on_as(trial)
        except (SessionError, ScenarioError, ValueError, OverflowError) as error:
            self.fault = f"{self.path}: {' '.join(str(error).split())}"
            return False
        session.hindsight = Hindsight(found.seen, found.furthest, found.replayed)
        session.handed_in = found.handed_in and session.over
        session.heard = found.heard
        return bool(found.actions or found.number)

    def keep(self, session: ShiftSession, done: bool) -> None:
        """Write the attempt; `done`: something was done, and must be on the disk. `fault` says if not."""
        known = session.hindsight
        actions = tuple((action.after or 0, format_action(action)) for action in session.journal)
        attempt = Attempt(
            *(actions, session.number, known.seen, known.furthest, known.replayed, session.handed_in),
            *(session.injected, session.heard),
        )
        text = json.dumps({"format": FORMAT, **attrs.asdict(attempt)}) + "\n"
        try:
            # A move needs no flush: it outlives the process, if not the machine.
            with written_whole(self.path, private=True, folders=True, flush=done) as stream:
                stream.write(text)
        except OSError as error:
            self.fault = f"{self.path}: {(error.strerror or str(error)).lower()}; the attempt is not kept"

    def _read(self) -> Attempt | None:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            self.fault = f"{self.path}: {' '.join(str(error).split())}; the shift begins anew"
            return None
        if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
            self.fault = f"{self.path}: no attempt at a shift; the shift begins anew"
            return None
        try:
            return _attempt(found)
        except (KeyError, TypeError, ValueError, OverflowError):
            self.fault = f"{self.path}: fields are missing or of another kind; the shift begins anew"
            return None


def _attempt(found: dict[str, Any]) -> Attempt:
    """An attempt from its fields; KeyError, TypeError, ValueError if they are others."""
    actions = tuple((int(after), str(text)) for after, text in found["actions"])
    numbers = {name: int(found[name]) for name in ("number", "seen", "furthest", "replayed")}
    injected = tuple((int(at), str(text)) for at, text in found["injected"])
    # A file of an earlier version has no orders.
    heard = int(found.get("heard", 0))
    return Attempt(actions, **numbers, handed_in=bool(found["handed_in"]), injected=injected, heard=heard)
