"""A captured cluster in one line."""

from datetime import UTC, datetime
from pathlib import Path

from shadowtime.scenarios.slurm import Capture, read_capture


def read_summary(folder: Path) -> str:
    """Return what a captured folder has, in one line. CaptureError."""
    return summary(read_capture(folder))


def summary(capture: Capture) -> str:
    waiting = sum(job.waiting for job in capture.jobs)
    holding = sum(job.holding for job in capture.jobs)
    taken = datetime.fromtimestamp(capture.taken, UTC)
    return (
        f"Slurm {capture.settings.version}: {len(capture.nodes)} nodes, {holding} running and"
        f" {waiting} waiting jobs at {taken:%Y-%m-%d %H:%M:%S} UTC"
    )
