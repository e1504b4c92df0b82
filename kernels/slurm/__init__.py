"""Slurm's backfill cycle and its main pass on a cluster as it stands (docs/slurm-cycle.md)."""

from shadowtime.kernels.slurm.amounts import billed, counts
from shadowtime.kernels.slurm.cycle import plan, run_cycle
from shadowtime.kernels.slurm.main_pass import main_pass
from shadowtime.kernels.slurm.records import (
    UNKNOWN,
    Begun,
    Cluster,
    CycleResult,
    Entry,
    Holder,
    Limit,
    Measure,
    Nodes,
    Outcome,
    PassResult,
    Place,
    Reservation,
    Rules,
    Scope,
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
    "Limit",
    "Measure",
    "Nodes",
    "Outcome",
    "PassResult",
    "Place",
    "Reservation",
    "Rules",
    "Scope",
    "Stop",
    "Take",
    "Wish",
    "billed",
    "counts",
    "main_pass",
    "members",
    "plan",
    "run_cycle",
]
