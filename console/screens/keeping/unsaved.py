"""What becomes of unsaved actions when the operator leaves, and when something else ended the console."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol, runtime_checkable

from textual.events import Key

from shadowtime.console import words
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.pages.page import Option, Question
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import (
    Action,
    PolicyError,
    ScenarioError,
    Session,
    SessionError,
    format_action,
)
from shadowtime.console.session.operator.recovery import LeftBehind, Recovery, left_behind
from shadowtime.console.session.permissions import permissions_of

SAVE_AND_LEAVE = "save and leave"
"""The question for the name of the file."""
SHOWN = 3
"""Actions that a question names."""
SOON = 0.1
"""Seconds between two looks whether the session is free."""


@runtime_checkable
class PressesAgain(Protocol):
    """The application, which hands on a key that was for another screen."""

    def press_again(self, key: Key) -> None:
        """Hand a key on before those that wait."""


class Unsaved:
    """Keeps the actions of a session that no file has; `keeps` is false if the session is not to be kept.

    `save` saves as `:save` does; `restart` begins anew what runs behind the screen.
    """

    def __init__(
        self,
        view: TravelView,
        desk: Desk,
        *,
        keeps: bool,
        save: Callable[[str], object],
        go: Callable[[str], object],
        restart: Callable[[], None],
    ) -> None:
        self._view = view
        self._desk = desk
        self._operator = desk.session.operator
        self._recovery = Recovery(self._operator, desk.case)
        self._keeps = keeps
        self._save = save
        self._go = go
        self._restart = restart
        self._then: Callable[[], None] = lambda: None

    @property
    def _writes(self) -> bool:
        """Whether actions may be kept in files, and those of a session that ended read from one."""
        return self._keeps and not permissions_of(self._view.app).no_writing

    def keep(self) -> None:
        """The actions are others now: keep those that no file has. OSError; SessionError."""
        if self._writes:
            self._recovery.write()

    def hand_over(self, session: Session) -> None:
        """Another session goes on with the actions of this one."""
        session.operator.count_as_saved(self._operator)
        self._recovery.forget()

    def leave(self, then: Callable[[], None]) -> None:
        """Leave by `then`, after a question if actions would be lost."""
        if not (self._keeps and self._operator.unsaved):
            self._let_go(then)
            return
        self._then = then
        actions = self._operator.journal
        count = words.count(len(actions), "action")
        known = f"The session has {count} and is not saved: {_some(actions)}"
        saves = (Option("s", "save and leave", self._save_first),) if self._writes else ()
        self._view.open_page(
            Question(
                "UNSAVED ACTIONS",
                [known if actions else "The actions of the file were taken back; the file still has them."],
                (
                    *saves,
                    Option("l", "leave without saving", lambda: self._let_go(then)),
                    Option("n", "stay", lambda: None),
                ),
            )
        )

    def _let_go(self, then: Callable[[], None]) -> None:
        self._recovery.forget()
        then()

    def _save_first(self) -> None:
        path = self._desk.session.operator.saved_path
        if path is None:
            self._view.ask(SAVE_AND_LEAVE, "save as ", hint="session.toml")
        else:
            self.save_and_leave(str(path))

    def save_and_leave(self, path: str) -> None:
        """Save under a name, and leave; a message says why not."""
        if not path:
            self._view.say("not saved: no file was named", "warn")
            return
        try:
            self._save(path)
        except SessionError as error:
            self._view.say(" ".join(str(error).split()), "warn")
        else:
            self._let_go(self._then)

    # What was left behind.

    def offer(self) -> None:
        """Ask about the actions of the last session of this case, if it ended before they were saved."""
        try:
            self.keep()
        except (OSError, SessionError) as error:
            self._view.say(f"unsaved actions cannot be kept: {error}", "warn")
        found = left_behind(self._desk.case) if self._writes else ()
        if not found:
            self._point_back()
            return
        latest = found[0]
        when = datetime.fromtimestamp(latest.when).strftime("%Y-%m-%d %H:%M:%S")
        self._view.open_page(
            Question(
                "ACTIONS OF THE LAST SESSION",
                [
                    f"A session of this scenario ended at {when} with unsaved actions.",
                    f"They are in {latest.path}, a scenario file as :save writes it.",
                ],
                (
                    Option("y", "take them up: go on where that session ended", lambda: self._read(latest)),
                    Option("n", "not now: ask again at the next start", lambda: None),
                    Option("X", "delete them", lambda: self._delete(latest)),
                ),
                otherwise=self._press_again,
            )
        )

    def _point_back(self) -> None:
        """At the beginning of a saved session the key back leads to its last action."""
        actions = self._operator.journal
        if not actions or self._desk.session.number or self._desk.busy:
            return
        last = _event_of_last(actions)
        self._desk.marks.before = last
        back = 2 * self._view.key("to_mark")
        count = words.count(len(actions), "action")
        self._view.say(f"{count}: {_some(actions)}; {back} goes to the last, event {last:,}", "good")

    def _press_again(self, key: Key) -> None:
        """What was typed before the question was there is for the console: `:goto 50%`."""
        app = self._view.app
        if isinstance(app, PressesAgain):
            app.press_again(key)

    def _delete(self, left: LeftBehind) -> None:
        left.delete()
        self._view.say("the actions of the last session are deleted")

    def _read(self, left: LeftBehind) -> None:
        """Read the file in a worker: its log may be large."""
        self._view.say(f"reading {left.path.name} ...", "key")

        def read() -> None:
            try:
                actions = left.actions()
            except (ScenarioError, SessionError, PolicyError, OSError) as error:
                self._view.app.call_from_thread(self._refused, error)
            else:
                self._view.app.call_from_thread(self._take, left, actions)

        self._view.run_worker(read, thread=True, group="recovery")

    def _refused(self, error: Exception) -> None:
        self._view.say(" ".join(str(error).split()), "warn")

    def _take(self, left: LeftBehind, actions: tuple[Action, ...]) -> None:
        if not self._view.is_attached:
            return
        if self._desk.busy:
            self._view.set_timer(SOON, lambda: self._take(left, actions))
            return
        if self._operator.unsaved:
            self._view.say(f"this session has actions of its own by now; {left.path} stays", "warn")
            return
        try:
            self._operator.take_up(actions)
            self._recovery.write()
        except (SessionError, PolicyError, OSError) as error:
            self._refused(error)
            return
        left.delete()
        self._restart()
        self._view.arrive()
        self._go(f"#{_event_of_last(actions)}")
        self._view.say(f"{words.count(len(actions), 'action')} taken up: {_some(actions)}", "good")


def _event_of_last(actions: tuple[Action, ...]) -> int:
    """The event of the last of some actions; 0 without any."""
    return max(((action.after or 0) + 1 for action in actions), default=0)


def _some(actions: tuple[Action, ...]) -> str:
    named = "; ".join(format_action(action) for action in actions[-SHOWN:])
    return f"... {named}" if len(actions) > SHOWN else named
