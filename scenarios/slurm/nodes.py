"""The nodes of `scontrol show nodes --json`, or of `sinfo --json` in 22.05, by index."""

from collections.abc import Iterable

from shadowtime.scenarios.slurm.errors import CaptureError, said
from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.records import LeftOut, Node

POWERED_DOWN = 1 << 32
"""Added to the weight of a node that is powered down: it is taken after all others."""
REQUIRED = "name", "cpus", "cores", "sockets", "threads", "real_memory", "weight", "state"

_UNNAMED = frozenset("[], ")


def read_nodes(records: Iterable[Record], left_out: list[LeftOut]) -> tuple[Node, ...]:
    """Return the nodes. CaptureError if two have one name, or one has none.

    A node with another odd field is listed in `left_out`. It keeps its place, has nothing and is not up.
    """
    found: dict[str, Node] = {}
    for record in records:
        record.require(REQUIRED)
        name = _name(record)
        try:
            node = read_node(record)
        except CaptureError as error:
            left_out.append(LeftOut("node", name, said(error)))
            node = Node(name, 0, 0, 1, 0, 1, (), "", ("INVALID",))
        if node.name in found:
            raise record.fault("name", f"is {node.name}, as that of another node")
        found[node.name] = node
    return tuple(found.values())


def read_node(record: Record) -> Node:
    name = _name(record)
    cpus, threads = record.number("cpus"), max(1, record.number("threads", 1))
    cores = record.number("sockets") * record.number("cores")
    states = [*record.words("state"), *record.words("state_flags")]
    return Node(
        name=name,
        cpus=cpus,
        cores=max(0, cores - record.number("specialized_cores")),
        threads=1 if cores >= cpus else threads,
        memory=max(0, record.number("real_memory") - record.number("specialized_memory")),
        weight=record.number("weight") + (POWERED_DOWN if "POWERED_DOWN" in map(str.upper, states) else 0),
        features=record.words("active_features"),
        devices=record.text("gres"),
        states=tuple(word.upper() for word in states),
        reason=record.text("reason"),
        allocated=record.number("alloc_cpus"),
        reason_by=record.text("reason_set_by_user"),
        reason_at=record.number("reason_changed_at"),
    )


def _name(record: Record) -> str:
    name = record.text("name")
    if not name or not _UNNAMED.isdisjoint(name) or not name.isprintable():
        raise record.error("name", name, "the name of a node")
    return name
