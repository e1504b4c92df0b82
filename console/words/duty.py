"""On duty: the scores of an operator and of the schedulers that it is compared with, in words."""

from collections.abc import Sequence

from console.clock import duration
from console.session.training.scores import Gap, Score
from console.words.phrases import count
from console.words.units import Unit

NAME, FIGURE = 16, 10
YOU = "you"


def heading() -> str:
    """The line above the figures."""
    return f"{'':<{NAME}}{'SLOWDOWN':>{FIGURE}}{'USED':>{FIGURE}}{'OVER':>{FIGURE}}"


def line(score: Score) -> str:
    """A row of figures: mean bounded slowdown of the jobs that are over, utilization, number of jobs over."""
    slowdown = "-" if score.slowdown is None else f"{score.slowdown:.2f}"
    used = "-" if score.utilization is None else f"{100 * score.utilization:.1f} %"
    return f"{score.name:<{NAME}}{slowdown:>{FIGURE}}{used:>{FIGURE}}{score.over:>{FIGURE},}"


def gap(found: Gap | None, unit: Unit) -> str:
    """The costliest stretch, and the jobs that would have fitted."""
    if found is None:
        full = f"no {unit.one} stood idle while a waiting job would have fitted"
        return f"{full}: no job could have started earlier"
    jobs = ", ".join(map(str, found.jobs[:6])) + (" ..." if len(found.jobs) > 6 else "")
    return (
        f"your costliest instant is {unit.instant(found.time)}: for {duration(found.length)}"
        f" {unit.sized(found.nodes)} stood idle, and {'job' if len(found.jobs) == 1 else 'jobs'}"
        f" {jobs} would have fitted"
    )


def beaten(own: Score, others: Sequence[Score], points: int) -> str:
    """The result of a shift, by the mean bounded slowdown."""
    better = [other.name for other in others if _better(own, other)]
    who = f"better than {', '.join(better)}" if better else "no better than any of the others"
    return f"{count(points, 'point')} of 3: {who}"


def costs(own: float, nothing: float, points: int) -> str:
    """The cost that an operator averted, over the whole run."""
    share = round(100 * (1 - own / nothing)) if nothing else 0
    what = f"{share} % less than" if share > 0 else f"{-share} % more than" if share < 0 else "about"
    return f"{count(points, 'point')} of 3: a cost of {own:.2f}, {what} the {nothing:.2f} of doing nothing"


def rank(own: Score, others: Sequence[Score]) -> int:
    """How many of the others did no better than the operator, by the mean bounded slowdown of all jobs."""
    return sum(_better(own, other) for other in others)


def _better(own: Score, other: Score) -> bool:
    return (
        own.over >= other.over
        and own.slowdown is not None
        and (other.slowdown is None or own.slowdown <= other.slowdown + 1e-9)
    )
