"""Asking an exam on a screen: a letter marks a choice, Enter keeps it, time runs, nothing is explained."""

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.training.asking import TYPES, Asking, QuestionScreen
from shadowtime.console.session.exam.paper import PaperError
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import RIGHT, QuestionResult, letter_of
from shadowtime.console.widgets.frame.ink import Line, width_of, wrap

TICK = 1.0
"""Seconds between two looks at the clock."""
SHORT = 60
"""Seconds from which on the time left stands out."""
LEFT_OUT = "k"
"""What is marked if the question is to be left out."""
MARKING = (
    ("a-d", "mark a choice"),
    ("detail", "answer with what is marked"),
    (TYPES, "type an answer"),
    (LEFT_OUT, "mark that the question is left out"),
)
"""Keys, or their ids, and what they do in an exam."""
HOW = (
    "This is an exam. Each question is asked once: the letter of a choice marks it, k marks that the"
    " question is left out, and Enter keeps what is marked; i takes a typed answer. There are no hints and no"
    " way back. Time runs by the wall clock, also if you leave: then the same command goes on. Enter begins."
)

Following = Callable[[Sitting], Screen[None]]


class ExamSheet(Asking):
    """One lesson of a sitting that has a question left; `following` makes the screen of the next lesson."""

    exam: ClassVar[bool] = True
    rows = MARKING
    left_out = ("hint", "give_up")

    def __init__(self, view: QuestionScreen, sitting: Sitting, following: Following) -> None:
        drill = sitting.drill
        assert drill is not None
        super().__init__(view, drill)
        self._sitting = sitting
        self._following = following
        self._done = False
        """Whether this screen has nothing more to ask."""
        self._marked = ""
        """The letter that is marked, or LEFT_OUT; empty if nothing is."""

    @property
    def actions(self) -> Mapping[str, Action]:
        types = {"type_answer": self.type_answer}
        return {"choose": self.choose, "skip_question": self.skip, "detail": self.keep, **types}

    @property
    def how(self) -> str:
        return HOW

    def begin(self) -> None:
        super().begin()
        self._view.set_interval(TICK, self.look_at_clock)

    def leave_story(self) -> None:
        """There is nothing to go back to: the first question is asked."""
        self.to_question()

    def keys_line(self, width: int) -> Line:
        """Return what can be done, and the time that is left."""
        left, key = self._sitting.left, self._view.key
        last = letter_of(len(self.drill.answer.offered) - 1)
        asked = len(self._sitting.paper.answers) + 1
        time: Line = [
            (f"{words.duration(left)} left  ", "bad" if left <= SHORT else "strong"),
            (f"{asked} of {self._sitting.paper.questions} in the exam   ", "dim"),
        ]
        if self._marked:
            what = "leaves it out" if self._marked == LEFT_OUT else f"answers {self._marked}"
            return [*time, (key("detail"), "key"), (f" {what}", "strong")]
        line: Line = [
            *time,
            (f"a-{last}", "key"), (" mark  ", "dim"), (TYPES, "key"), (" typed  ", "dim"),
            (LEFT_OUT, "key"), (" leave out  ", "dim"), (key("quit"), "key"), (" leave", "dim"),
        ]  # fmt: skip
        if width_of(line) <= width:
            return line
        return [(re.sub("( in the exam)? +$", " ", text), role) for text, role in line]

    def lines(self, width: int, tight: bool = False) -> list[Line]:
        unmarked, marked = f"  {self._marked}  ", f"> {self._marked}  "
        return [
            [(marked, "good") if piece == (unmarked, "key") else piece for piece in line]
            for line in super().lines(width, tight)
        ]

    def choose(self, letter: str) -> None:
        """Mark a choice: one key by mistake is no answer."""
        self._marked = letter
        self._view.say("")
        self._view.paint_question()

    def skip(self) -> None:
        if self.said_due():
            self.choose(LEFT_OUT)

    def keep(self) -> None:
        """Answer with what is marked."""
        if not self.due or self._view.takes_text:
            return
        if not self._marked:
            self._view.say("mark a choice first; its letter does", "warn")
        elif self._marked == LEFT_OUT:
            self.end(self.drill.skip)
        else:
            self.give(self._marked)

    def look_at_clock(self) -> None:
        """Count down; end the exam if the time is up, whatever lies over the panels."""
        if self._done or not self._view.is_mounted:
            return
        if self._sitting.left == 0:
            self._hand_in()
        elif self.drill.question is not None:
            self._view.paint_question()

    def to_question(self) -> None:
        """Go to the next question, to the screen of the next lesson, or to the result."""
        self._marked = ""
        drill = self._sitting.ask()
        if drill is None:
            self._hand_in()
        elif drill is not self.drill:
            self._done = True
            self._view.app.switch_screen(self._following(self._sitting))
        else:
            self._view.show_question()

    def end(self, close: Callable[[], QuestionResult]) -> None:
        """End a question: the answer is in the file before the next one is asked."""
        verdict = self.closed(close)
        if verdict is None:
            return
        try:
            in_time = self._sitting.close(verdict)
        except PaperError as error:
            self.drill.begin(verdict.place)
            self._view.say(f"{error}; the answer is not kept, and the question stays open", "warn")
            return
        if in_time:
            self.to_question()
        else:
            self._hand_in()

    def _hand_in(self) -> None:
        if self._done:
            return
        self._done = True
        try:
            self._sitting.hand_in()
        except PaperError as error:
            fault = str(error)
        else:
            fault = ""
        app = self._view.app
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
