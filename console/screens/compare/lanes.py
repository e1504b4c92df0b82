"""The lanes of the compare view together: the order of their jobs, their charts, and how they are played."""

from collections.abc import Callable, Sequence
from time import monotonic

from textual.screen import Screen

from shadowtime.console.screens.compare.makers import LaneMaker
from shadowtime.console.screens.travel.play import PATIENCE
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.facts import Snapshot


def same_order(snapshots: Sequence[Snapshot], lane: int) -> Sequence[int]:
    """Return the jobs on the machine in some lane, by index: those of one lane first, in its order."""
    first, others = snapshots[lane], [shot for place, shot in enumerate(snapshots) if place != lane]
    return tuple(dict.fromkeys(index for shot in (first, *others) for index in shot.everybody))


class LaneBars:
    """A Gantt chart for each lane. `free` answers whether the lanes may be touched now."""

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


class LockstepCourse:
    """Plays lanes, instant by instant."""

    def __init__(self, lockstep: Lockstep) -> None:
        self._lockstep = lockstep

    def at_end(self, backwards: bool) -> bool:
        return not self._lockstep.begun if backwards else self._lockstep.over

    def play(self, count: int, backwards: bool) -> int:
        """Move as many instants as a frame has time for; those left over are dropped."""
        move = self._lockstep.back if backwards else self._lockstep.step
        deadline, moved = monotonic() + PATIENCE, 0
        while moved < count and monotonic() < deadline and move():
            moved += 1
        return moved
