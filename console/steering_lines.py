"""Steering in lines: actions, undo, redo, save and breakpoints, for the console without a screen."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.screens.command_table import ACTIONS
from shadowtime.console.screens.impact.impact_text import (
    advice_below,
    advice_work,
    impact_head,
    impact_rows,
    impact_work,
)
from shadowtime.console.session import Session, SessionError
from shadowtime.console.session.permissions import Permissions
from shadowtime.console.widgets.frame.ink import Line, plain
from shadowtime.console.words.impact import advised

WIDTH = 110
"""Cells of a printed line."""


class LineOutput(Protocol):
    """Who tells a session in lines."""

    session: Session

    @property
    def written(self) -> Clock:
        """The clock by which instants are written."""

    def say(self, line: str = "") -> None:
        """One line."""

    def here(self) -> None:
        """The event at which the session stands."""


class LineSteering:
    """What the typed commands of steering do; all of it is printed."""

    def __init__(self, teller: LineOutput, permissions: Permissions) -> None:
        self._teller = teller
        self._permissions = permissions

    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The commands, by their first word; `policy` is the teller's, since it shows it too."""
        return {
            **{do: self._command(do) for do in ACTIONS},
            "impact": self.impact,
            "advise": self.advise,
            "undo": lambda rest: self.undo(),
            "redo": lambda rest: self.redo(),
            "save": self.save,
            "save!": lambda rest: self.save(rest, force=True),
        }

    def _command(self, do: str) -> Callable[[str], None]:
        return lambda rest: self.act(f"{do} {rest}")

    @property
    def _session(self) -> Session:
        return self._teller.session

    def _refuse(self, refusal: str) -> None:
        """SessionError if there is a refusal."""
        if refusal:
            raise SessionError(refusal)

    def act(self, text: str) -> None:
        """Do something here and now. SessionError: why it cannot be."""
        self._refuse(self._permissions.no_acting)
        self._session.act(text)
        self._done()

    def impact(self, rest: str) -> None:
        found = impact_work(self._session.outlook(self._teller.written), rest).run()
        assert found is not None
        clock = self._teller.written
        self._print(
            [
                *impact_head(found, WIDTH, clock),
                *([("  ", "text"), *row] for row in impact_rows(found, WIDTH - 2, clock)),
            ]
        )

    def advise(self, rest: str) -> None:
        found = advice_work(self._session.outlook(self._teller.written), rest).run()
        assert found is not None
        self._teller.say(advised(found, self._teller.written))
        for advice in found.advice:
            self._print(advice_below(advice, found.by, WIDTH, self._teller.written))

    def _print(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._teller.say(plain(line).rstrip())

    def undo(self) -> None:
        self._refuse(self._permissions.no_acting)
        here = self._session.number
        entry = self._session.undo()
        if entry is None:
            raise SessionError(words.nothing_done(self._session.case.scenario.actions))
        came = self._session.number == entry.event
        self._teller.say(words.taken_back(entry.action, entry.event, here, came))
        self._end(here, came)

    def redo(self) -> None:
        self._refuse(self._permissions.no_acting)
        here = self._session.number
        entry = self._session.redo()
        if entry is None:
            raise SessionError(words.NOTHING_TAKEN_BACK)
        came = self._session.number > entry.event
        if not came:
            self._teller.say(words.done_again(entry.action, entry.event, came))
        self._end(here, came)

    def _end(self, here: int, came: bool) -> None:
        """Stand where the action was, or where one stood if its event never comes."""
        if not came:
            self._session.go_event(here)
        self._done()

    def _done(self) -> None:
        self._teller.here()
        if self._permissions.no_writing:
            return
        try:
            self._session.keep()
        except OSError as error:
            raise SessionError(f"not saved: {error.strerror or error}") from error

    def save(self, rest: str, force: bool = False) -> None:
        """Save the session, where it was saved last unless a file is named."""
        self._refuse(self._permissions.no_writing)
        path = self._session.operator.save_named(rest, force)
        self._teller.say(f"saved to {path} with {words.count(len(self._session.journal), 'action')}")
