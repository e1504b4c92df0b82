"""Slurm's own reasons of waiting jobs: which the plan models, and which it believes (docs/slurm.md)."""

import re

from shadowtime.console.session.slurm.quotas import bounds
from shadowtime.scenarios.slurm import Capture, Job
from shadowtime.scenarios.text.gate import printable

LEFT_OUT = frozenset(
    ("BeginTime", "Dependency", "JobArrayTaskLimit", "JobHeldAdmin", "JobHeldUser", "Reservation")
) | {"DependencyNeverSatisfied"}
"""Reasons of jobs that have no entry in the queue."""
WAITS = frozenset(("Priority", "Resources"))
"""Reasons of jobs that have one."""
BARRED = frozenset(
    ("PartitionDown", "PartitionInactive", "PartitionTimeLimit", "PartitionNodeLimit", "PartitionConfig")
) | {"QOSNotAllowed", "AccountNotAllowed"}
"""Reasons of jobs that a partition does not let in, or does not start."""
MODELLED = frozenset(("", "None", "Licenses", "ReqNodeNotAvail")) | WAITS | LEFT_OUT | BARRED
OF_DEVICES = "GRES"
"""In the reasons for limits on generic resources."""
_RESOURCE = f"(?:Cpu|CPU|Node|Mem|Memory|{OF_DEVICES}|Billing)"
_LIMIT = re.compile(
    rf"(?:Assoc|QOS)(?:Grp{_RESOURCE}(?:Limit|RunMinutes\w*)?|GrpJobs\w*|Max{_RESOURCE}(?:Per|MinutesPerJob|RunMin)\w*"
    rf"|MaxJobs\w*|MaxWallDuration\w*|Min{_RESOURCE}\w*)|Max(?:{_RESOURCE}|Jobs)PerAccount"
)
"""Limits that the plan knows, if it has their tables (`limits.known`)."""
_PAST = re.compile(rf"(?:Assoc|QOS)Grp(?:{_RESOURCE}Minutes\w*|Wall\w*)")
"""Limits on what has been used before."""
PASSING = frozenset(("Cleaning", "Prolog", "SchedDefer"))
"""Reasons that say nothing of later tries."""
BELIEVED = "Slurm: "
"""Before the reason of a row that is skipped for it."""


def reason_of(job: Job) -> str:
    """The word of a reason: `ReqNodeNotAvail` of `ReqNodeNotAvail, UnavailableNodes:n4`."""
    return job.reason.partition(",")[0].strip()


def believed(capture: Capture, job: Job) -> str:
    """Return the reason for which a waiting job is skipped: one that the plan does not model. Empty for none.

    Slurm shows one reason of a job, so of several partitions the others may take it: it is then planned,
    unless the reason is a limit of its association, or of its quality of service where no partition has one.
    """
    reason = _not_modelled(capture, job)
    return reason if len(job.partitions) == 1 or _of_job(capture, job, reason) else ""


def doubted(capture: Capture, job: Job) -> str:
    """Return the reason that the plan does not model of a job that is planned; empty for none."""
    reason = _not_modelled(capture, job)
    return "" if not reason or believed(capture, job) else reason


def _not_modelled(capture: Capture, job: Job) -> str:
    reason = reason_of(job)
    if reason in MODELLED or reason in PASSING or not job.waiting:
        return ""
    # Generic resources that are not asked for by node are not counted: such a limit is not followed.
    followed = limit_known(capture, reason) and not (OF_DEVICES in reason and job.request.devices_otherwise)
    return "" if followed else printable(reason)


def limit_known(capture: Capture, reason: str) -> bool:
    """Return whether a reason is that of a limit that the plan follows."""
    if reason in MODELLED or not capture.settings.limits_enforced:
        return False
    if _PAST.fullmatch(reason):
        return bool(bounds(capture))
    if _LIMIT.fullmatch(reason) is None:
        return False
    return bool(capture.associations if reason.startswith("Assoc") else capture.qualities)


def _of_job(capture: Capture, job: Job, reason: str) -> bool:
    own = any(part.qos for part in capture.partitions if part.name in job.partitions)
    return reason.startswith("Assoc") or (reason.startswith("QOS") and reason != "QOSNotAllowed" and not own)
