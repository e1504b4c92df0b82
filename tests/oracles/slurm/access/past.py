"""Limits on what has been used before: GrpTRESMins and GrpWall (sections 10 and 13)."""

from shadowtime.scenarios.slurm import Association, Capture, Job, Quality
from shadowtime.scenarios.slurm.records import Quota
from tests.oracles.slurm.devices import held_devices


def past_limits(capture: Capture) -> dict[Quota, tuple[int, float]]:
    """Each limit with its bound in minutes, and the seconds that the capture shows to be used."""
    found: dict[Quota, tuple[int, float]] = {}
    settings = capture.settings
    if not settings.limits_enforced or settings.safe or settings.fair_share is None:
        return found
    them: list[Association | Quality] = [*capture.associations, *capture.qualities]
    for each in them:
        for (name, resource), most in each.limits.items():
            counted = resource in ("cpu", "node", "mem", "billing") or resource.startswith("gres/")
            if (name == "GrpWall" or (name == "GrpTRESMins" and counted)) and (name, resource) in each.used:
                found[owner(each), resource or "wall"] = most, 60 * each.used[name, resource]
    return found


def owner(each: Association | Quality) -> tuple[str | int, ...]:
    """Whose limit it is."""
    return ("association", each.id) if isinstance(each, Association) else (each.name, "", "")


def owners(capture: Capture, job: Job, partition: str) -> set[tuple[str | int, ...]]:
    """Whose limits count for a job in a partition: qualities of service, association, accounts above it."""
    [part] = [each for each in capture.partitions if each.name == partition]
    found = {owner(each) for each in capture.qualities if each.name in (job.qos, part.qos)}
    own = next((each for each in capture.associations if each.id == job.association), None)
    while own is not None and owner(own) not in found:
        found.add(owner(own))
        name = own.account if own.user else own.parent
        own = next((each for each in capture.associations if each.account == name and not each.user), None)
    return found


def used_up(capture: Capture) -> set[Quota]:
    """The limits that are reached."""
    limits = past_limits(capture)
    past = capture.standing.past if capture.standing else {each: used for each, (_, used) in limits.items()}
    return {each for each, (most, _) in limits.items() if past[each] // 60 >= most}


def held_of(capture: Capture, job: Job, resource: str, billed: float) -> float:
    """How much a job holds of a resource; of the time of jobs 1."""
    threads = {node.name: node.threads for node in capture.nodes}
    if resource == "wall":
        return 1
    if resource == "cpu":
        return sum(share.cores * threads[share.node] for share in job.shares)
    if resource == "node":
        return len(job.nodes)
    if resource == "mem":
        return sum(share.memory for share in job.shares)
    if resource == "billing":
        return int(billed)
    count = 0
    for share in job.shares:
        for (name, kind), number in held_devices(share.devices).items():
            if resource in (f"gres/{name}", f"gres/{name}:{kind}"):
                count += number
    return count
