"""The screen of a lecture: one key a stage, letters and numbers for hands; nothing can be changed or kept."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import Screen

from shadowtime.console.lecture.text import DIGITS, lecture_lines
from shadowtime.console.screens.training.asking import Asking, QuestionScreen
from shadowtime.console.screens.training.kinds import screen_of
from shadowtime.console.session import PolicyError, ScenarioError, SessionError
from shadowtime.console.session.curriculum.lecture import Lecture, Stage
from shadowtime.console.widgets.frame.ink import Line, Piece
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.status import StatusLine

NEXT = {
    Stage.STORY: "question",
    Stage.PREDICT: "choices",
    Stage.HANDS: "answer",
    Stage.ANSWER: "on",
}
MOST_TYPED = 7
"""Characters of a question that is asked for: `123.456`."""
WIDE = 80
"""Columns with room for all that is said of hands."""
ASKS = (Stage.PREDICT, Stage.HANDS, Stage.ANSWER)


class Board(LineView):
    """The lines that the class reads."""

    DEFAULT_CSS = "Board { padding: 0 1; }"

    def __init__(self, source: Callable[[int, int], Sequence[Line]]) -> None:
        super().__init__(id="board")
        self._source = source

    def build(self, width: int, height: int) -> Sequence[Line]:
        return self._source(width, height)


class LectureScreen(Screen[None]):
    """A course before a class."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "forward", "on", show=False, priority=True),
        Binding("enter", "forward", "on", show=False, priority=True),
        Binding("p,left,backspace", "back", "back", show=False),
        Binding("g", "goto", "go to", show=False),
        Binding("o", "console", "console", show=False),
        Binding("escape", "escape", "leave", id="escape"),
        Binding("q", "leave", "leave", id="quit"),
    ]

    def __init__(self, lecture: Lecture) -> None:
        super().__init__()
        self.lecture = lecture
        self._typed = ""
        """The digits before a letter, or of the question that is wanted."""
        self._wanted = False
        self._board = Board(lambda width, height: lecture_lines(self.lecture, width, height))
        self._keys = StatusLine(id="page-keys")

    def compose(self) -> ComposeResult:
        yield Frame(self.lecture.course.title, self._board)
        yield self._keys

    def on_mount(self) -> None:
        self._board.focus()
        self.show_keys()

    def on_resize(self) -> None:
        self._show_count()

    def _show_count(self) -> None:
        counting = self._typed and not self._wanted
        self.show_keys(*([(f"{self._typed} hands for ...   ", "strong")] if counting else []))

    def show_keys(self, *first: Piece) -> None:
        stage, pieces = self.lecture.stage, [(" ", "text"), *first]
        if self._wanted:
            keys = {"Enter": "goes", "Esc": "stays", "2.3": "lesson 2, question 3"}
            pieces.append((f"go to {self._typed}_  ", "strong"))
        else:
            keys = {"Space": NEXT[stage]} if stage in NEXT else {}
            if stage is Stage.HANDS:
                letters = self.lecture.letters
                wide = self.app.size.width >= WIDE
                keys |= {f"{letters[0]}-{letters[-1]}": "one hand"} if wide else {}
                keys |= {f"12{letters[0]}": "sets 12" if wide else "hands"}
            keys |= {"p": "back", "g": "go", **({"o": "console"} if stage in ASKS else {}), "q": "leave"}
        self._keys.put(
            [*pieces, *(piece for key in keys for piece in ((key, "key"), (f" {keys[key]}  ", "dim")))]
        )

    def on_key(self, event: Key) -> None:
        """A digit of a count, or the letter of a choice; where a question is asked for, its number."""
        sign = event.character or ""
        if self._wanted:
            if event.key == "escape":
                return
            if event.key == "backspace":
                self._typed = self._typed[:-1]
            elif sign == "." or (sign.isdigit() and sign.isascii()):
                self._typed = (self._typed + sign)[:MOST_TYPED]
            self.show_keys()
            event.stop()
            return
        erases = event.key == "backspace" and self._typed
        if self.lecture.stage is not Stage.HANDS or not (erases or len(sign) == 1):
            return
        if erases or (sign.isdigit() and sign.isascii()):
            self._typed = self._typed[:-1] if erases else (self._typed + sign)[-DIGITS:]
            self._show_count()
        elif sign in self.lecture.letters:
            self.lecture.count(sign, int(self._typed) if self._typed else None)
            self._typed = ""
            self._board.rebuild()
            self.show_keys()
        else:
            self._typed = ""
            return
        event.stop()

    def action_forward(self) -> None:
        """The next stage, after the last question out; or the question that was asked for."""
        typed, wanted, self._typed, self._wanted = self._typed, self._wanted, "", False
        if wanted:
            self._go(typed)
        elif self.lecture.stage is Stage.OVER:
            self.action_leave()
        else:
            self._move(self.lecture.forward)

    def _go(self, typed: str) -> None:
        lesson, _, question = typed.partition(".")
        if lesson.isdecimal() and (question.isdecimal() or not question):
            self._move(lambda: self.lecture.go(int(lesson), int(question or 0)))
        else:
            self.show_keys((f"{typed!r} is no question; expected one such as 2.3   ", "bad"))

    def _move(self, move: Callable[[], object]) -> None:
        """Go to another stage, and show it; what is wrong with it stands before the keys."""
        try:
            move()
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.show_keys((" ".join(str(error).split()) + "   ", "bad"))
            return
        self._board.scroll_to(y=0, animate=False)
        self._board.rebuild()
        self.show_keys()

    def action_back(self) -> None:
        self._typed = ""
        self._move(self.lecture.back)

    def action_goto(self) -> None:
        self._typed, self._wanted = "", True
        self.show_keys()

    def action_console(self) -> None:
        """Open the console where the question is asked; the answer is covered until it was shown."""
        if self.lecture.stage in ASKS:
            self._move(lambda: self.app.push_screen(question_screen(self.lecture)))

    def action_escape(self) -> None:
        """Ask for no question any more, or out."""
        if self._wanted:
            self._wanted, self._typed = False, ""
            self.show_keys()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        self.app.exit(0)


class AskedAtOnce(Asking):
    """A question without a story, which no key answers; its answer is shown once the class has seen it."""

    left_out = ("give_up", "hint", "skip_question", "type_answer")
    rows = (("escape", "back to the lecture, which asks the question"),)
    leaving = "back to the lecture"
    onward = ""
    shown = False
    """Whether the class has seen the answer."""

    def begin(self) -> None:
        self._view.app.call_after_refresh(self._ask)

    def chooses(self, letter: str) -> bool:
        return False

    def go_on(self) -> None:
        self._view.say(self.refusal(""), "warn")

    def refusal(self, usual: str) -> str:
        return f"the lecture asks this question; {self.leave_key} goes back to it"

    def keys_line(self, width: int) -> Line:
        return [(self.leave_key, "key"), (f" {self.leaving}", "dim")]

    def _ask(self) -> None:
        self.to_question()
        if self.shown:
            self.end(self.drill.give_up)


def question_screen(lecture: Lecture) -> Screen[None]:
    """Return a console that stands at the open question; nothing done there changes the lecture.

    ScenarioError, SessionError: what is wrong with the lesson.
    """
    drill = lecture.apart()

    def asks(view: QuestionScreen) -> Asking:
        asking = AskedAtOnce(view, drill)
        asking.shown = lecture.stage is Stage.ANSWER
        return asking

    return screen_of(drill, asks)
