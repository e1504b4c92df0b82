"""Slurm clusters as its own commands describe them: a folder of their output, read into records."""

from shadowtime.scenarios.slurm.capture import read_capture
from shadowtime.scenarios.slurm.config import Ageing, Backfill, FairShare, Settings
from shadowtime.scenarios.slurm.errors import CaptureError
from shadowtime.scenarios.slurm.generation import Generation
from shadowtime.scenarios.slurm.hostlist import format_hosts, parse_hosts
from shadowtime.scenarios.slurm.records import (
    ArrayPart,
    Association,
    Capture,
    Job,
    Node,
    Partition,
    Quality,
    Request,
    Reservation,
    Share,
    Standing,
    Tree,
)

__all__ = [
    "Ageing",
    "ArrayPart",
    "Association",
    "Backfill",
    "Capture",
    "CaptureError",
    "FairShare",
    "Generation",
    "Job",
    "Node",
    "Partition",
    "Quality",
    "Request",
    "Reservation",
    "Settings",
    "Share",
    "Standing",
    "Tree",
    "format_hosts",
    "parse_hosts",
    "read_capture",
]
