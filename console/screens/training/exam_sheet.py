"""What every exam screen does with a sitting: marks a choice, keeps it, counts down, hands in."""

from collections.abc import Callable, Sequence
from typing import Protocol

from textual.app import App
from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.exam import PaperError, Sitting
from shadowtime.console.session.training import RIGHT, Verdict, letter_of
from shadowtime.console.widgets.frame.ink import Line, wrap

TICK = 1.0
"""Seconds between two looks at the clock."""
SHORT = 60
"""Seconds from which on the time left stands out."""
LEFT_OUT = "k"
"""What is marked if the question is to be left out."""
HOW = (
    "This is an exam. Each question is asked once: the letter of a choice marks it, k marks that the"
    " question is left out, and Enter keeps what is marked; t takes a typed answer. There are no hints and no"
    " way back. Time runs by the wall clock, also if you leave: then the same command goes on. Enter begins."
)

Following = Callable[[Sitting], Screen[None]]


class Examination(Protocol):
    """A screen that shows an exam."""

    @property
    def app(self) -> App[object]:
        """The application that shows it."""

    @property
    def is_mounted(self) -> bool:
        """Whether it is shown."""

    def say(self, text: str, role: str = ...) -> None:
        """Show a message."""

    def show_question(self) -> None:
        """Show the question at hand."""

    def paint_question(self) -> None:
        """Draw the question anew."""

    def key(self, id: str, /) -> str:
        """The key of an action."""


class ExamSheet:
    """One lesson of a sitting that has a question left; `following` makes the screen of the next lesson."""

    def __init__(self, screen: Examination, sitting: Sitting, following: Following) -> None:
        drill = sitting.drill
        assert drill is not None
        self._screen = screen
        self._sitting = sitting
        self._following = following
        self._drill = drill
        self._over = False
        self._marked = ""
        """The letter that is marked, or LEFT_OUT; empty if nothing is."""

    def keys_line(self) -> Line:
        """Return what can be done, and the time that is left."""
        left, key = self._sitting.left, self._screen.key
        last = letter_of(len(self._drill.answer.offered) - 1)
        asked = len(self._sitting.paper.answers) + 1
        time: Line = [
            (f"{words.duration(left)} left  ", "bad" if left <= SHORT else "strong"),
            (f"{asked} of {self._sitting.paper.questions}   ", "dim"),
        ]
        if self._marked:
            what = "leaves it out" if self._marked == LEFT_OUT else f"answers {self._marked}"
            return [*time, (key("detail"), "key"), (f" {what}", "strong")]
        return [
            *time,
            (f"a-{last}", "key"), (" mark  ", "dim"), (key("train"), "key"), (" typed  ", "dim"),
            (LEFT_OUT, "key"), (" leave out  ", "dim"), (key("quit"), "key"), (" leave", "dim"),
        ]  # fmt: skip

    def with_mark(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines of a question with the choice that is marked."""
        unmarked, marked = f"  {self._marked}  ", f"> {self._marked}  "
        return [
            [(marked, "good") if piece == (unmarked, "key") else piece for piece in line] for line in lines
        ]

    def mark(self, what: str) -> None:
        """Mark a choice: one key by mistake is no answer."""
        self._marked = what
        self._screen.say("")
        self._screen.paint_question()

    def keep(self) -> None:
        """Answer with what is marked."""
        marked, drill = self._marked, self._drill
        if not marked:
            self._screen.say("mark a choice first; its letter does", "warn")
            return
        self.end(drill.skip if marked == LEFT_OUT else lambda: drill.give(marked))

    def look_at_clock(self) -> None:
        """Count down; end the exam if the time is up, whatever lies over the panels."""
        if self._over or not self._screen.is_mounted:
            return
        if self._sitting.left == 0:
            self._finish()
        elif self._drill.question is not None:
            self._screen.paint_question()

    def to_question(self) -> None:
        """Go to the next question, to the screen of the next lesson, or to the result."""
        self._marked = ""
        drill = self._sitting.ask()
        if drill is None:
            self._finish()
        elif drill is not self._drill:
            self._over = True
            self._screen.app.switch_screen(self._following(self._sitting))
        else:
            self._screen.show_question()

    def end(self, close: Callable[[], Verdict]) -> None:
        """End a question: the answer is in the file before the next one is asked."""
        try:
            verdict = close()
        except (SessionError, PolicyError) as error:
            self._screen.say(" ".join(str(error).split()), "warn")
            return
        try:
            in_time = self._sitting.close(verdict)
        except PaperError as error:
            self._drill.begin(verdict.place)
            self._screen.say(f"{error}; the answer is not kept, and the question stays open", "warn")
            return
        if in_time:
            self.to_question()
        else:
            self._finish()

    def stay(self) -> None:
        """Say how to leave."""
        self._screen.say(f"{self._screen.key('quit')} leaves the exam, and time runs on", "warn")

    def _finish(self) -> None:
        """Hand in, and show the result."""
        if self._over:
            return
        self._over = True
        try:
            self._sitting.hand_in()
        except PaperError as error:
            fault = str(error)
        else:
            fault = ""
        app = self._screen.app
        app.push_screen(
            Page("THE EXAM IS OVER", lambda width: result_lines(self._sitting, fault, width)),
            lambda _: app.exit(0),
        )


def result_lines(sitting: Sitting, fault: str, width: int) -> list[Line]:
    """Return what an exam came to, and where the result is; `fault` says why it could not be handed in."""
    paper = sitting.paper
    right = sum(it.verdict == RIGHT for it in paper.answers)
    why = "The time is up." if sitting.left == 0 else "Every question was asked."
    counted = f"{right} of {paper.questions} right, {words.count(paper.points, 'point')}"
    lines = [*wrap(why, width), *wrap(f"{paper.operator}: {counted}", width, "strong")]
    lines += wrap(f"{sitting.path} has the result.", width)
    return [*lines, *(wrap(fault, width, "bad") if fault else [])]
