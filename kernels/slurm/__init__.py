"""Slurm's backfill cycle: from a cluster as it stands to the plan of the next cycle (docs/slurm.md)."""

from kernels.slurm.cycle import plan
from kernels.slurm.records import (
    UNKNOWN,
    Cluster,
    Entry,
    Holder,
    Nodes,
    Outcome,
    Place,
    Reservation,
    Rules,
    Take,
    Wish,
)

__all__ = [
    "UNKNOWN",
    "Cluster",
    "Entry",
    "Holder",
    "Nodes",
    "Outcome",
    "Place",
    "Reservation",
    "Rules",
    "Take",
    "Wish",
    "plan",
]
