"""The console at a question of a lecture: what the class asks about is looked up where it happens."""

from textual.screen import Screen

from shadowtime.console.screens.training.asking import Asking, QuestionScreen
from shadowtime.console.screens.training.kinds import screen_of
from shadowtime.console.session.curriculum.lecture import Lecture, Stage
from shadowtime.console.widgets.frame.ink import Line


class AskedAtOnce(Asking):
    """A question without a story, which no key answers; its answer is shown once the class has seen it."""

    left_out = ("give_up", "hint", "skip_question", "type_answer")
    shown = False
    """Whether the class has seen the answer."""

    def begin(self) -> None:
        self._view.app.call_after_refresh(self._ask)

    def chooses(self, letter: str) -> bool:
        return False

    def keys_line(self, width: int) -> Line:
        return [(self._view.key("quit"), "key"), (" back to the lecture", "dim")]

    def _ask(self) -> None:
        self.to_question()
        if self.shown:
            self.end(self.drill.give_up)


def question_screen(lecture: Lecture) -> Screen[None]:
    """Return a console that stands at the open question; nothing done there changes the lecture.

    ScenarioError, SessionError: what is wrong with the lesson.
    """
    drill = lecture.apart()

    def asks(view: QuestionScreen) -> Asking:
        asking = AskedAtOnce(view, drill)
        asking.shown = lecture.stage is Stage.ANSWER
        return asking

    return screen_of(drill, asks)
