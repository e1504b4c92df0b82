"""Fair share over time: what associations have used, and their factors (section 13)."""

from math import inf

import attrs

from shadowtime.scenarios.slurm import Association, Capture, FairShareState, Job
from tests.oracles.slurm.access.past import held_of, owners, past_limits
from tests.oracles.slurm.devices import held_devices


def parent_of(capture: Capture, each: Association) -> Association | None:
    """The account above an association."""
    name = each.account if each.user else each.parent
    found = [other for other in capture.associations if other.account == name and not other.user]
    return found[0] if found else None


def root_of(capture: Capture) -> Association:
    """The account above all others."""
    [found] = [each for each in capture.associations if parent_of(capture, each) is None]
    return found


def shares_with(capture: Capture, each: Association) -> Association | None:
    """The account whose shares an association has a part of."""
    account = parent_of(capture, each)
    while account is not None and account.shares is None and parent_of(capture, account) is not None:
        account = parent_of(capture, account)
    return account


def siblings_below(capture: Capture, account: Association) -> list[Association]:
    """Who shares what an account has."""
    return [
        each
        for each in capture.associations
        if shares_with(capture, each) == account and (each.user or each.shares is not None)
    ]


def moves(capture: Capture) -> bool:
    """Whether fair share moves."""
    share = capture.settings.fair_share
    known = all(each.usage is not None for each in capture.associations)
    return share is not None and share.weight > 0 and known and bool(capture.associations)


def begun(capture: Capture) -> Capture:
    """The cluster with the usage of the capture."""
    limits = past_limits(capture)
    if not moves(capture) and not limits:
        return capture
    usage = {each.id: each.usage or 0.0 for each in capture.associations} if moves(capture) else {}
    factors = factors_of(capture, usage) if moves(capture) else {}
    past = {each: used for each, (_, used) in limits.items()}
    standing = FairShareState(None, capture.calculated, usage, factors, factors, past=past)
    return attrs.evolve(capture, standing=standing)


def calculated(capture: Capture, now: int) -> Capture:
    """The cluster after the calculation of now."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None:
        return capture
    before, factors = dict(standing.usage), dict[int, float]()
    usage = {
        each: used * left_after(capture, now - standing.calculated) for each, used in standing.usage.items()
    }
    fixed = [(each.name, "", "") for each in capture.qualities if "NO_DECAY" in each.flags]
    left = left_after(capture, now - standing.calculated)
    past = {each: used * (1.0 if each[0] in fixed else left) for each, used in standing.past.items()}
    capture = attrs.evolve(capture, standing=attrs.evolve(standing, usage=usage, past=past))
    for job in capture.jobs:
        if job.holding:
            capture = charged(capture, job, now)
        assert capture.standing is not None
        user = [each for each in capture.associations if each.id == job.association and each.user]
        turn = job.waiting and job.priority and user and job.association not in factors
        if turn and moves(capture) and not share.tree:
            factors[job.association] = classic(capture, dict(capture.standing.usage), user[0], before)
    assert capture.standing is not None
    usage = dict(capture.standing.usage)
    found = factors_of(capture, usage, before) | factors if moves(capture) else {}
    then = attrs.evolve(capture.standing, calculated=now, factors=found)
    return attrs.evolve(capture, standing=then)


def charged(capture: Capture, job: Job, now: int) -> Capture:
    """The cluster after a job has charged what it used since the last calculation."""
    standing = capture.standing
    if standing is None or "SUSPENDED" in job.states:
        return capture
    seconds = max(0, now - max(standing.calculated, job.begin))
    factors = [each.usage_factor for each in capture.qualities if each.name == job.qos]
    factor = factors[0] if factors else 1.0
    used = billing(capture, job) * (factor * seconds) * left_after(capture, seconds)
    usage, past = dict(standing.usage), dict(standing.past)
    fixed = [(each.name, "", "") for each in capture.qualities if "NO_DECAY" in each.flags]
    for each, resource in past:
        if each in owners(capture, job, job.partitions[0]):
            amount = held_of(capture, job, resource, billing(capture, job))
            left = 1.0 if each in fixed else left_after(capture, seconds)
            past[each, resource] += amount * (factor * seconds) * left
    own = [each for each in capture.associations if each.id == job.association]
    above = own[0] if own else None
    while above is not None and above.id in usage:
        usage[above.id] += used
        above = parent_of(capture, above)
    return attrs.evolve(capture, standing=attrs.evolve(standing, usage=usage, past=past))


def left_after(capture: Capture, seconds: int) -> float:
    """The share that is left of what was used so many seconds ago."""
    share = capture.settings.fair_share
    assert share is not None
    return (1 - 0.693 / share.half_life) ** seconds if share.half_life else 1.0


def billing(capture: Capture, job: Job) -> float:
    """What a job is billed for a second."""
    threads = {node.name: node.threads for node in capture.nodes}
    held = {"cpu": 0.0, "mem": 0.0, "node": float(len(job.nodes))}
    for share in job.shares:
        held["cpu"] += share.cores * threads[share.node]
        held["mem"] += share.memory
        for (name, kind), count in held_devices(share.devices).items():
            held[f"gres/{name}"] = held.get(f"gres/{name}", 0.0) + count
            if kind:
                held[f"gres/{name}:{kind}"] = held.get(f"gres/{name}:{kind}", 0.0) + count
    [weights] = [part.billing for part in capture.partitions if part.name == job.partitions[0]]
    if not weights:
        return held["cpu"]
    parts = [held.get(name, 0.0) * weight for name, weight in weights.items()]
    return max(parts) if capture.settings.greatest_billing else sum(parts)


def factors_of(
    capture: Capture, usage: dict[int, float], before: dict[int, float] | None = None
) -> dict[int, float]:
    """The factor of each user; `before`: what was used before the calculation, if that is another."""
    share = capture.settings.fair_share
    assert share is not None
    if share.tree:
        return Ranks(capture, usage).factors
    users = [each for each in capture.associations if each.user]
    return {each.id: classic(capture, usage, each, before or usage) for each in users}


def classic(capture: Capture, usage: dict[int, float], each: Association, before: dict[int, float]) -> float:
    """The factor of a user; what accounts had used before counts."""
    assert capture.settings.fair_share is not None
    shares, dampening = shares_of(capture, each), capture.settings.fair_share.dampening
    effective = effective_usage(capture, usage, each, before)
    return 2 ** -(effective / shares / dampening) if shares else 0.0


def part_of(capture: Capture, each: Association) -> float:
    """The shares of an association as a share of those of its siblings."""
    account = shares_with(capture, each)
    assert account is not None
    total = sum(other.shares or 0 for other in siblings_below(capture, account))
    return (each.shares or 0) / total if total else 0.0


def shares_of(capture: Capture, each: Association) -> float:
    """The share of the cluster that an association has."""
    account = shares_with(capture, each)
    if account is None:
        return 1.0
    own = shares_of(capture, account)
    return own if each.shares is None else own * part_of(capture, each)


def effective_usage(
    capture: Capture, usage: dict[int, float], each: Association, before: dict[int, float]
) -> float:
    """The usage of an association as it counts; that of the accounts above it is the one before."""
    account, whole = shares_with(capture, each), usage[root_of(capture).id]
    if account is None:
        return 1.0
    if each.shares is None:
        return effective_usage(capture, before, account, before)
    own = usage[each.id] / whole if whole else 0.0
    if account == root_of(capture):
        return own
    return own + (effective_usage(capture, before, account, before) - own) * part_of(capture, each)


class Ranks:
    """The factors of Fair Tree: the tree is visited from the root down."""

    def __init__(self, capture: Capture, usage: dict[int, float]) -> None:
        self.capture, self.usage = capture, usage
        self.users = sum(bool(each.user) for each in capture.associations)
        self.visited, self.rank = 0, self.users
        self.factors: dict[int, float] = {}
        self.visit(root_of(capture), False)

    def visit(self, each: Association, ties: bool) -> None:
        """A user, or an account with all below it."""
        if each.user:
            if not ties:
                self.rank = self.users - self.visited
            self.factors[each.id] = self.rank / self.users
            self.visited += 1
            return
        siblings = siblings_below(self.capture, each)
        shares = sum(other.shares or 0 for other in siblings)
        used = sum(self.usage[other.id] for other in siblings)
        levels = [(self.level(other, shares, used), other) for other in siblings]
        levels.sort(key=lambda pair: -pair[0])
        for place, (level, other) in enumerate(levels):
            self.visit(other, levels[place - 1][0] == level if place else ties)

    def level(self, each: Association, shares: int, used: float) -> float:
        """The level of an association among its siblings."""
        if each.shares == 0:
            return 0.0
        if each.shares is None or self.usage[each.id] == 0:
            return inf
        return each.shares / shares / (self.usage[each.id] / used)


def points(capture: Capture, job: Job, partition: str) -> float:
    """What fair share has added to a priority since the capture."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None or job.association not in standing.factors:
        return 0.0
    before = share.weight * standing.first[job.association]
    shown = job.factors.get(partition, {})
    for factor, number in shown.items():
        if factor == "FAIRSHARE":
            before = number
    return share.weight * standing.factors[job.association] - before
