"""The jobs of `squeue --json`, all generations."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from shadowtime.scenarios.slurm.allocations import read_shares
from shadowtime.scenarios.slurm.errors import CaptureError, said
from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.priorities import Priority
from shadowtime.scenarios.slurm.records import HOLDING, ArrayPart, Job, LeftOut, Request
from shadowtime.scenarios.slurm.tasks import task_ranges, whole_tasks
from shadowtime.scenarios.text.gate import printable

T = TypeVar("T")

REQUIRED = (
    "job_id",
    "job_state",
    "partition",
    "priority",
    "submit_time",
    "time_limit",
    "cpus",
    "tasks",
    "tres_req_str",
    "nodes",
    "start_time",
    "end_time",
)
_NODES = re.compile(r"(?:^|,)node=(\d{1,9})(?:,|$)", re.ASCII)
_CPUS = re.compile(r"(?:^|,)cpu=(\d{1,9})(?:,|$)", re.ASCII)


def read_job(
    record: Record, sharing: Mapping[int, tuple[str, ...]], priorities: Mapping[int, Mapping[str, Priority]]
) -> Job:
    """Return a job.

    Other files say how a job shares nodes (the words of `shared`), and its priority in each of its partitions
    with its factors (`priorities`): its own list of priorities, where it has one, is preferred.
    """
    job_id = record.number("job_id", least=1)
    if not job_id:
        raise record.error("job_id", record.values["job_id"], "a number from 1")
    nodes = record.hosts("nodes")
    states = tuple(word.upper() for word in record.words("job_state"))
    if not states:
        raise record.error("job_state", record.values["job_state"], "a state such as PENDING")
    holding = not HOLDING.isdisjoint(states)
    table = priorities.get(job_id, {})
    return Job(
        id=job_id,
        name=record.text("name"),
        user=record.text("user_name") or str(record.number("user_id")),
        account=record.text("account"),
        states=states,
        reason=record.text("state_reason"),
        partitions=tuple(filter(None, record.text("partition").split(","))),
        priority=record.number("priority"),
        priority_by_partition=_by_partition(record) or {name: each.total for name, each in table.items()},
        factors={name: each.points for name, each in table.items() if each.points},
        nice=record.number("nice", least=-(1 << 32)),
        qos=record.text("qos"),
        reservation=record.text("resv_name"),
        dependency=record.text("dependency"),
        flags=frozenset(record.words("flags")),
        submit=record.number("submit_time"),
        eligible=record.number("eligible_time"),
        begin=record.number("start_time"),
        end=record.number("end_time"),
        limit=record.bound("time_limit"),
        least_limit=record.number("time_minimum"),
        request=_request(record, sharing.get(job_id) or record.words("shared")),
        array=_array(record),
        nodes=nodes,
        shares=read_shares(record, nodes) if holding else (),
        accrued_since=record.number("accrue_time"),
        association=record.number("association_id"),
        deadline=record.bound("deadline") or 0,
        het_job=record.bound("het_job_id") or 0,
        het_offset=record.bound("het_job_offset") or 0,
        can_requeue="requeue" not in record.values or record.flag("requeue"),
    )


def refused(record: Record, error: CaptureError, allocated: bool) -> LeftOut:
    """Return a job that cannot be read, with what of it can be.

    `allocated`: whether the nodes say what is allocated of them. Otherwise `error` is raised if the job may
    hold nodes that it does not name.
    """
    states = {word.upper() for word in _readable(lambda: record.words("job_state")) or ()}
    may_hold = not states or not HOLDING.isdisjoint(states)
    nodes = (_readable(lambda: record.hosts("nodes")) or ()) if may_hold else ()
    if may_hold and not nodes and not allocated:
        raise error
    number = _readable(lambda: record.number("job_id"))
    partition = printable(_readable(lambda: record.text("partition")) or "")
    return LeftOut("job", str(number or ""), said(error), partition, nodes, "PENDING" in states)


def _readable(read: Callable[[], T]) -> T | None:
    """A field of a broken job, if it can be read."""
    try:
        return read()
    except CaptureError:
        return None


def _request(record: Record, shared: tuple[str, ...]) -> Request:
    """What a job asks for. `shared`: "none" if it takes whole nodes, "user" if no other user is beside it."""
    tasks = record.number("tasks", 1)
    cpus = record.number("cpus", 1)
    resources = record.text("tres_req_str")
    found, wanted = _NODES.search(resources), _CPUS.search(resources)
    cpus_per_task = record.number("cpus_per_task") or max(1, cpus // max(1, tasks))
    flags = record.words("flags")
    return Request(
        least_nodes=max(1, int(found[1])) if found else 1,
        most_nodes=record.number("max_nodes"),
        nodes_wanted="JOB_IMPLICIT_MAX_NODES" not in flags,
        cpus=cpus,
        tasks=tasks,
        cpus_per_task=cpus_per_task,
        tasks_per_node=record.number("tasks_per_node"),
        least_cpus_per_node=record.number("minimum_cpus_per_node"),
        memory_per_cpu=record.number("memory_per_cpu"),
        memory_per_node=record.number("memory_per_node"),
        exclusive="none" in shared,
        contiguous=record.flag("contiguous"),
        required_nodes=record.hosts("required_nodes"),
        excluded_nodes=record.hosts("excluded_nodes"),
        features=record.text("features"),
        devices_per_node=record.text("tres_per_node"),
        devices_otherwise=any(
            "gres" in record.text(name) for name in ("tres_per_job", "tres_per_socket", "tres_per_task")
        ),
        devices_in_all=",".join(part for part in resources.split(",") if part.startswith("gres/")),
        licenses=record.text("licenses"),
        threads_per_core=record.bound("threads_per_core") or 0,
        exclusive_user="user" in shared,
        by_device=bool(record.text("cpus_per_tres") or record.text("memory_per_tres")),
        cpus_wanted=int(wanted[1]) if wanted else 0,
    )


def _array(record: Record) -> ArrayPart | None:
    job = record.number("array_job_id")
    if not job:
        return None
    task = record.bound("array_task_id")
    waiting, cut = whole_tasks(record.text("array_task_string"))
    try:
        list(task_ranges(waiting))
    except ValueError as error:
        raise record.fault("array_task_string", str(error)) from None
    return ArrayPart(job, task, waiting, record.number("array_max_tasks"), cut)


def _by_partition(record: Record) -> dict[str, int]:
    return {
        entry.text("partition"): entry.number("priority") for entry in record.records("priority_by_partition")
    }
