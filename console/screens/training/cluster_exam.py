"""An exam on a captured cluster: a countdown, no way back, no hint, no verdict; answers are kept at once."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from console import words
from console.screens.pages.help import choice_help
from console.screens.pages.list_keys import HELP
from console.screens.pages.page import Page
from console.screens.training.cluster_drill import ClusterDrillScreen
from console.screens.training.exam import HOW as OF_EXAMS
from console.screens.training.exam import LEFT_OUT, SHORT, TICK, Following, result_lines
from console.session import PolicyError, SessionError
from console.session.exam import PaperError, Sitting
from console.session.training import Verdict, letter_of
from console.widgets.frame.ink import Line

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
        self.sitting = sitting
        self._following = following
        self._over = False
        self._marked = ""
        """The letter that is marked, or LEFT_OUT; empty if nothing is."""
        super().__init__(drill)

    def on_mount(self) -> None:
        self.set_interval(TICK, self.look_at_clock)

    def leave_story(self) -> None:
        """There is nothing to go back to: the first question is asked."""
        self.begin_asking()

    def keys_line(self, width: int) -> Line:
        """What can be done, and the time that is left."""
        left = self.sitting.left
        last = letter_of(len(self.drill.answer.offered) - 1)
        asked = len(self.sitting.paper.answers) + 1
        time: Line = [
            (f"{words.duration(left)} left  ", "bad" if left <= SHORT else "strong"),
            (f"{asked} of {self.sitting.paper.questions}   ", "dim"),
        ]
        if self._marked:
            what = "leaves it out" if self._marked == LEFT_OUT else f"answers {self._marked}"
            return [*time, (self._key("detail"), "key"), (f" {what}", "strong")]
        return [
            *time,
            (f"a-{last}", "key"), (" mark  ", "dim"), (self._key("train"), "key"), (" typed  ", "dim"),
            (LEFT_OUT, "key"), (" leave out  ", "dim"), (self._key("quit"), "key"), (" leave", "dim"),
        ]  # fmt: skip

    def question_lines(self, width: int, tight: bool = False) -> list[Line]:
        """The question, with the choice that is marked."""
        unmarked, marked = f"  {self._marked}  ", f"> {self._marked}  "
        return [
            [(marked, "good") if piece == (unmarked, "key") else piece for piece in line]
            for line in super().question_lines(width, tight)
        ]

    def action_choose(self, letter: str) -> None:
        """Mark a choice: one key by mistake is no answer."""
        self._mark(letter)

    def action_skip_question(self) -> None:
        """Mark that the question is left out."""
        if self._due():
            self._mark(LEFT_OUT)

    def _mark(self, what: str) -> None:
        self._marked = what
        self.say("")
        self._ask_or_tell()

    def action_detail(self) -> None:
        """Answer with what is marked."""
        marked, drill = self._marked, self.drill
        if not self.open or self._prompt.asking:
            return
        if not marked:
            self.say("mark a choice first; its letter does", "warn")
            return
        self._end(drill.skip if marked == LEFT_OUT else lambda: drill.give(marked))

    def look_at_clock(self) -> None:
        """Count down; end the exam if the time is up, whatever lies over the panels."""
        if self._over or not self.is_mounted:
            return
        if self.sitting.left == 0:
            self._finish()
        elif self.drill.question is not None:
            self._ask_or_tell()

    def _to_question(self) -> None:
        self._marked = ""
        drill = self.sitting.ask()
        if drill is None:
            self._finish()
        elif drill is not self.drill:
            self._over = True
            self.app.switch_screen(self._following(self.sitting))
        else:
            self.show_question()

    def _end(self, close: Callable[[], Verdict]) -> None:
        """A question ends: the answer is in the file before the next one is asked."""
        try:
            verdict = close()
        except (SessionError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")
            return
        try:
            in_time = self.sitting.close(verdict)
        except PaperError as error:
            self.drill.begin(verdict.place)
            self.say(f"{error}; the answer is not kept, and the question stays open", "warn")
            return
        if in_time:
            self._to_question()
        else:
            self._finish()

    def action_leave(self) -> None:
        """Leave; time runs on."""
        self.app.exit(0)

    def action_out(self) -> None:
        """Back from a filter, and to the queue; not out of the exam."""
        if self._filter or self._panel != 1:
            super().action_out()
        else:
            self.say(f"{self._key('quit')} leaves the exam, and time runs on", "warn")

    def _finish(self) -> None:
        """Hand in, and show the result."""
        if self._over:
            return
        self._over = True
        try:
            self.sitting.hand_in()
        except PaperError as error:
            fault = str(error)
        else:
            fault = ""
        self.app.push_screen(
            Page("THE EXAM IS OVER", lambda width: result_lines(self.sitting, fault, width)),
            lambda _: self.app.exit(0),
        )

    def _help(self, width: int) -> Sequence[Line]:
        found = (
            *HELP[1:],
            ("Up Down, j", "move"),
            ("a-d", "mark a choice"),
            (self._key("detail"), "answer with what is marked"),
            (self._key("train"), "type an answer"),
            (LEFT_OUT, "mark that the question is left out"),
            (self._key("filter"), "filter the queue, as in user=user1 partition=batch"),
            (self._key("next_panel"), "to the next panel; 1 2 3: queue, nodes, why"),
            (self._key("quit"), "leave the exam; time runs on"),
        )
        return choice_help("IN AN EXAM ON A CLUSTER", found, width)
