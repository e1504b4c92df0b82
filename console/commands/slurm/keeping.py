"""Keeping the forecasts of captured clusters, and why a capture is not recorded."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import SessionError

if TYPE_CHECKING:
    from shadowtime.console.session.slurm.board.facts import Board
    from shadowtime.console.session.slurm.ledger.store import Added

LEFT = {
    "earlier": "the capture of {taken} is older than the last one of the cluster, of {beside}",
    "ahead": "the capture of {taken} is from the future: the clock of this machine shows {beside}",
}
"""Why a capture is not recorded. One that the ledger has already is nothing to report."""


def keeper(reached: Reached) -> "Callable[[Board], None] | None":
    """Return what keeps the forecasts of a live cluster in the ledger; None if they are not kept.

    It raises SessionError in one line for a capture that is not recorded, and OSError.
    """
    if not reached.ledger:
        return None
    from shadowtime.console.session.slurm.ledger.store import Ledger, ledger_path

    def keep(found: "Board") -> None:
        ledger = Ledger(ledger_path())
        try:
            added = ledger.add(found, int(time()))
        finally:
            ledger.close()
        if reason := left_out(found, added):
            raise SessionError(reason)

    return keep


def left_out(found: "Board", added: "Added") -> str:
    """Return why a capture was not recorded; nothing if the ledger has it."""
    if added.left is None or added.left.value not in LEFT:
        return ""
    return LEFT[added.left.value].format(taken=_instant(found.now), beside=_instant(added.beside))


def _instant(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        # A wrong clock may show a year that no calendar has.
        return f"second {seconds} since 1970"
