"""A drill on a captured cluster: its plan is covered until the lesson is over; queue and nodes are not."""

from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.screens.pages.help import choice_help
from shadowtime.console.screens.pages.list_keys import HELP
from shadowtime.console.screens.pages.page import Page, Story
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.training.drill import LETTERS, OnHint, OnVerdict
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.training import SKIPPED, Drill, Verdict
from shadowtime.console.session.training.clusters import ClusterScene, covered
from shadowtime.console.widgets.frame.ink import Line, paragraphs, wrap
from shadowtime.console.widgets.frame.question import (
    QuestionPanel,
    debrief_lines,
    end_lines,
    open_keys,
    question_lines,
    verdict_lines,
)
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import why_lines

KEPT = frozenset(
    (
        "row_down", "half_down", "half_up", "last_row", "filter", "sort", "sort_reverse", "next_panel",
        "previous_panel", "panel1", "panel2", "panel3", "colouring", "detail", "help",
    )
)  # fmt: skip
"""Keys of a console over a cluster that a drill has, too, by their ids: nothing steps to what is to come."""
PANELS = 3
"""Panels: queue, nodes, why; the events to come are for no trainee."""
PANELS_LEAST, TIGHT = 9, 6
"""Lines that the panels keep above a question; on a screen that is too low for both."""
HOW = (
    "The plan of the next cycle is covered; the queue, the nodes and the reasons that Slurm shows are not."
    " The letter of a choice answers; t takes a typed answer, and goes on. Enter begins."
)


class ClusterDrillScreen(ClusterScreen, inherit_bindings=False):
    """The console over a cluster in a lesson. `on_verdict` and `on_hint` keep what happens."""

    plays: ClassVar[bool] = False
    how: ClassVar[str] = HOW
    """What is said of the keys before the first question."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(it for it in ClusterScreen.BINDINGS if isinstance(it, Binding) and it.id in KEPT),
        Binding("t", "go_on", "on", show=False, id="train"),
        Binding("h", "hint", "hint", show=False, id="drill_hint"),
        Binding("k", "skip_question", "skip", show=False, id="drill_skip"),
        Binding("o", "give_up", "answer", show=False, id="drill_give_up"),
        Binding("escape", "out", "back", id="escape"),
        Binding("q", "leave", "leave", id="quit"),
        *(
            Binding(letter, f"choose('{letter}')", "answer", show=False, priority=True, id=f"drill_{letter}")
            for letter in LETTERS
        ),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("filter", "filter"),
        ("sort", "sort"),
        ("next_panel", "panel"),
        ("detail", "everything"),
        ("help", "help"),
        ("quit", "leave"),
    )

    def __init__(
        self,
        drill: Drill,
        on_verdict: OnVerdict | None = None,
        on_hint: OnHint | None = None,
        review: str = "",
    ) -> None:
        """`review` is the lesson that a single question is from; empty for a lesson."""
        capture = drill.session.case.scenario.cluster
        assert capture is not None
        self.drill = drill
        self.ended: list[Verdict] = []
        """The questions that ended in this sitting."""
        self._whole = ClusterScene(capture).board
        self._covered = covered(self._whole)
        self._review = review
        self._on_verdict, self._on_hint = on_verdict, on_hint
        self._verdict: Verdict | None = None
        """The one that is explained now."""
        self._moment: int | None = None
        """The question that the debrief has come to, by its place; None outside of it."""
        self._question = QuestionPanel(id="question")
        self._unit = words.unit_of(drill.session.case.scenario.machine)
        super().__init__(Folder(Path(capture.folder)), self._seen, Dates(UTC))

    @property
    def _seen(self) -> Board:
        """The cluster as it may be seen now."""
        over = self.drill.question is None and self._verdict is None
        return self._whole if over else self._covered

    def below_panels(self) -> Sequence[Widget]:
        return (self._question,)

    def on_mount(self) -> None:
        self.events.line.display = self.events.panel.display = False
        self.begin()

    def begin(self) -> None:
        """Show the story first, at the beginning of a lesson."""
        if self.drill.place and not self._review:
            self.call_after_refresh(self.begin_asking)
            return
        scenario = self.drill.session.case.scenario
        asked = words.count(self.drill.stop - self.drill.place, "question")
        about = [*scenario.about.split("\n\n"), f"{asked}. {self.how}"]

        title = f"REVIEW  {self._review}" if self._review else scenario.title
        self.app.push_screen(Story(title, partial(paragraphs, about), self.leave_story, self.begin_asking))

    def leave_story(self) -> None:
        """Back to where the operator came from."""
        self.dismiss()

    def begin_asking(self) -> None:
        """After the story: the first question."""
        self._to_question()

    @property
    def open(self) -> bool:
        """Whether a question waits for its answer."""
        return self._verdict is None and self.drill.question is not None

    def _to_question(self) -> None:
        self.drill.go_on()
        self.show_question()

    def show_question(self) -> None:
        """Show the row of the job that the question at hand is about."""
        question = self.drill.question
        if self.board is not self._seen:
            self.board = self._seen
            self._show()
        self._select(None if question is None else question.job)
        self.paint_question()

    def _select(self, job: int | None) -> None:
        place = next((place for place, row in enumerate(self._rows) if row.number == job), None)
        if job is not None and place is not None:
            self.plan.go(place)

    def paint_question(self) -> None:
        """Draw what stands under the panels."""
        if not self.is_mounted:
            return
        most, width = max(4, self.size.height - 5 - PANELS_LEAST), self.size.width - 2
        lines = self.question_lines(width)
        if len(lines) > most and self.open:
            # The choices matter more than lines of panels, and more than the text before the question.
            lines, most = self.question_lines(width, tight=True), max(most, self.size.height - 5 - TIGHT)
        self._question.fit(lines, most)

    def question_lines(self, width: int, tight: bool = False) -> list[Line]:
        """What stands under the panels."""
        go_on, unit = self.key("train"), self._unit
        if self._verdict is not None:
            lines = verdict_lines(self.drill, self._verdict, width, unit)
            leave = self.key("quit")
            return [*lines, [(go_on, "key"), (" goes on   ", "dim"), (leave, "key"), (" leave", "dim")]]
        if self.drill.question is None and self._moment is not None:
            ended = next((it for it in reversed(self.ended) if it.place == self._moment), None)
            lines = debrief_lines(self.drill, self._moment, ended, width, unit)
            return [*lines, [("h", "key"), (" next moment   ", "dim"), (go_on, "key"), (" back", "dim")]]
        if self.drill.question is None:
            return end_lines(self.drill, self.ended, go_on, width, unit)
        try:
            return [*question_lines(self.drill, width, unit, tight), self.keys_line(width)]
        except (SessionError, PolicyError) as error:
            return [*wrap(str(error), width, "bad"), [("k", "key"), (" goes on without it", "dim")]]

    def keys_line(self, width: int) -> Line:
        """What can be done with an open question."""
        return open_keys(self.drill, self.key("train"), self.key("quit"), width)

    def on_resize(self, _: Resize) -> None:
        self.paint_question()

    # The keys.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._chooses(str(parameters[0])) if action == "choose" else True

    def _chooses(self, letter: str) -> bool:
        """Whether the key of a letter answers now: a question is open, and the choice is left."""
        if not self.open or self._prompt.asking:
            return False
        try:
            offered, left = self.drill.answer.offered, self.drill.left
        except (SessionError, PolicyError):
            return False
        place = LETTERS.index(letter)
        return place < len(offered) and offered[place] in left

    def action_choose(self, letter: str) -> None:
        """Answer with the choice of a letter."""
        self._end(lambda: self.drill.give(letter))

    def action_go_on(self) -> None:
        """The next thing to do: answer, go on, leave."""
        if self._prompt.asking:
            return
        if self._verdict is not None:
            self._verdict = None
            if self._review and self.drill.question is None:
                self.dismiss()
            else:
                self._to_question()
        elif self.drill.question is None:
            self.dismiss()
        else:
            self._prompt.ask(
                "answer", "answer ", hint="a letter, an instant, nodes, a job   Esc looks around"
            )

    def typed(self, question: str, text: str) -> None:
        """The operator typed a line: an answer, or a filter."""
        if question != "answer":
            super().typed(question, text)
            return
        self.go_panel(self._panel)
        if text:
            self._end(lambda: self.drill.give(text))

    def action_hint(self) -> None:
        """A hint: it costs a point. After the lesson: the debrief."""
        if self.drill.question is None and self._verdict is None:
            self._debrief()
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

    def _debrief(self) -> None:
        """Go to the next question of a lesson that is over; after the last one to its end."""
        following = 0 if self._moment is None else self._moment + 1
        self._moment = following if following < len(self.drill.questions) else None
        self._select(None if self._moment is None else self.drill.questions[self._moment].job)
        self.paint_question()

    def action_skip_question(self) -> None:
        """Leave the question for another time."""
        if self._due():
            self._end(self.drill.skip)
            # Nothing of it may be seen: it is asked again.
            self.action_go_on()
            self.say("skipped: it is asked again the next time")

    def action_give_up(self) -> None:
        """Show the answer."""
        if self._due():
            self._end(self.drill.give_up)

    def _due(self) -> bool:
        if not self.open:
            self.say("no question is open here", "warn")
        return self.open

    def _end(self, close: Callable[[], Verdict]) -> None:
        """A question ends: keep what it earned, and say why."""
        try:
            verdict = close()
        except (SessionError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")
            return
        self.ended.append(verdict)
        self._verdict = verdict
        said = self._on_verdict(verdict) if self._on_verdict is not None else ""
        self.paint_question()
        if said or verdict.verdict != SKIPPED:
            self.say(said, "warn")

    def action_detail(self) -> None:
        """Everything about the row under the cursor, and the question in full."""
        row = self.current

        def lines(width: int) -> Sequence[Line]:
            return [*self.question_lines(width), [], *self.why(width)]

        self.app.push_screen(Page("QUESTION" if row is None else f"QUESTION, AND JOB {row.job}", lines))

    def action_turn_panel(self, way: int) -> None:
        """To the next panel, or the one before."""
        if self._prompt.asking:
            super().action_turn_panel(way)
        else:
            self.go_panel((self._panel - 1 + way) % PANELS + 1)

    def plan_why(self, width: int) -> Sequence[Line]:
        """The lines about the row under the cursor, without what is to come."""
        return why_lines(self.board, self.changes, self.current, self._dates, width)

    def action_out(self) -> None:
        """Back: from a filter, to the plan, out of the lesson."""
        if self._filter or self._panel != 1:
            super().action_out()
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Leave the lesson; answers are kept."""
        self.dismiss()

    def _help(self, width: int) -> Sequence[Line]:
        found = (
            *HELP[1:],
            ("Up Down, j", "move"),
            ("a-d", "answer with a choice"),
            (self.key("train"), "type an answer; after a question: go on"),
            ("h", "a hint, which costs a point; after the lesson: each question once more"),
            ("k", "skip the question: it is asked again the next time"),
            ("o", "show the answer"),
            (self.key("filter"), "filter the queue, as in user=user1 partition=batch"),
            (self.key("next_panel"), "to the next panel; 1 2 3: queue, nodes, why"),
            (self.key("detail"), "the question in full, and the job under the cursor"),
            (self.key("quit"), "leave the lesson"),
        )
        return choice_help("IN A DRILL ON A CLUSTER", found, width)
