"""What running jobs hold: nodes by index, their CPUs, memory and devices, and until when."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from shadowtime.scenarios.slurm import Capture, Job
from tests.oracles.slurm.devices import Devices, counted, held_devices


class Use(NamedTuple):
    """What a job holds of one node: CPUs of whole cores, mebibytes, devices."""

    cpus: int
    memory: int
    devices: Devices


class Running(NamedTuple):
    """A running job. `end` is its start and its limit; `leaves` is when it is thought to be gone."""

    id: int
    end: int
    leaves: int
    nodes: Mapping[int, Use]
    exclusive: bool
    user: str
    qos: str
    licenses: Mapping[str, int]
    partition: str
    place: int
    """In the list of jobs."""
    by_user: bool = False
    """Whether it shares its nodes with no other user."""
    ends_with: int = 0
    """Of a component of a heterogeneous job: the end of the first component; 0 of another job."""


class Machine(NamedTuple):
    """The nodes by index, as configured."""

    names: tuple[str, ...]
    places: Mapping[str, int]
    cpus: tuple[int, ...]
    threads: tuple[int, ...]
    memory: tuple[int, ...]
    weight: tuple[int, ...]
    features: tuple[frozenset[str], ...]
    devices: tuple[Devices, ...]
    up: frozenset[int]


GONE = frozenset(
    (
        *("DOWN", "DRAIN", "DRAINING", "DRAINED", "FAIL", "FAILING", "NOT_RESPONDING"),
        *("UNKNOWN", "FUTURE", "ERROR", "INVALID", "INVALID_REG", "POWERING_DOWN", "UNLISTED"),
    )
)


def gathered(capture: Capture) -> set[str]:
    """The nodes that every job takes first (22.05): those held under a GrpTRES of nodes."""
    if capture.generation.rules != "22.05" or not capture.settings.limits_enforced:
        return set()
    bounded = {each.name for each in capture.qualities if ("GrpTRES", "node") in each.limits}
    return {node for job in capture.jobs if job.holding and job.qos in bounded for node in job.nodes}


def is_up(states: tuple[str, ...]) -> bool:
    """Whether a node with these states can have jobs."""
    if "POWERING_UP" in states:
        states = tuple(state for state in states if state != "NOT_RESPONDING")
    return GONE.isdisjoint(states)


def machine(capture: Capture) -> Machine:
    """The nodes of a capture."""
    nodes = capture.nodes
    return Machine(
        names=tuple(node.name for node in nodes),
        places={node.name: place for place, node in enumerate(nodes)},
        cpus=tuple(node.cores * node.threads for node in nodes),
        threads=tuple(node.threads for node in nodes),
        memory=tuple(node.memory for node in nodes),
        weight=tuple(node.weight - (1 << 33) * (node.name in gathered(capture)) for node in nodes),
        features=tuple(frozenset(node.features) for node in nodes),
        devices=tuple(counted(node.devices) for node in nodes),
        up=frozenset(place for place, node in enumerate(nodes) if is_up(node.states)),
    )


def running_jobs(capture: Capture, here: Machine, now: int) -> list[Running]:
    """The running jobs of a capture."""
    ends = {job.id: job.end for job in capture.jobs if job.holding}
    single = {partition.name: partition.exclusive_user for partition in capture.partitions}
    whole = {partition.name: partition.exclusive for partition in capture.partitions}
    return [
        Running(
            id=job.id,
            end=job.end,
            leaves=leaving(capture, job, now),
            nodes={
                here.places[share.node]: Use(
                    share.cores * here.threads[here.places[share.node]],
                    share.memory,
                    held_devices(share.devices),
                )
                for share in job.shares
            },
            exclusive=job.request.exclusive or whole[job.partitions[0]],
            user=job.user,
            qos=job.qos,
            licenses=licenses_of(job),
            partition=job.partitions[0],
            place=place,
            by_user=job.request.exclusive_user or single[job.partitions[0]],
            ends_with=ends.get(job.het_job, 0),
        )
        for place, job in enumerate(capture.jobs)
        if job.holding
    ]


def memory_of(job: Running) -> Running:
    """What a suspended job still holds: its memory."""
    return job._replace(
        nodes={node: Use(0, use.memory, Counter()) for node, use in job.nodes.items()},
        exclusive=False,
    )


def leaving(capture: Capture, job: Job, now: int) -> int:
    """When a running job is thought to be gone (section 5)."""
    if job.end > now:
        return job.end
    over = capture.settings.over_time_limit
    if over is None:
        return now + 60 * (job.limit or 0)
    return max(now + 1, job.end + capture.settings.kill_wait + over)


def licenses_of(job: Job) -> dict[str, int]:
    """Licence -> how many a job asks for."""
    return counted_licenses(job.request.licenses)


def counted_licenses(text: str) -> dict[str, int]:
    """Licence -> how many a list such as `matlab:8,fluent` has."""
    counts: dict[str, int] = {}
    for word in filter(None, text.split(",")):
        name, _, count = word.replace("=", ":").partition(":")
        counts[name] = counts.get(name, 0) + int(count or 1)
    return counts
