"""Slurm's backfill cycle and its main pass on a cluster as it stands (docs/slurm.md)."""

from kernels.slurm.cycle import plan, run_cycle
from kernels.slurm.main_pass import main_pass
from kernels.slurm.records import (
    UNKNOWN,
    Cluster,
    Entry,
    Holder,
    Made,
    Nodes,
    Outcome,
    Place,
    Reservation,
    Rules,
    Take,
    Wish,
    members,
)

__all__ = [
    "UNKNOWN",
    "Cluster",
    "Entry",
    "Holder",
    "Made",
    "Nodes",
    "Outcome",
    "Place",
    "Reservation",
    "Rules",
    "Take",
    "Wish",
    "main_pass",
    "members",
    "plan",
    "run_cycle",
]
