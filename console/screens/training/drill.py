"""A drill on the console: it stops before the decision and asks; until then nothing shows the answer."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

import attrs
from textual.binding import Binding, BindingType
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.keys import KEYS
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.page import Page, Story
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.facts import Row
from shadowtime.console.session.training import SKIPPED, Answer, Drill, Verdict, letter_of
from shadowtime.console.widgets.frame.ink import Line, paragraphs, wrap
from shadowtime.console.widgets.frame.question import (
    QuestionPanel,
    debrief_lines,
    end_lines,
    on_the_way,
    open_keys,
    question_lines,
    verdict_lines,
)

OPEN = "answer first: {} answers, o shows the answer"
FIRST = "the question comes first: {} answers, k skips it"
LOOKING = frozenset(
    (
        "train", "hint", "skip_question", "detail", "give_up", "forward", "back", "previous_decision", "play",
        "reverse", "slower", "faster", "speed_one", "goto", "first", "last", "next_decision", "mark",
        "to_mark", "panel", "next_panel", "previous_panel", "resize", "escape", "filter", "sort",
        "sort_reverse", "row", "half_rows", "far_row", "letters", "colouring", "zoom", "copy", "clock",
        "command", "help", "quit", "choose",
    )
)  # fmt: skip
"""What may be done while a question is open: looking around, and going back; forward ends at the gate."""
COMMANDS = frozenset(
    [
        "n",
        "p",
        "goto",
        "job",
        "sort",
        "filter",
        "speed",
        "play",
        "mark",
        "note",
        "help",
        "quit",
        "theme",
        "clock",
    ]
)
"""The typed commands of the same kind."""
AFTERWARDS = frozenset(("why", "policy"))
"""What may be done besides when no question is open. A drill keeps to its policy and its course."""
PANELS_LEAST = 8
"""Lines that the panels keep above a question."""

LETTERS = tuple(letter_of(place) for place in range(4))
"""The keys that answer: the letters of the choices."""

TIGHT = 3
"""The same on a screen that is too low for both."""

HOW = (
    "The console stops before a decision and asks. Look around as you like: predictions, reasons and what is"
    " to come are covered until you answer. The letter of a choice answers; t takes a typed answer, and goes"
    " on. Enter begins."
)

OnVerdict = Callable[[Verdict], str]
OnHint = Callable[[Drill], str]


def may_be(action: str) -> bool:
    """Whether what a key does is ever open in a drill."""
    return action.partition("(")[0] in LOOKING | AFTERWARDS


def covered(row: Row) -> Row:
    """A job without what would tell when it starts, and why it does not."""
    return attrs.evolve(row, predicted=None, first_predicted=None, reason=None, predicted_end=None)


class DrillScreen(ConsoleScreen):
    """The console in a lesson. `on_verdict` and `on_hint` keep what happens; each returns a line or none."""

    keeps: ClassVar[bool] = False
    how: ClassVar[str] = HOW
    """What is said of the keys before the first question."""
    unoffered: ClassVar[frozenset[str]] = frozenset(key.id for key in KEYS if not may_be(key.action))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "hint", show=False, id="drill_hint"),
        Binding("k", "skip_question", "skip", show=False, id="drill_skip"),
        Binding("o", "give_up", "answer", show=False, id="drill_give_up"),
        *(
            Binding(letter, f"choose('{letter}')", "answer", show=False, priority=True, id=f"drill_{letter}")
            for letter in LETTERS
        ),
    ]

    def __init__(
        self, drill: Drill, on_verdict: OnVerdict | None = None, on_hint: OnHint | None = None
    ) -> None:
        self.drill = drill
        self.ended: list[Verdict] = []
        """The questions that ended in this sitting."""
        self._on_verdict = on_verdict
        self._on_hint = on_hint
        self._verdict: Verdict | None = None
        """The one that is explained now."""
        self._moment: int | None = None
        """The question that the debrief has come to, by its place; None outside of it."""
        self._panel = QuestionPanel(id="question")
        super().__init__(drill.session)

    def below_panels(self) -> Sequence[Widget]:
        return (self._panel,)

    def begin(self) -> None:
        super().begin()
        scenario = self.session.case.scenario
        asked = words.count(self.drill.stop - self.drill.place, "question")
        about = [*scenario.about.split("\n\n"), f"{asked}. {self.how}"]

        if self.tells_story:
            story = partial(paragraphs, about)
            self.app.push_screen(Story(self.story_title, story, self.leave_story, self.begin_asking))
        else:
            self.call_after_refresh(self.begin_asking)

    def begin_asking(self) -> None:
        """After the story: go to the first question."""
        self.go_on()

    @property
    def story_title(self) -> str:
        """What stands above the story."""
        return self.session.case.scenario.title

    @property
    def tells_story(self) -> bool:
        """Whether the story comes first: at the beginning of a lesson."""
        return self.drill.place == 0

    def leave_story(self) -> None:
        """Esc on the story: back to where the operator came from."""
        self.go_back()

    @property
    def open(self) -> bool:
        """Whether a question waits for its answer."""
        return self._verdict is None and self.drill.question is not None

    # What is seen while a question is open.

    @property
    def dark(self) -> bool:
        """Whether predictions, reasons and what is to come are covered."""
        return self.open and self.drill.covered

    def cover(self, row: Row) -> Row:
        hidden = self.dark or (self.drill.covered and row.id in self._asked_later)
        return covered(row) if hidden else row

    @property
    def _asked_later(self) -> frozenset[int]:
        """The jobs that questions still to come are about: they stay covered after a verdict, too."""
        return frozenset(job for made in self.drill.later for job in _jobs_of(made))

    def last_event(self) -> int | None:
        return self.snapshot.number if self.dark else self.drill.session.gate

    @property
    def numbers(self) -> tuple[int, ...]:
        """Without the chart of what is to come, while a question is open; the matrix tells only what is."""
        numbers = super().numbers
        hidden = self.drill.covered and self.snapshot.matrix is None
        return tuple(n for n in numbers if n != 3) if hidden else numbers

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "choose":
            return self._chooses(str(parameters[0]))
        allowed = action in LOOKING or (action in AFTERWARDS and not self.dark)
        if not allowed and (action in self.actions or hasattr(ConsoleScreen, f"action_{action}")):
            return False
        return super().check_action(action, parameters)

    def command(self, line: str) -> None:
        word = line.strip().split(" ")[0].lstrip("0123456789,_#%.")
        if word and word not in COMMANDS and (self.dark or word not in AFTERWARDS):
            text = OPEN.format(self.key("train")) if self.open else f"{word!r} is not open in a drill"
            self.say(text, "warn")
        else:
            super().command(line)

    def queue_caption(self, usual: str) -> str:
        if not self.dark:
            return usual
        # Nobody is still working at the starts and reasons that are not seen.
        waiting, running = len(self.snapshot.waiting), len(self.snapshot.running)
        return f"{waiting:,} waiting, {running:,} running; starts and reasons are covered"

    def paint_lines(self) -> None:
        super().paint_lines()
        self.paint_question()

    def paint_question(self) -> None:
        """Draw what stands under the panels."""
        if self.is_mounted:
            if self.drill.covered:
                self.lines.hide_events()
            most, width = max(4, self.size.height - 7 - PANELS_LEAST), self.size.width - 2
            lines = self.question_lines(width)
            if len(lines) > most and self.open and self.drill.due:
                # The choices matter more than lines of panels, and more than the text before the question.
                lines, most = self.question_lines(width, tight=True), max(most, self.size.height - 7 - TIGHT)
            self._panel.fit(lines, most)

    def question_lines(self, width: int, tight: bool = False) -> list[Line]:
        """What stands under the panels."""
        go_on = self.key("train")
        if self._verdict is not None:
            lines = verdict_lines(self.drill, self._verdict, width, self.desk.unit)
            leave = self.key("escape")
            return [*lines, [(go_on, "key"), (" goes on   ", "dim"), (leave, "key"), (" leave", "dim")]]
        if self.drill.question is None and self._moment is not None:
            return [*self._moment_lines(self._moment, width), self._debrief_keys()]
        if self.drill.question is None:
            return end_lines(self.drill, self.ended, go_on, width, self.desk.unit)
        if not self.drill.due:
            return [on_the_way(self.drill, go_on, self.desk.clock)]
        try:
            return [
                *question_lines(self.drill, width, self.desk.unit, tight),
                self.keys_line(width),
            ]
        except (SessionError, PolicyError) as error:
            return [*wrap(str(error), width, "bad"), [("k", "key"), (" goes on without it", "dim")]]

    def _moment_lines(self, place: int, width: int) -> list[Line]:
        ended = next((it for it in reversed(self.ended) if it.place == place), None)
        return debrief_lines(self.drill, place, ended, width, self.desk.unit)

    def _debrief_keys(self) -> Line:
        return [
            ("h", "key"), (" next moment   ", "dim"),
            (self.key("forward"), "key"), (" what happens   ", "dim"),
            (self.key("train"), "key"), (" back to the lessons", "dim"),
        ]  # fmt: skip

    def debrief(self) -> None:
        """Go to the next key moment of a lesson that is over; after the last one to its end."""
        following = 0 if self._moment is None else self._moment + 1
        self.play.pause()
        if following < len(self.drill.questions):
            self._moment = following
            self.session.go_event(self.drill.places[following])
            asked = self.drill.questions[following].job
            self.desk.selected = None if asked is None else self.session.index_of(asked)
        else:
            self._moment = None
            self.session.go_end()
        self.arrive()

    def keys_line(self, width: int) -> Line:
        """What can be done with an open question."""
        return open_keys(self.drill, self.key("train"), self.key("escape"), width)

    # The keys.

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        onward = {name: self._unless_held(table[name]) for name in ("forward", "next_decision", "last")}
        play, onward_play = table["play"], self._unless_held(table["play"])

        def toggle() -> None:
            forward = not (self.player.playing or self.player.backwards)
            (onward_play if forward else play)()

        def detail() -> None:
            if self.dark:
                self.say(OPEN.format(self.key("train")), "warn")
            else:
                table["detail"]()

        return {**table, **onward, "play": toggle, "detail": detail, "train": self.go_on}

    def open_node(self, node: int) -> None:
        if self.dark:
            self.say(OPEN.format(self.key("train")), "warn")
        else:
            super().open_node(node)

    def _unless_held(self, action: Action) -> Action:
        def act(*given: object) -> None:
            if not self.held():
                action(*given)

        return act

    def held(self) -> bool:
        """Whether a question stops what would go on; a message says so, for it is not the end."""
        if not (self.open and self.drill.due):
            return False
        self.say(FIRST.format(self.key("train")), "warn")
        return True

    def go_on(self) -> None:
        """The next thing to do in the lesson: answer, go on, go to the next question."""
        self.play.pause()
        if self._verdict is not None:
            self._verdict = None
            self._to_question()
        elif self.drill.question is None:
            self.dismiss()
        elif self.drill.due:
            self.ask("answer", "answer ", hint="a job, a time, a letter ...   Esc looks around")
        else:
            self._to_question()

    def _to_question(self) -> None:
        self.drill.go_on()
        self.show_question()

    def show_question(self) -> None:
        """Select the job that the question at hand is about, and paint."""
        question = self.drill.question
        asked = None if question is None else question.job
        self.desk.selected = None if asked is None else self.session.index_of(asked)
        self.arrive()

    def typed(self, question: str, text: str) -> None:
        """The operator typed a line: an answer, or what the console asks for."""
        if question != "answer":
            super().typed(question, text)
            return
        self.panels.show(self.panels.used)
        if text:
            self._end(lambda: self.drill.give(text))

    def action_hint(self) -> None:
        """A hint: it costs a point. After the lesson: the debrief."""
        if self._verdict is None and self.drill.question is None:
            self.debrief()
            return
        if not self._due():
            return
        try:
            self.drill.hint()
        except (SessionError, PolicyError) as error:
            self.say(str(error), "warn")
        else:
            said = self._on_hint(self.drill) if self._on_hint is not None else ""
            if said:
                self.say(said, "warn")
        self.paint_question()

    def _chooses(self, letter: str) -> bool:
        """Whether the key of a letter answers now: a question is open, and the choice is left."""
        if not (self.open and self.drill.due) or self.takes_text:
            return False
        try:
            offered, left = self.drill.answer.offered, self.drill.left
        except (SessionError, PolicyError):
            return False
        place = LETTERS.index(letter)
        return place < len(offered) and offered[place] in left

    @property
    def takes_text(self) -> bool:
        """Whether a key that is typed belongs to a line, to a mark or to a number."""
        awaited = self._letters.awaited or self._counts.awaited or self.jumps.awaited
        return self._prompt.asking or bool(awaited)

    def action_choose(self, letter: str) -> None:
        """Answer with the choice of a letter."""
        self._end(lambda: self.drill.give(letter))

    def action_skip_question(self) -> None:
        """Leave the question for another time."""
        if self._due():
            self._end(self.drill.skip)
            # Nothing of it may be seen: it is asked again.
            self.go_on()
            self.say("skipped: it is asked again the next time")

    def action_give_up(self) -> None:
        """Show the answer."""
        if self._due():
            self._end(self.drill.give_up)

    def _due(self) -> bool:
        due = self.open and self.drill.due
        if not due:
            self.say("no question is open here", "warn")
        return due

    def _end(self, close: Callable[[], Verdict]) -> None:
        """A question ends: keep what it earned, let the pass happen, and tell why."""
        try:
            verdict = close()
        except (SessionError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")
            return
        self.ended.append(verdict)
        self._verdict = verdict
        if self.snapshot.pending and verdict.verdict != SKIPPED:
            # The gate of the next question holds this back where that is asked at the same instant.
            self.session.step()
        said = self._on_verdict(verdict) if self._on_verdict is not None else ""
        self.arrive()
        if said:
            self.say(said, "warn")

    def show_notes(self) -> None:
        """The question in full, then the notes so far."""

        def lines(width: int) -> list[Line]:
            dated = (words.dated(note, self.desk.clock) for note in self.desk.notes())
            notes = [line for note in dated for line in [*wrap(note, width, "note"), []]]
            return [*self.question_lines(width), [], *notes]

        self.open_page(Page("QUESTION AND NOTES", lines))


def _jobs_of(made: Answer) -> tuple[int, ...]:
    """The jobs that a question asks about, or that answer it."""
    named = (value[1] if isinstance(value, tuple) else value for value in made.right)
    jobs = named if made.question.ask in ("next_start", "preempted", "next_event", "delayed") else ()
    return (
        *(() if made.question.job is None else (made.question.job,)),
        *(it for it in jobs if isinstance(it, int)),
    )
