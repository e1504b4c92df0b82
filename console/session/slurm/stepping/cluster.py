"""A cluster that one can move in: its history, where going on stops, and what is shown of a position."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import ClassVar

import attrs

from shadowtime.console.session.course.stops import Scouting, Stops
from shadowtime.console.session.course.worst import (
    LARGEST_QUEUE,
    LONGEST_WAIT,
    PREEMPTION,
    Worst,
    WorstSeeking,
)
from shadowtime.console.session.slurm.board.changes import NOTHING, Changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.stepping.boards import Boards
from shadowtime.console.session.slurm.stepping.breakpoints import ClusterTerms, preempts
from shadowtime.console.session.slurm.stepping.coming import Coming, coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.session.slurm.stepping.walking import Walk

MOMENTS = (LONGEST_WAIT, LARGEST_QUEUE, PREEMPTION)


class ClusterWorst(WorstSeeking[Walk]):
    """One search from the capture on."""

    def __init__(self, begin: Callable[[], Walk], moment: str) -> None:
        super().__init__(begin, moment, 1)

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
            ClusterTerms(), lambda: self.number, self._scouting, MOMENTS, _worst, piece=1
        )
        self.stand = Stand(0, first, NOTHING, coming(self))
        """What is shown: of the position at which `look` was called last."""

    def _scouting(self) -> Scouting[Walk]:
        return partial(Walk, self)

    def look(self) -> Stand:
        place = self.number
        board = self._boards.board(place) if place else self._first
        self.stand = Stand(place, board, self._boards.changes(place), coming(self))
        return self.stand


def _worst(scouting: Scouting[Walk], moment: str) -> ClusterWorst:
    return ClusterWorst(partial(scouting, 0), moment)
