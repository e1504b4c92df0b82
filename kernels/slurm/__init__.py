"""Slurm's backfill cycle and its main pass on a cluster as it stands (docs/slurm-cycle.md)."""

from shadowtime.kernels.slurm.amounts import billed, counts
from shadowtime.kernels.slurm.cycle import Cycle, plan, run_cycle
from shadowtime.kernels.slurm.main_pass import main_pass
from shadowtime.kernels.slurm.nodeset import members, numbered
from shadowtime.kernels.slurm.records import (
    UNKNOWN,
    Begun,
    Cluster,
    CycleResult,
    Entry,
    Excess,
    Holder,
    Limit,
    Measure,
    Near,
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
)

__all__ = [
    "UNKNOWN",
    "Begun",
    "Cluster",
    "Cycle",
    "CycleResult",
    "Entry",
    "Excess",
    "Holder",
    "Limit",
    "Measure",
    "Near",
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
    "numbered",
    "plan",
    "run_cycle",
]
