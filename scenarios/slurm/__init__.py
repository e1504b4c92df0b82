"""Slurm clusters as its own commands describe them: a folder of their output, read into records."""

from scenarios.slurm.capture import read_capture
from scenarios.slurm.config import Ageing, Backfill, Settings
from scenarios.slurm.errors import CaptureError
from scenarios.slurm.generation import Generation
from scenarios.slurm.hostlist import format_hosts, parse_hosts
from scenarios.slurm.records import (
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
)

__all__ = [
    "Ageing",
    "ArrayPart",
    "Association",
    "Backfill",
    "Capture",
    "CaptureError",
    "Generation",
    "Job",
    "Node",
    "Partition",
    "Quality",
    "Request",
    "Reservation",
    "Settings",
    "Share",
    "format_hosts",
    "parse_hosts",
    "read_capture",
]
