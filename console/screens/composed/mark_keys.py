"""The keys of marks: a letter names a position, and leads back to it."""

from collections.abc import Callable
from typing import Protocol

from shadowtime.console.screens.console.marks import Marks


class Asks(Protocol):
    """What the keys ask of a screen."""

    def say(self, text: str, role: str = "dim", /) -> None:
        """Show a message."""

    def key(self, id: str, /) -> str:
        """The key of an action, as the operator reads it."""


class MarkKeys:
    """Takes the letter of a mark. `number` is the event that is shown, `go` goes to one."""

    def __init__(
        self,
        view: Asks,
        marks: Callable[[], Marks],
        *,
        number: Callable[[], int],
        go: Callable[[int], None],
        marked: Callable[[], None] = lambda: None,
    ) -> None:
        self.awaited = ""
        """The key that waits for a letter: `m` or `'`."""
        self._view, self._marks = view, marks
        self._number, self._go, self._marked = number, go, marked

    def mark(self) -> None:
        """Mark this position with the letter that follows."""
        self.awaited = "m"
        self._view.say(f"mark event {self._number():,} with which letter?", "key")

    def to_mark(self) -> None:
        """To the mark of the letter that follows, or with ' to where the last jump began."""
        if self.awaited == "'":
            # The key twice, if the operator chose one that is no letter.
            self.answer("", "'")
            return
        self.awaited = "'"
        known = self._marks().letters
        back = f"{self._view.key('to_mark')} goes back to where you were"
        self._view.say(f"to which mark? {known + '  ' if known else ''}{back}", "key")

    def answer(self, _: str, letter: str) -> bool:
        """The letter that a mark waited for; whether the key is one."""
        if not letter:
            return False
        asked, self.awaited = self.awaited, ""
        marks, key = self._marks(), self._view.key
        if asked == "m":
            self.set_mark(letter)
        elif letter in ("'", key("to_mark")):
            self._back_to(marks.before, "no jump has been made yet")
        else:
            self._back_to(marks.get(letter), f"no mark {letter}; set one with {key('mark')} {letter}")
        return True

    def end(self) -> None:
        """Wait for no letter any more."""
        self.awaited = ""
        self._view.say("")

    def set_mark(self, letter: str) -> None:
        """Mark this position."""
        if len(letter) == 1 and letter.isalpha():
            number = self._number()
            self._marks().set(letter, number)
            back = f"{self._view.key('to_mark')} {letter}"
            self._view.say(f"mark {letter} is event {number:,}; {back} comes back here")
            self._marked()
        else:
            self._view.say("a mark is one letter", "warn")

    def _back_to(self, number: int | None, otherwise: str) -> None:
        if number is None:
            self._view.say(otherwise, "warn")
        else:
            self._go(number)
