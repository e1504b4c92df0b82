"""The nodes of a cluster in the order of a Gantt chart: by partition, as configured."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import groupby

import attrs

from shadowtime.console.session.jobs.bars import WHOLE
from shadowtime.scenarios.slurm import Capture, Job, format_hosts, parse_hosts

Part = tuple[int, int, int]
"""The place of the first of some nodes, how many they are, and what is held of each in parts of WHOLE."""


@attrs.frozen(eq=False, slots=False)
class NodeRows:
    """The nodes by their places in the chart."""

    names: tuple[str, ...]
    partitions: tuple[str, ...]
    """The first partition of each node; empty for a node without one."""
    cpus: tuple[int, ...]
    threads: tuple[int, ...]
    """Of each core."""
    places: Mapping[str, int]

    @classmethod
    def of(cls, capture: Capture) -> "NodeRows":
        first: dict[str, int] = {}
        for number, partition in enumerate(capture.partitions):
            for name in partition.nodes:
                first.setdefault(name, number)
        last = len(capture.partitions)
        nodes = sorted(capture.nodes, key=lambda node: first.get(node.name, last))
        names = tuple(node.name for node in nodes)
        numbers = [first.get(name) for name in names]
        return cls(
            names,
            tuple("" if number is None else capture.partitions[number].name for number in numbers),
            tuple(max(1, node.cores * node.threads) for node in nodes),
            tuple(node.threads for node in nodes),
            {name: place for place, name in enumerate(names)},
        )

    @cached_property
    def width(self) -> int:
        """Cells of the longest name."""
        return max(map(len, self.names), default=0)

    def label(self, nodes: range) -> str:
        """Return what stands before a row: the name of its first node."""
        return self.names[nodes.start]

    def named(self, nodes: range) -> str:
        """Return some nodes as a list such as `n[1-4]`, with their partitions."""
        partitions = dict.fromkeys(self.partitions[nodes.start : nodes.stop])
        return f"{format_hosts(self.names[nodes.start : nodes.stop])} of {', '.join(partitions) or 'none'}"

    def held(self, job: Job) -> tuple[Part, ...]:
        places = self.places
        shares = {share.node: share.cores for share in job.shares}
        found = []
        for name in job.nodes:
            place = places.get(name)
            if place is not None:
                cores = shares.get(name, 0)
                held = cores * self.threads[place] if cores else self.cpus[place]
                found.append((place, min(WHOLE, max(1, WHOLE * held // self.cpus[place]))))
        return tuple(_joined(sorted(found)))

    def listed(self, hosts: str, cpus: int) -> tuple[Part, ...]:
        """Return the nodes of a list such as `n[1-4]`, with so many CPUs on all of them together."""
        return _listed(self, hosts, cpus)


@lru_cache(maxsize=1 << 14)
def _listed(rows: NodeRows, hosts: str, cpus: int) -> tuple[Part, ...]:
    """Kept: most plans have the lists of the plan before."""
    places = sorted(rows.places[name] for name in parse_hosts(hosts) if name in rows.places)
    each = -(-cpus // max(1, len(places)))
    return tuple(_joined((place, min(WHOLE, max(1, WHOLE * each // rows.cpus[place]))) for place in places))


def _joined(found: Iterable[tuple[int, int]]) -> Iterator[Part]:
    """Nodes beside each other of which as much is held."""
    for (_, share), each in groupby(enumerate(found), key=lambda it: (it[1][0] - it[0], it[1][1])):
        places = [place for _, (place, _) in each]
        yield places[0], len(places), share
