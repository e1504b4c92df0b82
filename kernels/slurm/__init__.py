"""Slurm's backfill cycle and its main pass on a cluster as it stands (docs/slurm-cycle.md)."""

from kernels.slurm.cycle import plan, run_cycle
from kernels.slurm.main_pass import main_pass
from kernels.slurm.records import (
    UNKNOWN,
    Begun,
    Cluster,
    CycleResult,
    Entry,
    Holder,
    Nodes,
    Outcome,
    PassResult,
    Place,
    Reservation,
    Rules,
    Stop,
    Take,
    Wish,
    members,
)

__all__ = [
    "UNKNOWN",
    "Begun",
    "Cluster",
    "CycleResult",
    "Entry",
    "Holder",
    "Nodes",
    "Outcome",
    "PassResult",
    "Place",
    "Reservation",
    "Rules",
    "Stop",
    "Take",
    "Wish",
    "main_pass",
    "members",
    "plan",
    "run_cycle",
]
