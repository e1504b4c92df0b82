"""The instructor's station in lines: how an operator's shift goes on, and orders, from another process."""

from pathlib import Path
from select import select
from typing import TextIO

from shadowtime.console import words
from shadowtime.console.session import SessionError, format_action
from shadowtime.console.session.shift import EVERY, Orders, ShiftSession, open_shift

HELP = (
    "Type what is to happen to {operator}, a second after the operator stands: 3-5 20m (nodes fail),",
    "drain 3-5 20m, disk 3-5 20m (full disks), job 16 2h, note TEXT (a user asks). q leaves.",
)


class Station:
    """Watches the attempt of one operator at one shift, and leaves orders beside it."""

    def __init__(self, path: Path, operator: str, out: TextIO) -> None:
        """ScenarioError, SessionError: what is wrong with the file."""
        self._path, self._operator, self._out = path, operator, out
        self._seen = b""
        self._shown = frozenset[str]()
        """The actions and orders that were shown last."""
        session, attempts, _ = open_shift(path, operator)
        assert attempts is not None
        self._session, self._attempt = session, attempts.path
        self.orders = Orders(attempts)

    def run(self, source: TextIO) -> int:
        """Watch, and read orders until the input or the instructor ends. Returns the exit code."""
        self._say(self._session.case.scenario.title)
        for text in HELP:
            self._say(text.format(operator=self._operator))
        while True:
            self.watch()
            if select([source], [], [], EVERY)[0]:
                line = source.readline()
                if line.strip() in ("q", "quit") or not line:
                    return 0
                if line.strip():
                    self.order(line.strip())

    def watch(self) -> None:
        """Show where the operator stands, if that is another place than before."""
        try:
            found = self._attempt.read_bytes()
        except OSError:
            return
        if found == self._seen:
            return
        self._seen = found
        self._session, attempts, _ = open_shift(self._path, self._operator)
        if attempts is not None and attempts.fault:
            self._say(attempts.fault)
            return
        self._show(self._session)

    def order(self, text: str) -> None:
        """Leave an order; one that could not be done where the operator stands is refused."""
        try:
            self._session.injection(text)
            self.orders.give(text)
        except (SessionError, OSError) as error:
            self._say(" ".join(str(error).split()))
        else:
            self._say(f"ordered: {text}")

    def _show(self, session: ShiftSession) -> None:
        unit, shot = words.unit_of(session.case.scenario.machine), session.snapshot()
        self._say(
            f"{unit.instant(session.time)}  {len(shot.waiting):,} waiting, {len(shot.running):,} running,"
            f" {words.count(session.spent, 'action')}"
        )
        done = [f"{self._operator}: {format_action(action)}" for action in session.journal]
        came = [f"came at {unit.instant(at + 1)}: {text}" for at, text in session.injected]
        refused = session.heard - len(session.injected)
        if refused > 0:
            came.append(f"{words.count(refused, 'order')} could not be done there")
        for text in (*done, *came):
            if text not in self._shown:
                self._say(f"  {text}")
        self._shown = frozenset((*done, *came))

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()
