"""Changes of a captured cluster, as an operator or a user would make them, one line each.

| change | what it does |
|---|---|
| `job 31 limit=30m`, `limit 31 +1h` | the limit of a job that waits or runs, or how much longer it gets |
| `job 31 nodes=4`, `nodes 31 4` | the nodes of a waiting job; its tasks and CPUs change in proportion |
| `job 31 partition=short`, `partition 31 short` | the partitions of a waiting job, separated by commas |
| `job 31 priority=9000`, `priority 31 9000` | the priority of a waiting job |
| `hold 31`, `release 31` | a waiting job has no entry in the queue; it has one again |
| `cancel 31` | a job, or an array, that waits or runs is gone |
| `drain n[01-04]`, `drain 0-3` | nodes, by name or by index, take no more jobs; those on them run on |
| `resume n05`, `up n05` | nodes are up again |
| `unreserve course` | a reservation of the operator is gone |
| `set bf_max_job_test=500` | a parameter of the backfill cycle, a whole number |
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from shadowtime.scenarios.nodes import parse_nodes
from shadowtime.scenarios.slurm.config import Backfill
from shadowtime.scenarios.slurm.hostlist import parse_hosts
from shadowtime.scenarios.slurm.records import GONE, UNLISTED, Capture, Job, Node
from shadowtime.scenarios.times import parse_duration

EXPECTED = (
    "hold 31, release 31, cancel 31, priority 31 9000, limit 31 2h, nodes 31 4, partition 31 short,"
    " drain n[01-04], resume n05, unreserve NAME, set bf_max_job_user=3"
)
OF_JOBS = ("limit", "nodes", "partition", "priority")
"""What of a job gets another value."""
_JOB = re.compile(r"job (\d{1,9}) (limit|nodes|partition|priority)=(\S+)", re.ASCII)
_SHORT = re.compile(r"(limit|nodes|partition|priority) (\d{1,9}) (\S+)", re.ASCII)
_NAMED = re.compile(r"(hold|release|cancel|drain|resume|up|unreserve) (\S+)")
_SET = re.compile(r"set bf_(\w+)=(\d{1,9})", re.ASCII)


@attrs.frozen
class Change:
    """A change: `what` is one of `OF_JOBS`, hold, release, cancel, drain, resume, unreserve or set."""

    what: str
    subject: str
    """The number of a job, a list of nodes, the name of a reservation, or the name of a parameter."""
    value: str = ""

    @property
    def job(self) -> int | None:
        """The job that it is about, by number; None if it is about none."""
        named = self.what in (*OF_JOBS, "hold", "release", "cancel")
        return int(self.subject) if named else None


def parse_change(text: str) -> Change:
    """Return the change that a line says. ValueError in one line if it says none."""
    line = " ".join(text.split())
    if found := _JOB.fullmatch(line):
        return Change(found[2], found[1], found[3])
    if found := _SHORT.fullmatch(line):
        return Change(found[1], found[2], found[3])
    if found := _NAMED.fullmatch(line):
        change = Change("resume" if found[1] == "up" else found[1], found[2])
        if change.what in ("hold", "release", "cancel") and not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
            raise ValueError(f"{line[:60]!r} names no job; expected a number, as in {change.what} 31")
        return change
    if found := _SET.fullmatch(line):
        if found[1] not in attrs.fields_dict(Backfill) or isinstance(getattr(Backfill(), found[1]), bool):
            raise ValueError(f"there is no number bf_{found[1][:40]}; expected one such as bf_max_job_test")
        return Change("set", found[1], found[2])
    raise ValueError(f"{line[:60]!r} is no change; expected one such as {EXPECTED}")


def format_change(change: Change) -> str:
    """Return a change as it is typed: `limit 31 30m`, `drain n[01-04]`."""
    if change.what == "set":
        return f"set bf_{change.subject}={change.value}"
    return f"{change.what} {change.subject} {change.value}".rstrip()


def number_of(job: Job) -> int:
    """The number by which a job is asked about: its own, or that of its array."""
    return job.array.job if job.array else job.id


def changed(capture: Capture, change: Change, former: Mapping[int, Job] | None = None) -> Capture:
    """Return the cluster after a change. ValueError in one line if it cannot be made.

    `former` has jobs as they were before they were held, by id: a released job gets its priority back, but
    under priority/basic, and if it is not there, it gets one below all that wait (our choice).
    """
    if change.what == "drain":
        return _drained(capture, change.subject)
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
    edited = {job.id: job for job in _edited(capture, change, found, former or {})}
    return attrs.evolve(capture, jobs=tuple(edited.get(job.id, job) for job in capture.jobs))


def _edited(
    capture: Capture, change: Change, found: Sequence[Job], former: Mapping[int, Job]
) -> Iterator[Job]:
    """The jobs of a number that the change is about, after it."""
    waiting = [job for job in found if job.waiting]
    if not waiting and change.what == "limit":
        yield from (_end_limit(job, change.value) for job in found)
        return
    if not waiting:
        raise ValueError(f"job {change.subject} does not wait")
    if change.what == "hold":
        if not any(job.priority for job in waiting):
            raise ValueError(f"job {change.subject} is held already")
        yield from (attrs.evolve(job, priority=0, priority_by_partition={}) for job in waiting)
    elif change.what == "release":
        held = [job for job in waiting if not job.priority]
        if not held:
            raise ValueError(f"job {change.subject} is not held; only a held job can be released")
        yield from (_released(capture, job, former.get(job.id)) for job in held)
    else:
        # Slurm's reason is that of the job as it was.
        edited = (_EDITS[change.what](capture, job, change.value) for job in waiting)
        yield from (edited if change.what == "priority" else (attrs.evolve(job, reason="") for job in edited))


def _released(capture: Capture, job: Job, former: Job | None) -> Job:
    """A job as it is released: with the priority that it had, or below all that wait."""
    if former is not None and former.priority and capture.settings.priority != "priority/basic":
        return attrs.evolve(job, priority=former.priority, priority_by_partition=former.priority_by_partition)
    others = (each.priority for each in capture.jobs if each.waiting and each.priority)
    return attrs.evolve(job, priority=max(1, min(others, default=2) - 1))


def nodes_of(capture: Capture, text: str) -> tuple[str, ...]:
    """Return the names of nodes that are listed by name (`n[1-4],n7`) or by index (`0-3,6`). ValueError."""
    names = [node.name for node in capture.nodes]
    if text in names:
        return (text,)
    if re.fullmatch(r"[\d,-]+", text, re.ASCII):
        ranges = parse_nodes(text, len(names))
        return tuple(names[place] for first, stop in ranges for place in range(first, stop))
    found, known = parse_hosts(text), frozenset(names)
    unknown = next((name for name in found if name not in known), None)
    if unknown is not None or not found:
        shown = (unknown or text)[:40]
        raise ValueError(
            f"{shown!r} is no node; expected names such as {names[0]}, or indexes, 0 to {len(names) - 1}"
        )
    return found


def _drained(capture: Capture, text: str) -> Capture:
    chosen = frozenset(nodes_of(capture, text))
    if not any(node.up for node in capture.nodes if node.name in chosen):
        raise ValueError(f"{text[:40]!r} names no node that is up")
    nodes = (
        attrs.evolve(node, states=(*node.states, "DRAIN")) if node.up and node.name in chosen else node
        for node in capture.nodes
    )
    return attrs.evolve(capture, nodes=tuple(nodes))


def _resumed(capture: Capture, text: str) -> Capture:
    chosen = frozenset(nodes_of(capture, text))
    if not any(can_resume(node) for node in capture.nodes if node.name in chosen):
        raise ValueError(f"{text[:40]!r} names no node that is down or drained")
    nodes = (
        attrs.evolve(node, states=_without(node.states)) if can_resume(node) and node.name in chosen else node
        for node in capture.nodes
    )
    return attrs.evolve(capture, nodes=tuple(nodes))


def can_resume(node: Node) -> bool:
    """Whether a node is out of service, and not just held by jobs that are not listed."""
    return not (GONE - {UNLISTED}).isdisjoint(node.states)


def _without(states: Iterable[str]) -> tuple[str, ...]:
    """The states of a node that an operator has resumed: jobs that are not listed stay on it."""
    return tuple(state for state in states if state not in GONE - {UNLISTED}) or ("IDLE",)


def _unreserved(capture: Capture, name: str) -> Capture:
    kept = tuple(each for each in capture.reservations if each.name != name)
    if len(kept) == len(capture.reservations):
        raise ValueError(f"there is no reservation {name[:40]!r}")
    return attrs.evolve(capture, reservations=kept)


def _limit(capture: Capture, job: Job, value: str) -> Job:
    return attrs.evolve(job, limit=_minutes(job, value))


def _end_limit(job: Job, value: str) -> Job:
    """A running job with another limit: it ends so long after its begin."""
    if "SUSPENDED" in job.states or "COMPLETING" in job.states:
        raise ValueError(f"job {number_of(job)} is {job.states[0].lower()}; expected one that waits or runs")
    if not job.begin:
        raise ValueError(f"job {number_of(job)} does not say when it began")
    minutes = _minutes(job, value)
    return attrs.evolve(job, limit=minutes, end=job.begin + 60 * minutes)


def _minutes(job: Job, value: str) -> int:
    """A limit, or how much longer or shorter it gets, in minutes."""
    sign, length = (value[0], value[1:]) if value[:1] in ("+", "-") else ("", value)
    seconds = parse_duration(length)
    if sign and job.limit is None:
        raise ValueError(f"job {number_of(job)} has no limit; expected one such as 2h")
    if sign:
        seconds = 60 * (job.limit or 0) + (seconds if sign == "+" else -seconds)
    if seconds < 60 or seconds % 60:
        raise ValueError(f"the limit {value[:20]} is not in whole minutes, or is below one")
    return seconds // 60


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
