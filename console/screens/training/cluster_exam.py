"""An exam on a captured cluster: a countdown, no way back, no hint, no verdict; answers are kept at once."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from shadowtime.console.screens.pages.help import choice_help
from shadowtime.console.screens.pages.list_keys import HELP
from shadowtime.console.screens.training.asking import ONLY_IN_DRILLS
from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.exam_sheet import LEFT_OUT, ExamSheet, Following
from shadowtime.console.session.exam import Sitting
from shadowtime.console.widgets.frame.ink import Line


class ClusterExamScreen(ClusterDrillScreen, inherit_bindings=False):
    """The console over a cluster in an exam, one lesson at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        it for it in ClusterDrillScreen.BINDINGS if it not in ONLY_IN_DRILLS
    ]

    def __init__(self, sitting: Sitting, following: Following) -> None:
        """`sitting` has a question left; `following` makes the screen of the next lesson."""
        self.sheet = ExamSheet(self, sitting, following)
        super().__init__(lambda _: self.sheet)

    def depart(self) -> None:
        """Leave; time runs on."""
        self.app.exit(0)

    def go_from_here(self) -> None:
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
            (self.key("next_panel"), "to the next panel; 1 2 7: nodes, queue, why"),
            (self.key("quit"), "leave the exam; time runs on"),
        )
        return choice_help("IN AN EXAM ON A CLUSTER", found, width)
