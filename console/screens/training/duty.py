"""On duty: the operator acts, nothing tells what is to come, and the score stands under the panels."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from console.screens.actions import Action
from console.screens.console.screen import ConsoleScreen
from console.screens.pages.page import Story
from console.session import Case
from console.session.training.duty import NOTHING, Compared, cost, points
from console.session.training.question_stop import Dark
from console.session.training.scores import Rivals, Score, costliest, score_of
from console.widgets.frame.ink import Line, wrap
from console.widgets.frame.question import QuestionPanel
from console.words import duty

COMMANDS = frozenset(("under", "compare", "whatif", "policy", "set", "save", "export", "seek"))
"""What would show what is to come, and what would leave the work to a scheduler."""

Ended = Callable[[float, int], str]
"""Called with the operator's figure and the points at the end; returns a line to say, or nothing."""

Finish = Callable[[Score, Sequence[Score]], list[str]]
"""What is said when the shift is over, from the operator's score and the others'."""


class Duty(ConsoleScreen):
    """The console of an operator who is on duty."""

    keeps: ClassVar[bool] = False
    unoffered: ClassVar[frozenset[str]] = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "start_job", "start", show=False, id="duty_start")]

    def __init__(
        self, case: Case, others: Rivals | Compared, finish: Finish, ended: Ended | None = None
    ) -> None:
        self.others = others
        self._finish = finish
        self._heard = ended
        self._board = QuestionPanel(id="question")
        self._kept: float | None = None
        """The figure that was told last: going back and forth is no other shift."""
        self._final: list[str] = []
        """What is said when the shift is over."""
        super().__init__(Dark(case))

    def below_panels(self) -> Sequence[Widget]:
        return (self._board,)

    def begin(self) -> None:
        super().begin()
        scenario = self.session.case.scenario
        about = [*scenario.about.split("\n\n"), HOW]

        def lines(width: int) -> list[Line]:
            return [line for part in about for line in [*wrap(" ".join(part.split()), width), []]]

        self.app.push_screen(Story(scenario.title, lines, self.go_back))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Without the chart of what is to come."""
        return tuple(n for n in super().numbers if n != 3 or self.snapshot.matrix is not None)

    def last_event(self) -> int | None:
        return self.snapshot.number

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        refused: dict[str, Action] = {word: self._refuser(word) for word in ("compare", "edit")}
        return {**table, **refused, "train": self._leave}

    def _refuser(self, word: str) -> Action:
        return lambda *_: self._refuse(word)

    def _refuse(self, word: str) -> None:
        self.say(f"{word!r} is not for those who are on duty", "warn")

    def command(self, line: str) -> None:
        word = line.strip().split(" ")[0]
        if word in COMMANDS:
            self._refuse(word)
        else:
            super().command(line)

    def action_start_job(self) -> None:
        """Start the job that is looked at, now."""
        if self.selection.chosen is None:
            self.say("nobody waits", "warn")
        else:
            journal = self.session.journal
            self.steering.do(f"start {self.session.id_of(self.selection.chosen)}")
            if self.session.journal != journal:
                # The next one to start is another one.
                self.desk.selected = None
                self.look()

    def _leave(self) -> None:
        """Back to training, once the shift is over."""
        if self.over:
            self.dismiss()
        else:
            self.say("the shift is not over: jobs wait, or run, or are still to come; Esc leaves it", "warn")

    @property
    def over(self) -> bool:
        """Whether all is done: nothing is left to happen, and nobody waits."""
        shot = self.snapshot
        return self.session.over and not (shot.waiting or shot.running or shot.holding)

    def paint_lines(self) -> None:
        super().paint_lines()
        if self.is_mounted:
            self.lines.hide_events()
            self._board.fit(self.board_lines(self.size.width - 2), max(6, self.size.height - 15))

    def board_lines(self, width: int) -> list[Line]:
        """The figures up to now; at the end what they came to."""
        own = score_of(duty.YOU, self.session)
        others = self.others.end() if self.over else self.others.at(self.snapshot.time)
        lines: list[Line] = [[(duty.heading(), "head")], [(duty.line(own), "strong")]]
        lines += [[(duty.line(other), "text")] for other in others]
        if self.over:
            if not self._final:
                self._final = self._finish(own, others)
            for text in self._final:
                lines += wrap(text, width, "good", [("* ", "key")], 2)
        else:
            self._final = []
        return [*lines, self._keys_line()]

    def _keys_line(self) -> Line:
        if self.over:
            return [(self.key("train"), "key"), (" back to training", "dim")]
        return [
            ("i", "key"), (" starts the selected job   ", "dim"),
            (self.key("act"), "key"), (" all actions   ", "dim"),
            (self.key("undo"), "key"), (" takes back   ", "dim"),
            (self.key("escape"), "key"), (" leaves", "dim"),
        ]  # fmt: skip

    def hear(self, figure: float, earned: int) -> None:
        """Tell what the shift came to, to be kept."""
        if self._heard is None or figure == self._kept:
            return
        self._kept = figure
        said = self._heard(figure, earned)
        if said:
            self.say(said, "warn")


class ManualShift(Duty):
    """The operator is the scheduler, against three others on the same workload."""

    def __init__(self, case: Case, ended: Ended | None = None) -> None:
        super().__init__(case, Rivals(case), self._beaten, ended)

    def _beaten(self, own: Score, others: Sequence[Score]) -> list[str]:
        earned = duty.rank(own, others)
        self.hear(own.slowdown or 0.0, earned)
        return [duty.beaten(own, others, earned), duty.gap(costliest(self.session), self.desk.unit)]


class IncidentShift(Duty):
    """The operator helps a scheduler through an incident."""

    def __init__(self, case: Case, ended: Ended | None = None) -> None:
        self.compared = Compared(case)
        super().__init__(case, self.compared, self._cost, ended)

    def _cost(self, own: Score, others: Sequence[Score]) -> list[str]:
        alone = next(other for other in others if other.name == NOTHING)
        came, nothing = cost(self.session), self.compared.cost()
        earned = points(came, nothing, own.over, alone.over)
        self.hear(came, earned)
        return [duty.costs(came, nothing, earned)]


HOW = (
    "Nothing tells what is to come. Time goes on with n, Space and g, and back with p; a opens all that you"
    " may do, i starts the selected job, u takes the last action back. Enter begins."
)
