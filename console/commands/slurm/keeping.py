"""Keeping the forecasts of a live cluster."""

from collections.abc import Callable

from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session.slurm.board import Board


def keeper(reached: Reached) -> Callable[[Board], None] | None:
    """Return what keeps the forecasts of a live cluster in the ledger; None if they are not kept."""
    if not reached.ledger:
        return None
    from shadowtime.console.session.slurm.ledger import Ledger, ledger_path

    def keep(found: Board) -> None:
        ledger = Ledger(ledger_path())
        try:
            ledger.add(found)
        finally:
            ledger.close()

    return keep
