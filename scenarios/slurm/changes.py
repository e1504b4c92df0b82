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
| `requeue 31` | a running job leaves its nodes, and waits again |
| `reserve n[01-04] tomorrow 18:00 4h` | nodes are reserved for maintenance; a name may follow |
| `unreserve course` | a reservation of the operator is gone |
| `set bf_max_job_test=500` | a parameter of the backfill cycle, a whole number |

`drain n[01-04] at 18:00` is made later. A lesson takes no change that is made later, and no `requeue`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from shadowtime.scenarios.nodes import parse_nodes
from shadowtime.scenarios.slurm.config import Backfill
from shadowtime.scenarios.slurm.hostlist import parse_hosts
from shadowtime.scenarios.slurm.records import GONE, UNLISTED, Capture, Job, Node, Reservation
from shadowtime.scenarios.slurm.tasks import task_ranges
from shadowtime.scenarios.times import parse_duration

EXPECTED = (
    "hold 31, release 31, cancel 31, priority 31 9000, limit 31 2h, nodes 31 4, partition 31 short,"
    " drain n[01-04], resume n05, unreserve NAME, set bf_max_job_user=3"
)
"""What every reader of changes takes."""
TIMED = "requeue 31, reserve n[01-04] tomorrow 18:00 4h, drain n[01-04] at 18:00"
"""What only one takes that knows the clock: a requeued job waits before it can start."""
OF_JOBS = ("limit", "nodes", "partition", "priority")
"""What of a job gets another value."""
OF_A_JOB = ("hold", "release", "cancel", "requeue")
"""What is done with a job."""
VERBS = (*OF_A_JOB, *OF_JOBS, "drain", "resume", "up", "reserve", "unreserve", "set")
"""The words with which a change begins."""
_JOB = re.compile(r"job (\d{1,9}) (limit|nodes|partition|priority)=(\S+)", re.ASCII)
_SHORT = re.compile(r"(limit|nodes|partition|priority) (\d{1,9}) (\S+)", re.ASCII)
_NAMED = re.compile(r"(hold|release|cancel|requeue|drain|resume|up|unreserve) (\S+)")
_LATER = re.compile(r"(.+?) at (.+)")
_SET = re.compile(r"set bf_(\w+)=(\d{1,9})", re.ASCII)
MAINT = "MAINT", "IGNORE_JOBS", "SPEC_NODES"
"""The flags of a reservation for maintenance."""
MAINTENANCE = "maintenance"
"""The name of a reservation that is given none."""
ALL = "ALL"
"""All nodes, as scontrol has it."""

Instants = Callable[[str], int]
"""Reads an instant as it is typed, in seconds since 1970. ValueError for anything else."""


@attrs.frozen
class Change:
    """A change: `what` is one of `OF_JOBS`, `OF_A_JOB`, drain, resume, reserve, unreserve or set."""

    what: str
    subject: str
    """The number of a job, a list of nodes, the name of a reservation, or the name of a parameter."""
    value: str = ""
    """Of a new reservation: how long it is, as it is typed."""
    when: str = ""
    """The instant as it is typed, if one is."""
    at: int | None = None
    """When it is made, in seconds since 1970, if not at once; of a new reservation its begin."""
    name: str = ""
    """Of a new reservation."""

    @property
    def job(self) -> int | None:
        """The job that it is about, by number; None if it is about none."""
        return int(self.subject) if self.what in (*OF_JOBS, *OF_A_JOB) else None

    @property
    def later(self) -> int | None:
        """When it is made, if not at once."""
        return None if self.what == "reserve" else self.at


def parse_change(text: str, instants: Instants | None = None) -> Change:
    """Return the change that a line says. ValueError in one line if it says none.

    Without `instants` no change has an instant.
    """
    line = " ".join(text.split())
    if instants is not None and line.startswith("reserve "):
        return _reserve(line, instants)
    if instants is not None and (found := _LATER.fullmatch(line)) and (change := _at_once(found[1])):
        return attrs.evolve(change, when=found[2], at=instants(found[2]))
    change = _at_once(line)
    if change is None or (instants is None and change.what == "requeue"):
        more = "" if instants is None else f", {TIMED}"
        raise ValueError(f"{line[:60]!r} is no change; expected one such as {EXPECTED}{more}")
    return change


def _at_once(line: str) -> Change | None:
    """The change that a line without an instant says; None if it says none. ValueError."""
    if found := _JOB.fullmatch(line):
        return Change(found[2], found[1], found[3])
    if found := _SHORT.fullmatch(line):
        return Change(found[1], found[2], found[3])
    if found := _NAMED.fullmatch(line):
        change = Change("resume" if found[1] == "up" else found[1], found[2])
        if change.what in OF_A_JOB and not re.fullmatch(r"\d{1,9}", found[2], re.ASCII):
            raise ValueError(f"{line[:60]!r} names no job; expected a number, as in {change.what} 31")
        return change
    if found := _SET.fullmatch(line):
        if found[1] not in attrs.fields_dict(Backfill) or isinstance(getattr(Backfill(), found[1]), bool):
            raise ValueError(f"there is no number bf_{found[1][:40]}; expected one such as bf_max_job_test")
        return Change("set", found[1], found[2])
    return None


def _reserve(line: str, instants: Instants) -> Change:
    """The change `reserve NODES FROM DURATION [NAME]`; the instant has one word or two."""
    _, *words = line.split(" ")
    wrong = f"{line[:60]!r} is no reservation; expected reserve NODES FROM DURATION [NAME]"
    no_length = ""
    for length in (1, 2):
        when, rest = " ".join(words[1 : 1 + length]), words[1 + length :]
        if not 1 <= len(rest) <= 2:
            continue
        try:
            begin = instants(when)
        except ValueError as error:
            wrong = str(error)
            continue
        if _whole_minutes(rest[0]) is not None:
            name = rest[1] if len(rest) == 2 else MAINTENANCE
            return Change("reserve", words[0], rest[0], when, begin, name)
        no_length = f"{rest[0][:20]!r} is no duration in whole minutes; expected one such as 4h or 30m"
    raise ValueError(no_length or wrong)


def _whole_minutes(text: str) -> int | None:
    """The minutes of a duration; None for another text, for less than one, and for parts of a minute."""
    try:
        seconds = parse_duration(text)
    except ValueError:
        return None
    return seconds // 60 if seconds >= 60 and seconds % 60 == 0 else None


def format_change(change: Change) -> str:
    """Return a change as it is typed: `limit 31 30m`, `drain n[01-04]`, `drain n05 at 18:00`."""
    if change.what == "set":
        return f"set bf_{change.subject}={change.value}"
    if change.what == "reserve":
        return f"reserve {change.subject} {change.when} {change.value} {change.name}"
    at = f" at {change.when}" if change.when else ""
    return f"{change.what} {change.subject} {change.value}".rstrip() + at


def number_of(job: Job) -> int:
    """The number by which a job is asked about: its own, or that of its array."""
    return job.array.job if job.array else job.id


def is_called(job: Job, name: str) -> bool:
    """Whether a text names a job: its name, the number of it or its array, or a task that waits in it."""
    if name in (job.shown, str(number_of(job))):
        return True
    if job.array is None or job.array.task is not None:
        return False
    number, _, task = name.partition("_")
    if number != str(job.array.job) or not task.isdecimal() or len(task) > 9:
        return False
    return any(int(task) in tasks for tasks in task_ranges(job.array.waiting))


def changed(capture: Capture, change: Change, former: Mapping[int, Job] | None = None) -> Capture:
    """Return the cluster after a change. ValueError in one line if it cannot be made.

    `former` has jobs as they were before they were held, by id: a released job gets its priority back, but
    under priority/basic, and if it is not there, it gets one below all that wait (our choice).
    """
    if change.what == "drain":
        return _with_states(
            capture, change.subject, lambda node: node.up, lambda node: (*node.states, "DRAIN"), "up"
        )
    if change.what == "resume":
        return _with_states(capture, change.subject, can_resume, _resumed, "down or drained")
    if change.what == "reserve":
        return _reserved(capture, change)
    if change.what == "unreserve":
        return _unreserved(capture, change.subject)
    if change.what == "set":
        given: dict[str, Any] = {change.subject: int(change.value)}
        backfill = attrs.evolve(capture.settings.backfill, **given)
        return attrs.evolve(capture, settings=attrs.evolve(capture.settings, backfill=backfill))
    found = [job for job in capture.jobs if number_of(job) == change.job and (job.waiting or job.holding)]
    if not found:
        raise ValueError(f"there is no job {change.subject} that waits or runs")
    if change.what == "requeue":
        return _requeued(capture, change.subject, found)
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
    if text == ALL:
        return tuple(names)
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


def _with_states(
    capture: Capture,
    text: str,
    may: Callable[[Node], bool],
    after: Callable[[Node], tuple[str, ...]],
    what: str,
) -> Capture:
    """The cluster in which those of some nodes have other states that may have them: that are `what`."""
    listed = frozenset(nodes_of(capture, text))
    chosen = {node.name for node in capture.nodes if node.name in listed and may(node)}
    if not chosen:
        raise ValueError(f"{text[:40]!r} names no node that is {what}")
    nodes = (
        attrs.evolve(node, states=after(node)) if node.name in chosen else node for node in capture.nodes
    )
    return attrs.evolve(capture, nodes=tuple(nodes))


def can_resume(node: Node) -> bool:
    """Whether a node is out of service, and not just held by jobs that are not listed."""
    return not (GONE - {UNLISTED}).isdisjoint(node.states)


def _resumed(node: Node) -> tuple[str, ...]:
    """The states of a node that an operator has resumed: jobs that are not listed stay on it."""
    return tuple(state for state in node.states if state not in GONE - {UNLISTED}) or ("IDLE",)


def _requeued(capture: Capture, number: str, found: Sequence[Job]) -> Capture:
    """The running jobs of a number wait; when they can start again is for a cluster over time to say."""
    runs = {job.id for job in found if job.holding and "COMPLETING" not in job.states}
    if not runs:
        raise ValueError(f"job {number} does not run; only a running job can be requeued")
    if any(not job.can_requeue for job in found if job.id in runs):
        raise ValueError(f"job {number} cannot be requeued: it was submitted so")
    jobs = (attrs.evolve(job, states=("PENDING",)) if job.id in runs else job for job in capture.jobs)
    return attrs.evolve(capture, jobs=tuple(jobs))


def _reserved(capture: Capture, change: Change) -> Capture:
    """The cluster with a reservation for maintenance, whoever runs there."""
    assert change.at is not None
    if any(each.name == change.name for each in capture.reservations):
        raise ValueError(f"there is a reservation {change.name[:40]!r} already; expected another name")
    length = _whole_minutes(change.value)
    assert length is not None
    made = Reservation(
        name=change.name,
        begin=change.at,
        end=change.at + 60 * length,
        nodes=nodes_of(capture, change.subject),
        flags=frozenset((*MAINT, *(("ALL_NODES",) if change.subject == ALL else ()))),
        users=("root",),
        cores=0,
        licenses="",
    )
    return attrs.evolve(capture, reservations=(*capture.reservations, made))


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
