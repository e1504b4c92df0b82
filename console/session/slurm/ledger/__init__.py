"""The ledger: each live forecast of a start, and what came of it, in the user's data folder."""
