"""Orders of an instructor at another process: a file beside the attempt, heard where the operator stands.

The operator's process alone writes the attempt. It keeps how many orders it has heard, and at which instant
each that could be done was injected, so that whoever takes the attempt up has the same course.
"""

import json
from pathlib import Path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.shift.attempts import Attempts
from shadowtime.console.session.shift.on_duty import ShiftSession
from shadowtime.console.session.shift.responses import References, inject
from shadowtime.kernels.policies import PolicyError

FORMAT = "shadowtime orders 1"
"""The first field of a file; the number is the version."""
EVERY = 1.0
"""Seconds between two looks at a file that another process writes."""


class Orders:
    """The orders for the attempts of one operator at one shift."""

    def __init__(self, attempts: Attempts) -> None:
        self._path: Path = attempts.path.with_suffix(".orders")

    def given(self) -> tuple[str, ...]:
        """Return all orders so far. SessionError: the file is there, and cannot be read."""
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if found["format"] == FORMAT and isinstance(found["orders"], list):
                return tuple(map(str, found["orders"]))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            pass
        raise SessionError(f"{self._path}: expected orders; without the file the next order begins a new one")

    def give(self, text: str) -> None:
        """Add an order. SessionError: those before it cannot be read. OSError."""
        with written_whole(self._path, private=True, folders=True) as stream:
            stream.write(json.dumps({"format": FORMAT, "orders": [*self.given(), text]}) + "\n")

    def hear(self, session: ShiftSession) -> References | None:
        """Do the next order here; return what the shift is compared with then, None if there is no order.

        An order waits while the operator looks back: what was seen stays, and so do actions. SessionError,
        PolicyError: it cannot be done here, and is not heard again; or the orders cannot be read.
        """
        given = self.given()
        if session.heard > len(given):
            # The file is a new one.
            session.heard = 0
        if session.heard == len(given) or session.looks_back:
            return None
        text = given[session.heard]
        session.heard += 1
        try:
            return inject(session, text)
        except (SessionError, PolicyError):
            session.kept(True)
            raise
