"""Small captured clusters, written in the forms of four generations from the same facts."""

import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOW = 1_700_000_000
CONFIG = {
    "KillWait": "30 sec",
    "OverTimeLimit": "1 min",
    "PreemptType": "(null)",
    "PriorityType": "priority/basic",
    "SLURM_VERSION": "24.11.5",
    "SchedulerParameters": "bf_interval=5,bf_window=2880,bf_busy_nodes,default_queue_depth=7",
    "SchedulerType": "sched/backfill",
    "SelectType": "select/cons_tres",
    "SelectTypeParameters": "CR_CORE_MEMORY",
    "TopologyPlugin": "topology/default",
    "Licenses": "matlab:8,fluent",
}
RELEASES = {38: "22.05.8", 39: "23.02.8", 42: "24.11.5", 45: "26.05.5"}


def number(value: int | None) -> dict[str, Any]:
    """A number as the newer generations write it; None is infinite."""
    return {"set": value is not None, "infinite": value is None, "number": value or 0}


def meta(parser: int) -> dict[str, Any]:
    """What a file says of its generation."""
    release = {"release": RELEASES[parser]}
    if parser == 38:
        return {"plugin": {"type": "openapi/v0.0.38", "name": "x"}, "Slurm": release}
    if parser == 39:
        return {"plugin": {"type": "openapi/v0.0.39", "data_parser": "v0.0.39"}, "Slurm": release}
    return {"plugin": {"type": "", "data_parser": f"data_parser/v0.0.{parser}"}, "slurm": release}


def job(parser: int, id_: int, **facts: Any) -> dict[str, Any]:
    """A job: waiting for two nodes, or running on `nodes` with `cores` cores on each."""
    running = "nodes" in facts
    plain = parser == 38
    figure = (lambda value: value) if plain else number
    nodes = facts.get("nodes", ())
    state = "RUNNING" if running else "PENDING"
    fields: dict[str, Any] = {
        "job_id": id_,
        "name": "wrap",
        "user_name": facts.get("user", "ada"),
        "job_state": state if parser < 40 else [state],
        "partition": "batch",
        "priority": figure(facts.get("priority", 1000 - id_)),
        "submit_time": figure(NOW - 500 + id_),
        "eligible_time": figure(NOW - 500 + id_),
        "time_limit": figure(facts.get("limit", 60)),
        "start_time": figure(NOW - 60 if running else 0),
        "end_time": figure(NOW + 600 if running else 0),
        "cpus": figure(8),
        "tasks": figure(2),
        "cpus_per_task": None if plain else figure(4),
        "tasks_per_node": 0 if plain else figure(0),
        "minimum_cpus_per_node": figure(4),
        "memory_per_cpu": None if plain else number(None),
        "memory_per_node": figure(1000),
        "max_nodes": figure(2),
        "tres_req_str": "cpu=8,mem=2000M,node=2,billing=8",
        "nodes": ",".join(nodes),
        "licenses": "matlab:2",
        "gres_detail": [f"gpu:a100:1(IDX:{place})" for place, _ in enumerate(nodes)],
        "shared": ("none" if plain else ["none"]) if parser < 45 and facts.get("exclusive") else [],
    }
    if running:
        fields["job_resources"] = _resources(parser, nodes, facts.get("cores", 3))
    return fields


def _resources(parser: int, nodes: tuple[str, ...], cores: int) -> dict[str, Any]:
    if parser < 40:
        cells = {"0": {"cores": {str(core): "allocated" for core in range(cores)}}}
        entries = [{"nodename": name, "memory_allocated": 1000, "sockets": cells} for name in nodes]
        return {"nodes": ",".join(nodes), "allocated_nodes": entries}
    states = [
        {"index": core, "status": ["ALLOCATED" if core < cores else "UNALLOCATED"]} for core in range(4)
    ]
    sockets = [{"index": 0, "cores": states}]
    allocation = [{"name": name, "memory": {"allocated": 1000}, "sockets": sockets} for name in nodes]
    return {"nodes": {"list": ",".join(nodes), "allocation": allocation}}


def node(parser: int, name: str) -> dict[str, Any]:
    """A node of four cores."""
    fields = {
        "name": name,
        "cpus": 4,
        "cores": 4,
        "sockets": 1,
        "threads": 1,
        "real_memory": 4000,
        "weight": 1,
    }
    features = "ib,fast" if parser == 38 else ["ib", "fast"]
    state: dict[str, Any] = (
        {"state": "idle", "state_flags": ["PLANNED"]} if parser == 38 else {"state": ["IDLE", "PLANNED"]}
    )
    return {**fields, **state, "active_features": features, "gres": "gpu:a100:4"}


def files(parser: int, exclusive: bool = True) -> dict[str, Any]:
    """A cluster of four nodes: a running job, a waiting one. File name -> JSON value, or text."""
    jobs = [job(parser, 1, nodes=("n1", "n2")), job(parser, 2, exclusive=exclusive)]
    names = [f"n{place}" for place in range(1, 5)]
    top = {"meta": meta(parser), "errors": []}
    release = CONFIG | {"SLURM_VERSION": RELEASES[parser]}
    found: dict[str, Any] = {
        "config.txt": "Configuration data\n"
        + "".join(f"{key:<24}= {value}\n" for key, value in release.items()),
        "squeue.json": top | {"jobs": jobs} | ({} if parser == 39 else {"last_update": NOW}),
    }
    nodes = top | {"nodes": [node(parser, name) for name in names]}
    if parser == 38:
        return found | {"sinfo.json": nodes} | _lines()
    if parser == 45:
        older = [job(42, 1, nodes=("n1", "n2")), job(42, 2, exclusive=exclusive)]
        found["squeue_v0.0.44.json"] = {"meta": meta(42), "jobs": older}
    return found | {
        "nodes.json": nodes,
        "partitions.json": top | {"partitions": [_partition(parser)]},
        "reservations.json": top | {"reservations": [_reservation()]},
    }


def _partition(parser: int) -> dict[str, Any]:
    shared = (
        {"partition": {"state": ["UP"], "exclusive": "NODE", "oversubscribe": "NO"}} if parser == 45 else {}
    )
    shares = {"shares": 0} if parser == 39 else {"oversubscribe": {"jobs": 0, "flags": []}}
    return {
        "name": "batch",
        "nodes": {"configured": "n[1-4]"},
        "priority": {"tier": 5, "job_factor": 1},
        "maximums": {"time": number(5760), "nodes": number(None), **shares},
        "minimums": {"nodes": 0},
        "partition": {"state": ["UP"]},
        **shared,
    }


def _reservation() -> dict[str, Any]:
    return {
        "name": "maint",
        "start_time": number(NOW + 1000),
        "end_time": number(NOW + 2000),
        "node_list": "n[3-4]",
        "flags": ["MAINT", "SPEC_NODES"],
        "users": "root",
    }


def _lines() -> dict[str, str]:
    return {
        "partitions.txt": (
            "PartitionName=batch Nodes=n[1-4] MaxTime=4-00:00:00 MaxNodes=UNLIMITED MinNodes=0 LLN=NO "
            "PriorityJobFactor=1 PriorityTier=5 OverSubscribe=EXCLUSIVE State=UP QoS=N/A\n"
        ),
        "reservations.txt": (
            "ReservationName=maint StartTime=2023-11-14T22:30:00 EndTime=2023-11-14T22:46:40 Nodes=n[3-4] "
            "Flags=MAINT,SPEC_NODES Users=root CoreCnt=0 Licenses=(null)\n"
        ),
    }


def write(folder: Path, contents: Mapping[str, Any], packed: bool = False) -> Path:
    """Write the files of a cluster into a folder, packed with xz if asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in contents.items():
        data = (value if isinstance(value, str) else json.dumps(value)).encode()
        if packed:
            (folder / f"{name}.xz").write_bytes(lzma.compress(data, preset=0))
        else:
            (folder / name).write_bytes(data)
    return folder


ASSOCIATIONS = """\
Current Association Manager state

User Records

UserName=ada(2001) DefAccount=secret DefWckey= AdminLevel=None

Association Records

ClusterName=example Account=secret UserName=ada(2001) Partition= Priority=0 ID=3
    SharesRaw/Norm/Level/Factor=20/0.01/101/1.00
    ParentAccount= Lineage=/secret/0-ada/ DefAssoc=Yes
    GrpTRES=cpu=N(0),node=N(0)
    Comment=for ada, secret

QOS Records

QOS=normal(1)
    GrpTRES=cpu=N(0),node=N(0)
    MaxWallPJ=
    Priority=100
    Account Limits
        No Accounts
    User Limits
        No Users
QOS=capped(3)
    GrpJobs=7(1) GrpWall=N(99.21)
    GrpTRES=cpu=N(0),node=N(0)
    Priority=150
    Account Limits
      secret
        MaxJobsPA=N(1)
        MaxTRESPA=cpu=N(8),node=N(2)
    User Limits
      2001
        MaxJobsPU=N(1)
        MaxTRESPU=cpu=N(8),node=8(2)
      grace(2002)
        MaxJobsPU=N(0)
        MaxTRESPU=cpu=N(0),node=8(0)
"""
"""What `scontrol show assoc_mgr` writes: one limit on users, one on all jobs together."""
