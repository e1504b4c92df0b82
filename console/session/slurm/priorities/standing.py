"""What associations have used, and how priorities move with that and age (docs/slurm-cycle.md, section 13).

Instants are seconds since 1970, usage is seconds times billing.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import attrs

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.limits import Limits
from shadowtime.console.session.slurm.priorities.tree import Classic, fair_tree, tree_of
from shadowtime.console.session.slurm.quotas import bounds, kept, used
from shadowtime.kernels.slurm.amounts import billed
from shadowtime.kernels.slurm.over_time.lines import Growth
from shadowtime.scenarios.slurm import Ageing, Capture, FairShare, FairShareState, Job, Share, Tree
from shadowtime.scenarios.slurm.priorities import Factor

FADING = 0.693
"""By experiment: Slurm's own rounding of ln 2."""
NEVER = 1 << 60


def first_standing(capture: Capture) -> FairShareState | None:
    """Return the usage of the capture; None if neither fair share nor a limit on past usage moves with it."""
    share, quotas = capture.settings.fair_share, bounds(capture)
    if share is None:
        return None
    usage = {each.id: each.usage for each in capture.associations if each.usage is not None}
    known = len(usage) == len(capture.associations)
    tree = tree_of(capture.associations) if known and share.weight and not share.oblivious else None
    if tree is None and not quotas:
        return None
    factors = _factors(share, tree, usage)
    past = {quota: seconds for quota, seconds in used(capture).items() if quota in quotas}
    return FairShareState(tree, capture.calculated, usage, factors, factors, quotas=quotas, past=past)


def standing_at(capture: Capture, now: int, bills: "Bills | None" = None) -> FairShareState | None:
    """Return the usage and the factors of the last calculation before or at an instant, if no job ends."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None:
        return None
    last = last_calculation(capture, now)
    while standing.calculated < last:
        at = standing.calculated + share.period
        standing = _calculated(capture, share, standing, at, bills or Bills(capture))
    return standing


def charges(job: Job) -> bool:
    """Return whether a job charges what time it runs."""
    return job.holding and "SUSPENDED" not in job.states


def with_standing(capture: Capture, now: int, bills: "Bills | None" = None) -> Capture:
    """Return the cluster with the usage and the factors of the last calculation."""
    found = standing_at(capture, now, bills)
    return capture if found is capture.standing else attrs.evolve(capture, standing=found)


def charged(capture: Capture, job: Job, until: int, bills: "Bills | None" = None) -> Capture:
    """Return the cluster after a job has ended: it charges what it used since the last calculation."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None or not charges(job):
        return capture
    meter = Meter(capture, share, standing, 0, bills or Bills(capture))
    meter.charge(job, until)
    then = attrs.evolve(standing, usage=meter.usage, past=meter.past, moved=True)
    return attrs.evolve(capture, standing=then)


def fades(capture: Capture) -> bool:
    """Return whether time alone lets jobs in that a limit on past usage keeps out."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None or not share.half_life:
        return False
    fixed = kept(capture)
    return any(standing.quotas[quota] > 0 and quota[0] not in fixed for quota in standing.reached)


def _calculated(
    capture: Capture, share: FairShare, standing: FairShareState, at: int, bills: "Bills"
) -> FairShareState:
    tree, factors = standing.tree, dict[int, float]()
    classic = Classic(tree, standing.usage, share.dampening) if tree and not share.tree else None
    meter = Meter(capture, share, standing, at - standing.calculated, bills)
    for job in capture.jobs:
        if charges(job):
            meter.charge(job, at)
        elif classic and job.waiting and job.priority and classic.has(job.association):
            factors.setdefault(job.association, classic.factor(meter.usage, job.association))
    factors = {**_factors(share, tree, meter.usage, classic), **factors}
    return attrs.evolve(
        standing, calculated=at, usage=meter.usage, past=meter.past, factors=factors, moved=False
    )


def _factors(
    share: FairShare, tree: Tree | None, usage: Mapping[int, float], classic: Classic | None = None
) -> dict[int, float]:
    if tree is None:
        return {}
    if share.tree:
        return fair_tree(tree, usage)
    found = classic or Classic(tree, usage, share.dampening)
    return {user: found.factor(usage, user) for user in sorted(tree.users) if found.has(user)}


class Meter:
    """What associations have used, and what of the limits on that, as jobs charge it."""

    def __init__(
        self, capture: Capture, share: FairShare, standing: FairShareState, faded: int, bills: "Bills"
    ) -> None:
        """Begin with what is left after so many seconds of what a standing has."""
        self._standing, self._bills = standing, bills
        self._rate = 1 - FADING / share.half_life if share.half_life else 1.0
        self._fixed = kept(capture) if standing.quotas else frozenset()
        self._limits = Limits(capture) if standing.quotas else None
        self._factors = {each.name: each.usage_factor for each in capture.qualities}
        left = self._rate**faded
        self.usage = {each: amount * left for each, amount in standing.usage.items()}
        self.past = {
            quota: amount * (1.0 if quota[0] in self._fixed else left)
            for quota, amount in standing.past.items()
        }

    def charge(self, job: Job, until: int) -> None:
        """Add what a job has used since the last calculation, or since it began."""
        seconds = max(0, until - max(self._standing.calculated, job.begin))
        if not seconds:
            return
        whole, left = self._factors.get(job.qos, 1.0) * seconds, self._rate**seconds
        tree = self._standing.tree
        above = tree.above.get(job.association, ()) if tree else ()
        held, bill = self._bills.of(job)
        for each in above:
            self.usage[each] += bill * whole * left
        if self._limits is None:
            return
        scopes = self._limits.scopes(job, job.partitions[0])
        for scope, resource in self.past:
            if scope in scopes:
                amount = int(bill) if resource == "billing" else held[resource]
                self.past[scope, resource] += amount * whole * (1.0 if scope in self._fixed else left)


class Bills:
    """What jobs hold and are billed for a second: kept by job, as long as a job holds the same."""

    def __init__(self, capture: Capture) -> None:
        self._threads = {node.name: node.threads for node in capture.nodes}
        self._weights = {part.name: part.billing for part in capture.partitions}
        self._greatest = capture.settings.greatest_billing
        self._known: dict[int, tuple[tuple[Share, ...], Counter[str], float]] = {}

    def of(self, job: Job) -> tuple[Counter[str], float]:
        """Return how much a job holds of each resource, of `wall` one, and its billing, not rounded."""
        shares, held, bill = self._known.get(job.id, ((), Counter(), 0.0))
        if shares is not job.shares:
            held = self._held(job)
            bill = billed(self._weights.get(job.partitions[0], {}), self._greatest, held.__getitem__)
            self._known[job.id] = job.shares, held, bill
        return held, bill

    def _held(self, job: Job) -> Counter[str]:
        held = Counter({"node": len(job.nodes), "wall": 1})
        for share in job.shares:
            held["cpu"] += share.cores * self._threads[share.node]
            held["mem"] += share.memory
            for (name, kind), count in parse_devices(share.devices).items():
                held[f"gres/{name}"] += count
                if kind:
                    held[f"gres/{name}:{kind}"] += count
        return held


def last_calculation(capture: Capture, now: int) -> int:
    """When the priorities that hold now were calculated."""
    period, first = capture.settings.calculation_period, capture.calculated
    if not period or not first or now < first:
        return first
    return now - (now - first) % period


def with_calculation(capture: Capture, now: int) -> Capture:
    """Return the cluster with an instant at which its priorities were calculated: now, if none is known."""
    capture = capture if capture.calculated else attrs.evolve(capture, calculated=now)
    return capture if capture.standing else attrs.evolve(capture, standing=first_standing(capture))


class Priorities:
    """The priorities of waiting jobs as of an instant: the captured ones, and what they have grown since."""

    def __init__(self, capture: Capture, now: int) -> None:
        settings = capture.settings
        self._first, self._last = capture.calculated, last_calculation(capture, now)
        self._moves = 0 < self._first < self._last
        self._ageing, self._share = settings.ageing, settings.fair_share
        self._standing = standing_at(capture, now) if self._moves else None
        self.calculation = self._last, self._standing and self._standing.factors
        """As of which calculation they are, and its factors: the priorities follow from these."""

    @property
    def growth(self) -> Growth:
        if not self._moves:
            return Growth(self.calculation)
        if self._standing is not None and self._share is not None:
            return Growth(self.calculation, of=self.of)
        ageing = self._ageing
        weight, most = (0, 1) if ageing is None else (ageing.weight, ageing.most)
        return Growth(self.calculation, self._first, self._last, weight, most)

    def of(self, job: Job, partition: str) -> int:
        """Return the priority of a job in a partition; that of a held job stays 0."""
        captured = job.priority_by_partition.get(partition, job.priority)
        if not captured or not self._moves:
            return captured
        ageing, most, grown = self._ageing, 1, 0
        if ageing is not None:
            most, begun = ageing.most, grows_since(job)
            grown = ageing.weight * (_age(ageing, begun, self._last) - _age(ageing, begun, self._first))
        shared = self.shared(job, partition)
        if shared is None:
            return captured + grown // most
        return max(1, captured + math.floor(grown / most + shared))

    def shared(self, job: Job, partition: str) -> float | None:
        """The points that fair share has added since the capture; None if it does not move."""
        standing, share = self._standing, self._share
        if standing is None or share is None or job.association not in standing.factors:
            return None
        points = job.factors.get(partition or job.partitions[0], {}).get(Factor.FAIR_SHARE)
        before = share.weight * standing.first[job.association] if points is None else points
        return share.weight * standing.factors[job.association] - before


def submitted_anew(capture: Capture, job: Job, since: int) -> Job:
    """Return a job that grows older from an instant on: what its age had added to its priority is gone."""
    ageing = capture.settings.ageing
    if ageing is None:
        return job
    added = ageing.weight * _age(ageing, grows_since(job), min(job.begin, capture.calculated)) // ageing.most
    parts = {name: max(1, priority - added) for name, priority in job.priority_by_partition.items()}
    return attrs.evolve(
        job, priority=max(1, job.priority - added), priority_by_partition=parts, accrued_since=since
    )


def next_calculation(capture: Capture, jobs: Iterable[Job], now: int) -> int | None:
    """Return the first instant after now at which a priority can move; None if none moves any more."""
    last = last_calculation(capture, now)
    if not last or not capture.settings.calculation_period:
        return None
    jobs, period, ageing = tuple(jobs), capture.settings.calculation_period, capture.settings.ageing
    following = last + period
    if _shares_move(capture, jobs, last):
        return following
    if ageing is None:
        return None
    first = NEVER
    for job in jobs:
        if job.waiting and job.priority:
            begun = grows_since(job)
            if begun < first and _age(ageing, begun, last) < ageing.most:
                if begun < following:
                    return following
                first = begun
    return None if first == NEVER else following - (following - first - 1) // period * period


def _shares_move(capture: Capture, jobs: Sequence[Job], last: int) -> bool:
    """Whether the next calculation can move fair share, or a limit on past usage, of a job that waits."""
    standing = capture.standing
    if standing is None or not any(job.waiting and job.priority for job in jobs):
        return False
    moved = standing.moved and standing.calculated == last
    return moved or any(map(charges, jobs)) or fades(capture)


def grows_since(job: Job) -> int:
    """Return since when a job grows older; one with an unsatisfied dependency does not yet."""
    return job.accrued_since or (NEVER if job.depends else job.eligible)


def _age(ageing: Ageing, since: int, at: int) -> int:
    """Seconds, at most those that count."""
    return min(ageing.most, max(0, at - since))
