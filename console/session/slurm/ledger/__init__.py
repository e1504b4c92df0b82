"""The ledger: each live forecast of a start, and what came of it, in the user's data folder."""

from shadowtime.console.session.slurm.ledger.errors import GROUPS, ForecastClass, Side, groups
from shadowtime.console.session.slurm.ledger.outcomes import write_forecasts
from shadowtime.console.session.slurm.ledger.store import Added, Ledger, LedgerEntry, Left, ledger_path

__all__ = [
    "GROUPS",
    "Added",
    "ForecastClass",
    "Ledger",
    "LedgerEntry",
    "Left",
    "Side",
    "groups",
    "ledger_path",
    "write_forecasts",
]
