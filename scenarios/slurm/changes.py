"""Changes of a captured cluster, as an operator or a user would make them, one line each.

| change | what it does |
|---|---|
| `job 31 limit=30m` | the limit of a waiting job, a length |
| `job 31 nodes=4` | the nodes of a waiting job; its tasks and CPUs change in proportion |
| `job 31 partition=short` | the partitions, separated by commas |
| `job 31 priority=9000` | the priority |
| `cancel 31` | a job, or an array, that waits or runs is gone |
| `resume n05` | a node is up again |
| `unreserve course` | a reservation of the operator is gone |
| `set bf_max_job_test=500` | a parameter of the backfill cycle, a whole number |
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from scenarios.slurm.config import Backfill
from scenarios.slurm.records import GONE, Capture, Job
from scenarios.times import parse_duration

EXPECTED = (
    "job 31 limit=30m (or nodes=, partition=, priority=), cancel 31, resume NODE, unreserve NAME,"
    " set bf_max_job_test=500"
)
_JOB = re.compile(r"job (\d{1,9}) (limit|nodes|partition|priority)=(\S+)", re.ASCII)
_NAMED = re.compile(r"(cancel|resume|unreserve) (\S+)")
_SET = re.compile(r"set bf_(\w+)=(\d{1,9})", re.ASCII)


@attrs.frozen
class Change:
    """A change: `what` is limit, nodes, partition, priority, cancel, resume, unreserve or set."""

    what: str
    subject: str
    """The number of a job, the name of a node or of a reservation, or the name of a parameter."""
    value: str = ""

    @property
    def job(self) -> int | None:
        """The job that it is about, by number; None if it is about none."""
        named = self.what in ("limit", "nodes", "partition", "priority", "cancel")
        return int(self.subject) if named else None


def parse_change(text: str) -> Change:
    """Return the change that a line says. ValueError in one line if it says none."""
    line = " ".join(text.split())
    if found := _JOB.fullmatch(line):
        return Change(found[2], found[1], found[3])
    if found := _NAMED.fullmatch(line):
        if found[1] == "cancel" and not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
            raise ValueError(f"{line[:60]!r} names no job; expected a number, as in cancel 31")
        return Change(found[1], found[2])
    if found := _SET.fullmatch(line):
        if found[1] not in attrs.fields_dict(Backfill) or isinstance(getattr(Backfill(), found[1]), bool):
            raise ValueError(f"there is no number bf_{found[1][:40]}; expected one such as bf_max_job_test")
        return Change("set", found[1], found[2])
    raise ValueError(f"{line[:60]!r} is no change; expected one such as {EXPECTED}")


def number_of(job: Job) -> int:
    """The number by which a job is asked about: its own, or that of its array."""
    return job.array.job if job.array else job.id


def changed(capture: Capture, change: Change) -> Capture:
    """Return the cluster after a change. ValueError in one line if it cannot be made."""
    if change.what == "resume":
        return _resumed(capture, change.subject)
    if change.what == "unreserve":
        return _unreserved(capture, change.subject)
    if change.what == "set":
        given: dict[str, Any] = {change.subject: int(change.value)}
        backfill = attrs.evolve(capture.settings.backfill, **given)
        return attrs.evolve(capture, settings=attrs.evolve(capture.settings, backfill=backfill))
    found = [job for job in capture.jobs if number_of(job) == change.job and (job.waiting or job.holding)]
    if not found:
        raise ValueError(f"there is no job {change.subject} that waits or runs")
    if change.what == "cancel":
        gone = {job.id for job in found}
        return attrs.evolve(capture, jobs=tuple(job for job in capture.jobs if job.id not in gone))
    if not any(job.waiting for job in found):
        raise ValueError(f"job {change.subject} does not wait")
    edit = _EDITS[change.what]
    edited = {job.id: edit(capture, job, change.value) for job in found if job.waiting}
    return attrs.evolve(capture, jobs=tuple(edited.get(job.id, job) for job in capture.jobs))


def _resumed(capture: Capture, name: str) -> Capture:
    if not any(node.name == name and not node.up for node in capture.nodes):
        raise ValueError(f"{name[:40]!r} is no node that is down or drained")
    nodes = (
        attrs.evolve(node, states=_without(node.states)) if node.name == name else node
        for node in capture.nodes
    )
    return attrs.evolve(capture, nodes=tuple(nodes))


def _without(states: Iterable[str]) -> tuple[str, ...]:
    """The states of a node that is up again."""
    return tuple(state for state in states if state not in GONE) or ("IDLE",)


def _unreserved(capture: Capture, name: str) -> Capture:
    kept = tuple(each for each in capture.reservations if each.name != name)
    if len(kept) == len(capture.reservations):
        raise ValueError(f"there is no reservation {name[:40]!r}")
    return attrs.evolve(capture, reservations=kept)


def _limit(capture: Capture, job: Job, value: str) -> Job:
    seconds = parse_duration(value)
    if seconds < 60 or seconds % 60:
        raise ValueError(f"the limit {value[:20]} is not in whole minutes")
    return attrs.evolve(job, limit=seconds // 60)


def _nodes(capture: Capture, job: Job, value: str) -> Job:
    count = _number(value, len(capture.nodes))
    before, request = job.request.least_nodes, job.request
    least = count if request.tasks >= before else 1
    found = attrs.evolve(
        request,
        least_nodes=count,
        most_nodes=count if request.most_nodes else 0,
        cpus=max(1, request.cpus * count // before),
        tasks=max(least, request.tasks * count // before),
    )
    return attrs.evolve(job, request=found)


def _partition(capture: Capture, job: Job, value: str) -> Job:
    names = tuple(value.split(","))
    known = {partition.name for partition in capture.partitions}
    if not known.issuperset(names) or len(set(names)) != len(names):
        raise ValueError(f"{value[:40]!r} names no partitions; expected some of {', '.join(sorted(known))}")
    for partition in capture.partitions:
        most = partition.most_minutes
        if partition.name in names and most is not None and (job.limit is None or job.limit > most):
            raise ValueError(f"partition {partition.name} allows {most} minutes, fewer than the job's limit")
    return attrs.evolve(job, partitions=names, priority_by_partition={})


def _priority(capture: Capture, job: Job, value: str) -> Job:
    return attrs.evolve(job, priority=_number(value, 2**32 - 2), priority_by_partition={})


def _number(value: str, most: int) -> int:
    if not (value.isascii() and value.isdigit()) or not 1 <= int(value[:12]) <= most:
        raise ValueError(f"{value[:20]!r} is no number from 1 to {most}")
    return int(value)


_EDITS: dict[str, Callable[[Capture, Job, str], Job]] = {
    "limit": _limit,
    "nodes": _nodes,
    "partition": _partition,
    "priority": _priority,
}
