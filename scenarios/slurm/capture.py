"""A folder with what Slurm's commands print about a cluster, read into records.

| file (plain or `.xz`) | command |
|---|---|
| `config.txt` | `scontrol show config` |
| `squeue.json` or `jobs.json` | `squeue --json`, or `jobs` of the REST interface |
| `nodes.json` | `scontrol show nodes --json` (22.05: `sinfo.json` of `sinfo --json`) |
| `partitions.json` | `scontrol show partitions --json` (22.05: `partitions.txt` alone) |
| `partitions.txt` | `scontrol show partitions --oneliner`: what the JSON of partitions lacks |
| `reservations.json` | `scontrol show reservations --json` (22.05: `reservations.txt`, with `--oneliner`) |
| `squeue_v0.0.44.json` | `squeue --json=v0.0.44`, for 26.05, whose own form leaves out who is exclusive |
| `qos.json`, `assoc_mgr.json` | `sacctmgr show qos --json`, `scontrol show assoc_mgr`, if there are limits |
| `sprio.txt` | `sprio -o %i,%r,%Y,...` or `sprio -l`: priorities by partition, points of their factors |
| `sacct.txt` | `sacct --parsable2` with the columns of section 15: the jobs of the last weeks |
| `sdiag.json` (22.05: `sdiag.txt`) | `sdiag --json` (`sdiag`), for the length of cycles, and the last one |
| `capture.json` | when `shadowtime capture` read the queue; the lines of its folders are in UTC |

All in one second, or nearly: a model of a cluster is as good as the moment it was read at.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.accounted.reading import read_past
from shadowtime.scenarios.slurm.accounting import (
    Usage,
    read_associations,
    read_qualities,
    read_quality,
    read_usage,
)
from shadowtime.scenarios.slurm.allocations import with_unlisted
from shadowtime.scenarios.slurm.config import read_settings
from shadowtime.scenarios.slurm.dependencies import with_satisfied
from shadowtime.scenarios.slurm.diagnostics import read_diagnostics
from shadowtime.scenarios.slurm.documents import find, many_objects, read_json, require
from shadowtime.scenarios.slurm.errors import CaptureError, broken
from shadowtime.scenarios.slurm.fields import Record, document
from shadowtime.scenarios.slurm.generation import read_generation, refuse_errors
from shadowtime.scenarios.slurm.jobs import REQUIRED, read_job, refused
from shadowtime.scenarios.slurm.nodes import read_nodes
from shadowtime.scenarios.slurm.partitions import completed, read_partition, read_partition_lines
from shadowtime.scenarios.slurm.priorities import Priority, read_priorities
from shadowtime.scenarios.slurm.records import (
    Association,
    Capture,
    Job,
    LeftOut,
    Node,
    Partition,
    Quality,
    Reservation,
)
from shadowtime.scenarios.slurm.reservations import read_reservation_lines, read_reservations

PARTITION_LINES = "partitions.txt"
PARTITIONS = "partitions.json", PARTITION_LINES
SHARED_UNKNOWN = 45
"""From this generation on, `shared` of a job is always empty."""


@many_objects()
def read_capture(folder: Path, zone: tzinfo = UTC) -> Capture:
    """Return what a folder says of a cluster.

    `zone` is that of the cluster's clock; only the lines of 22.05 have instants without one. CaptureError
    names the file and the field of the first thing that is missing, broken, or at odds with another file.
    """
    if not folder.is_dir():
        raise broken(folder, "is no folder; expected one with the output of Slurm's commands")
    if find(folder, ["config.txt"]) is None:
        if inside := sorted({each.parent for each in folder.glob("*/config.txt*")}):
            raise broken(folder, f"holds {len(inside)} captures; expected one of them, such as {inside[-1]}")
        message = (
            "is a folder without config.txt; expected a file, or a folder with the output of Slurm's commands"
        )
        raise broken(folder, f"{message}, among them `scontrol show config`")
    stamp = _stamp(folder)
    settings = read_settings(require(folder, ["config.txt"], "scontrol show config"))
    left_out: list[LeftOut] = []
    nodes = _nodes(folder, left_out)
    partitions = tuple(_known(folder, _partitions(folder), nodes))
    top = _open(require(folder, ["squeue.json", "jobs.json"], "squeue --json"), "jobs")
    generation = read_generation(top)
    sharing = _sharing(folder)
    jobs = _jobs(top, sharing or {}, read_priorities(folder), nodes, partitions, left_out)
    nodes = with_unlisted(nodes, jobs, left_out)
    taken = top.number("last_update") or stamp
    entry_cost, last_cycle = read_diagnostics(folder)
    return Capture(
        folder=str(folder),
        generation=generation,
        taken=taken,
        settings=settings,
        jobs=with_satisfied(jobs, taken),
        nodes=nodes,
        partitions=partitions,
        reservations=tuple(
            attrs.evolve(each, read_at=taken) if each.floats else each
            for each in _reservations(folder, UTC if stamp else zone, left_out)
        ),
        qualities=tuple(_qualities(folder)),
        associations=tuple(_associations(folder)),
        exclusive_known=sharing is not None or generation.parser < SHARED_UNKNOWN,
        calculated=taken,
        entry_cost=entry_cost,
        last_cycle=last_cycle,
        past=read_past(folder, UTC if stamp else zone),
        left_out=tuple(left_out),
        usage=_usage(folder),
        counted=jobs,
    )


def _stamp(folder: Path) -> int:
    """When the queue was read, of the file that says so; 0 without it."""
    path = find(folder, ["capture.json"])
    return document(read_json(path), str(path)).number("taken") if path is not None else 0


def _open(path: Path, content: str) -> Record:
    top = document(read_json(path), str(path))
    refuse_errors(top, content)
    return top


def _nodes(folder: Path, left_out: list[LeftOut]) -> tuple[Node, ...]:
    command = "scontrol show nodes --json"
    path = require(folder, ["nodes.json", "sinfo.json"], command)
    top = document(read_json(path), str(path))
    if "sinfo" in top.values and "nodes" not in top.values:
        raise top.fault("sinfo", f"has no single nodes; expected the output of `{command}`")
    refuse_errors(top, "nodes")
    nodes = read_nodes(top.records("nodes"), left_out)
    if not nodes:
        raise broken(path, "lists no node", "nodes")
    return nodes


def _partitions(folder: Path) -> Iterator[Partition]:
    path = require(folder, PARTITIONS, "scontrol show partitions --json")
    if ".json" not in path.suffixes:
        yield from read_partition_lines(path)
        return
    lines = find(folder, [PARTITION_LINES])
    beside = {each.name: each for each in read_partition_lines(lines)} if lines is not None else {}
    for record in _open(path, "partitions").records("partitions"):
        partition = read_partition(record)
        yield completed(partition, beside.get(partition.name))


def _known(folder: Path, partitions: Iterable[Partition], nodes: Iterable[Node]) -> Iterator[Partition]:
    """The partitions without nodes that are not listed: those in the state FUTURE are not."""
    path = find(folder, PARTITIONS)
    known = {node.name for node in nodes}
    seen = set()
    for index, partition in enumerate(partitions):
        if partition.name in seen or not partition.name:
            message = f"the name of partition {shown(partition.name)} is empty or there twice"
            raise broken(path, message, f"partitions[{index}].name")
        seen.add(partition.name)
        if known.issuperset(partition.nodes):
            yield partition
        else:
            listed = tuple(name for name in partition.nodes if name in known)
            yield attrs.evolve(partition, nodes=listed, unlisted=True)


def _reservations(folder: Path, zone: tzinfo, left_out: list[LeftOut]) -> Iterator[Reservation]:
    names = ["reservations.json", "reservations.txt"]
    path = require(folder, names, "scontrol show reservations --json")
    if ".json" in path.suffixes:
        yield from read_reservations(_open(path, "reservations").records("reservations"), left_out)
    else:
        yield from read_reservation_lines(path, zone, left_out)


def _qualities(folder: Path) -> Iterator[Quality]:
    lines = find(folder, ["assoc_mgr.txt"])
    written = list(read_qualities(lines)) if lines else []
    if path := find(folder, ["qos.json"]):
        used = {each.name: each.used for each in written}
        for record in _open(path, "qos").records("qos"):
            quality = read_quality(record)
            yield attrs.evolve(quality, used=used.get(quality.name, {}))
    else:
        yield from written


def _associations(folder: Path) -> Iterator[Association]:
    if path := find(folder, ["assoc_mgr.json", "assoc_mgr.txt"]):
        yield from read_associations(path)


def _usage(folder: Path) -> Usage:
    path = find(folder, ["assoc_mgr.txt"])
    return {} if path is None else read_usage(path)


def _sharing(folder: Path) -> dict[int, tuple[str, ...]] | None:
    """Job -> the words of `shared`, of the file that has them for 26.05; None without the file."""
    path = find(folder, ["squeue_v0.0.44.json"])
    if path is None:
        return None
    top = _open(path, "jobs")
    return {record.number("job_id"): record.words("shared") for record in top.records("jobs")}


def _jobs(
    top: Record,
    sharing: Mapping[int, tuple[str, ...]],
    priorities: Mapping[int, Mapping[str, Priority]],
    nodes: Sequence[Node],
    partitions: Iterable[Partition],
    left_out: list[LeftOut],
) -> tuple[Job, ...]:
    """The jobs; one with an odd field is listed in `left_out`."""
    known = {node.name: node.cores for node in nodes}
    parts = {partition.name: partition for partition in partitions}
    allocated = any(node.allocated for node in nodes)
    jobs: dict[int, Job] = {}
    for record in top.records("jobs"):
        record.require(REQUIRED)
        try:
            job = read_job(record, sharing, priorities)
            _check_job(job, record, known, parts)
        except CaptureError as error:
            left_out.append(refused(record, error, allocated))
            continue
        if job.id in jobs:
            raise record.fault("job_id", f"is {job.id}, as that of another job")
        jobs[job.id] = _within(_own_nodes(job, parts), known)
    return tuple(jobs.values())


def _own_nodes(job: Job, partitions: Mapping[str, Partition]) -> Job:
    """The job as it asks for nodes itself, if one of its several partitions gives whole ones, or to one user.

    The queue shows such a job as that partition has it, whether it asks for such nodes or not.
    """
    parts = [partitions[name] for name in job.partitions if name in partitions]
    if len(job.partitions) < 2:
        return job
    request = attrs.evolve(
        job.request,
        exclusive=job.request.exclusive and not any(part.exclusive for part in parts),
        exclusive_user=job.request.exclusive_user and not any(part.exclusive_user for part in parts),
    )
    return attrs.evolve(job, request=request)


def _within(job: Job, cores: Mapping[str, int]) -> Job:
    """The job without cores that the system keeps for itself: whole nodes may be listed with them."""
    if all(share.cores <= cores[share.node] for share in job.shares):
        return job
    shares = [attrs.evolve(share, cores=min(share.cores, cores[share.node])) for share in job.shares]
    return attrs.evolve(job, shares=tuple(shares))


def _check_job(job: Job, record: Record, nodes: Container[str], partitions: Container[str]) -> None:
    if not (job.waiting or job.holding):
        return
    if not job.partitions or not all(name in partitions for name in job.partitions):
        raise record.error("partition", record.text("partition"), "partitions of this capture")
    for name in job.nodes:
        if name not in nodes:
            raise record.fault("nodes", f"has {shown(name)}, which is not in the list of nodes")
