"""The screens of drills and exams: a console over a simulated machine, or one over a captured cluster."""

from textual.screen import Screen

from shadowtime.console.screens.training.asking import Asking, Asks, OnHint, OnVerdict, QuestionScreen
from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.screens.training.exam_sheet import ExamSheet
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import Drill, Examples


def drill_screen(
    drill: Drill,
    on_verdict: OnVerdict | None = None,
    on_hint: OnHint | None = None,
    review: str = "",
    examples: Examples | None = None,
) -> QuestionScreen:
    """Return the screen of a lesson, or of one question of it; `review` is the lesson's title then."""
    return screen_of(drill, lambda view: Asking(view, drill, on_verdict, on_hint, review, examples))


def exam_screen(sitting: Sitting) -> Screen[None]:
    """Return the screen of the lesson at which an exam stands; `sitting` has a question left."""
    assert sitting.drill is not None
    return screen_of(sitting.drill, lambda view: ExamSheet(view, sitting, exam_screen))


def screen_of(drill: Drill, asks: Asks) -> QuestionScreen:
    """Return a console over what the questions are about; `asks` makes what asks them there."""
    on_cluster = drill.session.case.scenario.cluster is not None
    return ClusterDrillScreen(asks) if on_cluster else DrillScreen(asks)
