"""A drill on a captured cluster: its plan is covered until the lesson is over; queue and nodes are not."""

from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Resize

from shadowtime.console import keys, words
from shadowtime.console.screens.actions import perform
from shadowtime.console.screens.composed.panels import NODES, QUEUE, WHY
from shadowtime.console.screens.pages.help import choice_help
from shadowtime.console.screens.pages.page import HELP, Page
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.training.asking import (
    ANSWERS,
    ONLY_IN_DRILLS,
    Asks,
    QuestionScreen,
)
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.training import QuestionResult
from shadowtime.console.session.training.clusters.scene import ClusterScene, covered
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import why_lines

KEPT = frozenset(
    (
        "row_down", "half_down", "half_up", "last_row", "filter", "sort", "sort_reverse", "next_panel",
        "previous_panel", "panel1", "panel2", "panel7", "grow", "shrink", "colouring", "detail", "train",
        "escape", "help", "quit",
    )
)  # fmt: skip
"""Keys of a console over a cluster that a drill has, too, by their ids: nothing steps to what is to come."""
HOW = (
    "The plan of the next cycle is covered; the queue, the nodes and the reasons that Slurm shows are not."
    " The letter of a choice answers; i takes a typed answer, and t goes on. Enter begins."
)


class ClusterDrillScreen(QuestionScreen, ClusterScreen, inherit_bindings=False):
    """The console over a cluster in a lesson, or in an exam: one lesson at a time."""

    plays: ClassVar[bool] = False
    how = HOW
    typed_answers = "a letter, an instant, nodes, a job   Esc looks around"
    leaves = "quit"
    taken = (14, 8)
    unoffered: ClassVar[frozenset[str]] = frozenset(key.id for key in keys.KEYS if key.id not in KEPT)
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys.bindings(keys.CLUSTER, KEPT),
        *ONLY_IN_DRILLS,
        *ANSWERS,
    ]

    def __init__(self, asks: Asks) -> None:
        self.asking = asks(self)
        self.drill = self.asking.drill
        scenario = self.drill.session.case.scenario
        assert scenario.cluster is not None
        self._whole = ClusterScene(scenario.cluster).board
        self._covered = covered(self._whole)
        super().__init__(Folder(Path(scenario.cluster.folder)), self._seen, Dates(UTC))
        own = {"train": self.asking.go_on, "detail": self.show_detail}
        perform(self, own | dict(self.asking.actions))

    @property
    def _seen(self) -> Board:
        return self._whole if self.asking.over else self._covered

    @property
    def numbers(self) -> tuple[int, ...]:
        """Queue, nodes and reasons: the events to come are for no trainee."""
        return (NODES, QUEUE, WHY)

    def on_mount(self) -> None:
        self.picture.events.line.display = False
        self.asking.begin()

    @property
    def reached(self) -> bool:
        """Always: a captured cluster has one instant."""
        return True

    def unit_of_machine(self) -> words.Unit:
        return words.unit_of(self.drill.session.case.scenario.machine)

    def show_question(self) -> None:
        """Show the row of the job that the question at hand is about."""
        question = self.drill.question
        if self.board is not self._seen:
            self.captures.board = self._seen
            self.show()
        self._select(None if question is None else question.job)

    def show_verdict(self, verdict: QuestionResult) -> None:
        """Nothing of the cluster may be seen that was covered before."""
        self.paint_question()
        self.say("")

    def look_back(self, place: int | None) -> None:
        """Show the row of the job of a question of a lesson that is over."""
        self._select(None if place is None else self.drill.questions[place].job)

    def _select(self, job: int | None) -> None:
        plan = self.picture.plan
        row = next((place for place, row in enumerate(plan.rows) if row.number == job), None)
        if job is not None and row is not None:
            plan.table.go(row)
        self.paint_question()

    @property
    def debrief_keys(self) -> Line:
        return [("h", "key"), (" next moment   ", "dim")]

    def on_resize(self, _: Resize) -> None:
        self.paint_question()

    # The keys.

    def show_detail(self) -> None:
        """Everything about the row under the cursor, and the question in full."""
        row = self.current

        def lines(width: int) -> Sequence[Line]:
            return [*self.asking.lines(width)[:-1], [], *self.picture.why_lines(width)]

        self.app.push_screen(Page("QUESTION" if row is None else f"QUESTION, AND JOB {row.job}", lines))

    def plan_why(self, width: int) -> Sequence[Line]:
        """The lines about the row under the cursor, without what is to come."""
        return why_lines(self.board, self.captures.changes, self.current, self.dates, width)

    def open_help(self) -> None:
        self.app.push_screen(Page("HELP", self._help))

    def _help(self, width: int) -> Sequence[Line]:
        exam = self.asking.exam
        found = (
            *HELP[1:],
            ("Up Down, j", "move"),
            *self.own_rows,
            (self.key("filter"), "filter the queue, as in user=user1 partition=batch"),
            (self.key("next_panel"), "to the next panel; 1 2 7: nodes, queue, why"),
            *(() if exam else ((self.key("detail"), "the question in full, and the job under the cursor"),)),
            (self.key("quit"), "leave the exam; time runs on" if exam else "leave the lesson"),
        )
        return choice_help(f"IN {'AN EXAM' if exam else 'A DRILL'} ON A CLUSTER", found, width)
