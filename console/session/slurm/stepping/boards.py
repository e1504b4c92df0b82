"""The board of each position: made when it is looked at, and only the last few are kept."""

from collections import Counter, OrderedDict

import attrs

from shadowtime.console.session.slurm.board.changes import NOTHING, Changes, changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board_of
from shadowtime.console.session.slurm.forecasting import Forecast, forecast_of
from shadowtime.console.session.slurm.guard.beside import Beside
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import Happening
from shadowtime.scenarios.slurm import Capture

USED = frozenset(("IDLE", "MIXED", "ALLOCATED", "PLANNED", "COMPLETING"))
"""States of a node that say how much of it is in use."""
KEPT = 8


class Boards:
    """The boards of a history.

    After a backfill cycle a board has the plan of that cycle, otherwise that of a cycle that would begin
    then.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._kept: OrderedDict[int, Board] = OrderedDict()

    def board(self, position: int) -> Board:
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
