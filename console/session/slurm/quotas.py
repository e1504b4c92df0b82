"""Limits on what has been used before: GrpTRESMins and GrpWall (docs/slurm-cycle.md, section 10).

A quota is kept by whose it is and by resource; `wall` is the time of jobs, whatever they hold. What is used
is seconds times the amount.
"""

from collections.abc import Iterator

from shadowtime.kernels.slurm.amounts import counts
from shadowtime.kernels.slurm.records import Scope
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.records import Limits, Quota, Used

MINUTES, WALL = "GrpTRESMins", "GrpWall"
NO_DECAY = "NO_DECAY"
"""The flag of a quality of service whose usage is not forgotten."""


def resource_of(name: str, resource: str) -> str | None:
    """Return the resource of a limit on what has been used; None for another limit."""
    if name == WALL:
        return "wall"
    return resource if name == MINUTES and counts(resource) else None


def bounds(capture: Capture) -> dict[Quota, int]:
    """Return the quotas that are set, in minutes, of which the capture has what is used."""
    settings = capture.settings
    if not settings.limits_enforced or settings.safe or settings.fair_share is None:
        return {}
    return {quota: most for quota, most, used in _quotas(capture) if used is not None}


def used(capture: Capture) -> dict[Quota, float]:
    """Return what the capture shows to be used of each quota, in seconds."""
    return {quota: 60 * used for quota, _, used in _quotas(capture) if used is not None}


def reached(capture: Capture) -> frozenset[Quota]:
    """Return the quotas that the capture shows to be reached."""
    past = used(capture)
    return frozenset(quota for quota, most in bounds(capture).items() if past[quota] // 60 >= most)


def kept(capture: Capture) -> frozenset[Scope]:
    """Return whose usage is not forgotten."""
    return frozenset((each.name, "", "") for each in capture.qualities if NO_DECAY in each.flags)


def _quotas(capture: Capture) -> Iterator[tuple[Quota, int, float | None]]:
    """Each quota with its bound and what is used of it, in minutes; None if that is not known."""
    owners: list[tuple[Scope, Limits, Used]] = [
        *((("association", each.id), each.limits, each.used) for each in capture.associations),
        *(((each.name, "", ""), each.limits, each.used) for each in capture.qualities),
    ]
    for scope, limits, of in owners:
        for (name, resource), most in limits.items():
            counted = resource_of(name, resource)
            if counted is not None:
                yield (scope, counted), most, of.get((name, resource))
