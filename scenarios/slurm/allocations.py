"""What a running job holds, node by node: cores, memory, generic resources.

Two forms: `job_resources.allocated_nodes` up to v0.0.40, `job_resources.nodes.allocation` from then on.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.records import UNLISTED, Job, LeftOut, Node, Share

ALLOCATED = ["ALLOCATED"]
"""The state of nearly every core that is listed; no others are spelt out."""


def read_shares(job: Record, nodes: tuple[str, ...]) -> tuple[Share, ...]:
    """Return the shares of a job. CaptureError if they are not those of its nodes.

    A job that is completing lists the nodes that it has left, too: its shares are those that it still holds.
    """
    resources = job.record("job_resources")
    entries = list(_entries(resources))
    shares = []
    devices = job.words("gres_detail")
    for index, (name, entry) in enumerate(entries):
        detail = devices[index] if index < len(devices) else ""
        shares.append(Share(name, sum(map(_taken, entry.records("sockets"))), _memory(entry), detail))
    if "COMPLETING" in (word.upper() for word in job.words("job_state")):
        shares = [share for share in shares if share.node in nodes]
    if sorted(share.node for share in shares) != sorted(nodes):
        raise job.fault("job_resources", "does not list the nodes of the field nodes")
    return tuple(shares)


def _entries(resources: Record) -> Iterator[tuple[str, Record]]:
    if isinstance(resources.values.get("nodes"), dict):
        for entry in resources.record("nodes").records("allocation"):
            entry.require(["name", "sockets", "memory"])
            yield entry.text("name"), entry
        return
    for entry in resources.records("allocated_nodes"):
        name = "name" if "name" in entry.values else "nodename"
        entry.require([name, "sockets"])
        yield entry.text(name), entry


def _memory(entry: Record) -> int:
    if isinstance(entry.values.get("memory"), dict):
        return entry.record("memory").number("allocated")
    return entry.number("memory_allocated")


def _taken(socket: Record) -> int:
    cores = socket.values.get("cores")
    if isinstance(cores, dict):
        # The older form: "0": "allocated", or a list of such words; a core that is not listed is free.
        return sum("allocated" in _states(state) for state in cores.values())
    if isinstance(cores, list) and all(isinstance(core, dict) for core in cores):
        # A cluster has more cores than anything else: no record of each.
        states = [core.get("status") for core in cores]
        return sum(state == ALLOCATED or "allocated" in _states(state) for state in states)
    return sum("allocated" in _states(core.values.get("status")) for core in socket.records("cores"))


def _states(value: object) -> list[str]:
    words = value if isinstance(value, list) else (value,)
    return [word.lower() for word in words if isinstance(word, str)]


def with_unlisted(
    nodes: Iterable[Node], jobs: Iterable[Job], left_out: Iterable[LeftOut]
) -> tuple[Node, ...]:
    """Return the nodes, with the state UNLISTED those of which jobs that are not in the list hold a part.

    Slurm has allocated more CPUs of such a node than the jobs hold, or calls it allocated without any job.
    """
    cores: Counter[str] = Counter()
    listed, lost = set(), {name for each in left_out for name in each.nodes}
    for job in jobs:
        for share in job.shares:
            cores[share.node] += share.cores
            listed.add(share.node)

    def unlisted(node: Node) -> bool:
        if node.name in lost or ("ALLOCATED" in node.states or "MIXED" in node.states) > (
            node.name in listed
        ):
            return True
        return min(node.allocated, node.cores * node.threads) > cores[node.name] * node.threads

    return tuple(
        attrs.evolve(node, states=(*node.states, UNLISTED)) if unlisted(node) else node for node in nodes
    )
