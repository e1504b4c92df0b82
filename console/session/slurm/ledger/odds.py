"""Likely starts with what the user's ledger knows of earlier ones."""

from collections.abc import Callable

from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.ledger.store import Ledger, ledger_path
from shadowtime.console.session.slurm.likely.odds import NOTHING, Known, Likely, likely

SAMPLES = 25
"""Of an answer beside the keys, or of each capture of a cluster that is followed: more move it little."""


def known_of(cluster: str, now: int) -> Known:
    """Return what the user's ledger, if there is one, knew of a cluster at an instant. SessionError."""
    path = ledger_path()
    if not path.exists():
        return NOTHING
    ledger = Ledger(path)
    try:
        return ledger.known(cluster, now)
    finally:
        ledger.close()


def likely_of(board: Board, samples: int, keeps: bool, pause: Callable[[], None] | None = None) -> Likely:
    """Return the likely starts from a board on. `keeps`: keep them beside its forecasts in the ledger.

    `pause` is called before each step of a sample. SessionError; OSError.
    """
    known = known_of(board.cluster, board.now)
    found = likely(board.capture, board.now, samples, known=known, pause=pause)
    if keeps and found.starts:
        ledger = Ledger(ledger_path())
        try:
            ledger.keep_odds(board, found.starts)
        finally:
            ledger.close()
    return found
