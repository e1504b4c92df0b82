"""An exam on a captured cluster: a countdown, no way back, no hint, no verdict; answers are kept at once."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.screens.pages.help import choice_help
from shadowtime.console.screens.pages.list_keys import HELP
from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.exam_sheet import HOW as OF_EXAMS
from shadowtime.console.screens.training.exam_sheet import LEFT_OUT, TICK, ExamSheet, Following
from shadowtime.console.session.exam import Sitting
from shadowtime.console.session.training import Verdict
from shadowtime.console.widgets.frame.ink import Line

NOT_HERE = frozenset(("h", "o"))
"""Keys of a drill that an exam does not have."""


class ClusterExamScreen(ClusterDrillScreen, inherit_bindings=False):
    """The console over a cluster in an exam, one lesson at a time."""

    how = OF_EXAMS
    BINDINGS: ClassVar[list[BindingType]] = [
        it for it in ClusterDrillScreen.BINDINGS if isinstance(it, Binding) and it.key not in NOT_HERE
    ]

    def __init__(self, sitting: Sitting, following: Following) -> None:
        """`sitting` has a question left; `following` makes the screen of the next lesson."""
        drill = sitting.drill
        assert drill is not None
        self.sheet = ExamSheet(self, sitting, following)
        super().__init__(drill)

    def on_mount(self) -> None:
        self.set_interval(TICK, self.sheet.look_at_clock)

    def leave_story(self) -> None:
        """There is nothing to go back to: the first question is asked."""
        self.begin_asking()

    def keys_line(self, width: int) -> Line:
        return self.sheet.keys_line()

    def question_lines(self, width: int, tight: bool = False) -> list[Line]:
        return self.sheet.with_mark(super().question_lines(width, tight))

    def action_choose(self, letter: str) -> None:
        """Mark a choice."""
        self.sheet.mark(letter)

    def action_skip_question(self) -> None:
        """Mark that the question is left out."""
        if self._due():
            self.sheet.mark(LEFT_OUT)

    def action_detail(self) -> None:
        """Answer with what is marked."""
        if self.open and not self._prompt.asking:
            self.sheet.keep()

    def _to_question(self) -> None:
        self.sheet.to_question()

    def _end(self, close: Callable[[], Verdict]) -> None:
        self.sheet.end(close)

    def action_leave(self) -> None:
        """Leave; time runs on."""
        self.app.exit(0)

    def action_out(self) -> None:
        """Back from a filter, and to the queue; not out of the exam."""
        if self._filter or self._panel != 1:
            super().action_out()
        else:
            self.sheet.stay()

    def _help(self, width: int) -> Sequence[Line]:
        found = (
            *HELP[1:],
            ("Up Down, j", "move"),
            ("a-d", "mark a choice"),
            (self.key("detail"), "answer with what is marked"),
            (self.key("train"), "type an answer"),
            (LEFT_OUT, "mark that the question is left out"),
            (self.key("filter"), "filter the queue, as in user=user1 partition=batch"),
            (self.key("next_panel"), "to the next panel; 1 2 3: queue, nodes, why"),
            (self.key("quit"), "leave the exam; time runs on"),
        )
        return choice_help("IN AN EXAM ON A CLUSTER", found, width)
