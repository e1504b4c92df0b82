"""Recorded runs with preemption or gang scheduling: the cluster at any moment, and the log of the rows."""

import csv
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Partition, parse_hosts
from tests.oracles.slurm.runs.dynamic import HIGHEST
from tests.oracles.slurm.small import cluster, running, waiting

NODES, CPUS = 16, 4
NAMES = tuple(f"n{place}" for place in range(1, NODES + 1))
APART = 1000
"""Priorities lie as far apart, so that requeued jobs find a place between them."""
_STEP = re.compile(r"entering gs_job_(start|fini) for JobId=(\d+)|_timeslicer_thread: (scanning)")
_CHANGE = re.compile(r"\] gang: (suspend|resum)ing JobId=(\d+)")


class Row(NamedTuple):
    """A line of `events.csv`, or a submission of `jobs.csv` if the events have none."""

    at: float
    what: str
    job: int
    nodes: str

    @property
    def starts(self) -> bool:
        """Whether a job starts."""
        return self.what.startswith("start")


class Record:
    """A recorded run; `mode` is its PreemptMode."""

    def __init__(self, path: Path, mode: str, partitions: tuple[Partition, ...]) -> None:
        self.path, self.mode, self.partitions = path, mode, partitions
        with (path / "jobs.csv").open(encoding="utf-8") as stream:
            self.jobs = {int(row["job_id"]): row for row in csv.DictReader(stream)}
        with (path / "events.csv").open(encoding="utf-8") as stream:
            self.rows = [
                Row(float(row["time"]), row["event"], int(row["job_id"] or 0), row["nodes"])
                for row in csv.DictReader(stream)
            ]
        if all(row.what != "submit" for row in self.rows):
            came = [Row(int(row["submit"]) - 0.5, "submit", job, "") for job, row in self.jobs.items()]
            self.rows = sorted([*self.rows, *came])
        self.submits = {row.job: int(row.at) for row in self.rows if row.what == "submit"}

    def request(self, job: int) -> dict[str, Any]:
        """What a job asks for: CPUs of whole nodes."""
        size = int(self.jobs[job]["size"])
        return {
            "least_nodes": size, "most_nodes": size, "nodes_wanted": False, "cpus": CPUS * size,
            "tasks": CPUS * size, "tasks_per_node": CPUS, "least_cpus_per_node": CPUS, "exclusive": False,
        }  # fmt: skip

    def waiting(self, job: int, order: int, submit: int) -> Job:
        """A job as it waits, the `order`-th in the queue."""
        row = self.jobs[job]
        plain = waiting(
            job, int(row["size"]), int(row["limit_minutes"]), priority=HIGHEST - APART * order,
            **self.request(job),
        )  # fmt: skip
        return attrs.evolve(plain, partitions=(row["partition"],), submit=submit, eligible=submit)

    def running(self, job: int, start: Row) -> Job:
        """A job as it runs."""
        row, minutes = self.jobs[job], int(self.jobs[job]["limit_minutes"])
        places = [NAMES.index(name) + 1 for name in parse_hosts(start.nodes)]
        begin = int(start.at)
        plain = running(job, places, 0, **self.request(job))
        return attrs.evolve(
            plain, partitions=(row["partition"],), begin=begin, end=begin + 60 * minutes, limit=minutes
        )

    def capture(self, jobs: list[Job]) -> Capture:
        """The cluster with some jobs."""
        plain = cluster(NODES, jobs, self.path.parent.name)
        settings = attrs.evolve(
            plain.settings, select_parameters=frozenset(("CR_CORE",)), preempt="preempt/partition_prio",
            preempt_mode=self.mode, time_slice=60,
        )  # fmt: skip
        return attrs.evolve(plain, settings=settings, partitions=self.partitions)

    def before(self, index: int) -> Capture:
        """The cluster before a row of the events."""
        started: dict[int, Row] = {}
        order: dict[int, int] = {}
        for place, row in enumerate(self.rows[:index]):
            if row.what in ("submit", "requeue"):
                order[row.job] = place
                started.pop(row.job, None)
            elif row.starts:
                started[row.job] = row
            elif row.what in ("complete", "time limit"):
                started.pop(row.job, None)
                order.pop(row.job, None)
        runs = [self.running(job, row) for job, row in started.items()]
        waits = [self.waiting(job, place, 1) for job, place in order.items() if job not in started]
        return self.capture([*runs, *waits])

    def preemptions(self) -> Iterator[tuple[int, list[int], Row]]:
        """The index of the first requeue of a pass, the jobs that it requeues, and the start that follows."""
        index = 0
        while index < len(self.rows):
            if self.rows[index].what != "requeue":
                index += 1
                continue
            last = index
            while self.rows[last].what == "requeue":
                last += 1
            start = next(row for row in self.rows[last:] if row.starts and self.partition(row.job) == "high")
            yield index, [row.job for row in self.rows[index:last]], start
            index = last

    def partition(self, job: int) -> str:
        """The partition of a job."""
        return self.jobs[job]["partition"]

    def steps(self) -> Iterator[tuple[str, int, list[tuple[str, int]]]]:
        """What befell the rows: start, fini or scanning; the job; who was suspended and resumed."""
        step: tuple[str, int] | None = None
        changes: list[tuple[str, int]] = []
        with lzma.open(self.path / "gang.log.xz", "rt", encoding="utf-8") as stream:
            for line in stream:
                if found := _STEP.search(line):
                    if step is not None:
                        yield *step, changes
                    step, changes = (found[1] or found[3], int(found[2] or 0)), []
                elif found := _CHANGE.search(line):
                    changes.append(("suspend" if found[1] == "suspend" else "resume", int(found[2])))
        if step is not None:
            yield *step, changes


def partition(name: str, tier: int, mode: str, shares: int = 0) -> Partition:
    """A partition of all nodes; `shares`: OverSubscribe=FORCE with so many jobs."""
    return Partition(
        name, NAMES, tier, 1, 2880, None, 0, False, max(1, shares), False, "", ("UP",), mode, shares > 0
    )


def requeue(path: Path) -> Record:
    """The run in which jobs are requeued."""
    return Record(path, "REQUEUE", (partition("low", 1, "REQUEUE"), partition("high", 10, "OFF")))


def suspend(path: Path) -> Record:
    """The run in which jobs are suspended for others."""
    return Record(path, "SUSPEND,GANG", (partition("low", 1, "SUSPEND", 1), partition("high", 10, "OFF", 1)))


def gang(path: Path) -> Record:
    """The run in which jobs take turns."""
    return Record(path, "SUSPEND,GANG", (partition("batch", 1, "OFF", 2),))
