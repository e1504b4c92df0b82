"""Join a captured cluster and the forecast of its next cycle."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.board.facts import ENDED, LEFT_OUT, Board, NodeFact, PlanRow
from shadowtime.console.session.slurm.caveats import CaveatsOfJobs
from shadowtime.console.session.slurm.devices import added, format_devices
from shadowtime.console.session.slurm.forecasting import Forecast, ForecastRow, forecast_of
from shadowtime.console.session.slurm.priorities.standing import Priorities
from shadowtime.console.session.slurm.queue import tries_of
from shadowtime.scenarios.slurm import Capture, Job, Share
from shadowtime.scenarios.slurm.dependencies import SINGLETON, namesakes, precedes
from shadowtime.scenarios.slurm.documents import many_objects
from shadowtime.scenarios.slurm.records import UNLISTED
from shadowtime.scenarios.text.gate import printable

MOST_AWAITED = 3
"""Jobs that a singleton waits for and that are named."""


@many_objects()
def board(capture: Capture) -> Board:
    """Return the board of a cluster as of the moment at which it was captured. CaptureError."""
    return board_of(capture, forecast_of(capture, capture.taken))


def board_of(capture: Capture, found: Forecast, after: Capture | None = None) -> Board:
    """Return the board of a cluster with a plan. `after`: the cluster once its starts have been made."""
    jobs = {job.shown: job for job in capture.jobs if job.waiting}
    then = capture if after is None else after
    rows = [*_planned(capture, found.rows, jobs), *_left_out(capture, found.rows, jobs)]
    return Board(
        now=found.now,
        cluster=printable(capture.settings.cluster),
        release=found.release,
        rules=found.rules,
        rows=tuple(rows),
        nodes=tuple(_nodes(then, rows, after is not None)),
        running=tuple(job.shown for job in then.jobs if job.holding),
        caveats=found.caveats,
        capture=then,
        begun=after is not None,
        tried=found.tried,
        stopped=found.stopped,
        beside=found.beside,
        limits=found.limits,
    )


def _planned(capture: Capture, rows: Sequence[ForecastRow], jobs: Mapping[str, Job]) -> Iterator[PlanRow]:
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        if row.job_id not in jobs:
            # It cannot be read: the caveats name it.
            continue
        place = seen[row.job_id, row.partition]
        seen[row.job_id, row.partition] += 1
        yield PlanRow(jobs[row.job_id], row, place)


def _left_out(capture: Capture, rows: Sequence[ForecastRow], jobs: Mapping[str, Job]) -> Iterator[PlanRow]:
    """The waiting jobs without an entry, in the order of their ids, and why they have none."""
    planned = {row.job_id for row in rows}
    admission = Admission(capture)
    tested = len(rows) and not jobs.keys() <= planned
    peers = namesakes(capture.jobs) if any(job.depends for job in jobs.values()) else {}
    own, priorities = CaveatsOfJobs(capture), Priorities(capture, capture.taken)
    for name, job in sorted(jobs.items(), key=lambda each: (each[1].id, each[0])):
        if name in planned:
            continue
        note = _why_left_out(admission, job, peers.get((job.name, job.user), ())) or (ENDED if tested else "")
        partition = printable(",".join(job.partitions))
        entry = ForecastRow(
            0, name, partition, printable(job.reservation), priorities.of(job, ""), LEFT_OUT,
            None, None, "", note, own.of(job), slurm_start=job.begin or None,
        )  # fmt: skip
        yield PlanRow(job, entry, 0)


def _awaited(job: Job, peers: Sequence[Job]) -> str:
    """What a job waits for: the terms of its dependency, all of them or, between `?`, one."""
    return (" or " if "?" in job.dependency else ", ").join(_terms(job, peers))


def _terms(job: Job, peers: Sequence[Job]) -> Iterator[str]:
    """The terms that are not satisfied, of a singleton with the jobs; `peers` have its name and user."""
    for term in job.dependency.replace("?", ",").split(","):
        words = printable(term.replace("(unfulfilled)", ""))
        if term == SINGLETON and job.array is None:
            before = list(dict.fromkeys(each.shown for each in peers if precedes(each, job)))
            more = f" and {len(before) - MOST_AWAITED} more" if len(before) > MOST_AWAITED else ""
            names = ", ".join(before[:MOST_AWAITED])
            words += f": {names}{more}, of the same name and user" if before else ""
        if words and "(fulfilled)" not in words:
            yield words


def _why_left_out(admission: Admission, job: Job, peers: Sequence[Job]) -> str:
    """Why the queue has no entry of a waiting job (docs/slurm-cycle.md, section 2); empty if it has one."""
    capture = admission.capture
    if job.priority == 0:
        return "held"
    if job.depends:
        return f"waits for {_awaited(job, peers)}"
    if job.eligible > capture.taken:
        return "its begin time has not come"
    begins = {each.name: each.opens for each in capture.reservations}
    if begins.get(job.reservation, 0) > capture.taken:
        return f"reservation {printable(job.reservation)} has not begun"
    if job.array is not None and job.array.most_running and not tries_of(capture, job)[1]:
        return f"{job.array.most_running} of its tasks run"
    return admission.kept_out(job)


def _nodes(capture: Capture, rows: Sequence[PlanRow], begun: bool) -> Iterator[NodeFact]:
    shares: dict[str, list[tuple[Job, Share]]] = defaultdict(list)
    for job in capture.jobs:
        if job.holding:
            for share in job.shares:
                shares[share.node].append((job, share))
    partitions: dict[str, list[str]] = defaultdict(list)
    for partition in capture.partitions:
        for name in partition.nodes:
            partitions[name].append(printable(partition.name))
    following = _next(rows, ("planned",) if begun else ("planned", "started"))
    for node in capture.nodes:
        here = shares.get(node.name, [])
        here.sort(key=lambda each: (each[0].end, each[0].id))
        cores = sum(share.cores for _, share in here)
        next_job, next_start = following.get(node.name, ("", None))
        yield NodeFact(
            name=node.name,
            states=node.states,
            partitions=tuple(partitions[node.name]),
            cpus=node.cores * node.threads,
            cpus_taken=max(cores * node.threads, node.allocated * (UNLISTED in node.states)),
            memory=node.memory,
            memory_taken=sum(share.memory for _, share in here),
            jobs=tuple(job.shown for job, _ in here),
            free_at=here[-1][0].end if here else None,
            next_job=next_job,
            next_start=next_start,
            features=node.features,
            devices=node.devices,
            weight=node.weight,
            reason=printable(node.reason),
            reason_by=printable(node.reason_by),
            reason_at=node.reason_at or None,
            devices_held=_held(tuple(share.devices for _, share in here if share.devices)),
        )


@lru_cache(maxsize=1 << 10)
def _held(texts: tuple[str, ...]) -> str:
    """The sum of what is held of the devices of a node; many nodes have the same."""
    return format_devices(added(texts))


def _next(rows: Sequence[PlanRow], outcomes: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """Node -> the job that is planned on it first, and its start."""
    found: dict[str, tuple[str, int]] = {}
    for row in rows:
        if row.start is None or row.outcome not in outcomes:
            continue
        for name in row.hosts:
            if name not in found or row.start < found[name][1]:
                found[name] = row.job, row.start
    return found
