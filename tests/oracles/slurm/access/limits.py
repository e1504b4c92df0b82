"""Limits of qualities of service and of associations (section 10)."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from shadowtime.scenarios.slurm import Association, Capture, Job, Partition, Quality
from tests.oracles.slurm.access.past import owners, used_up
from tests.oracles.slurm.devices import Devices, counted, held_devices
from tests.oracles.slurm.entry import Cycle, minutes
from tests.oracles.slurm.holding import Machine, Running
from tests.oracles.slurm.queue import Entry


class Held(NamedTuple):
    """A job that holds nodes, in its partition: who is counted for a limit."""

    job: Job
    partition: str


Counts = Callable[[Held], bool]
COUNTS = "GrpJobs", "MaxJobs", "MaxJobsPU", "MaxJobsPA"


class Bound(NamedTuple):
    """A limit that holds for an entry: its name, its resource, the bound, and whose jobs count."""

    name: str
    resource: str
    most: int
    counted: Counts
    shown: tuple[str | int, ...] = ()
    """Whose count Slurm itself shows: an association, or a quality of service with one of its users."""


def bounds(capture: Capture, job: Job, partition: Partition) -> list[Bound]:
    """The limits that hold for a job in a partition: of several, the one that is named first."""
    if not capture.settings.limits_enforced:
        return []
    found: list[Bound] = []
    for quality in qualities(capture, job, partition):
        taken = {(each.name, each.resource) for each in found}
        for (name, resource), most in quality.limits.items():
            if (name, resource) not in taken:
                shown = quality.name, *one_of(name, job)
                found.append(Bound(name, resource, most, whose(capture, quality, name, job), shown))
    own = association_of(capture, job)
    by_one = "MaxJobsPU", "MaxJobsPA"
    taken = {("MaxJobs" if each.name in by_one else each.name, each.resource) for each in found}
    for place, each in enumerate(above(capture, own)):
        for (name, resource), most in each.limits.items():
            if (name, resource) not in taken and (place == 0 or name.startswith("Grp")):
                found.append(Bound(name, resource, most, below(capture, each), ("association", each.id)))
    return found


def qualities(capture: Capture, job: Job, partition: Partition) -> list[Quality]:
    """The quality of service of the partition, then that of the job; the other way round with a flag."""
    named = {quality.name: quality for quality in capture.qualities}
    names = [partition.qos, job.qos]
    if job.qos in named and "OVERRIDE_PARTITION_QOS" in named[job.qos].flags:
        names.reverse()
    return [named[name] for name in dict.fromkeys(names) if name in named]


def one_of(name: str, job: Job) -> tuple[str, str]:
    """The user or the account of whose jobs a limit of a quality of service counts; empty for all."""
    if name.endswith("PU"):
        return "user", job.user
    return ("account", job.account) if name.endswith("PA") else ("", "")


def whose(capture: Capture, quality: Quality, name: str, job: Job) -> Counts:
    """Whose jobs count for a limit of a quality of service."""
    of = {partition.name: partition.qos for partition in capture.partitions}

    def counts(held: Held) -> bool:
        if quality.name not in (held.job.qos, of[held.partition]):
            return False
        if name.endswith("PU"):
            return held.job.user == job.user
        if name.endswith("PA"):
            return held.job.account == job.account
        return True

    return counts


def association_of(capture: Capture, job: Job) -> Association | None:
    """The association of a job."""
    return next((each for each in capture.associations if each.id == job.association), None)


def above(capture: Capture, own: Association | None) -> list[Association]:
    """An association, and the accounts above it, from below."""
    found: list[Association] = []
    while own is not None and own not in found:
        found.append(own)
        name = own.account if own.user else own.parent
        own = next((each for each in capture.associations if each.account == name and not each.user), None)
    return found


def below(capture: Capture, top: Association) -> Counts:
    """Whether a job is of an association, or of one below it."""
    return lambda held: top in above(capture, association_of(capture, held.job))


def beside(capture: Capture, bound: Bound, what: str) -> int:
    """How much Slurm counts beside the jobs that held nodes when it was asked."""
    shown = capture.usage.get(bound.shown, {})
    if what not in shown:
        return 0
    jobs = [job for job in capture.counted if job.holding]
    known = [job for job in jobs if bound.counted(Held(job, job.partitions[0]))]
    if what == "jobs":
        return shown[what] - len(known)
    threads = {node.name: node.threads for node in capture.nodes}
    held = 0
    for share in (share for job in known for share in job.shares):
        devices = held_devices(share.devices)
        held += share.cores * threads[share.node] if what == "cpu" else of_kind(devices, what)
    return shown[what] - held


def of_kind(devices: Devices, resource: str) -> int:
    """How many of these are a generic resource, such as `gres/gpu`."""
    return sum(count for (name, _), count in devices.items() if f"gres/{name}" == resource)


def reached(capture: Capture, found: Iterable[Bound], held: list[Held]) -> bool:
    """Whether as many jobs hold nodes as a limit allows."""
    return any(
        each.name in COUNTS and sum(map(each.counted, held)) + beside(capture, each, "jobs") >= each.most
        for each in found
    )


def too_long(found: Iterable[Bound], job: Job) -> bool:
    """Whether a job asks for more time than a limit allows."""
    return any(each.name == "MaxWallPJ" and job.limit is not None and job.limit > each.most for each in found)


def kept_out(capture: Capture, job: Job, partition: Partition) -> bool:
    """Whether a job has no entry, by these limits."""
    found = bounds(capture, job, partition)
    names = {each for each, _ in used_up(capture)}
    if not names.isdisjoint(owners(capture, job, partition.name)):
        return True
    held = [Held(other, other.partitions[0]) for other in capture.jobs if other.holding]
    return reached(capture, found, held) or too_long(found, job)


def holding(cycle: Cycle) -> list[Held]:
    """Who holds nodes now, with those that this cycle has started."""
    jobs = {job.id: job for job in cycle.capture.jobs}
    return [Held(jobs[each.id], each.partition) for each in cycle.running]


def count_reached(cycle: Cycle, entry: Entry) -> bool:
    """Whether as many jobs hold nodes as a limit on an entry allows."""
    return reached(cycle.capture, bounds(cycle.capture, entry.job, entry.partition), holding(cycle))


def most_nodes(cycle: Cycle, entry: Entry) -> int:
    """How many nodes the limits allow a job, whoever holds nodes."""
    names = "GrpTRES", "MaxTRESPU", "MaxTRESPA", "MaxTRESPJ"
    found = bounds(cycle.capture, entry.job, entry.partition)
    widest = (each.most for each in found if each.resource == "node" and each.name in names)
    return min((len(cycle.here.names), *widest))


def too_wide(cycle: Cycle, entry: Entry) -> bool:
    """Whether a job asks for more nodes than a limit allows, whoever holds nodes."""
    allowed = most_nodes(cycle, entry)
    return len(cycle.here.names) > allowed and entry.job.request.least_nodes > allowed


def wanted(cycle: Cycle, entry: Entry, nodes: frozenset[int]) -> dict[str, int]:
    """What an entry would hold of some nodes, by resource."""
    request, here = entry.job.request, cycle.here
    whole = entry.partition.exclusive or request.exclusive
    cpus = sum(here.cpus[node] for node in nodes) if whole else request.cpus
    memory = request.memory_per_node * len(nodes) or request.memory_per_cpu * cpus
    found = {"cpu": cpus, "node": len(nodes), "mem": memory or sum(here.memory[node] for node in nodes)}
    for (name, kind), count in counted(request.devices_per_node).items():
        for resource in {f"gres/{name}", f"gres/{name}:{kind}".rstrip(":")}:
            found[resource] = found.get(resource, 0) + count * len(nodes)
    return {**found, "billing": billed(cycle, entry.partition, found)}


def in_use(cycle: Cycle, running: Running) -> dict[str, int]:
    """What a running job holds, by resource."""
    uses = running.nodes.values()
    found = {"cpu": sum(use.cpus for use in uses), "node": len(uses), "mem": sum(use.memory for use in uses)}
    for use in uses:
        for (name, kind), count in use.devices.items():
            for resource in {f"gres/{name}", f"gres/{name}:{kind}".rstrip(":")}:
                found[resource] = found.get(resource, 0) + count
    [partition] = [each for each in cycle.capture.partitions if each.name == running.partition]
    return {**found, "billing": billed(cycle, partition, found)}


def billed(cycle: Cycle, partition: Partition, held: dict[str, int]) -> int:
    """What is billed for resources."""
    if not partition.billing:
        return held["cpu"]
    parts = [held.get(name, 0) * weight for name, weight in partition.billing.items()]
    return int(max(parts) if cycle.capture.settings.greatest_billing else sum(parts))


def over_limit(cycle: Cycle, entry: Entry, nodes: frozenset[int], added: bool = False) -> bool:
    """Whether a choice of nodes would be over a limit; `added`: to the nodes held, not united with them."""
    length = minutes(entry)[1]
    chosen = wanted(cycle, entry, nodes)
    for each in bounds(cycle.capture, entry.job, entry.partition):
        if each.resource not in ("cpu", "node", "mem", "billing") and not each.resource.startswith("gres/"):
            continue
        mine = chosen.get(each.resource, 0)
        pairs = zip(cycle.running, holding(cycle), strict=True)
        others = [one for one, who in pairs if each.counted(who)]
        sizes = [in_use(cycle, one).get(each.resource, 0) for one in others]
        if each.name in ("GrpTRES", "MaxTRESPU", "MaxTRESPA"):
            total = mine + sum(sizes) + beside(cycle.capture, each, each.resource)
            if each.resource == "node":
                held = frozenset[int]().union(*(one.nodes for one in others))
                new = nodes if added else nodes - held
                total = len(held) + len(new) if new else 0
            over = total > each.most
        elif "TRESRunMins" in each.name:
            left = [max(0, one.end - cycle.now) // 60 for one in others]
            used = sum(size * time for size, time in zip(sizes, left, strict=True))
            over = used + mine * length > each.most
        elif each.name == "MaxTRESPJ":
            over = mine > each.most
        elif each.name == "MaxTRESMinsPJ":
            over = mine * length > each.most
        elif each.name == "MaxTRESPN":
            over = each.resource not in ("node", "billing") and mine > each.most * len(nodes)
        elif each.name == "MinTRESPJ":
            over = mine < each.most
        else:
            over = False
        if over:
            return True
    return False


def size_of(job: Running, resource: str) -> int:
    """How much of a resource a running job holds."""
    if resource == "node":
        return len(job.nodes)
    if resource == "cpu":
        return sum(use.cpus for use in job.nodes.values())
    return sum(of_kind(use.devices, resource) for use in job.nodes.values())


def preferred(cycle: Cycle, entry: Entry) -> frozenset[int]:
    """The nodes on which an entry with a limit on nodes starts first: those of the jobs that it counts."""
    pairs = list(zip(cycle.running, holding(cycle), strict=True))

    def held(bound: Bound) -> frozenset[int]:
        return frozenset(node for one, its in pairs if bound.counted(its) for node in one.nodes)

    found: frozenset[int] = frozenset()
    above: frozenset[int] = frozenset()
    for each in bounds(cycle.capture, entry.job, entry.partition):
        if each.resource != "node":
            continue
        if each.name == "GrpTRES" and each.shown[0] == "association" and len(each.shown) == 2:
            above = above or held(each)
        elif each.name == "GrpTRES":
            found = held(each) or found
        elif each.name in ("MaxTRESPU", "MaxTRESPA"):
            found |= held(each)
    return above or found


def weighed(cycle: Cycle, first: frozenset[int], usable: frozenset[int]) -> Machine:
    """The nodes with the weights of a start that prefers some of those that are usable."""
    lines: dict[object, set[int]] = {}
    for place, node in enumerate(cycle.capture.nodes):
        made = node.cores, node.threads, node.cpus, node.memory, node.weight, node.features, node.devices
        lines.setdefault(made, set()).add(place)
    heavier = {node for line in lines.values() if first & line & usable for node in line - first}
    weight = tuple(own + (node in heavier) for node, own in enumerate(cycle.here.weight))
    return cycle.here._replace(weight=weight)
