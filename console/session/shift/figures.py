"""The figures of a run that a shift is measured by, and the index that they make beside doing baseline."""

import attrs

from shadowtime.console.session.case import Case
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.shift import Shift

URGENT = "urgent"
"""The class of jobs that cannot wait: each counts as `WEIGHT` jobs."""
WEIGHT = 10
LEAST = 10
"""Seconds below which a runtime counts as so many, as in the bounded slowdown."""
COMPLETED = "completed"


@attrs.frozen
class Figures:
    """A run so far. A job that is lost (cancelled, killed, not over) counts with the time up to now."""

    slowdown: float | None
    """Mean bounded slowdown, threshold 10 s; an urgent job counts ten times. None if there is no job."""
    worst: int
    """Seconds: the longest time that a job spent without progress."""
    wide: float | None
    """Mean bounded slowdown of the wide jobs; None if there are none."""
    over: int
    """Jobs that have ended by themselves, or at their limit."""


def figures(case: Case, simulation: Simulation, shift: Shift, end: int = 0) -> Figures:
    """Return the figures of the jobs that have come; a lost job counts up to `end` if that is later."""
    columns, finishes = case.columns, simulation.results("finish")["finish"]
    now = max(simulation.now, end)
    total = weights = wide = 0.0
    worst = over = wides = 0
    for row in range(simulation.submitted):
        ended = finishes[row] >= 0 and simulation.outcome(row) == COMPLETED
        response = (finishes[row] if ended else now) - columns.submit[row]
        slowdown = max(1.0, response / max(columns.runtime[row], LEAST))
        weight = WEIGHT if columns.klass[row] == URGENT else 1
        total += weight * slowdown
        weights += weight
        over += ended
        worked = columns.runtime[row] if ended else simulation.progress(row) or 0
        worst = max(worst, response - worked)
        if columns.size[row] >= shift.wide:
            wide += slowdown
            wides += 1
    return Figures(total / weights if weights else None, worst, wide / wides if wides else None, over)


def final(case: Case, shift: Shift, end: int = 0) -> Figures:
    """Return the figures of a whole run; a lost job counts up to `end` if that is later."""
    simulation = case.simulation()
    simulation.run()
    return figures(case, simulation, shift, end)


def index(found: Figures, baseline: Figures, fairness: float) -> float:
    """Return how bad a whole run is: 1 for the baseline, 0 for what no run reaches.

    Each figure is divided by that of the baseline. The mean counts 1 - fairness, the worst wait and the wide
    jobs half of the fairness each; the share of a figure that the baseline has not goes to the mean.
    """
    assert found.slowdown is not None and baseline.slowdown is not None
    parts = []
    if baseline.worst > 0:
        parts.append(found.worst / baseline.worst)
    if baseline.wide is not None and found.wide is not None:
        parts.append(found.wide / baseline.wide)
    return (1 - fairness / 2 * len(parts)) * found.slowdown / baseline.slowdown + fairness / 2 * sum(parts)
