"""What the compare view asks of those who know how its lanes are made: a machine's scenario, or a cluster."""

from collections.abc import Callable, Sequence
from typing import Protocol

from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.screens.console.gantt import GanttChart
from shadowtime.console.session import (
    Case,
    ScenarioError,
    Session,
    SessionError,
    open_session,
    policies_table,
)
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lanes import choices, distinct, typed_lanes
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.facts import Snapshot
from shadowtime.console.widgets.gantt.panel import GanttPanel


class LaneChart(Protocol):
    """The Gantt chart of a lane."""

    @property
    def panel(self) -> GanttPanel:
        """What is seen of it."""

    def show(self, snapshot: Snapshot, selected: int | None) -> None:
        """Show where the lane stands, a job standing out."""

    def seek(self) -> None:
        """Have what is missing in sight found."""

    def stop(self) -> None:
        """Take nothing over any more."""


class LaneMaker(Protocol):
    """Makes lanes."""

    def typed(self, case: Case, line: str, most: int) -> Sequence[Case]:
        """Return what a typed line names beside a case, `most` lanes for an empty one. SessionError."""

    def offered(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return what can be compared, those that are among it."""

    def lockstep(self, cases: Sequence[Case]) -> Lockstep:
        """Return lanes of cases, before the first event. SessionError, ScenarioError."""

    def opens(self, lane: Lane) -> Screen[None]:
        """Return a console of a lane. SessionError if there is none."""

    def chart(self, screen: Screen[None], lane: Lane, free: Callable[[], bool]) -> LaneChart:
        """Return the chart of a lane; `free` answers whether the lanes may be touched now."""


class MachineLanes:
    """Lanes of a scenario; `opens` makes a console of one."""

    def __init__(self, opens: Callable[[Session], Screen[None]]) -> None:
        self._opens = opens

    def typed(self, case: Case, line: str, most: int) -> Sequence[Case]:
        """Return what a typed line names: variants of the scenario, or policies."""
        return typed_lanes(case, line, most)

    def offered(self, cases: Sequence[Case]) -> Sequence[Case]:
        """Return the lanes there are, the scenario's variants, and all policies as they come."""
        base = choices(cases[0])[0]
        found = []
        for entry in policies_table():
            try:
                found.append(base.under(entry.name))
            except (SessionError, ScenarioError):
                # It needs another machine, or parameters that have no defaults.
                continue
        return distinct((*cases, *choices(cases[0]), *found))

    def lockstep(self, cases: Sequence[Case]) -> Lockstep:
        return Lockstep([open_session(case) for case in cases])

    def opens(self, lane: Lane) -> Screen[None]:
        assert isinstance(lane, Session)
        return self._opens(lane)

    def chart(self, screen: Screen[None], lane: Lane, free: Callable[[], bool]) -> LaneChart:
        return machine_chart(screen, lane, free)


def machine_chart(screen: Screen[None], lane: Lane, free: Callable[[], bool]) -> GanttChart:
    assert isinstance(lane, Session)
    return GanttChart(
        screen,
        lane,
        words.unit_of(lane.case.scenario.machine),
        free=free,
        label=lambda index: str(lane.id_of(index)),
        row=lane.row,
    )
