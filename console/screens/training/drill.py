"""A drill on the console: it stops before the decision and asks; until then nothing shows the answer."""

from collections.abc import Mapping
from typing import ClassVar

import attrs
from textual.binding import BindingType

from shadowtime.console import words
from shadowtime.console.keys import KEYS
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.help import Own
from shadowtime.console.screens.training.asking import (
    ANSWERS,
    ONLY_IN_DRILLS,
    TYPES,
    Asks,
    QuestionScreen,
)
from shadowtime.console.session.facts import Row
from shadowtime.console.session.training import SKIPPED, QuestionResult
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.nodemap.panel import NodeMap

OPEN = f"answer first: a letter or {TYPES} answers, o shows it"
FIRST = f"the question comes first: a letter or {TYPES} answers, k skips it"
LOOKING = frozenset(
    (
        "train", "skip_question", "type_answer", "choose", "detail", "panel", "next_panel", "previous_panel",
        "resize", "escape", "filter", "sort", "sort_reverse", "row", "half_rows", "far_row", "letters",
        "colouring", "zoom", "clock", "command", "help", "quit", "absent",
    )
)  # fmt: skip
"""What may be done while any question is open: answering it, and looking at the machine as it stands."""
BESIDES = frozenset(
    (
        "hint", "give_up", "forward", "back", "previous_decision", "play", "reverse", "slower", "faster",
        "speed_one", "goto", "first", "last", "next_decision", "mark", "to_mark", "copy",
    )
)  # fmt: skip
"""What may be done besides in a drill: asking for help, and going back; forward ends at the gate."""
COMMANDS = frozenset(("job", "sort", "filter", "note", "help", "quit", "theme", "clock"))
"""The typed commands that only look."""
COMMANDS_BESIDES = frozenset(("n", "p", "goto", "speed", "play", "mark"))
"""Those that go elsewhere, for a drill."""
AFTERWARDS = frozenset(("why", "policy"))
"""What may be done besides when no question is open. A drill keeps to its policy and its course."""
HOW = (
    "The console stops before a decision and asks. Look around as you like: predictions, reasons and what is"
    " to come are covered until you answer. The letter of a choice answers; i takes a typed answer, and t"
    " goes on. Enter begins."
)


def covered(row: Row) -> Row:
    """A job without what would tell when it starts, and why it does not."""
    return attrs.evolve(
        row, predicted=None, first_predicted=None, likely=None, reason=None, predicted_end=None
    )


class DrillScreen(QuestionScreen, ConsoleScreen):
    """The console in a lesson, or in an exam: one lesson at a time."""

    keeps: ClassVar[bool] = False
    how = HOW
    typed_answers = "a job, a time, a letter ...   Esc looks around"
    leaves = "escape"
    taken = (15, 9)
    BINDINGS: ClassVar[list[BindingType]] = [*ONLY_IN_DRILLS, *ANSWERS]

    def __init__(self, asks: Asks) -> None:
        self.asking = asks(self)
        self.drill = self.asking.drill
        ever = LOOKING - {"detail"} if self.asking.exam else LOOKING | BESIDES | AFTERWARDS
        self.unoffered = frozenset(  # type: ignore[misc]
            key.id for key in KEYS if key.action.partition("(")[0] not in ever
        )
        super().__init__(self.drill.session)

    def begin(self) -> None:
        super().begin()
        self.asking.begin()

    def unit_of_machine(self) -> words.Unit:
        return self.desk.unit

    @property
    def reached(self) -> bool:
        return self.drill.due

    # What is seen while a question is open.

    @property
    def dark(self) -> bool:
        """Whether predictions, reasons and what is to come are covered."""
        return self.asking.open and self.drill.covered

    @property
    def hidden(self) -> frozenset[str]:
        return super().hidden | ({"why", "detail"} if self.dark else set())

    def cover(self, row: Row) -> Row:
        # The jobs of questions still to come stay covered after a verdict, too.
        hidden = self.dark or (self.drill.covered and row.id in self.drill.jobs_to_come)
        return covered(row) if hidden else row

    def last_event(self) -> int | None:
        return self.snapshot.number if self.dark else self.drill.session.gate

    @property
    def numbers(self) -> tuple[int, ...]:
        """Without the chart of what is to come, while a question is open; the matrix tells only what is."""
        numbers = super().numbers
        hidden = self.drill.covered and self.snapshot.matrix is None
        return tuple(n for n in numbers if n != 3) if hidden else numbers

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        besides = action in BESIDES or (action in AFTERWARDS and not self.dark)
        allowed = action in LOOKING or (besides and not self.asking.exam)
        if not allowed and (action in self.actions or hasattr(ConsoleScreen, f"action_{action}")):
            return False
        return super().check_action(action, parameters)

    def command(self, line: str) -> None:
        word = line.strip().split(" ")[0].lstrip("0123456789,_#%.")
        if refused := self.refused(word, line.strip()):
            self.say(refused, "warn")
        else:
            super().command(line)

    def refused(self, word: str, line: str) -> str:
        """Return why the command of a word is not open now; empty if it is."""
        if self.asking.exam:
            return "" if word in COMMANDS else f"{line!r} is not for an exam"
        if not word or word in COMMANDS | COMMANDS_BESIDES or (word in AFTERWARDS and not self.dark):
            return ""
        return self.asking.refusal(OPEN) if self.asking.open else f"{word!r} is not open in a drill"

    def queue_caption(self, usual: str) -> str:
        if not self.dark:
            return usual
        # Nobody is still working at the starts and reasons that are not seen.
        waiting, running = len(self.snapshot.waiting), len(self.snapshot.running)
        return f"{waiting:,} waiting, {running:,} running; starts covered"

    def paint_lines(self) -> None:
        super().paint_lines()
        self.paint_question()

    def paint_question(self) -> None:
        """Draw what stands under the panels."""
        if self.is_mounted and self.drill.covered:
            self.lines.hide_events()
        super().paint_question()

    @property
    def debrief_keys(self) -> Line:
        forward: Line = [(self.key("forward"), "key"), (" what happens   ", "dim")]
        return [("h", "key"), (" next moment   ", "dim"), *forward]

    def look_back(self, place: int | None) -> None:
        """Go to the moment of a question of a lesson that is over; None: to its end."""
        self.play.pause()
        if place is None:
            self.session.go_end()
            self.arrive()
        else:
            self.session.go_event(self.drill.places[place])
            self._show_job(self.drill.questions[place].job)

    # The keys.

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        onward = {name: self._unless_held(table[name]) for name in ("forward", "next_decision", "last")}
        play, onward_play = table["play"], self._unless_held(table["play"])

        def toggle() -> None:
            forward = not (self.player.playing or self.player.backwards)
            (onward_play if forward else play)()

        def detail() -> None:
            if self.dark:
                self.say(self.asking.refusal(OPEN), "warn")
            else:
                table["detail"]()

        asked = {"detail": detail, "train": self.asking.go_on, **self.asking.actions}
        return {**table, **onward, "play": toggle, **asked}

    def open_node(self, node: int) -> None:
        if self.dark:
            self.say(self.asking.refusal(OPEN), "warn")
        else:
            super().open_node(node)

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        """In an exam a second click opens no page, and answers nothing."""
        if self.asking.exam:
            event.prevent_default()
            self.selection.select(event.job_index)

    def _unless_held(self, action: Action) -> Action:
        def act(*given: object) -> None:
            if not self.held():
                action(*given)

        return act

    def held(self) -> bool:
        """Whether a question stops what would go on; a message says so, for it is not the end."""
        if not self.asking.due:
            return False
        self.say(self.asking.refusal(FIRST), "warn")
        return True

    def show_question(self) -> None:
        """Select the job that the question at hand is about, and paint."""
        question = self.drill.question
        self._show_job(None if question is None else question.job)

    def _show_job(self, job: int | None) -> None:
        self.desk.selected = None if job is None else self.session.index_of(job)
        self.arrive()

    def show_verdict(self, verdict: QuestionResult) -> None:
        """Let the pass happen that was asked about."""
        if self.snapshot.pending and verdict.verdict != SKIPPED:
            # The gate of the next question holds this back where that is asked at the same instant.
            self.session.step()
        self.arrive()

    def show_notes(self) -> None:
        # Its last line has keys, which are those of this page here.
        self._commands.show_notes("QUESTION AND NOTES", lambda width: self.asking.lines(width)[:-1])

    @property
    def own_help(self) -> Own:
        where = "IN AN EXAM" if self.asking.exam else "IN A DRILL"
        not_here = self.unoffered | {"train", *self.asking.left_out}
        rows = self.own_rows
        return Own(where, rows, lambda id: id not in not_here, lambda name: not self.refused(name, name))
