"""Limits of qualities of service and of associations on what runs (docs/slurm-cycle.md, section 10)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.quotas import bounds, reached, resource_of
from shadowtime.kernels.slurm.amounts import counts
from shadowtime.kernels.slurm.records import Excess, Limit, Measure, Near, Scope
from shadowtime.scenarios.slurm import Association, Capture, Job, Partition, Quality
from shadowtime.scenarios.slurm.accounting import JOBS
from shadowtime.scenarios.slurm.records import Quota
from shadowtime.scenarios.text.gate import printable

COUNTS = frozenset(("GrpJobs", "MaxJobs", "MaxJobsPU", "MaxJobsPA"))
SIZES = {
    "GrpTRES": Measure.HELD,
    "MaxTRESPU": Measure.HELD,
    "MaxTRESPA": Measure.HELD,
    "GrpTRESRunMins": Measure.MINUTES,
    "MaxTRESRunMinsPU": Measure.MINUTES,
    "MaxTRESRunMinsPA": Measure.MINUTES,
    "MaxTRESPJ": Measure.MOST,
    "MaxTRESMinsPJ": Measure.MOST_MINUTES,
    "MaxTRESPN": Measure.BY_NODE,
    "MinTRESPJ": Measure.LEAST,
}
DEVICES = "gres/"
"""Begins the name of a generic resource."""
WALL = "MaxWallPJ"
PARTITION_LAST = "OVERRIDE_PARTITION_QOS"
"""The flag of a quality of service whose limits come before those of the partition's own."""


def known(capture: Capture, name: str, resource: str) -> bool:
    """Return whether the plan knows a limit on a resource, empty for none."""
    past = resource_of(name, resource)
    if past is not None:
        return any(of == past for _, of in bounds(capture))
    return _followed(name, resource)


def _followed(name: str, resource: str) -> bool:
    """Whether the plan knows a limit on what is held or asked for."""
    if name in SIZES:
        return counts(resource) and not (name == "MaxTRESPN" and resource in ("node", "billing"))
    return name in COUNTS or name == WALL


@attrs.frozen
class _Bound:
    """A limit on a job in a partition: its bound, whose it is, whose jobs it counts."""

    name: str
    resource: str
    most: int
    owner: str
    scope: Scope
    of_quality: bool
    """Whether it is one of a quality of service, not of an association."""


def _measure(bound: _Bound) -> Measure:
    return Measure.JOBS if bound.name in COUNTS else SIZES[bound.name]


def _full_name(bound: _Bound) -> str:
    """The name of a limit with its resource: `GrpTRES node`."""
    return f"{bound.name} {printable(bound.resource)}".rstrip()


@attrs.frozen
class Reached:
    """The limit that keeps a job out in the cycle: its name, its value and its owner, and the use of it."""

    name: str
    """As Slurm's commands have it, with the resource: `MaxTRESPU node`."""
    what: Measure
    most: int
    owner: str
    asked: int
    """How much the job would add; of a limit on one job, how much it would hold."""
    used: int | None
    """How much others use of it; None for a limit on one job, or if the job alone is beyond it."""


class Limits:
    """The limits of a cluster. What does not change with the jobs is made once."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.on = capture.settings.limits_enforced and any(capture.limits)
        """Whether any job is limited."""
        self._qualities = {each.name: each for each in capture.qualities}
        self._associations = {each.id: each for each in capture.associations}
        self._accounts = {each.account: each for each in capture.associations if not each.user}
        gathers = self.on and capture.generation.rules == "22.05"
        bounded = (each.name for each in capture.qualities if gathers and ("GrpTRES", "node") in each.limits)
        self._gathering = frozenset(bounded)
        """The qualities of service whose nodes every job takes first."""
        self._own = {each.name: each.qos for each in capture.partitions}
        """Partition -> its own quality of service."""
        self._held: Counter[Scope] | None = None
        self._more: Mapping[Scope, Mapping[str, int]] | None = None
        """What Slurm counts beside the jobs that hold nodes; negative where it counts less."""
        self._past: frozenset[Quota] | None = None
        self._bounds_of: dict[tuple[object, ...], tuple[_Bound, ...]] = {}
        """The limits on a job, by what decides on them."""

    def count(self, capture: Capture) -> None:
        """The same cluster has other jobs, or another standing."""
        if capture is not self.capture:
            if self._more is None:
                self._more = self._counted_beside()
            self.capture, self._held, self._past = capture, None, None

    def scopes(self, job: Job, partition: str) -> frozenset[Scope]:
        """Return in which counts a job in a partition is."""
        if not self.on:
            return frozenset()
        found: set[Scope] = {("association", each.id) for each in self._above(job)}
        for quality in self._of(job, partition):
            found |= {
                (quality.name, "", ""),
                (quality.name, "user", job.user),
                (quality.name, "account", job.account),
            }
        return frozenset(found)

    def gathered(self, holding: Iterable[Job]) -> frozenset[str]:
        """Return the nodes that every job takes first (22.05): those of jobs under a GrpTRES of nodes."""
        first = self._gathering
        return (
            frozenset(node for job in holding if job.qos in first for node in job.nodes) if first else first
        )

    def on_size(self, job: Job, partition: str) -> tuple[Limit, ...]:
        """Return the limits that a cycle compares with what a job would hold, and with who runs by then."""
        return tuple(
            Limit(
                _measure(each),
                each.resource,
                each.most - self._beside(each),
                each.scope,
            )
            for each in self._sizes(job, partition)
        )

    def reached(self, job: Job, partition: str, excess: Excess) -> Reached:
        """Return the limit that a cycle found a job to go beyond."""
        bound = self._sizes(job, partition)[excess.limit]
        used = None if excess.used is None else excess.used + self._beside(bound)
        name = _full_name(bound)
        return Reached(name, _measure(bound), bound.most, bound.owner, excess.asked, used)

    def _sizes(self, job: Job, partition: str) -> Sequence[_Bound]:
        """The limits that a cycle compares with what a job would hold, and with who runs by then."""
        found = self._bounds(job, partition) if self.on else ()
        return [
            each
            for each in found
            if each.name in COUNTS or (each.name in SIZES and _followed(each.name, each.resource))
        ]

    def near(self, job: Job, partition: str) -> tuple[Near, ...]:
        """Return whose nodes a job with a limit on nodes prefers, in the order in which they count."""
        if not self.on:
            return ()
        bounds = [each for each in self._bounds(job, partition) if each.resource == "node"]
        found = [
            Near((each.scope,), each.name == "GrpTRES")
            for each in bounds
            if SIZES.get(each.name) == Measure.HELD and each.of_quality
        ]
        above = [each.scope for each in bounds if each.name == "GrpTRES" and not each.of_quality]
        return (*found, Near(tuple(above), True)) if above else tuple(found)

    def may_refuse(self, job: Job, partition: Partition) -> bool:
        """Return whether there is a limit that may keep a job out of the queue."""
        found = self._bounds(job, partition.name) if self.on else ()
        return any(
            each.name in COUNTS or each.name == WALL or resource_of(each.name, each.resource) is not None
            for each in found
        )

    def refusal(self, job: Job, partition: Partition) -> str:
        """Return which limit keeps a job out of the queue now; empty if none does."""
        for each in self._bounds(job, partition.name) if self.on else ():
            if each.name in COUNTS and self._running()[each.scope] + self._beside(each) >= each.most:
                return f"{each.name}={each.most} of {each.owner} is reached"
            resource = resource_of(each.name, each.resource)
            if resource is not None and (each.scope, resource) in self._used_up():
                return f"{_full_name(each)}={each.most} of {each.owner} is used up"
            if each.name == WALL and job.limit is not None and job.limit > each.most:
                return f"{each.owner} allows {each.most} minutes ({WALL})"
        return ""

    def _used_up(self) -> frozenset[Quota]:
        """The limits on what has been used that are reached."""
        if self._past is None:
            standing = self.capture.standing
            self._past = reached(self.capture) if standing is None else standing.reached
        return self._past

    def _running(self) -> Counter[Scope]:
        """How many jobs hold nodes, by who counts them."""
        if self._held is None:
            holding = (job for job in self.capture.jobs if job.holding)
            self._held = Counter(scope for job in holding for scope in self.scopes(job, job.partitions[0]))
        return self._held

    def _beside(self, bound: _Bound) -> int:
        """How much Slurm counts for a limit beside the jobs that hold nodes (section 10)."""
        if self._more is None:
            self._more = self._counted_beside()
        name = JOBS if bound.name in COUNTS else bound.resource
        if name == JOBS or SIZES.get(bound.name) == Measure.HELD:
            return self._more.get(bound.scope, {}).get(name, 0)
        return 0

    def _counted_beside(self) -> Mapping[Scope, Mapping[str, int]]:
        found = {scope: Counter(counts) for scope, counts in self.capture.usage.items()}
        threads = {node.name: node.threads for node in self.capture.nodes}
        for job in self.capture.counted if found else ():
            if not job.holding:
                continue
            held = Counter({JOBS: 1})
            for share in job.shares:
                held["cpu"] += share.cores * threads[share.node]
                for (name, _), count in parse_devices(share.devices).items():
                    held[DEVICES + name] += count
            for scope in self.scopes(job, job.partitions[0]) & found.keys():
                found[scope].subtract({name: held[name] for name in found[scope]})
        return found

    def _bounds(self, job: Job, partition: str) -> tuple[_Bound, ...]:
        key = job.qos, job.user, job.account, job.association, partition
        if key not in self._bounds_of:
            self._bounds_of[key] = tuple(self._new_bounds(job, partition))
        return self._bounds_of[key]

    def _new_bounds(self, job: Job, partition: str) -> Iterator[_Bound]:
        """The limits on a job: of those on the same that are set in several places, the first."""
        taken: set[tuple[str, str]] = set()
        for quality in self._of(job, partition):
            kinds = {"PU": ("user", job.user), "PA": ("account", job.account)}
            for (name, resource), most in quality.limits.items():
                if (name, resource) not in taken:
                    kind, who = kinds.get(name[-2:], ("", ""))
                    owner = f"QOS {printable(quality.name)}"
                    yield _Bound(name, resource, most, owner, (quality.name, kind, who), True)
            taken |= quality.limits.keys()
        if not taken.isdisjoint((("MaxJobsPU", ""), ("MaxJobsPA", ""))):
            taken.add(("MaxJobs", ""))
        for place, each in enumerate(self._above(job)):
            owner = f"user {printable(each.user)}" if each.user else f"account {printable(each.account)}"
            for (name, resource), most in each.limits.items():
                if (name, resource) not in taken and (place == 0 or name.startswith("Grp")):
                    yield _Bound(name, resource, most, owner, ("association", each.id), False)

    def _of(self, job: Job, partition: str) -> list[Quality]:
        """The qualities of service that limit a job: the first goes before the second."""
        named = [self._qualities.get(self._own.get(partition, "")), self._qualities.get(job.qos)]
        found = [each for each in named if each is not None]
        if named[1] is not None and PARTITION_LAST in named[1].flags:
            found.reverse()
        return found[:1] if len({each.name for each in found}) == 1 else found

    def _above(self, job: Job) -> list[Association]:
        """The association of a job and the accounts above it, from below."""
        found: list[Association] = []
        own = self._associations.get(job.association)
        while own is not None and own not in found:
            found.append(own)
            own = self._accounts.get(own.account if own.user else own.parent)
        return found
