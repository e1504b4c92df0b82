"""How lanes in lockstep stand at one instant: their figures, what happened, and the jobs that differ."""

from collections.abc import Iterable, Sequence
from heapq import nlargest

import attrs

from console.session.facts import Event, Metrics, Row, Snapshot
from console.session.lockstep import Lockstep, simulation_of
from console.session.partings import NEVER, Partings

FEW = 2048
"""Jobs up to which all are looked at, one by one; of more, those on the machine in some lane."""


@attrs.frozen
class Figures:
    """How well a lane goes at the common instant, which may be later than its own last event."""

    metrics: Metrics
    """What is summed up to an event but cannot be told of this instant is None."""
    here: float | None
    """Seconds that the submitted jobs have been here, in the mean: to their end, or until now."""
    started: int
    finished: int
    submitted: int


@attrs.frozen
class JobDifference:
    """One job in every lane, and how far apart the lanes are with it."""

    rows: tuple[Row, ...]
    by: int
    """Seconds between its starts or its ends, whichever are further apart; for what is to come, until now."""
    growing: bool
    """Whether it is to come in some lane: they will be further apart."""
    leads: tuple[int, ...]
    """The places of the lanes in which it is ahead: it ended first, or where it never has, started first."""


@attrs.frozen
class Standings:
    """Lanes at one instant: what the compare view paints itself from."""

    time: int
    begun: bool
    names: tuple[str, ...]
    snapshots: tuple[Snapshot, ...]
    figures: tuple[Figures, ...]
    events: tuple[tuple[Event, ...], ...]
    """What happens in each lane at this instant, in its order."""
    differences: tuple[JobDifference, ...]
    differing: int
    """How many jobs differ; `differences` has the first of them."""
    partings: Partings | None
    """Where the lanes part, once that is known."""


def standings(lockstep: Lockstep, most: int) -> Standings:
    """Return how the lanes stand, with `most` of the jobs that differ."""
    snapshots = tuple(lane.snapshot() for lane in lockstep.lanes)
    found, count = differences(lockstep, snapshots, most)
    return Standings(
        time=lockstep.time,
        begun=lockstep.begun,
        names=lockstep.names,
        snapshots=snapshots,
        figures=tuple(figures(lockstep, place, snapshot) for place, snapshot in enumerate(snapshots)),
        events=tuple(_events(lockstep, place) for place in range(len(snapshots))),
        differences=found,
        differing=count,
        partings=lockstep.partings,
    )


def _events(lockstep: Lockstep, place: int) -> tuple[Event, ...]:
    """Return the events of this instant in a lane."""
    lane, count = lockstep.lanes[place], 8
    if not lockstep.moved(place):
        return ()
    while True:
        first = max(1, lane.number - count + 1)
        found = lane.events(first, lane.number - first + 1)
        if first == 1 or found[0].time < lockstep.time:
            return tuple(event for event in found if event.time == lockstep.time)
        count *= 4


def figures(lockstep: Lockstep, place: int, snapshot: Snapshot) -> Figures:
    """Return the figures of a lane at the common instant. O(jobs on the machine)."""
    lane = lockstep.lanes[place]
    simulation = simulation_of(lane)
    sums = simulation.tally()[0]
    here = [*snapshot.waiting, *snapshot.holding, *snapshot.running]
    known = len(here) + snapshot.finished == snapshot.submitted > 0
    submits = lane.case.columns.submit
    stays = len(here) * lockstep.time - sum(submits[index] for index in here)
    return Figures(
        metrics=_at(snapshot, sums["first_submit"], lockstep.time),
        here=(sums["response"] + stays) / snapshot.submitted if known else None,
        started=int(sums["started"]),
        finished=snapshot.finished,
        submitted=snapshot.submitted,
    )


def _at(snapshot: Snapshot, first: float, time: int) -> Metrics:
    """Return the metrics of a later instant than the snapshot's, nothing having happened in between."""
    found = snapshot.metrics
    if snapshot.upcoming is None or time <= snapshot.time:
        return found
    span, later = snapshot.time - first, time - snapshot.time

    def carried(mean: float | None, now: float) -> float | None:
        return ((mean or 0.0) * span + now * later) / (span + later)

    return attrs.evolve(
        found,
        utilization=carried(found.utilization, found.utilization_now),
        mean_queue_length=carried(found.mean_queue_length, found.queue_length),
        lost_capacity=None,
        wasted_ratio=None,
        checkpoints_per_node_day=None,
    )


def carried(row: Row, time: int) -> Row:
    """Return a job as it is at a later instant, nothing having happened in between: if it waits, longer."""
    return (
        attrs.evolve(row, wait=row.wait + time - row.now, now=time) if row.waits and time > row.now else row
    )


def differences(
    lockstep: Lockstep, snapshots: Sequence[Snapshot], most: int
) -> tuple[tuple[JobDifference, ...], int]:
    """Return the jobs that the lanes are furthest apart with, `most` at most, and how many there are.

    In a large workload jobs that are over in every lane are passed by, but those that the last event touched,
    until all are.
    """
    partings, over = lockstep.partings, lockstep.over
    if over and partings is not None:
        return tuple(_difference(lockstep, index) for index in partings.furthest[:most]), partings.jobs
    small = over or len(lockstep.lanes[0].case.jobs) <= FEW
    candidates = range(max(shot.submitted for shot in snapshots)) if small else _here(snapshots)
    found = [(by, -index) for index in candidates if (by := _apart(lockstep, index)) is not None]
    chosen = [-index for _, index in nlargest(most, found)]
    return tuple(_difference(lockstep, index) for index in chosen), len(found)


def _here(snapshots: Sequence[Snapshot]) -> Iterable[int]:
    """Return the jobs on the machine in some lane, or just touched, but those that wait in every one."""
    waiting = [frozenset(shot.waiting) for shot in snapshots]
    others = [frozenset((*shot.running, *shot.holding)) for shot in snapshots]
    touched = [shot.changed for shot in snapshots]
    return frozenset().union(*waiting, *others, *touched) - frozenset.intersection(*waiting)


def _apart(lockstep: Lockstep, index: int) -> int | None:
    """Return how many seconds a job's starts or ends are apart by now; None where they are the same."""
    now, found = lockstep.time, None
    for times in (_starts(lockstep, index), _ends(lockstep, index)):
        first, last = min(times), max(times)
        if first != last:
            found = max(found or 0, min(last, now) - first)
    return found


def _starts(lockstep: Lockstep, index: int) -> list[int]:
    """Return a job's first start in each lane, NEVER where it is to come."""
    return [_passed(simulation_of(lane).start_of(index)) for lane in lockstep.lanes]


def _ends(lockstep: Lockstep, index: int) -> list[int]:
    return [_passed(simulation_of(lane).finish_of(index)) for lane in lockstep.lanes]


def _passed(time: int | None) -> int:
    return NEVER if time is None else time


def _difference(lockstep: Lockstep, index: int) -> JobDifference:
    now = lockstep.time
    rows = tuple(carried(lane.row(index), now) for lane in lockstep.lanes)
    starts, ends = _starts(lockstep, index), _ends(lockstep, index)
    order = list(zip(ends, starts, strict=True))
    return JobDifference(
        rows=rows,
        by=_apart(lockstep, index) or 0,
        growing=max(*starts, *ends) > now,
        leads=tuple(place for place, times in enumerate(order) if times == min(order)),
    )
