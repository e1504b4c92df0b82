"""The screen of a drill: a console over a simulated machine, or one over a captured cluster."""

from textual.screen import Screen

from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.cluster_exam import ClusterExamScreen
from shadowtime.console.screens.training.drill import DrillScreen, OnHint, OnVerdict
from shadowtime.console.screens.training.exam import ExamScreen
from shadowtime.console.screens.training.review import ReviewScreen
from shadowtime.console.session.exam import Sitting
from shadowtime.console.session.training import Drill


def drill_screen(
    drill: Drill, on_verdict: OnVerdict | None = None, on_hint: OnHint | None = None
) -> DrillScreen | ClusterDrillScreen:
    """Return the screen of a lesson."""
    kind = ClusterDrillScreen if on_cluster(drill) else DrillScreen
    return kind(drill, on_verdict, on_hint)


def review_screen(
    drill: Drill, title: str, on_verdict: OnVerdict | None = None, on_hint: OnHint | None = None
) -> ReviewScreen | ClusterDrillScreen:
    """Return the screen of a question to review; `title` is its lesson's."""
    if on_cluster(drill):
        return ClusterDrillScreen(drill, on_verdict, on_hint, title)
    return ReviewScreen(drill, title, on_verdict, on_hint)


def exam_screen(sitting: Sitting) -> Screen[None]:
    """Return the screen of the lesson at which an exam stands; `sitting` has a question left."""
    assert sitting.drill is not None
    kind = ClusterExamScreen if on_cluster(sitting.drill) else ExamScreen
    return kind(sitting, exam_screen)


def on_cluster(drill: Drill) -> bool:
    """Whether a drill is about a captured cluster."""
    return drill.session.case.scenario.cluster is not None
