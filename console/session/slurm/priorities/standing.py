"""What associations have used over time, and the factors that follow (docs/slurm-cycle.md, section 13).

Instants are seconds since 1970, usage is seconds times billing.
"""

from collections import Counter
from collections.abc import Mapping

import attrs

from shadowtime.console.session.slurm.devices import parse_devices
from shadowtime.console.session.slurm.priorities.calculations import last_calculation
from shadowtime.console.session.slurm.priorities.tree import Classic, fair_tree, tree_of
from shadowtime.kernels.slurm import billed
from shadowtime.scenarios.slurm import Capture, FairShare, Job, Standing, Tree

FADING = 0.693
"""By experiment: Slurm's own rounding of ln 2."""


def first_standing(capture: Capture) -> Standing | None:
    """Return the usage of the capture; None if fair share stays as it is."""
    share = capture.settings.fair_share
    usage = {each.id: each.usage for each in capture.associations if each.usage is not None}
    if share is None or share.oblivious or len(usage) < len(capture.associations):
        return None
    tree = tree_of(capture.associations)
    if tree is None:
        return None
    factors = _factors(share, tree, usage)
    return Standing(tree, capture.calculated, usage, factors, factors)


def standing_at(capture: Capture, now: int) -> Standing | None:
    """Return the usage and the factors of the last calculation before or at an instant, if no job ends."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None:
        return None
    last = last_calculation(capture, now)
    while standing.calculated < last:
        at = standing.calculated + share.period
        standing = _calculated(capture, share, standing, at)
    return standing


def charges(job: Job) -> bool:
    """Return whether a job charges what time it runs."""
    return job.holding and "SUSPENDED" not in job.states


def with_standing(capture: Capture, now: int) -> Capture:
    """Return the cluster with the usage and the factors of the last calculation."""
    found = standing_at(capture, now)
    return capture if found is capture.standing else attrs.evolve(capture, standing=found)


def charged(capture: Capture, job: Job, until: int) -> Capture:
    """Return the cluster after a job has ended: it charges what it used since the last calculation."""
    standing, share = capture.standing, capture.settings.fair_share
    if standing is None or share is None or not charges(job):
        return capture
    usage = dict(standing.usage)
    _charge(usage, capture, share, standing, job, until)
    return attrs.evolve(capture, standing=attrs.evolve(standing, usage=usage, moved=True))


def _calculated(capture: Capture, share: FairShare, standing: Standing, at: int) -> Standing:
    tree, factors = standing.tree, dict[int, float]()
    classic = None if share.tree else Classic(tree, standing.usage, share.dampening)
    faded = _kept(share) ** (at - standing.calculated)
    usage = {each: used * faded for each, used in standing.usage.items()}
    for job in capture.jobs:
        if charges(job):
            _charge(usage, capture, share, standing, job, at)
        elif classic and job.waiting and job.priority and job.association in tree.users - factors.keys():
            factors[job.association] = classic.factor(usage, job.association)
    others = _factors(share, tree, usage, classic)
    return attrs.evolve(standing, calculated=at, usage=usage, factors={**others, **factors}, moved=False)


def _factors(
    share: FairShare, tree: Tree, usage: Mapping[int, float], classic: Classic | None = None
) -> dict[int, float]:
    """The factor of each user."""
    if share.tree:
        return fair_tree(tree, usage)
    found = classic or Classic(tree, usage, share.dampening)
    return {user: found.factor(usage, user) for user in sorted(tree.users)}


def _kept(share: FairShare) -> float:
    """What is left after a second of what was used."""
    return 1 - FADING / share.half_life if share.half_life else 1.0


def _charge(
    usage: dict[int, float], capture: Capture, share: FairShare, standing: Standing, job: Job, until: int
) -> None:
    """Add what a job has used since the last calculation to its association and the accounts above it."""
    seconds = max(0, until - max(standing.calculated, job.begin))
    above = standing.tree.above.get(job.association, ())
    if not seconds or not above:
        return
    factor = next((each.usage_factor for each in capture.qualities if each.name == job.qos), 1.0)
    used = billing(capture, job) * factor * seconds * _kept(share) ** seconds
    for each in above:
        usage[each] += used


def billing(capture: Capture, job: Job) -> float:
    """Return what a job that holds nodes is billed for a second."""
    threads = {node.name: node.threads for node in capture.nodes}
    held = Counter({"node": len(job.nodes)})
    for share in job.shares:
        held["cpu"] += share.cores * threads[share.node]
        held["mem"] += share.memory
        for (name, kind), count in parse_devices(share.devices).items():
            held[f"gres/{name}"] += count
            if kind:
                held[f"gres/{name}:{kind}"] += count
    weights = next((part.billing for part in capture.partitions if part.name == job.partitions[0]), {})
    return billed(weights, capture.settings.greatest_billing, held.__getitem__)
