"""How lanes in lockstep stand at one instant: their figures, what happened, and the jobs that differ."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest

import attrs

from shadowtime.console.session.clock import ELAPSED, Clock
from shadowtime.console.session.comparison.divergence import NEVER, Partings
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.session.facts import ASIDE, Event, Metrics, Row, Snapshot
from shadowtime.console.session.operator.refusals import Refusal
from shadowtime.scenarios.values import Machine

FEW = 2048
"""Jobs up to which all are looked at, one by one; of more, those on the machine in some lane."""


@attrs.frozen
class Figures:
    """How well a lane goes at the common instant, which may be later than its own last event."""

    metrics: Metrics
    """What is summed up to an event but is not known of this instant is None."""
    here: float | None
    """Seconds that the submitted jobs have been here, in the mean: to their end, or until now."""
    started: int
    finished: int
    submitted: int


@attrs.frozen
class JobDifference:
    """One job in every lane, and how far apart the lanes are with it.

    A start that is to come counts as it is predicted, if predictions are at hand.
    """

    rows: tuple[Row, ...]
    by: int
    """Seconds between its starts or its ends, whichever are further apart; for what is unknown, until now."""
    growing: bool
    """Whether a start or an end that is past in another lane is to come, nobody knows when."""
    leads: tuple[int, ...]
    """The places of the lanes in which it is ahead: it ended first, or if it never has, starts first."""


@attrs.frozen
class Differing:
    """The jobs that the lanes are apart with."""

    jobs: tuple[JobDifference, ...]
    """The first of them, those furthest apart first."""
    count: int
    started: bool
    """Whether the same jobs have started in all lanes."""
    finished: bool
    """Whether the same jobs have ended in all lanes."""
    known: bool = True
    """Not at the end of a large workload, until it is known where the lanes part."""


@attrs.frozen
class LaneFigures:
    """Lanes at one instant: what the compare view paints itself from."""

    time: int
    begun: bool
    names: tuple[str, ...]
    machines: tuple[Machine, ...]
    """The machine of each lane."""
    snapshots: tuple[Snapshot, ...]
    figures: tuple[Figures, ...]
    events: tuple[tuple[Event, ...], ...]
    """What happens in each lane at this instant, in its order."""
    refused: tuple[tuple[Refusal, ...], ...]
    """What could not be done in each lane so far."""
    differing: Differing
    partings: Partings | None
    """Where the lanes part, once that is known."""
    clock: Clock = ELAPSED
    until: int = NEVER
    """The last instant of which every lane is known."""
    first: int = 0
    """How many lanes stand before the first of these."""


def some_of(it: LaneFigures, places: Sequence[int]) -> LaneFigures:
    """Return the standings of lanes that follow one another, beside how far all of them are apart."""
    if len(places) == len(it.names):
        return it

    def differing(found: JobDifference) -> JobDifference:
        leads = tuple(at for at, place in enumerate(places) if place in found.leads)
        return attrs.evolve(found, rows=tuple(found.rows[place] for place in places), leads=leads)

    return attrs.evolve(
        it,
        first=places[0],
        names=tuple(it.names[place] for place in places),
        machines=tuple(it.machines[place] for place in places),
        snapshots=tuple(it.snapshots[place] for place in places),
        figures=tuple(it.figures[place] for place in places),
        events=tuple(it.events[place] for place in places),
        refused=tuple(it.refused[place] for place in places),
        differing=attrs.evolve(it.differing, jobs=tuple(differing(found) for found in it.differing.jobs)),
    )


def standings(lockstep: Lockstep, most: int, calendar: bool = False) -> LaneFigures:
    """Return how the lanes stand, with `most` of the jobs that differ; `calendar` asks for that clock."""
    snapshots = tuple(lane.snapshot() for lane in lockstep.lanes)
    return LaneFigures(
        time=lockstep.time,
        begun=lockstep.begun,
        names=lockstep.names,
        machines=tuple(lane.case.scenario.machine for lane in lockstep.lanes),
        snapshots=snapshots,
        figures=tuple(figures(lockstep, place, snapshot) for place, snapshot in enumerate(snapshots)),
        events=tuple(_events(lockstep, place) for place in range(len(snapshots))),
        refused=tuple(lane.refused for lane in lockstep.lanes),
        differing=differences(lockstep, snapshots, most),
        partings=lockstep.partings,
        clock=Clock(lockstep.lanes[0].case.scenario.epoch, calendar),
        until=lockstep.until,
    )


def _events(lockstep: Lockstep, place: int) -> tuple[Event, ...]:
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
    sums = lane.sums()
    here = [*snapshot.waiting, *snapshot.holding, *snapshot.running]
    submits = lane.case.columns.submit
    # Lanes of a cluster have their jobs from the beginning, which is before the capture.
    begun = max((submits[index] for index in here), default=0) <= lockstep.time
    known = begun and len(here) + snapshot.finished == snapshot.submitted > 0
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
        return None if mean is None and span else ((mean or 0.0) * span + now * later) / (span + later)

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


def differences(lockstep: Lockstep, snapshots: Sequence[Snapshot], most: int) -> Differing:
    """Return how jobs differ between the lanes by now, with `most` of those that are furthest apart.

    In a large workload jobs that are over in every lane are passed by, but those that the last event touched,
    until all are, and it is known where the lanes part.
    """
    partings, over = lockstep.partings, lockstep.over
    small = len(lockstep.lanes[0].case.jobs) <= FEW
    predicted = _predicted(lockstep)
    if over and partings is not None:
        chosen, count = partings.furthest[:most], partings.jobs
        started = finished = len({shot.finished for shot in snapshots}) == 1
    else:
        candidates = (
            range(max(shot.submitted for shot in snapshots)) if small else _here(snapshots, predicted)
        )
        found = {index: times for index in candidates if (times := _times(lockstep, index, predicted)).differ}
        aside = _aside(snapshots)
        chosen = nlargest(
            most, found, key=lambda index: (index in aside, found[index].by(lockstep.time), -index)
        )
        count = len(found)
        started = not any(NEVER in times.starts and times.started for times in found.values())
        finished = not any(NEVER in times.ends and times.ended for times in found.values())
    jobs = tuple(_difference(lockstep, index, predicted) for index in chosen)
    return Differing(jobs, count, started, finished, small or not over or partings is not None)


def _aside(snapshots: Sequence[Snapshot]) -> frozenset[int]:
    """Return the jobs that an operator keeps aside in some lanes only: those are apart without end."""
    each = [frozenset(index for index, state in shot.holding.items() if state in ASIDE) for shot in snapshots]
    return frozenset[int]().union(*each) - frozenset.intersection(*each)


Predicted = Sequence[Mapping[int, int]]
"""The predicted starts of the waiting jobs of each lane, by index; none of any unless all lanes have them."""


def _predicted(lockstep: Lockstep) -> Predicted:
    lanes = lockstep.lanes
    if not all(lane.predicted for lane in lanes):
        return [{} for _ in lanes]
    found = [lane.predicted_starts() for lane in lanes]
    if lockstep.until == NEVER:
        return found
    return [{job: at for job, at in starts.items() if at <= lockstep.until} for starts in found]


def _here(snapshots: Sequence[Snapshot], predicted: Predicted) -> Iterable[int]:
    """Return the jobs on the machine in some lane, or just touched, but those that wait alike in every one.

    If jobs are preempted, one that waits everywhere may have started somewhere.
    """
    waiting = [frozenset(shot.waiting) for shot in snapshots]
    others = [frozenset((*shot.running, *shot.holding, *shot.changed)) for shot in snapshots]
    preempted = any(shot.metrics.preempt_ratio for shot in snapshots)
    alike = frozenset[int]() if preempted else frozenset.intersection(*waiting)
    first = predicted[0]
    alike = frozenset(
        index for index in alike if all(other.get(index) == first.get(index) for other in predicted[1:])
    )
    return frozenset[int]().union(*waiting, *others) - alike


@attrs.frozen
class Times:
    """When a job first started and when it ended in each lane; NEVER for what is to come."""

    starts: list[int]
    ends: list[int]
    expected: list[int]
    """The starts, those to come as they are predicted; NEVER for what is not known."""

    @property
    def differ(self) -> bool:
        """Whether they are not the same in all lanes."""
        return min(self.expected) != max(self.expected) or min(self.ends) != max(self.ends)

    @property
    def started(self) -> bool:
        return min(self.starts) < NEVER

    @property
    def ended(self) -> bool:
        return min(self.ends) < NEVER

    @property
    def growing(self) -> bool:
        """Whether lanes are apart by what some of them do not know yet."""
        return any(min(times) < NEVER == max(times) for times in (self.expected, self.ends))

    def by(self, now: int) -> int:
        """Seconds between the starts or the ends, whichever are further apart; until now for the unknown."""
        return max(_between(times, now) for times in (self.expected, self.ends))


def _between(times: Sequence[int], now: int) -> int:
    last = max(times)
    return max(0, (now if last == NEVER else last) - min(times))


def _times(lockstep: Lockstep, index: int, predicted: Predicted) -> Times:
    starts = [_passed(lane.started_at(index)) for lane in lockstep.lanes]
    return Times(
        starts,
        [_passed(lane.finished_at(index)) for lane in lockstep.lanes],
        [
            known.get(index, NEVER) if start == NEVER else start
            for start, known in zip(starts, predicted, strict=True)
        ],
    )


def _passed(time: int | None) -> int:
    return NEVER if time is None else time


def _difference(lockstep: Lockstep, index: int, predicted: Predicted) -> JobDifference:
    now, times = lockstep.time, _times(lockstep, index, predicted)
    # Who ended first is ahead; if no lane has, who starts first.
    order = list(zip(times.ends, times.expected, strict=True))
    return JobDifference(
        rows=tuple(carried(lane.row(index), now) for lane in lockstep.lanes),
        by=times.by(now),
        growing=times.growing,
        leads=tuple(place for place, found in enumerate(order) if found == min(order)),
    )
