"""The board of each position: made when it is looked at, and only the last few are kept."""

from collections import OrderedDict

from console.session.slurm.board import Board, Changes, board_of, changes
from console.session.slurm.board.changes import NOTHING
from console.session.slurm.forecast import forecast_of
from console.session.slurm.moments import Happening
from console.session.slurm.stepping.history import History

KEPT = 8
"""Boards that are kept."""


class Boards:
    """The boards of a history.

    After a backfill cycle a board has the plan of that cycle, otherwise that of a cycle that would begin
    then.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._kept: OrderedDict[int, Board] = OrderedDict()

    def board(self, position: int) -> Board:
        """Return the board of a known position."""
        found = self._kept.pop(position, None) or self._make(position)
        self._kept[position] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def changes(self, position: int) -> Changes:
        """Return what a moment changed; nothing for the capture."""
        if not position:
            return NOTHING
        return changes(self.board(position - 1), self.board(position))

    def _make(self, position: int) -> Board:
        history = self._history
        moment, at = history.moment_at(position), history.instant(position)
        after = history.capture_at(position)
        if moment is None or moment.what is not Happening.BACKFILL:
            return board_of(after, forecast_of(after, at))
        before = history.capture_at(position - 1)
        return board_of(before, forecast_of(before, at), after)
