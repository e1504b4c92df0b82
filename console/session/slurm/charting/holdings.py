"""Which job of a cluster holds which nodes when, as far as its history is known."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import groupby

import attrs

from shadowtime.console.session.jobs.bars import WHOLE
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.slurm import Capture, Job, format_hosts, parse_hosts

RUNS, SUSPENDED = "R", "S"
"""How a job holds its nodes."""
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


@attrs.define
class Holding:
    """A job that holds nodes. Instants are seconds since 1970."""

    job: Job
    kind: str
    """`R` or `S`."""
    since: int
    parts: tuple[Part, ...]
    begun: int
    """The position of the history from which on it is so; 0 for the capture."""
    waited_as: str = ""
    """How the waiting job was named."""
    until: int | None = None
    """When it is over; None while that is not known."""

    @property
    def end(self) -> int | None:
        """When it is over, at the latest at its limit; None without a limit."""
        return self.until if self.until is not None else (self.job.end + 1 if self.job.end else None)


class Holdings:
    """All that is held from the capture on. `follow` takes what has become known of the history since."""

    def __init__(self, history: History, rows: NodeRows) -> None:
        self._history, self._rows, self.begin = history, rows, history.begin
        self._open: dict[int, Holding] = {}
        for job in history.capture.jobs:
            if job.holding:
                self._begin(job, min(job.begin or history.begin, history.begin), 0)
        self.first = tuple(self._open.values())
        """Those of the capture."""
        self.later: list[Holding] = []
        """Those that have begun since, in the order of their begins."""
        self.ended = 0
        """How many of the first have ended at another instant than their limit."""
        self.position = 0
        """The position up to which it is known."""

    @property
    def known_to(self) -> int:
        """The instant up to which it is known."""
        return self._history.instant(self.position)

    def follow(self) -> None:
        for position in range(self.position + 1, self._history.known + 1):
            moment = self._history.moment_at(position)
            assert moment is not None
            names = {each.job: each.waited_as for each in moment.started}
            for id_, job in moment.puts:
                if job is None or not job.holding:
                    self._end(id_, moment.at)
                    continue
                held, kind = self._open.get(job.id), _kind(job)
                if held is not None and held.kind != kind:
                    self._end(job.id, moment.at)
                    held = None
                if held is None:
                    self.later.append(self._begin(job, moment.at, position))
                    self.later[-1].waited_as = names.get(job.shown, "")
                else:
                    held.job = job
            self.position = position

    def _begin(self, job: Job, since: int, position: int) -> Holding:
        made = self._open[job.id] = Holding(job, _kind(job), since, self._rows.held(job), position)
        return made

    def _end(self, id_: int, at: int) -> None:
        held = self._open.pop(id_, None)
        if held is not None:
            self.ended += not held.begun and held.end != at
            held.until = at

    def __iter__(self) -> Iterator[Holding]:
        yield from self.first
        yield from self.later


def _kind(job: Job) -> str:
    return SUSPENDED if "SUSPENDED" in job.states else RUNS
