"""Likely starts with what the user's ledger knows of earlier ones."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext

from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.ledger.store import Ledger, ledger_path
from shadowtime.console.session.slurm.likely.odds import NOTHING, Known, Likely, likely

SAMPLES = 25
"""Of an answer beside the keys, or of each capture of a cluster that is followed: more move it little."""


def known_of(cluster: str, now: int) -> Known:
    """Return what the user's ledger, if there is one, knew of a cluster at an instant.

    SessionError; OSError.
    """
    with own_ledger() as ledger:
        return NOTHING if ledger is None else ledger.known(cluster, now)


def likely_of(
    board: Board,
    samples: int,
    keeps: bool,
    pause: Callable[[], None] | None = None,
    ledger: Ledger | None = None,
) -> Likely:
    """Return the likely starts from a board on. `keeps`: keep them beside its forecasts in the ledger.

    `ledger` is the user's, if there is one, for None. `pause` is called before each step of a sample.
    SessionError; OSError.
    """
    with own_ledger() if ledger is None else nullcontext(ledger) as book:
        known = NOTHING if book is None else book.known(board.cluster, board.now)
        found = likely(board.capture, board.now, samples, known=known, pause=pause)
        if keeps and book is not None and found.starts:
            book.keep_odds(board, found.starts)
    return found


@contextmanager
def own_ledger() -> Iterator[Ledger | None]:
    """The user's ledger, for as long as it is looked at; None if there is no ledger."""
    path = ledger_path()
    if not path.exists():
        yield None
        return
    with closing(Ledger(path)) as ledger:
        yield ledger
