"""What a cycle knows: the machine, who runs, the profile, and what it has counted."""

from collections import Counter

from shadowtime.scenarios.slurm import Capture
from tests.oracles.slurm.devices import counted
from tests.oracles.slurm.holding import Machine, Running, licenses_of, machine, running_jobs
from tests.oracles.slurm.profile import Span, reserve
from tests.oracles.slurm.queue import Entry
from tests.oracles.slurm.room import Wish
from tests.oracles.slurm.together import Together

YEAR = 365 * 24 * 60
"""Minutes of a job without any limit."""


class Cycle:
    """The state of a cycle."""

    def __init__(self, capture: Capture, now: int, here: Machine, running: list[Running]) -> None:
        self.capture, self.now, self.here, self.running = capture, now, here, running
        self.limits = capture.settings.backfill
        self.version = capture.generation.rules
        self.window_end = self.floor(now + 60 * self.limits.window)
        free = tuple(sorted(capture.settings.licenses.items())) if self.limits.licenses else ()
        self.spans = [Span(self.floor(now), self.window_end, here.up, free)]
        self.records = 1
        self.tested = self.started = 0
        self.tested_of: Counter[tuple[str, object]] = Counter()
        """A bound and what it counts -> the entries that were tried."""
        self.reserved_jobs: set[int] = set()
        self.full = False
        self.stopped = ""
        self.preempted: list[Running] = []
        self.together = Together()
        self.places = {job.id: place for place, job in enumerate(capture.jobs)}
        """Waiting job -> its place in the list of jobs; the tasks of an array that still wait are one."""
        self.length = len(capture.jobs)
        self.partition_nodes = {
            partition.name: frozenset(here.places[name] for name in partition.nodes)
            for partition in capture.partitions
        }

    def take_place(self, job: int) -> int:
        """The place of a job that starts: a task has that of its array, and the others go to the end."""
        place = self.places[job]
        self.places[job] = self.length
        self.length += 1
        return place

    def floor(self, time: int) -> int:
        """A time, rounded down to the resolution."""
        return time - time % self.limits.resolution

    def ceil(self, time: int) -> int:
        """A time, rounded up to the resolution."""
        return self.floor(time + self.limits.resolution - 1)

    def reserve(self, begin: int, end: int, nodes: frozenset[int], licenses: dict[str, int]) -> None:
        """Take nodes and licences out of the profile."""
        self.records += reserve(self.spans, begin, end, nodes, licenses, self.limits.resolution)


def begin_cycle(capture: Capture, now: int) -> Cycle:
    """A cycle before its first entry."""
    here = machine(capture)
    cycle = Cycle(capture, now, here, running_jobs(capture, here, now))
    limits = cycle.limits
    for job in cycle.running:
        taken = dict(job.licenses) if limits.licenses else {}
        if limits.licenses or limits.running_job_reserve:
            nodes = frozenset(job.nodes) if job.exclusive else frozenset()
            cycle.reserve(now, cycle.ceil(job.leaves), nodes, taken)
    return cycle


def wish(cycle: Cycle, entry: Entry) -> Wish:
    """What an entry asks for."""
    request, parameters = entry.job.request, cycle.capture.settings.select_parameters
    exclusive = entry.partition.exclusive or request.exclusive
    given = request.most_nodes if request.nodes_wanted else 0
    least = request.least_nodes
    bounds = [bound for bound in (request.most_nodes, entry.partition.most_nodes) if bound]
    most = min(bounds, default=len(cycle.here.names))
    if request.tasks and not request.tasks_per_node:
        most = min(most, max(request.tasks, least))
    return Wish(
        request=request,
        exclusive=exclusive,
        least=least,
        most=max(most, least),
        wanted=min(given, max(most, least)) or least,
        devices=counted(request.devices_per_node),
        memory_counts=any("MEMORY" in word for word in parameters),
        cores_count=not any(word.startswith("CR_CPU") for word in parameters),
        version=cycle.version,
        partition=entry.partition.name,
        user=entry.job.user,
        by_user=request.exclusive_user or entry.partition.exclusive_user,
        most_cpus=entry.partition.most_cpus_per_node,
        licenses=frozenset(licenses_of(entry.job)) if cycle.limits.licenses else frozenset(),
    )


def minutes(entry: Entry) -> tuple[int, int]:
    """The limit of an entry in its partition, and the limit that it is planned with."""
    bounds = [bound for bound in (entry.job.limit, entry.partition.most_minutes) if bound is not None]
    limit = next(iter(bounds), YEAR)
    least = 0 if entry.job.deadline else entry.job.least_limit
    return limit, least if 0 < least < limit else limit
