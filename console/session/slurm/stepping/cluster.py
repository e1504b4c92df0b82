"""A cluster that one can move in: its history, where going on stops, and the board of each position."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import ClassVar

import attrs

from shadowtime.console.session.course.stops import Stops
from shadowtime.console.session.course.worst import (
    LARGEST_QUEUE,
    LONGEST_WAIT,
    PREEMPTION,
    Worst,
    WorstSeeking,
)
from shadowtime.console.session.slurm.board.changes import NOTHING, Changes, changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board_of
from shadowtime.console.session.slurm.forecasting import Forecast, forecast_of
from shadowtime.console.session.slurm.guard.beside import Beside
from shadowtime.console.session.slurm.stepping.breakpoints import ClusterTerms, Walk, preempts
from shadowtime.console.session.slurm.stepping.coming import Coming, coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import Happening
from shadowtime.scenarios.slurm import Capture

MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, PREEMPTION)
USED = frozenset(("IDLE", "MIXED", "ALLOCATED", "PLANNED", "COMPLETING"))
"""States of a node that say how much of it is in use."""
KEPT = 8


class ClusterWorst(WorstSeeking[Walk]):
    """One search from the capture on."""

    def looks(self) -> Mapping[str, Callable[[], Iterator[int]]]:
        return {
            LONGEST_WAIT: self._longest_wait,
            LARGEST_QUEUE: self._largest_queue,
            PREEMPTION: lambda: self._first(lambda walk: walk.moment is not None and preempts(walk.moment)),
        }

    def _largest_queue(self) -> Iterator[int]:
        """Also the capture may have the largest queue."""
        self.worst = Worst(0, len(self._begin().waiting))
        yield from self._largest(lambda walk: len(walk.waiting), self.worst.value)

    def _longest_wait(self) -> Iterator[int]:
        walk = self._begin()
        while walk.step():
            if walk.started is not None and (self.worst is None or walk.started[0] > self.worst.value):
                self.worst = Worst(walk.event, *walk.started)
            yield walk.event


@attrs.frozen
class Stand:
    """A position, and what is shown of it."""

    number: int
    board: Board
    changes: Changes
    coming: Coming


class SteppedCluster(History):
    """The course of a cluster from a board on. A step may take a second, and the board after it as long."""

    swift: ClassVar[bool] = False

    def __init__(self, first: Board) -> None:
        super().__init__(first.capture, first.now)
        self._first = first
        self._boards = Boards(self)
        self.stops: Stops[Walk] = Stops(
            ClusterTerms(),
            lambda: self.number,
            lambda: partial(Walk, self),
            MOMENTS,
            lambda scouting, moment: ClusterWorst(partial(scouting, 0), moment, 1),
            piece=1,
        )
        self.stand = Stand(0, first, NOTHING, coming(self))
        """What is shown: of the position at which `look` was called last."""

    def look(self) -> Stand:
        place = self.number
        board = self._boards.board(place) if place else self._first
        self.stand = Stand(place, board, self._boards.changes(place), coming(self))
        return self.stand


class Boards:
    """The boards of a history.

    After a backfill cycle a board has the plan of that cycle, otherwise that of a cycle that would begin
    then.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self.board = lru_cache(KEPT)(self._make)

    def changes(self, position: int) -> Changes:
        """Return what a moment changed; nothing for the capture."""
        if not position:
            return NOTHING
        return changes(self.board(position - 1), self.board(position))

    def _make(self, position: int) -> Board:
        history = self._history
        moment, at = history.moment_at(position), history.instant(position)
        after = occupied(history.capture_at(position)) if position else history.capture
        if moment is None:
            return board_of(after, forecast_of(after, at))
        if moment.what is not Happening.BACKFILL:
            return board_of(after, _later(after, at))
        before = history.capture_at(position - 1)
        return board_of(before, _later(before, at), after)


def _later(capture: Capture, at: int) -> Forecast:
    """The plan of a cluster after the capture: what Slurm showed is that of another moment."""
    return attrs.evolve(forecast_of(capture, at), beside=Beside())


def occupied(capture: Capture) -> Capture:
    """Return the cluster with the states of its nodes as its jobs use them: idle, mixed or allocated."""
    cores: Counter[str] = Counter()
    for job in capture.jobs:
        for share in job.shares if job.holding else ():
            cores[share.node] += max(1, share.cores)
    nodes = []
    for node in capture.nodes:
        taken = cores[node.name]
        use = "IDLE" if not taken else "ALLOCATED" if taken >= node.cores else "MIXED"
        states = (use, *(state for state in node.states if state not in USED))
        nodes.append(attrs.evolve(node, states=states))
    return attrs.evolve(capture, nodes=tuple(nodes))
