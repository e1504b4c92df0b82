"""Who is still on nodes of a cluster when they are drained, or when their reservation begins."""

from collections.abc import Collection, Iterator, Sequence

from shadowtime.console.session.impact.outlook import Stay, Vacated
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.scenarios.slurm import Capture, Job, format_hosts


def drained(before: Capture, after: OverTime, at: int) -> Iterator[Vacated]:
    """The nodes that are up no more after changes, if there are any."""
    pairs = zip(before.nodes, after.capture.nodes, strict=True)
    nodes = [then.name for now, then in pairs if now.up and not then.up]
    if nodes:
        yield Vacated(format_hosts(nodes), at, _stays(after, nodes, at))


def reserved(over_time: OverTime, names: Collection[str]) -> Iterator[Vacated]:
    """The nodes of the reservations of these names, which begin."""
    for each in over_time.capture.reservations:
        if each.name in names:
            stays = _stays(over_time, each.nodes, each.begin + 1)
            yield Vacated(format_hosts(each.nodes), each.begin, stays, each.name, each.end)


def _stays(over_time: OverTime, nodes: Sequence[str], after: int) -> tuple[Stay, ...]:
    """The jobs that hold some of the nodes until later than an instant, the last to end first."""
    gone, ends = frozenset(nodes), over_time.ends

    def stay(job: Job) -> Stay:
        held = [name for name in job.nodes if name in gone]
        return Stay(job.shown, job.user, format_hosts(held), ends[job.id])

    holding = (job for job in over_time.capture.jobs if job.holding and ends.get(job.id, 0) > after)
    found = [stay(job) for job in holding if not gone.isdisjoint(job.nodes)]
    return tuple(sorted(found, key=lambda each: -each.until))
