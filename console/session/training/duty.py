"""On duty: what an operator came to in an incident, beside doing nothing, and beside no incident at all."""

from collections.abc import Mapping

import attrs

from console.session.case import Case
from console.session.session import Session
from console.session.training.scores import Others, without_actions

NOTHING, CALM = "nothing done", "no incident"
URGENT = "urgent"
"""The class of jobs that cannot wait: each counts as `WEIGHT` jobs."""
WEIGHT = 10
SHARES = ((0.6, 3), (0.8, 2), (1.0, 1))
"""Points for a cost below these shares of that of doing nothing."""
LEAST = 10
"""Seconds below which a runtime counts as so many, as in the bounded slowdown."""


def references(case: Case) -> Mapping[str, Case]:
    """Return what an operator is compared with: the run left alone, and the run in which nothing fails.

    If no node fails there is only the first.
    """
    alone = without_actions(case)
    found = {NOTHING: alone}
    if case.scenario.outages:
        calm = attrs.evolve(alone.scenario, outages=())
        found[CALM] = without_actions(attrs.evolve(alone, scenario=calm))
    return found


class Compared(Others):
    """The references of an incident."""

    def __init__(self, case: Case) -> None:
        super().__init__(references(case))

    def cost(self, name: str = NOTHING) -> float:
        """Return the cost of the whole run of one of them."""
        session = self._sessions[name]
        session.go_end()
        return cost(session)


def cost(session: Session) -> float:
    """Return the mean bounded slowdown of all jobs, an urgent one counted ten times.

    A job that is not over, or was cancelled or killed, counts with the time up to now.
    """
    columns, results = session.case.columns, session.outcomes().columns
    total = weights = 0.0
    for index, finish in enumerate(results["finish"]):
        runtime = max(columns.runtime[index], LEAST)
        response = (finish if finish >= 0 else session.time) - columns.submit[index]
        weight = WEIGHT if columns.klass[index] == URGENT else 1
        total += weight * max(1.0, response / runtime)
        weights += weight
    return total / weights


def points(own: float, nothing: float, over: int, over_alone: int) -> int:
    """Return the points of an operator: 0 if fewer jobs are over than if nothing had been done."""
    if over < over_alone or nothing <= 0:
        return 0
    return next((worth for share, worth in SHARES if own < share * nothing), 0)
