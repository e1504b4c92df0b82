"""One backfill cycle: every waiting job gets a start, or a reason why not (sections 3 and 4)."""

from collections import Counter
from typing import NamedTuple

from shadowtime.scenarios.slurm import Capture
from tests.oracles.slurm.access.limits import count_reached, kept_out
from tests.oracles.slurm.attempt import Attempt, Outcome, attempt
from tests.oracles.slurm.entry import Cycle, begin_cycle, minutes
from tests.oracles.slurm.holding import Running, counted_licenses, licenses_of
from tests.oracles.slurm.queue import Entry, queue


class Row(NamedTuple):
    """A row of the plan, in the order of the queue."""

    job: str
    partition: str
    reservation: str
    priority: int
    outcome: str
    start: int | None
    end: int | None
    nodes: frozenset[str]
    note: str


class Begun(NamedTuple):
    """A job that starts: the entry it had, and what it holds."""

    entry: Entry
    running: Running


def plan(capture: Capture, now: int) -> list[Row]:
    """The plan of the cycle that begins now."""
    cycle = begin_cycle(capture, now)
    return [row(cycle, entry, result) for entry, result in results(cycle, now)]


class Made(NamedTuple):
    """What a cycle or a pass did: whom it started, how many it tried, what ended or closed it."""

    begun: list[Begun]
    tried: int
    stopped: str = ""
    closed: tuple[tuple[str, str], ...] = ()
    planned: int = 0
    preempted: tuple[Running, ...] = ()
    """Who is requeued or cancelled."""


def cycle_made(capture: Capture, now: int) -> Made:
    """What the cycle that begins now does."""
    cycle = begin_cycle(capture, now)
    before = len(cycle.running)
    found = results(cycle, now)
    started = {
        (entry.job.id, entry.partition.name): entry
        for entry, result in found
        if result.outcome == Outcome.STARTED
    }
    begun = [Begun(started[each.id, each.partition], each) for each in cycle.running[before:]]
    planned = sum(result.outcome == Outcome.PLANNED for _, result in found)
    return Made(begun, cycle.tested, cycle.stopped, (), planned, tuple(cycle.preempted))


def entries(capture: Capture, now: int) -> list[Entry]:
    """The queue, without those whom limits keep out."""
    return [entry for entry in queue(capture, now) if not kept_out(capture, entry.job, entry.partition)]


def results(cycle: Cycle, now: int) -> list[tuple[Entry, Attempt]]:
    """What becomes of each entry, in the order of the queue."""
    found = tried(cycle, now)
    for components in cycle.together.whole(cycle.capture):
        for entry, trying, best in components:
            place = next(place for place, each in enumerate(found) if each[0] == entry)
            found[place] = entry, trying.start_now(best)
    return found


def tried(cycle: Cycle, now: int) -> list[tuple[Entry, Attempt]]:
    """What the tries find, before heterogeneous jobs start."""
    found: list[tuple[Entry, Attempt]] = []
    begun: set[int] = set()
    for entry in entries(cycle.capture, now):
        if entry.job.het_job in cycle.together.failed:
            continue
        if entry.job.id in begun:
            continue
        started = planned = 0
        most = 1 if entry.job.array is None else cycle.limits.max_job_array_resv
        while started + planned < entry.tasks and planned < most:
            result = one(cycle, entry, started + planned == 0)
            if result is None:
                tests = cycle.tested >= cycle.limits.max_job_test
                cycle.stopped = "bf_max_job_test" if tests else "bf_max_job_start"
                return found
            found.append((entry, result))
            if cycle.full:
                cycle.stopped = "bf_node_space_size"
                return found
            if result.outcome == Outcome.STARTED:
                started += 1
                begun.add(entry.job.id)
            planned += result.outcome == Outcome.PLANNED
            if result.outcome not in ("planned", "started") or 0 < started == entry.may_start:
                break
    return found


def one(cycle: Cycle, entry: Entry, first: bool) -> Attempt | None:
    """What becomes of one entry at its first try or a later one; None ends the cycle before it."""
    limits = cycle.limits
    if cycle.tested >= limits.max_job_test or 0 < limits.max_job_start <= cycle.started:
        return None
    if first and count_reached(cycle, entry):
        return Attempt(Outcome.SKIPPED, note="limit on jobs")
    user, partition = entry.job.user, entry.partition.name
    bounds: list[tuple[str, object, int]] = [
        ("bf_max_job_user_part", (user, partition), limits.max_job_user_part),
        ("bf_max_job_part", partition, limits.max_job_part),
        ("bf_max_job_assoc", entry.job.association, limits.max_job_assoc),
    ]
    if not limits.max_job_assoc:
        bounds.append(("bf_max_job_user", user, limits.max_job_user))
    for bound, whose, most in bounds:
        if whose and most and cycle.tested_of[bound, whose] >= most:
            return Attempt(Outcome.SKIPPED, note=bound)
    for bound, whose, _ in bounds:
        cycle.tested_of[bound, whose] += 1
    if entry.job.request.licenses and not limits.licenses and lacks_now(cycle, entry):
        return Attempt(Outcome.SKIPPED, note="licenses")
    cycle.tested += 1
    result = attempt(cycle, entry)
    cycle.started += result.outcome == Outcome.STARTED
    return result


def lacks_now(cycle: Cycle, entry: Entry) -> bool:
    """Whether the licences of a job are not free now."""
    free = Counter(cycle.capture.settings.licenses)
    for job in cycle.running:
        free.subtract(job.licenses)
    until = cycle.now + 60 * minutes(entry)[1]
    for each in cycle.capture.reservations:
        if each.name != entry.job.reservation and each.begin < until and each.end > cycle.now:
            free.subtract(counted_licenses(each.licenses))
    return any(free[name] < count for name, count in licenses_of(entry.job).items())


def row(cycle: Cycle, entry: Entry, result: Attempt) -> Row:
    """The row of an attempt."""
    return Row(
        entry.name, entry.partition.name, entry.job.reservation, entry.priority, result.outcome,
        result.start, result.end, frozenset(cycle.here.names[node] for node in result.nodes), result.note,
    )  # fmt: skip
