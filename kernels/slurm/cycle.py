"""One backfill cycle: every entry of the queue gets a place, or a reason why not (docs/slurm-cycle.md)."""

from collections import Counter
from collections.abc import Iterator

from shadowtime.kernels.slurm.records import Cluster, CycleResult, Entry, Outcome, Place, Stop
from shadowtime.kernels.slurm.trial import State, Trial


def plan(cluster: Cluster) -> list[Place]:
    """Return the places in the order of the queue: one for each try of an entry, until the cycle ends."""
    return run_cycle(cluster).places


def run_cycle(cluster: Cluster) -> CycleResult:
    """Return the places of a cycle, the jobs that it starts, and the bound that ended it."""
    cycle = _Cycle(cluster)
    places: list[Place] = []
    begun: set[int] = set()

    def result(stopped: Stop | None) -> CycleResult:
        where = {place.entry: number for number, place in enumerate(places)}
        for trial in cycle.state.together.whole(cluster.entries):
            places[where[trial.index]] = trial.start_planned()
        return CycleResult(places, cycle.state.begun, cycle.tested, stopped, cycle.state.preempted)

    for index, entry in enumerate(cluster.entries):
        if entry.job in begun or entry.component in cycle.state.together.failed:
            # It has started, or a task of it has; or a component of its job never will.
            continue
        started = planned = 0
        while started + planned < entry.tries and planned < entry.plans:
            place = cycle.next(index, entry)
            if place is None:
                return result(cycle.bound())
            places.append(place)
            if cycle.state.full:
                return result(Stop.RECORDS)
            if place.outcome == Outcome.STARTED:
                started += 1
                begun.add(entry.job)
            planned += place.outcome == Outcome.PLANNED
            if place.outcome not in (Outcome.PLANNED, Outcome.STARTED) or 0 < started == entry.starts:
                break
    return result(None)


class _Cycle:
    """What a cycle counts."""

    def __init__(self, cluster: Cluster) -> None:
        self.state = State(cluster)
        self.rules = cluster.rules
        self.tested = self.started = 0
        self.tested_of: Counter[tuple[str, object]] = Counter()
        """A bound and what it counts by -> the entries that were tried."""
        self.placed: set[int] = set()
        self.trial: Trial | None = None
        """The last one, which the next task of the same array uses again."""

    def bound(self) -> Stop | None:
        """The bound that ends the cycle before the next entry, if it is reached."""
        rules = self.rules
        if self.tested >= rules.max_job_test:
            return Stop.TESTS
        return Stop.STARTS if 0 < rules.max_job_start <= self.started else None

    def next(self, index: int, entry: Entry) -> Place | None:
        """What becomes of an entry; None ends the cycle before it."""
        if self.bound() is not None:
            return None
        again = self.trial is not None and self.trial.index == index
        excess = None if again else self.state.full_of_jobs(entry)
        if excess is not None:
            return Place(index, Outcome.SKIPPED, reason="limit on jobs", excess=excess)
        reached = (
            bound for bound, whose, most in self._bounds(entry) if most <= self.tested_of[bound, whose]
        )
        reason = next(reached, "")
        if reason:
            return Place(index, Outcome.SKIPPED, reason=reason)
        self.tested_of.update((bound, whose) for bound, whose, _ in self._bounds(entry))
        if not self.rules.licenses and self.state.lacks_licenses(entry):
            return Place(index, Outcome.SKIPPED, reason="licenses")
        self.tested += 1
        if self.trial is None or not again:
            self.trial = Trial(self.state, index, entry)
        trial = self.trial
        place = trial.for_now() if self._now_only(entry) else trial.place()
        self.started += place.outcome == Outcome.STARTED
        if entry.component and not trial.counts:
            self.state.together.failed.add(entry.component)
        if place.start is not None:
            self.placed.add(entry.job)
        return place

    def _bounds(self, entry: Entry) -> Iterator[tuple[str, object, int]]:
        """The bounds that hold for an entry: the parameter, what it counts by, and how many it allows."""
        rules = self.rules
        if rules.max_job_user_part:
            yield "bf_max_job_user_part", (entry.user, entry.partition), rules.max_job_user_part
        if rules.max_job_part:
            yield "bf_max_job_part", entry.partition, rules.max_job_part
        if rules.max_job_assoc:
            if entry.association:
                yield "bf_max_job_assoc", entry.association, rules.max_job_assoc
        elif rules.max_job_user:
            yield "bf_max_job_user", entry.user, rules.max_job_user

    def _now_only(self, entry: Entry) -> bool:
        """Whether only a start now is sought."""
        rules = self.rules
        if rules.one_resv_per_job and entry.job in self.placed:
            return True
        if rules.min_prio_reserve and entry.priority < rules.min_prio_reserve:
            return True
        return bool(rules.min_age_reserve and self.state.now - entry.eligible < rules.min_age_reserve)
