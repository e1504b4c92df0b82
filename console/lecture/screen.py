"""The screen of a lecture: one key a stage, letters and numbers for hands; nothing can be changed or kept."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import Screen

from shadowtime.console.lecture.text import DIGITS, lecture_lines
from shadowtime.console.session import PolicyError, ScenarioError, SessionError
from shadowtime.console.session.curriculum import Lecture, Stage
from shadowtime.console.widgets.frame.ink import Line, Piece
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.status import StatusLine

NEXT = {
    Stage.STORY: "the first question",
    Stage.PREDICT: "the choices",
    Stage.HANDS: "the answer",
    Stage.ANSWER: "on",
}
"""What Space leads to."""


class Board(LineView):
    """The lines that the class reads."""

    DEFAULT_CSS = "Board { scrollbar-gutter: stable; padding: 0 1; }"

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
        Binding("escape", "leave", "leave", id="escape"),
        Binding("q", "leave", "leave", id="quit"),
    ]

    def __init__(self, lecture: Lecture) -> None:
        super().__init__()
        self.lecture = lecture
        self._typed = ""
        """The digits before a letter."""
        self._board = Board(lambda width, height: lecture_lines(self.lecture, width, height))
        self._keys = StatusLine(id="page-keys")

    def compose(self) -> ComposeResult:
        yield Frame(self.lecture.course.title, self._board)
        yield self._keys

    def on_mount(self) -> None:
        self._board.focus()
        self.tell()

    def tell(self, *first: Piece) -> None:
        """Show what can be done."""
        stage, pieces = self.lecture.stage, [(" ", "text"), *first]
        if stage in NEXT:
            pieces += [("Space", "key"), (f" {NEXT[stage]}   ", "dim")]
        if stage is Stage.HANDS:
            letters = self.lecture.letters
            pieces += [
                (f"{letters[0]}-{letters[-1]}", "key"), (" one hand   ", "dim"),
                (f"12{letters[0]}", "key"), (" sets 12   ", "dim"),
            ]  # fmt: skip
        self._keys.put([*pieces, ("q", "key"), (" leave", "dim")])

    def on_key(self, event: Key) -> None:
        """A digit of a count, or the letter of a choice."""
        sign = event.character or ""
        if self.lecture.stage is not Stage.HANDS or len(sign) != 1:
            return
        if sign.isdigit() and sign.isascii():
            self._typed = (self._typed + sign)[-DIGITS:]
            self.tell((f"{self._typed} hands for ...   ", "strong"))
        elif sign in self.lecture.letters:
            self.lecture.count(sign, int(self._typed) if self._typed else None)
            self._typed = ""
            self._board.rebuild()
            self.tell()
        else:
            self._typed = ""
            return
        event.stop()

    def action_forward(self) -> None:
        """The next stage; after the last question out."""
        self._typed = ""
        if self.lecture.stage is Stage.OVER:
            self.action_leave()
            return
        try:
            self.lecture.forward()
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.tell((" ".join(str(error).split()) + "   ", "bad"))
            return
        self._board.scroll_to(y=0, animate=False)
        self._board.rebuild()
        self.tell()

    def action_leave(self) -> None:
        """Out."""
        self.app.exit(0)
