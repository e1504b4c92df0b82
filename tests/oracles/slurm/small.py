"""Small clusters of whole nodes, as records: what the tests plan by hand and at random."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from shadowtime.scenarios.slurm import (
    ArrayPart,
    Backfill,
    Capture,
    Generation,
    Job,
    Node,
    Partition,
    Request,
    Reservation,
    Settings,
    Share,
)

NOW = 1_200_000
"""A multiple of 60."""


def request(nodes: int, **changes: Any) -> Request:
    """A request for whole nodes."""
    plain = Request(
        least_nodes=nodes, most_nodes=nodes, nodes_wanted=True, cpus=nodes, tasks=nodes, cpus_per_task=1,
        tasks_per_node=0, least_cpus_per_node=1, memory_per_cpu=0, memory_per_node=0, exclusive=True,
        contiguous=False,
    )  # fmt: skip
    return attrs.evolve(plain, **changes)


def waiting(id_: int, nodes: int, minutes: int, **changes: Any) -> Job:
    """A waiting job; the priority falls with the id."""
    wishes = {name: changes.pop(name) for name in list(changes) if name in attrs.fields_dict(Request)}
    plain = Job(
        id=id_, name="job", user="ada", account="", states=("PENDING",), reason="", partitions=("batch",),
        priority=1000 - id_, priority_by_partition={}, nice=0, qos="", reservation="", dependency="",
        flags=frozenset(), submit=NOW - 100, eligible=NOW - 100, begin=0, end=0, limit=minutes, least_limit=0,
        request=request(nodes, **wishes), array=None, nodes=(), shares=(),
    )  # fmt: skip
    return attrs.evolve(plain, **changes)


def running(id_: int, places: Sequence[int], end: int, **changes: Any) -> Job:
    """A job on nodes, by number from 1, until so many seconds after now."""
    names = tuple(f"n{place}" for place in places)
    job = waiting(id_, len(names), 60, states=("RUNNING",), end=NOW + end, **changes)
    return attrs.evolve(job, nodes=names, shares=tuple(Share(name, 4, 4000, "") for name in names))


def array(id_: int, nodes: int, minutes: int, tasks: str, most_running: int = 0) -> Job:
    """An array whose tasks wait."""
    return waiting(id_, nodes, minutes, array=ArrayPart(id_, None, tasks, most_running))


def reserved(name: str, places: Sequence[int], begin: int, end: int, *flags: str) -> Reservation:
    """A reservation of nodes, from and to so many seconds after now."""
    names = tuple(f"n{place}" for place in places)
    return Reservation(name, NOW + begin, NOW + end, names, frozenset(flags), ("root",), 0, "")


def cluster(
    nodes: int,
    jobs: Sequence[Job],
    release: str = "24.11.5",
    reservations: Sequence[Reservation] = (),
    weights: Mapping[int, int] | None = None,
    **parameters: Any,
) -> Capture:
    """A cluster of nodes with four CPUs each, n1 to nN, in one exclusive partition."""
    settings = Settings(
        version=release, scheduler="sched/backfill", select="select/cons_tres",
        select_parameters=frozenset(("CR_CORE_MEMORY",)), topology="topology/default",
        priority="priority/basic", preempt="preempt/none", preempt_mode="OFF", kill_wait=30,
        over_time_limit=0, time_slice=30, licenses={}, limits_enforced=True,
        backfill=Backfill(**parameters), other_parameters=(),
    )  # fmt: skip
    names = tuple(f"n{place}" for place in range(1, nodes + 1))
    weight = weights or {}
    return Capture(
        folder="", generation=Generation(42, release), taken=NOW, settings=settings, jobs=tuple(jobs),
        nodes=tuple(
            Node(name, 4, 4, 1, 4000, weight.get(place, 1), (), "", ("IDLE",))
            for place, name in enumerate(names, 1)
        ),
        partitions=(Partition("batch", names, 1, 1, 2880, None, 0, True, 1, False, "", ("UP",)),),
        reservations=tuple(reservations), qualities=(), associations=(), exclusive_known=True,
    )  # fmt: skip
