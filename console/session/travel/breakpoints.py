"""What can be stopped at on the course of a scenario: its events, decisions, jobs and metrics."""

from collections.abc import Callable

from shadowtime.console.session.course.breakpoints import Probe, Test, Value
from shadowtime.console.session.course.places import job_id
from shadowtime.console.session.travel.moments import EVENTS
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decisions import DECISION_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios.values import METRICS

KINDS = (*EVENT_NAMES, *(kind for kind in DECISION_NAMES if kind not in EVENT_NAMES))
TALLIED = ("queue_length", "running")
"""Metrics that the kernel keeps as they are: asked a million times, the others take three times as long."""

Index = Callable[[int], int]
"""The row of a job, by id. SessionError if there is no such job."""


class ScenarioTerms:
    """What a breakpoint of a scenario can name."""

    kinds = KINDS
    named = ()
    metrics = METRICS

    def __init__(self, index_of: Index) -> None:
        self._index_of = index_of

    def kind(self, word: str, name: str) -> Test[Simulation]:
        number = EVENT_NAMES.index(word) if word in EVENT_NAMES else -1

        def of_event(simulation: Simulation) -> bool:
            last = simulation.last
            return last is not None and last[1] == number

        def of_decision(simulation: Simulation) -> bool:
            return simulation.decisions().of_kinds((word,))

        return lambda simulation: of_decision if number < 0 else of_event

    def job(self, name: str, what: str) -> Test[Simulation]:
        """Stop at what touches a job, or at its submission, first start or end."""
        row = self._index_of(job_id(name))
        if not what:
            return _touching(row)
        moment = EVENTS[what]
        return lambda simulation: lambda now: moment(now, row) == now.event

    def value(self, metric: str) -> Value[Simulation]:
        if metric == "free_nodes":
            return lambda simulation: simulation.free
        if metric in TALLIED:
            return lambda simulation: simulation.tally()[0][metric]
        return lambda simulation: simulation.metrics()[metric]

    def wait(self, job: int) -> Value[Simulation]:
        row = self._index_of(job)
        return lambda simulation: simulation.waited(row)


def _touching(row: int) -> Test[Simulation]:
    def probe(simulation: Simulation) -> bool:
        last = simulation.last
        if last is not None and last[2] == row:
            return True
        return bool(simulation.decisions().about(row))

    def begin(simulation: Simulation) -> Probe[Simulation]:
        return probe

    return begin
