"""What a sample may know of a captured cluster, by docs/forecast.md, "On a Slurm cluster"."""

from typing import NamedTuple

from shadowtime.scenarios.slurm import Capture, Job
from tests.oracles.likely.known import Known, Request

SHOWN = ("COMPLETED", "FAILED", "TIMEOUT", "OUT_OF_MEMORY")


class Line(NamedTuple):
    """A row before it has a number: the first four order the rows."""

    came: int
    id: int
    start: int
    task: int
    user: str
    cpus: int
    estimate: int
    ended: int | None
    """When it ended, if that shows a runtime."""
    runtime: int
    alive: bool
    priority: int
    ran: int
    """Of one that runs."""


def known_of_cluster(capture: Capture, now: int, alive: list[tuple[Job, int]]) -> tuple[Known, list[int]]:
    """Return what is known, and the row of each job, or task of an array, that is not over."""
    longest = {part.name: part.most_minutes for part in capture.partitions}

    def seconds(minutes: int | None, partition: str) -> int:
        if minutes is None:
            minutes = longest.get(partition)
        return max(1, 525_600 if minutes is None else minutes) * 60

    lines = []
    here = {job.id for job, _ in alive}
    for run in capture.past.jobs if capture.past else ():
        if run.start > now or run.submit > now:
            continue
        over = run.end is not None and run.end <= now
        if run.id in here and not over:
            continue
        estimate = seconds(run.limit, run.partition)
        runtime = estimate if run.state == "TIMEOUT" else max(1, min(run.elapsed, estimate))
        lines.append(
            Line(
                max(run.submit, run.eligible), run.id, run.start, 0, run.user, run.cpus, estimate,
                run.end if over and run.state in SHOWN else None, runtime, False, 0, 0,
            )
        )  # fmt: skip
    for job, task in alive:
        begin = 0 if job.waiting else job.begin
        came = min(begin or now, max(job.submit, job.eligible))
        estimate = seconds(job.limit, job.partitions[0])
        cpus = job.request.cpus_wanted or job.request.cpus
        ran = min(now - begin, estimate + now - job.end) if begin else 0
        lines.append(
            Line(
                came, job.id, begin, task, job.user, cpus, estimate, None, 0, True, job.priority, max(0, ran)
            )
        )
    order = sorted(range(len(lines)), key=lambda place: lines[place][:4])
    rows = [lines[place] for place in order]
    users = sorted({line.user for line in rows})
    started = [row for row, line in enumerate(rows) if line.start]
    ended = [row for row, line in enumerate(rows) if line.ended is not None]
    waiting = [row for row, line in enumerate(rows) if line.alive and not line.start]
    known = Known(
        now=now,
        requests=[Request(line.came, users.index(line.user), line.cpus, line.estimate) for line in rows],
        started=sorted(started, key=lambda row: (rows[row].start, row)),
        ended={row: rows[row].runtime for row in sorted(ended, key=lambda row: (rows[row].ended, row))},
        progress={row: line.ran for row, line in enumerate(rows) if line.alive},
        aside=[],
        queue=sorted(waiting, key=lambda row: (-rows[row].priority, row)),
        young=True,
    )
    first = len(lines) - len(alive)
    return known, [order.index(first + place) for place in range(len(alive))]
