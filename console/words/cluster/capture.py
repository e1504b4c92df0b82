"""What a capture of a cluster has, in one line."""

from datetime import UTC, datetime

from shadowtime.console.session.slurm import Capture, tasks_of


def summary(capture: Capture) -> str:
    """Return the version, the nodes, the jobs and the instant. CaptureError: an array cannot be read."""
    waiting = [job for job in capture.jobs if job.waiting]
    tasks = sum(tasks_of(capture, job) for job in waiting)
    arrays = f" ({tasks} with the tasks of arrays)" if tasks != len(waiting) else ""
    holding = sum(job.holding for job in capture.jobs)
    taken = datetime.fromtimestamp(capture.taken, UTC)
    return (
        f"Slurm {capture.settings.version}: {len(capture.nodes)} nodes, {holding} running and"
        f" {len(waiting)} waiting jobs{arrays} at {taken:%Y-%m-%d %H:%M:%S} UTC"
    )
