"""The waits that a log records: what its own scheduler did, which no simulation uses."""

from pathlib import Path

from shadowtime.scenarios.traces.swf import Log, open_log
from shadowtime.scenarios.workload import Workload


def recorded_mean_wait(path: Path, jobs: Workload, window: range) -> float | None:
    """Return the mean recorded wait, in seconds, of the jobs that are submitted in a window.

    None if the log does not record that of each of these jobs, or has them at other instants. ScenarioError
    if the log cannot be read.
    """
    found = recorded_waits(open_log(path), jobs)
    asked = {(job, submit) for job, submit in zip(jobs.id, jobs.submit, strict=True) if submit in window}
    waits = [found[key] for key in asked if key in found]
    return sum(waits) / len(waits) if waits and len(waits) == len(asked) else None


def recorded_waits(log: Log, jobs: Workload) -> dict[tuple[int, int], int]:
    """Return the waits that a log records of these jobs, in seconds, by id and submission."""
    asked = set(zip(jobs.id, jobs.submit, strict=True))
    found: dict[tuple[int, int], int] = {}
    for row in log.text[log.start :].splitlines():
        fields = row.split(None, 3)
        try:
            key, wait = (int(fields[0]), int(fields[1])), int(fields[2])
        except (ValueError, IndexError):
            continue
        if wait >= 0 and key in asked:
            found[key] = wait
    return found
