"""The jobs that come in a sample: earlier ones as they would wait if they were submitted again."""

from collections.abc import Iterable, Iterator, Mapping
from statistics import median_low

import attrs

from shadowtime.console.session.slurm.likely.rows import LikelyRow
from shadowtime.console.session.slurm.priorities.standing import submitted_anew, with_calculation
from shadowtime.scenarios.slurm import Capture, Job, Request
from shadowtime.scenarios.slurm.accounted.records import Accounted
from shadowtime.scenarios.slurm.config import MULTIFACTOR
from shadowtime.scenarios.slurm.priorities import Factor


class Again:
    """Makes waiting jobs of earlier ones, as they are on a cluster at the instant of its capture."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._partitions = {each.name for each in capture.partitions}
        self._associations = {(each.account, each.user): each.id for each in capture.associations}
        waiting = [job for job in capture.jobs if job.waiting and job.priority]
        self._lowest = min((job.priority for job in waiting), default=1)
        self._points = _Points(capture)
        self._levels = self._levels_of(map(self._young, waiting))
        self._made: dict[tuple[int, int, int], Job | None] = {}

    def of(self, row: LikelyRow) -> Job | None:
        """Return the job that waits; None if no partition of the cluster has its name."""
        if row.name not in self._made:
            self._made[row.name] = self._new(row.model)
        return self._made[row.name]

    def _new(self, model: Job | Accounted) -> Job | None:
        job = model if isinstance(model, Job) else self._job(model)
        if not self._partitions.issuperset(job.partitions):
            return None
        young = self._young(job)
        known = bool(job.priority) and self._ages
        priority = young.priority if known else self._priority(young)
        by_partition = young.priority_by_partition if known else {}
        return attrs.evolve(
            young,
            states=("PENDING",),
            reason="",
            dependency="",
            priority=priority,
            priority_by_partition=by_partition,
            nodes=(),
            shares=(),
            begin=0,
            end=0,
            array=None,
            het_job=0,
            het_offset=0,
            deadline=0,
            accrued_since=0,
        )

    @property
    def _ages(self) -> bool:
        return self._capture.settings.priority == MULTIFACTOR

    def _young(self, job: Job) -> Job:
        """A job without the points that its age has added."""
        known = self._capture.calculated or self._capture.taken
        return submitted_anew(self._capture, attrs.evolve(job, begin=known), 0)

    def _priority(self, young: Job) -> int:
        """By waiting jobs like it; without factors a new job is behind all others."""
        if not self._ages:
            return max(1, self._lowest - 1)
        rest = next((self._levels[key] for key in _keys(young) if key in self._levels), 0)
        return max(1, rest + self._points.of(young))

    def _levels_of(self, jobs: Iterable[Job]) -> Mapping[tuple[str, ...], int]:
        """The middle of what is left of the priorities of the jobs that have something in common."""
        found: dict[tuple[str, ...], list[int]] = {}
        for job in jobs:
            for key in _keys(job):
                found.setdefault(key, []).append(job.priority - self._points.of(job))
        return {key: median_low(values) for key, values in found.items()}

    def _job(self, run: Accounted) -> Job:
        association = self._associations.get((run.account, run.user), 0)
        return Job(
            id=0,
            name="",
            user=run.user,
            account=run.account,
            states=("PENDING",),
            reason="",
            partitions=(run.partition,),
            priority=0,
            priority_by_partition={},
            nice=0,
            qos=run.qos,
            reservation="",
            dependency="",
            flags=frozenset(),
            submit=0,
            eligible=0,
            begin=0,
            end=0,
            limit=run.limit,
            least_limit=0,
            request=_request(run),
            array=None,
            nodes=(),
            shares=(),
            association=association,
        )


def _request(run: Accounted) -> Request:
    """What it asks for: the CPUs that it was given, on as many nodes as it asked for at least."""
    return Request(
        least_nodes=run.nodes,
        most_nodes=0,
        nodes_wanted=False,
        cpus=run.given,
        tasks=run.given,
        cpus_per_task=1,
        tasks_per_node=0,
        least_cpus_per_node=1,
        memory_per_cpu=run.memory // run.given,
        memory_per_node=0,
        exclusive=False,
        contiguous=False,
        devices_per_node=_by_node(run.devices, run.nodes),
        devices_in_all=run.devices,
        cpus_wanted=run.cpus,
    )


def _by_node(devices: str, nodes: int) -> str:
    """`gres/gpu:a100=8` on two nodes is `gres/gpu:a100:4`.

    A kind with a type stands in place of the plain one.
    """
    pairs = [part.rpartition("=") for part in devices.split(",") if part]
    typed = {name.partition(":")[0] for name, _, _ in pairs if ":" in name}
    counts = [(name, int(count)) for name, _, count in pairs if name not in typed and count.isdecimal()]
    return ",".join(f"{name}:{-(-count // nodes)}" for name, count in counts)


def _keys(job: Job) -> Iterator[tuple[str, ...]]:
    """What jobs have in common that have like priorities, the narrowest first."""
    partition = next(iter(job.partitions), "")
    yield job.user, job.account, job.qos, partition
    yield job.user, job.account
    yield job.qos, partition, ""
    yield ()


class _Points:
    """What of a priority follows from whose a job is: the points of fair share and quality of service."""

    def __init__(self, capture: Capture) -> None:
        settings = capture.settings
        standing = with_calculation(capture, capture.taken).standing
        weight = 0 if settings.fair_share is None else settings.fair_share.weight
        factors = {} if standing is None else standing.first
        self._shares = {association: round(weight * factor) for association, factor in factors.items()}
        quality = settings.weights.get(Factor.QUALITY, 0)
        most = max((each.priority for each in capture.qualities), default=0)
        self._qualities = {each.name: quality * each.priority // max(1, most) for each in capture.qualities}

    def of(self, job: Job) -> int:
        return self._shares.get(job.association, 0) + self._qualities.get(job.qos, 0)
