"""An exam on the full screen: a countdown, no way back, no hint, no verdict; each answer is kept at once."""

from typing import ClassVar

from shadowtime.console.keys import KEYS
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.training.drill import COMMANDS, LOOKING, DrillScreen
from shadowtime.console.screens.training.exam_sheet import ExamSheet, Following
from shadowtime.console.session.exam import Sitting
from shadowtime.console.widgets.nodemap.panel import NodeMap


class ExamScreen(DrillScreen):
    """The console in an exam, one lesson at a time; after the last question a page with the result."""

    unoffered: ClassVar[frozenset[str]] = frozenset(
        key.id for key in KEYS if key.action.partition("(")[0] not in LOOKING - {"detail", "train"}
    )

    def __init__(self, sitting: Sitting, following: Following) -> None:
        """`sitting` has a question left; `following` makes the screen of the next lesson."""
        self.sheet = ExamSheet(self, sitting, following)
        super().__init__(lambda _: self.sheet)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        known = action in self.actions or hasattr(ConsoleScreen, f"action_{action}")
        if action not in LOOKING and (known or action in ("hint", "give_up")):
            return False
        return super().check_action(action, parameters)

    def refused(self, word: str, line: str) -> str:
        """Return why the command of a word is not open; empty if it is."""
        return "" if word in COMMANDS else f"{line!r} is not for an exam"

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        """A click selects; it answers nothing."""
        self.selection.select(event.job_index)

    def go_from_here(self) -> None:
        self.sheet.stay()

    def depart(self) -> None:
        self.app.exit(0)
