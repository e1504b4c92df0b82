"""A cluster that one can move in: its history, where going on stops, and what is shown of a position."""

from functools import partial
from typing import ClassVar

import attrs

from shadowtime.console.session.course.stops import Scouting, Stops
from shadowtime.console.session.slurm.board.changes import NOTHING, Changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.stepping.boards import Boards
from shadowtime.console.session.slurm.stepping.breakpoints import ClusterTerms
from shadowtime.console.session.slurm.stepping.coming import Coming, coming
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.session.slurm.stepping.walking import Walk
from shadowtime.console.session.slurm.stepping.worst import MOMENTS, ClusterWorst


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
