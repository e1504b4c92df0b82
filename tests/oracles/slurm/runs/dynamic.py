"""Recorded runs of real clusters: what was submitted, what started when, and when the cycles came."""

import csv
import os
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import attrs

from shadowtime.scenarios.slurm import Capture, Job, parse_hosts
from tests.oracles.slurm.small import cluster, running, waiting

NODES = 32
INTERVAL = 30
"""`bf_interval` of the runs, in seconds."""
HIGHEST = 4294901759
"""The priority of the first submission under priority/basic."""


class Submitted(NamedTuple):
    """A job of a recorded run; instants are seconds since 1970, the fractions of a second cut off."""

    id: int
    size: int
    minutes: int
    runtime: int
    submit: int
    start: int
    end: int
    nodes: frozenset[str]


class Start(NamedTuple):
    """A recorded start, to the millisecond."""

    at: float
    job: int
    by_backfill: bool


class Run(NamedTuple):
    """A recorded run."""

    jobs: dict[int, Submitted]
    starts: list[Start]
    cycles: list[float]
    submits: dict[int, float]
    ends: dict[int, float]


def folder(name: str) -> Path | None:
    """The folder of a run such as `24.11.5/backfill-1`; None if `SHADOWTIME_ORACLES` is not set."""
    top = os.environ.get("SHADOWTIME_ORACLES")
    found = Path(top) / "slurm" / "dynamic" / name if top else None
    return found if found and found.is_dir() else None


def read_run(path: Path) -> Run:
    """Read a run of whole nodes that share nothing."""
    with (path / "jobs.csv").open(encoding="utf-8") as stream:
        jobs = {int(row["job_id"]): submitted(row) for row in csv.DictReader(stream)}
    with (path / "events.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    starts = [
        Start(float(row["time"]), int(row["job_id"]), "backfill" in row["event"])
        for row in rows
        if row["event"].startswith("start")
    ]
    cycles = [float(row["time"]) for row in rows if row["event"] == "backfill cycle"]
    submits, ends = (
        {int(row["job_id"]): float(row["time"]) for row in rows if row["event"] == event}
        for event in ("submit", "complete")
    )
    return Run(jobs, starts, cycles, submits, ends)


def submitted(row: dict[str, str]) -> Submitted:
    """A job as recorded; it lasted from its start to its end."""
    start, end = int(row["start"]), int(row["end"])
    return Submitted(
        int(row["job_id"]), int(row["size"]), int(row["limit_minutes"]), end - start,
        int(row["submit"]), start, end, frozenset(parse_hosts(row["nodes"])),
    )  # fmt: skip


def as_waiting(job: Submitted) -> Job:
    """The job as it waits; it comes into the queue when it was submitted."""
    plain = waiting(job.id, job.size, job.minutes, priority=HIGHEST + 1 - job.id)
    return attrs.evolve(plain, submit=job.submit, eligible=job.submit)


def as_running(job: Submitted) -> Job:
    """The job as it runs."""
    places = sorted(int(name[1:]) for name in job.nodes)
    return attrs.evolve(running(job.id, places, 0), end=job.start + 60 * job.minutes, limit=job.minutes)


def whole_run(run: Run, scheduler: str) -> Capture:
    """The empty cluster with all jobs still to come."""
    plain = cluster(NODES, [as_waiting(job) for job in run.jobs.values()])
    settings = attrs.evolve(plain.settings, scheduler=scheduler)
    return attrs.evolve(plain, settings=settings, entry_cost=entry_cost(run))


def entry_cost(run: Run) -> int:
    """Microseconds that a cycle took for an entry: what the time from cycle to cycle has beyond the interval.

    Cycles after a pause without entries do not count.
    """
    begun = {start.job: start.at for start in run.starts}
    taken, entries = 0.0, 0
    for at, after in pairwise(run.cycles):
        waiting = sum(submit < at <= begun[job] for job, submit in run.submits.items())
        if waiting and after - at < INTERVAL + 1:
            taken += after - at - INTERVAL
            entries += waiting
    return int(10**6 * taken / entries) if entries else 0


def moment(run: Run, at: float, gone: set[int], started: set[int], queued: set[int]) -> Capture:
    """The cluster at one instant: who has ended, who runs, who waits."""
    jobs = [as_running(run.jobs[job]) for job in sorted(started - gone)]
    return cluster(NODES, [*jobs, *(as_waiting(run.jobs[job]) for job in sorted(queued - started))])
