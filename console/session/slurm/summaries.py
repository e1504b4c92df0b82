"""A captured cluster in one line."""

from datetime import UTC, datetime
from pathlib import Path

from shadowtime.console.session.slurm.queue import tasks_of
from shadowtime.scenarios.slurm import Capture, read_capture


def read_summary(folder: Path) -> str:
    """Return what a captured folder has, in one line. CaptureError."""
    return summary(read_capture(folder))


def summary(capture: Capture) -> str:
    waiting = [job for job in capture.jobs if job.waiting]
    tasks = sum(tasks_of(capture, job) for job in waiting)
    arrays = f" ({tasks} with the tasks of arrays)" if tasks != len(waiting) else ""
    holding = sum(job.holding for job in capture.jobs)
    taken = datetime.fromtimestamp(capture.taken, UTC)
    return (
        f"Slurm {capture.settings.version}: {len(capture.nodes)} nodes, {holding} running and"
        f" {len(waiting)} waiting jobs{arrays} at {taken:%Y-%m-%d %H:%M:%S} UTC"
    )
