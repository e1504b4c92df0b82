"""Asking a lesson's questions on a screen: what stands under the panels, what the keys do, what is kept.

A console over a machine (`drill.py`) and one over a cluster (`cluster_drill.py`) ask in the same way. An exam
asks otherwise (`exam_sheet.py`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.pages.page import Story
from shadowtime.console.screens.training.example_page import LETTERS, ExamplePage
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.training import Drill, Examples, QuestionResult
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
from shadowtime.console.words import training

if TYPE_CHECKING:
    from shadowtime.console.screens.composed.screen import PanelScreen as Base
else:
    # The style sheet knows a screen by the first of its bases that has styles: the console that it is.
    Base = object

TYPES = "i"
"""The key after which an answer is typed."""
STILL_OPEN = f"the question is open: a letter answers, {TYPES} takes a typed answer, k skips"
ANSWERS = (
    Binding("k", "skip_question", "skip", show=False, id="drill_skip"),
    Binding(TYPES, "type_answer", "type", show=False, id="drill_type"),
    *(
        Binding(letter, f"choose('{letter}')", "answer", show=False, priority=True, id=f"drill_{letter}")
        for letter in LETTERS
    ),
)
ONLY_IN_DRILLS = (
    Binding("h", "hint", "hint", show=False, id="drill_hint"),
    Binding("o", "give_up", "answer", show=False, id="drill_give_up"),
)
"""The keys of a drill that an exam does not have."""

ANSWERING = (
    ("a-d", "answer with a choice"),
    (TYPES, "type an answer"),
    ("train", "after a question: go on"),
    ("h", "a hint, which costs a point; after the lesson: each question once more"),
    ("k", "skip the question: it is asked again the next time"),
    ("o", "show the answer"),
)
"""Keys, or their ids, and what they do in a lesson."""

OnVerdict = Callable[[QuestionResult], str]
OnHint = Callable[[Drill], str]


class QuestionScreen(Base):
    """A console that asks, in a lesson or in an exam: what those over a machine and over a cluster share."""

    how: ClassVar[str]
    """What is said of the keys before the first question."""
    typed_answers: ClassVar[str]
    """What can be typed as an answer."""
    leaves: ClassVar[str]
    """The key that leaves, by its id."""
    taken: ClassVar[tuple[int, int]]
    """Lines that no question gets: usually, and on a screen that is too low for both."""
    asking: "Asking"
    drill: Drill

    # What each shows in its own way.

    @property
    def reached(self) -> bool:
        """Whether it stands where the next question is asked."""
        raise NotImplementedError

    @property
    def debrief_keys(self) -> Line:
        raise NotImplementedError

    def unit_of_machine(self) -> words.Unit:
        raise NotImplementedError

    def show_question(self) -> None:
        """Show the question at hand, and what it is about."""
        raise NotImplementedError

    def show_verdict(self, verdict: QuestionResult) -> None:
        """Show how a question ended; what it asked about may be seen now."""
        raise NotImplementedError

    def look_back(self, place: int | None) -> None:
        """Show the moment of a question of a lesson that is over, by its place; None: its end."""
        raise NotImplementedError

    # What they do alike.

    @property
    def labels(self) -> Mapping[str, str]:
        answer = {"detail": "answer"} if self.asking.exam else {}
        return {"quit": self.asking.leaving, "train": self.asking.onward, **answer}

    @property
    def hidden(self) -> frozenset[str]:
        held = self.asking.due or not self.asking.onward
        return super().hidden | ({"train"} if held else set())

    @property
    def own_rows(self) -> list[tuple[str, str]]:
        """The keys of a question, and what they do."""
        return [(id if len(id) < 4 else self.key(id), does) for id, does in self.asking.rows]

    @property
    def takes_text(self) -> bool:
        """Whether a key that is typed belongs to a line, to a mark or to a number."""
        return self._prompt.asking or any(each.awaited for each in self.awaiting)

    def below_panels(self) -> Sequence[Widget]:
        return (self.asking.panel,)

    def paint_question(self) -> None:
        self.asking.paint()
        self.show_keys()

    def ask_answer(self) -> None:
        self.pause()
        self._prompt.ask("answer", "answer ", hint=self.typed_answers)

    def typed(self, question: str, text: str) -> None:
        """The operator typed a line: an answer, or what the console asks for."""
        if question != "answer":
            super().typed(question, text)
            return
        self.panels.show(self.panels.used)
        if text:
            self.asking.give(text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "choose":
            return self.asking.chooses(str(parameters[0]))
        if action in self.asking.left_out:
            return False
        return super().check_action(action, parameters)

    def go_from_here(self) -> None:
        if self.asking.exam:
            self.say(f"{self.key('quit')} leaves the exam, and time runs on", "warn")
        else:
            super().go_from_here()

    def depart(self) -> None:
        """Leave; answers are kept, and in an exam time runs on."""
        if self.asking.exam:
            self.app.exit(0)
        else:
            super().depart()


class Asking:
    """The questions of a drill on a screen. `on_verdict` and `on_hint` keep what happens.

    Each of the two returns a line to say, or nothing. `review` is the lesson that a single question is from;
    empty for a lesson.
    """

    exam: ClassVar[bool] = False
    """Whether it helps with nothing, explains nothing, and does not go back."""
    leaving: ClassVar[str] = "leave"
    """What the key does that leaves."""
    rows: ClassVar[Sequence[tuple[str, str]]] = ANSWERING
    """Its keys, or their ids, and what they do, for a page of help."""
    left_out: ClassVar[Collection[str]] = ()
    """The actions of a question that cannot be done."""

    def __init__(
        self,
        view: QuestionScreen,
        drill: Drill,
        on_verdict: OnVerdict | None = None,
        on_hint: OnHint | None = None,
        review: str = "",
        examples: Examples | None = None,
    ) -> None:
        self._examples = examples
        self.drill = drill
        self.ended: list[QuestionResult] = []
        """The questions that ended in this sitting."""
        self.panel = QuestionPanel(id="question")
        self._view = view
        self._on_verdict, self._on_hint = on_verdict, on_hint
        self._review = review
        self._verdict: QuestionResult | None = None
        """The one that is explained now."""
        self._moment: int | None = None
        """The question that the debrief has come to, by its place; None outside of it."""

    @property
    def actions(self) -> Mapping[str, Action]:
        return {
            "choose": self.choose,
            "skip_question": self.skip,
            "type_answer": self.type_answer,
            "hint": self.hint,
            "give_up": self.give_up,
        }

    @property
    def open(self) -> bool:
        return self._verdict is None and self.drill.question is not None

    @property
    def over(self) -> bool:
        """Whether nothing is left to ask or to explain."""
        return self._verdict is None and self.drill.question is None

    @property
    def leave_key(self) -> str:
        return self._view.key(self._view.leaves)

    @property
    def onward(self) -> str:
        """What the key does that goes on, in a word or two; empty if nothing does."""
        return "back to the lessons" if self.over else "go on" if self._verdict else "go there"

    @property
    def due(self) -> bool:
        """Whether a question can be answered here and now."""
        return self.open and self._view.reached

    # The story.

    @property
    def how(self) -> str:
        """What is said of the keys before the first question."""
        return self._view.how

    def begin(self) -> None:
        """Show the story at the beginning of a lesson, and before a question that was missed days ago."""
        drill = self.drill
        if drill.place and not self._review:
            self._view.app.call_after_refresh(self.to_question)
            return
        scenario = drill.session.case.scenario
        asked = words.count(drill.stop - drill.place, "question")
        about = [*scenario.about.split("\n\n"), f"{asked}. {self.how}"]
        title = f"REVIEW  {self._review}" if self._review else scenario.title
        story = Story(title, partial(paragraphs, about), self.leave_story, self.to_question)
        self._view.app.push_screen(story)

    def leave_story(self) -> None:
        self._view.leave()

    # What stands under the panels.

    def paint(self) -> None:
        view = self._view
        if not view.is_mounted:
            return
        height, width = view.size.height, view.size.width - 2
        usually, at_least = view.taken
        most, lines = max(4, height - usually), self.lines(width)
        if len(lines) > most:
            # Choices and reasons matter more than lines of panels, and more than the text before a question.
            lines, most = self.lines(width, tight=True), max(most, height - at_least)
        self.panel.fit(lines, most)

    def lines(self, width: int, tight: bool = False) -> list[Line]:
        """Return what stands there: a question, a verdict, or what the lesson came to."""
        view, drill, unit = self._view, self.drill, self._view.unit_of_machine()
        go_on: Line = [(view.key("train"), "key"), (f" {self.onward}", "dim")]
        if self._verdict is not None:
            leave: Line = [(self.leave_key, "key"), (f" {self.leaving}", "dim")]
            keys = [*go_on, ("   ", "dim"), *leave] if self.onward else leave
            return [*verdict_lines(drill, self._verdict, width, unit), keys]
        if drill.question is None and self._moment is not None:
            ended = next((it for it in reversed(self.ended) if it.place == self._moment), None)
            return [*debrief_lines(drill, self._moment, ended, width, unit), [*view.debrief_keys, *go_on]]
        if drill.question is None:
            return end_lines(drill, self.ended, go_on, width, unit)
        if not view.reached:
            return [on_the_way(drill, go_on, unit.clock)]
        try:
            return [*question_lines(drill, width, unit, tight), self.keys_line(width)]
        except (SessionError, PolicyError) as error:
            return [*wrap(str(error), width, "bad"), [("k", "key"), (" goes on without it", "dim")]]

    def keys_line(self, width: int) -> Line:
        return open_keys(self.drill, TYPES, self.leave_key, width)

    # What the keys do.

    def chooses(self, letter: str) -> bool:
        """Whether the key of a letter answers now: a question is open, and the choice is left."""
        if not self.due or self._view.takes_text:
            return False
        try:
            offered, left = self.drill.answer.offered, self.drill.left
        except (SessionError, PolicyError):
            return False
        place = LETTERS.index(letter)
        return place < len(offered) and offered[place] in left

    def choose(self, letter: str) -> None:
        self.give(letter)

    def give(self, text: str) -> None:
        unit = self._view.unit_of_machine()
        self.end(lambda: self.drill.give(training.named(self.drill.answer, text, unit)))

    def type_answer(self) -> None:
        if self.said_due():
            self._view.ask_answer()

    def skip(self) -> None:
        if self.said_due():
            self.end(self.drill.skip)
            # Nothing of it may be seen: it is asked again.
            self.go_on()
            self._view.say("skipped: it is asked again the next time")

    def give_up(self) -> None:
        if self.said_due():
            self.end(self.drill.give_up)

    def hint(self) -> None:
        """A hint: it costs a point. After the lesson: the next moment of the debrief, at last the end."""
        if self.over:
            following = 0 if self._moment is None else self._moment + 1
            self._moment = following if following < len(self.drill.questions) else None
            self._view.look_back(self._moment)
            return
        if not self.said_due():
            return
        try:
            self.drill.hint()
        except (SessionError, PolicyError) as error:
            self._view.say(str(error), "warn")
        else:
            self._say_fault(self._on_hint(self.drill) if self._on_hint is not None else "")
        self._view.paint_question()

    def go_on(self) -> None:
        """The next thing to do in the lesson: go on, go to the next question, leave."""
        self._view.pause()
        if self.over or (self._review and self.drill.question is None):
            self._view.dismiss()
        elif self._verdict is None and self._view.reached:
            self._view.say(self.refusal(STILL_OPEN), "warn")
        else:
            self._verdict = None
            self.to_question()

    def to_question(self) -> None:
        """Go to the next question, or to the end if all have been asked; worked examples come first."""
        example = self._examples.before(self.drill) if self._examples is not None else None
        if example is not None:
            self._view.app.push_screen(ExamplePage(example), lambda _: self.to_question())
            return
        self.drill.go_on()
        self._view.show_question()

    def end(self, close: Callable[[], QuestionResult]) -> None:
        """A question ends: keep what it earned, and say why."""
        verdict = self.closed(close)
        if verdict is None:
            return
        self.ended.append(verdict)
        self._verdict = verdict
        said = self._on_verdict(verdict) if self._on_verdict is not None else ""
        self._view.show_verdict(verdict)
        self._say_fault(said)

    def closed(self, close: Callable[[], QuestionResult]) -> QuestionResult | None:
        """Return how a question ended; None if the answer is none, which a message says."""
        try:
            return close()
        except (SessionError, PolicyError) as error:
            self._view.say(" ".join(str(error).split()), "warn")
            return None

    def said_due(self) -> bool:
        """Whether a question can be answered here and now; a message says so if none can."""
        if not self.due:
            self._view.say("no question is open here", "warn")
        return self.due

    def refusal(self, usual: str) -> str:
        """Return what is said where an open question stops a key or a command."""
        return usual

    def _say_fault(self, said: str) -> None:
        if said:
            self._view.say(said, "warn")


Asks = Callable[[QuestionScreen], Asking]
