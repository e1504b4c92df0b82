"""The answers to questions on a captured cluster, from the naive plan alone (docs/training.md)."""

from datetime import UTC, datetime

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Reservation, parse_hosts
from tests.oracles.slurm.cycle import Row, plan

STARTS = ("planned", "started", "beyond window")
KNOWN: list[tuple[Capture, int, list[Row]]] = []
"""The last plans: one cluster is asked about many times."""


def rows(capture: Capture, now: int) -> list[Row]:
    """The plan of a cluster."""
    for one, at, found in KNOWN:
        if one is capture and at == now:
            return found
    KNOWN.append((capture, now, plan(capture, now)))
    del KNOWN[:-8]
    return KNOWN[-1][2]


def number_of(job: Job) -> int:
    """The number of a job is its id, that of a task the id of its array."""
    return job.id if job.array is None else job.array.job


def name_of(job: Job) -> str:
    """How a row of the plan names a job."""
    if job.array is None:
        return str(job.id)
    return f"{job.array.job}_*" if job.array.task is None else f"{job.array.job}_{job.array.task}"


def numbers(capture: Capture) -> list[int]:
    """The numbers of the waiting jobs."""
    return sorted({number_of(job) for job in capture.jobs if job.waiting})


def first_row(capture: Capture, now: int, number: int) -> Row | None:
    """The row of a number that starts first, the first of its rows if none starts; None without a row."""
    found = [row for row in rows(capture, now) if row.job.partition("_")[0] == str(number)]
    starting = [row for row in found if row.start is not None]
    if starting:
        return min(starting, key=lambda row: row.start or 0)
    return found[0] if found else None


def start(capture: Capture, now: int, number: int) -> int | None:
    """The planned start of a number; None without one."""
    row = first_row(capture, now, number)
    return None if row is None or row.outcome not in STARTS else row.start


def job_of(capture: Capture, now: int, number: int) -> Job:
    """The job of the first row; without a row the job with the least id."""
    jobs = sorted(
        (job for job in capture.jobs if job.waiting and number_of(job) == number), key=lambda it: it.id
    )
    row = first_row(capture, now, number)
    return next((job for job in jobs if row is not None and name_of(job) == row.job), jobs[0])


def alone(capture: Capture, now: int, job: Job, running: bool = True, reserved: bool = True) -> int | None:
    """When a job would start if no other job waited, and nothing kept it out of the queue."""
    ready = attrs.evolve(
        job, array=None, dependency="", eligible=min(now, job.eligible), priority=max(job.priority, 1)
    )
    others = [each for each in capture.jobs if each.holding] if running else []
    like = attrs.evolve(capture, jobs=(*others, ready), reservations=capture.reservations if reserved else ())
    starts = [row.start for row in plan(like, now) if row.start is not None and row.outcome in STARTS]
    return min(starts, default=None)


def keeps_out(capture: Capture, now: int, job: Job) -> set[str]:
    """What keeps a job out of the queue."""
    found = set()
    if job.priority == 0:
        found.add("held")
    if "(unfulfilled)" in job.dependency or "(failed)" in job.dependency:
        found.add("dependency")
    if job.eligible > now:
        found.add("begin")
    if any(each.name == job.reservation and each.begin > now for each in capture.reservations):
        found.add("begins_later")
    return found


def true_reasons(capture: Capture, now: int, number: int) -> set[str]:
    """Every statement about a job that is true, of those that the plan settles."""
    row, job = first_row(capture, now, number), job_of(capture, now, number)
    true = keeps_out(capture, now, job)
    if row is None:
        most = job.array is not None and job.array.most_running > 0
        true |= {"array_limit"} if most else set()
        true |= {"not_reached"} if not true else set()
    elif row.note in ("accounting limit", "limit on jobs"):
        true.add("over_limit")
    if job.reservation:
        return true
    by_all = alone(capture, now, job) == now
    by_free = alone(capture, now, job, reserved=False) == now
    by_empty = alone(capture, now, job, running=False, reserved=False) == now
    if not by_empty:
        true.add("too_large")
    if not by_all and by_free:
        true.add("kept")
    if not by_all and not by_free:
        true.add("busy")
    if by_all and row is not None and row.outcome != "started":
        true.add("behind")
    return true


def changed(capture: Capture, line: str) -> Capture:
    """The cluster after a change that can be made."""
    words = line.split()
    if words[0] == "cancel":
        kept = (job for job in capture.jobs if number_of(job) != int(words[1]))
        return attrs.evolve(capture, jobs=tuple(kept))
    if words[0] == "resume":
        nodes = [
            attrs.evolve(node, states=("IDLE",)) if node.name == words[1] else node for node in capture.nodes
        ]
        return attrs.evolve(capture, nodes=tuple(nodes))
    if words[0] == "drain":
        out = set(parse_hosts(words[1]))
        nodes = [
            attrs.evolve(node, states=(*node.states, "DRAIN")) if node.name in out else node
            for node in capture.nodes
        ]
        return attrs.evolve(capture, nodes=tuple(nodes))
    if words[0] == "reserve":
        *when, length = words[2:]
        begin = datetime.strptime(" ".join(when), "%m-%d %H:%M" if len(when) == 2 else "%H:%M")
        day = datetime.fromtimestamp(capture.taken, UTC)
        date = (begin.month, begin.day) if len(when) == 2 else (day.month, day.day)
        first = int(datetime(day.year, *date, begin.hour, begin.minute, tzinfo=UTC).timestamp())
        flags = frozenset(("MAINT", "IGNORE_JOBS", "SPEC_NODES"))
        last = first + 3600 * int(length.removesuffix("h"))
        window = Reservation("maintenance", first, last, tuple(parse_hosts(words[1])), flags, (), 0, "")
        return attrs.evolve(capture, reservations=(*capture.reservations, window))
    if words[0] == "hold":
        jobs_held = [
            attrs.evolve(job, priority=0, priority_by_partition={})
            if number_of(job) == int(words[1])
            else job
            for job in capture.jobs
        ]
        return attrs.evolve(capture, jobs=tuple(jobs_held))
    if words[0] == "limit":
        words = ["job", words[1], f"limit={words[2]}"]
    if words[0] == "unreserve":
        kept_ones = (each for each in capture.reservations if each.name != words[1])
        return attrs.evolve(capture, reservations=tuple(kept_ones))
    key, _, value = words[-1].partition("=")
    if words[0] == "set" and key in TITLES:
        return weighed(capture, key, int(value))
    if words[0] == "set":
        backfill = capture.settings.backfill
        assert key in ("bf_max_job_test", "bf_window"), key
        changes = {key.removeprefix("bf_"): int(value)}
        settings = attrs.evolve(capture.settings, backfill=attrs.evolve(backfill, **changes))  # type: ignore[arg-type]
        return attrs.evolve(capture, settings=settings)
    found = [job for job in capture.jobs if number_of(job) == int(words[1])]
    # Of an array the tasks that wait; a running job is changed if nothing of its number waits.
    waiting = [job for job in found if job.waiting]
    jobs = [
        edited(job, key, value) if job in (waiting or (found if key == "limit" else [])) else job
        for job in capture.jobs
    ]
    return attrs.evolve(capture, jobs=tuple(jobs))


TITLES = {
    "PriorityWeightAge": "AGE",
    "PriorityWeightFairShare": "FAIRSHARE",
    "PriorityWeightJobSize": "JOBSIZE",
    "PriorityWeightPartition": "PARTITION",
    "PriorityWeightQOS": "QOS",
}
"""The weights of slurm.conf, and the columns of `sprio`."""


def weighed(capture: Capture, name: str, weight: int) -> Capture:
    """The cluster with another weight: the points of its factor change in proportion, to whole ones."""
    column = TITLES[name]
    before = {str(factor): old for factor, old in capture.settings.weights.items()}[column]
    jobs = []
    for job in capture.jobs:
        totals = dict(job.priority_by_partition)
        factors = {}
        for partition, points in job.factors.items() if job.waiting and job.priority else ():
            plain = {str(factor): count for factor, count in points.items()}
            now = int(plain[column] * weight / before + 0.5)
            totals[partition] = max(1, totals.get(partition, job.priority) + now - plain[column])
            factors[partition] = {
                factor: now if str(factor) == column else count for factor, count in points.items()
            }
        first = totals.get(job.partitions[0], job.priority)
        jobs.append(
            attrs.evolve(
                job, priority=first, priority_by_partition=totals, factors={**job.factors, **factors}
            )
        )
    return attrs.evolve(capture, jobs=tuple(jobs))


def largest(capture: Capture, number: int) -> set[str]:
    """The factors that give a job the most points."""
    (job,) = (job for job in capture.jobs if job.waiting and number_of(job) == number)
    points = {str(factor): count for factor, count in job.factors[job.partitions[0]].items()}
    known = {column: points[column] for column in TITLES.values()}
    return {column for column, count in known.items() if count == max(known.values())}


def edited(job: Job, key: str, value: str) -> Job:
    """A job with another limit, number of nodes, partition or priority; only the last keeps its reason."""
    if key != "priority" and job.waiting:
        job = attrs.evolve(job, reason="")
    if key == "limit":
        minutes = int(value[:-1]) * {"m": 1, "h": 60}[value[-1]]
        return attrs.evolve(job, limit=minutes, end=job.begin + 60 * minutes if job.holding else job.end)
    if key == "nodes":
        request, nodes = job.request, int(value)
        cpus = max(1, request.cpus * nodes // request.least_nodes)
        tasks = max(
            nodes if request.tasks >= request.least_nodes else 1, request.tasks * nodes // request.least_nodes
        )
        most = nodes if request.most_nodes else 0
        return attrs.evolve(
            job, request=attrs.evolve(request, least_nodes=nodes, most_nodes=most, cpus=cpus, tasks=tasks)
        )
    if key == "priority":
        return attrs.evolve(job, priority=int(value), priority_by_partition={})
    return attrs.evolve(job, partitions=tuple(value.split(",")), priority_by_partition={})


def helping(capture: Capture, now: int, number: int, among: tuple[str, ...]) -> set[str]:
    """The changes after which a job starts earlier."""
    before, found = start(capture, now, number), set()
    for line in among:
        after = changed(capture, line)
        if number in numbers(after):
            then = start(after, now, number)
            if then is not None and (before is None or then < before):
                found.add(line)
    return found


def put_off(capture: Capture, now: int, line: str) -> set[int | None]:
    """The other jobs whose start a change moves back most; a job that has none any more is moved most."""
    after = changed(capture, line)
    words = line.split()
    acted = int(words[1]) if words[0] in ("job", "cancel", "hold", "limit") else None
    delays: dict[int, float] = {}
    for number in numbers(capture):
        one = start(capture, now, number)
        if number != acted and one is not None and number in numbers(after):
            two = start(after, now, number)
            delays[number] = float("inf") if two is None else two - one
    most = max(delays.values(), default=0.0)
    return {number for number, delay in delays.items() if delay == most} if most > 0 else {None}
