"""The screen of a drill: a console over a simulated machine, or one over a captured cluster."""

from textual.screen import Screen

from shadowtime.console.screens.training.asking import Asking, OnHint, OnVerdict
from shadowtime.console.screens.training.cluster_drill import ClusterDrillScreen
from shadowtime.console.screens.training.cluster_exam import ClusterExamScreen
from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.screens.training.exam import ExamScreen
from shadowtime.console.session.exam import Sitting
from shadowtime.console.session.training import Drill


def drill_screen(
    drill: Drill, on_verdict: OnVerdict | None = None, on_hint: OnHint | None = None, review: str = ""
) -> DrillScreen | ClusterDrillScreen:
    """Return the screen of a lesson, or of one question of it; `review` is the lesson's title then."""
    kind = ClusterDrillScreen if on_cluster(drill) else DrillScreen
    return kind(lambda view: Asking(view, drill, on_verdict, on_hint, review))


def exam_screen(sitting: Sitting) -> Screen[None]:
    """Return the screen of the lesson at which an exam stands; `sitting` has a question left."""
    assert sitting.drill is not None
    kind = ClusterExamScreen if on_cluster(sitting.drill) else ExamScreen
    return kind(sitting, exam_screen)


def on_cluster(drill: Drill) -> bool:
    """Whether a drill is about a captured cluster."""
    return drill.session.case.scenario.cluster is not None
