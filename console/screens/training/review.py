"""A question to review: a drill of one question, then back to the menu, which asks the next one."""

from shadowtime.console.screens.training.drill import DrillScreen, OnHint, OnVerdict
from shadowtime.console.session.training import Drill


class ReviewScreen(DrillScreen):
    """The console at a question that was missed; its story says which lesson it is from."""

    def __init__(
        self,
        drill: Drill,
        title: str,
        on_verdict: OnVerdict | None = None,
        on_hint: OnHint | None = None,
    ) -> None:
        self._from = title
        super().__init__(drill, on_verdict, on_hint)

    @property
    def story_title(self) -> str:
        return f"REVIEW  {self._from}"

    @property
    def tells_story(self) -> bool:
        """Always: the lesson was taken days ago."""
        return True

    def go_on(self) -> None:
        """To the question; after it back to the menu."""
        if self.drill.question is None:
            self.dismiss()
        else:
            super().go_on()

    def action_skip_question(self) -> None:
        """Leave the question for another time: it stays due."""
        if self._due():
            self._end(self.drill.skip)
            self.dismiss()
