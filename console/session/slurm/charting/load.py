"""How loaded a cluster is over time: what is held, who waits, how long starts have taken. Rows for files."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.slurm.devices import count_devices
from shadowtime.console.session.slurm.queue import tasks_of
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.slurm import Capture, Job

BARS = ("kind", "name", "user", "nodes", "since", "until")
"""Who has which nodes, from when to when; `until` is empty if it is not known.

`kind`: `held`, `expected` to start, `planned` to start, `out` of service, or `reserved`. `name` is that of
the job or of the reservation, empty for nodes that are out of service.
"""
LOADS = ("event", "at", "partition", "cpus", "gpus", "waiting", "running", "waiting_for", "waited")
"""The load after one event of a partition, or of the whole cluster if `partition` is empty.

`cpus` and `gpus` are the shares that are held; each task of an array that waits is counted. `waiting_for` are
the seconds that those which wait have waited so far, `waited` those that the ones which have started since
the capture had waited, in the mean.
"""


@attrs.frozen
class Load:
    """The load of a cluster, or of a partition, after one event."""

    number: int
    """Of the event; 0 is the capture."""
    time: int
    """Seconds since 1970."""
    utilization_now: float | None
    """The share of the CPUs that are held."""
    gpus: float | None
    """The share of the GPUs that are held; None without any."""
    queue_length: int
    """Jobs that wait, each task of an array counted."""
    running: int
    waiting: float | None
    """Seconds that those which wait have waited so far, in the mean; None if none waits."""
    mean_wait: float | None
    """Seconds that those which have started since the capture had waited, in the mean."""
    partitions: Mapping[str, "Load"] = attrs.field(factory=dict, eq=False)


class _Sums(Counter[str]):
    """What is counted of a cluster, or of a partition.

    `all_cpus`, `all_gpus`, and those that are held: `cpus`, `gpus`; `running`, `waiting`, and `submitted`,
    the sum of the instants of submission of those that wait; `started`, and the seconds that they `waited`.
    """

    def load(self, number: int, at: int, partitions: Mapping[str, Load]) -> Load:
        return Load(
            number,
            at,
            self["cpus"] / self["all_cpus"] if self["all_cpus"] else None,
            self["gpus"] / self["all_gpus"] if self["all_gpus"] else None,
            self["waiting"],
            self["running"],
            at - self["submitted"] / self["waiting"] if self["waiting"] else None,
            self["waited"] / self["started"] if self["started"] else None,
            partitions,
        )


_Counted = tuple[tuple[str, ...], Mapping[str, int]]
"""What a job adds, and to which partitions."""


class Loads:
    """The loads after every event that is known. `follow` takes what has become known since."""

    def __init__(self, history: History) -> None:
        self._history = history
        capture = history.capture
        self._threads = {node.name: node.threads for node in capture.nodes}
        self._jobs: dict[int, _Counted] = {}
        self._all, self._of = _room(capture)
        self._last: dict[str, Load] = {}
        """The load of each partition, after the last event that has touched it."""
        self._stale = set(self._of)
        for job in capture.jobs:
            self._put(job.id, job)
        self.samples: list[Load] = [self._load(0, history.begin)]

    def follow(self) -> Sequence[Load]:
        """Return the loads after all events that are known, the capture first."""
        for number in range(len(self.samples), self._history.known + 1):
            moment = self._history.moment_at(number)
            assert moment is not None
            for id_, job in moment.puts:
                before = self._jobs.get(id_ if job is None else job.id)
                self._put(id_, job)
                fresh = before is None or "running" not in before[1]
                if fresh and job is not None and job.holding and job.begin == moment.at:
                    for sums in self._sums(job.partitions[:1]):
                        sums.update(started=1, waited=moment.at - job.submit)
            self.samples.append(self._load(number, moment.at))
        return self.samples

    def _put(self, id_: int, job: Job | None) -> None:
        """Count a job in place of the one with this id."""
        for known in {id_, *(() if job is None else (job.id,))}:
            partitions, counts = self._jobs.pop(known, ((), {}))
            for sums in self._sums(partitions) if counts else ():
                sums.subtract(counts)
        if job is not None and (job.holding or job.waiting):
            partitions, counts = self._jobs[job.id] = self._counted(job)
            for sums in self._sums(partitions):
                sums.update(counts)

    def _counted(self, job: Job) -> _Counted:
        if job.holding:
            cpus = sum(share.cores * self._threads.get(share.node, 1) for share in job.shares)
            gpus = count_devices(",".join(share.devices for share in job.shares if share.devices))
            return job.partitions[:1], {"cpus": cpus or job.request.cpus, "gpus": gpus, "running": 1}
        tasks = tasks_of(self._history.capture, job)
        return job.partitions, {"waiting": tasks, "submitted": tasks * job.submit}

    def _sums(self, partitions: Sequence[str]) -> list[_Sums]:
        found = [name for name in partitions if name in self._of]
        self._stale.update(found)
        return [self._all, *(self._of[name] for name in found)]

    def _load(self, number: int, at: int) -> Load:
        for name, sums in self._of.items():
            if name in self._stale or sums["waiting"]:
                self._last[name] = sums.load(number, at, {})
        self._stale.clear()
        return self._all.load(number, at, dict(self._last))


def _room(capture: Capture) -> tuple[_Sums, dict[str, _Sums]]:
    """The CPUs and GPUs of the cluster, and of each partition."""
    room = {node.name: (node.cores * node.threads, count_devices(node.devices)) for node in capture.nodes}

    def sums(names: Iterable[str]) -> _Sums:
        nodes = [room[name] for name in names if name in room]
        return _Sums(all_cpus=sum(cpus for cpus, _ in nodes), all_gpus=sum(gpus for _, gpus in nodes))

    return sums(room), {partition.name: sums(partition.nodes) for partition in capture.partitions}


def load_rows(loads: Sequence[Load]) -> Iterator[tuple[object, ...]]:
    """Yield the loads: of the whole cluster after an event, then of each partition."""
    for at in loads:
        for name, load in (("", at), *at.partitions.items()):
            held = load.utilization_now, load.gpus
            waits = load.queue_length, load.running, load.waiting, load.mean_wait
            yield (at.number, at.time, name, *held, *waits)
