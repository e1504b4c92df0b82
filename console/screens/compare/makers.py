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


def same_order(snapshots: Sequence[Snapshot], lane: int) -> Sequence[int]:
    """Return the jobs on the machine in some lane, by index: those of one lane first, in its order."""
    first, others = snapshots[lane], [shot for place, shot in enumerate(snapshots) if place != lane]
    return tuple(dict.fromkeys(index for shot in (first, *others) for index in shot.everybody))


class LaneBars:
    """A Gantt chart for each lane. `free` tells whether the lanes may be touched now."""

    def __init__(
        self, screen: Screen[None], maker: LaneMaker, lanes: Sequence[Lane], *, free: Callable[[], bool]
    ) -> None:
        self.charts = [maker.chart(screen, lane, free) for lane in lanes]
        self._sharing = False

    def show(self, snapshots: Sequence[Snapshot], selected: int | None, leader: int) -> None:
        """Show every lane at its snapshot, over the time that the leading one looks at."""
        for chart, snapshot in zip(self.charts, snapshots, strict=True):
            chart.show(snapshot, selected)
        self.follow(leader)

    def place(self, selected: int | None) -> None:
        """Let a job stand out in every lane."""
        for chart in self.charts:
            chart.panel.place(selected)

    def follow(self, leader: int) -> None:
        """Let every lane look at the time that one looks at."""
        if self._sharing:
            return
        self._sharing = True
        for chart in self.charts:
            if chart is not self.charts[leader]:
                chart.panel.share_time(self.charts[leader].panel)
            chart.seek()
        self._sharing = False

    def zoom(self, leader: int, steps: int) -> None:
        """Look at less time (1) or more of it (-1)."""
        self.charts[leader].panel.action_zoom_time(steps)
        self.follow(leader)

    def pan(self, leader: int, steps: int) -> None:
        """Look at earlier (-1) or later (1)."""
        self.charts[leader].panel.action_pan(steps)
        self.follow(leader)

    def fit(self, leader: int) -> None:
        """Look at what is and comes soon; again: at everything."""
        self.charts[leader].panel.action_fit()
        self.follow(leader)

    def stop(self) -> None:
        for chart in self.charts:
            chart.stop()
