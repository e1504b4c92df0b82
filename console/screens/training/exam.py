"""An exam on the full screen: a countdown, no way back, no hint, no verdict; each answer is kept at once."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.screen import Screen

from console import words
from console.keys import KEYS
from console.screens.actions import Action
from console.screens.console.screen import ConsoleScreen
from console.screens.pages.page import Page
from console.screens.training.drill import DrillScreen
from console.session import PolicyError, SessionError
from console.session.exam import PaperError, Sitting
from console.session.training import RIGHT, Verdict, letter_of
from console.widgets.frame.ink import Line, wrap
from console.widgets.nodemap.panel import NodeMap

TICK = 1.0
"""Seconds between two looks at the clock."""
SHORT = 60
"""Seconds from which on the time left stands out."""
LOOKING = frozenset(
    (
        "train", "skip_question", "panel", "next_panel", "previous_panel", "resize", "escape", "filter",
        "sort", "sort_reverse", "row", "half_rows", "far_row", "letters", "colouring", "zoom", "clock",
        "command", "help", "quit", "choose", "detail",
    )
)  # fmt: skip
"""What may be done in an exam: looking at the machine as it stands, and answering."""
COMMANDS = frozenset(("job", "sort", "filter", "note", "help", "quit", "theme", "clock"))
"""The typed commands of the same kind."""
LEFT_OUT = "k"
"""What is marked if the question is to be left out."""
HOW = (
    "This is an exam. Each question is asked once: the letter of a choice marks it, k marks that the"
    " question is left out, and Enter keeps what is marked; t takes a typed answer. There are no hints and no"
    " way back. Time runs by the wall clock, also if you leave: then the same command goes on. Enter begins."
)

Following = Callable[[Sitting], Screen[None]]


class ExamScreen(DrillScreen):
    """The console in an exam, one lesson at a time; after the last question a page with the result."""

    unoffered: ClassVar[frozenset[str]] = frozenset(
        key.id for key in KEYS if key.action.partition("(")[0] not in LOOKING - {"detail", "train"}
    )
    how = HOW

    def __init__(self, sitting: Sitting, following: Following) -> None:
        """`sitting` has a question left; `following` makes the screen of the next lesson."""
        self.following = following
        drill = sitting.drill
        assert drill is not None
        self.sitting = sitting
        self._over = False
        self._marked = ""
        """The letter that is marked, or LEFT_OUT; empty if nothing is."""
        super().__init__(drill)

    def begin(self) -> None:
        super().begin()
        self.set_interval(TICK, self.look_at_clock)

    def leave_story(self) -> None:
        """There is nothing to go back to: the first question is asked."""
        self.begin_asking()

    def begin_asking(self) -> None:
        self._to_question()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        known = action in self.actions or hasattr(ConsoleScreen, f"action_{action}")
        if action not in LOOKING and (known or action in ("hint", "give_up")):
            return False
        return super().check_action(action, parameters)

    def command(self, line: str) -> None:
        word = line.strip().split(" ")[0].lstrip("0123456789,_#%.")
        if word in COMMANDS:
            super().command(line)
        else:
            self.say(f"{line.strip()!r} is not for an exam", "warn")

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
            return [*time, (self.key("detail"), "key"), (f" {what}", "strong")]
        return [
            *time,
            (f"a-{last}", "key"), (" mark  ", "dim"), (self.key("train"), "key"), (" typed  ", "dim"),
            (LEFT_OUT, "key"), (" leave out  ", "dim"), (self.key("quit"), "key"), (" leave", "dim"),
        ]  # fmt: skip

    def question_lines(self, width: int, tight: bool = False) -> list[Line]:
        """The question, with the choice that is marked."""
        unmarked, marked = f"  {self._marked}  ", f"> {self._marked}  "
        return [
            [(marked, "good") if piece == (unmarked, "key") else piece for piece in line]
            for line in super().question_lines(width, tight)
        ]

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        return {**super().actions_of(table), "detail": self.keep_marked}

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        """A click selects; it answers nothing."""
        self.selection.select(event.job_index)

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

    def keep_marked(self) -> None:
        """Answer with what is marked."""
        marked, drill = self._marked, self.drill
        if not (self.open and drill.due) or self.takes_text:
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
            self.app.switch_screen(self.following(self.sitting))
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

    def _let_go(self) -> None:
        if self.panels.enlarged or self.desk.filter or self.desk.selected is not None:
            super()._let_go()
        else:
            self.say(f"{self.key('quit')} leaves the exam, and time runs on", "warn")

    def _depart(self) -> None:
        self.app.exit(0)

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


def result_lines(sitting: Sitting, fault: str, width: int) -> list[Line]:
    """What an exam came to, and where the result is; `fault` says why it could not be handed in."""
    paper = sitting.paper
    right = sum(it.verdict == RIGHT for it in paper.answers)
    why = "The time is up." if sitting.left == 0 else "Every question was asked."
    counted = f"{right} of {paper.questions} right, {words.count(paper.points, 'point')}"
    lines = [*wrap(why, width), *wrap(f"{paper.operator}: {counted}", width, "strong")]
    lines += wrap(f"{sitting.path} has the result.", width)
    return [*lines, *(wrap(fault, width, "bad") if fault else [])]
