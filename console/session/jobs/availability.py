"""Availability: how many nodes are free when, from now on, as far as that can be known.

Every running job is taken to end at its estimate, every known outage to begin and end as it says; then every
waiting job is taken to start when it is predicted to. For the session's thread.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.facts import DOWN
from shadowtime.console.session.jobs.bars import planned_starts
from shadowtime.console.session.jobs.rows import holding
from shadowtime.console.session.session import Session
from shadowtime.console.session.values import Value
from shadowtime.kernels.core.simulation import Simulation

Changes = Iterable[tuple[int, int]]
"""Instants, and by how much the number of free nodes changes then."""


@attrs.frozen
class Profile:
    """Free nodes over time: so many from each instant on, until the next."""

    times: Sequence[int]
    free: Sequence[int]

    def at(self, instant: int) -> int:
        """Return how many nodes are free at an instant; before the first, those of the first."""
        return self.free[max(0, bisect_right(self.times, instant) - 1)]

    def least(self, since: int, until: int) -> int:
        """Return the least number of free nodes from an instant up to, and without, another."""
        first = max(0, bisect_right(self.times, since) - 1)
        last = max(first + 1, bisect_right(self.times, until - 1))
        return min(self.free[first:last])


@attrs.frozen
class Head:
    """The first of the queue: what it needs, and when that is free."""

    job: int
    """Index."""
    size: int
    time: int
    """When it can start."""
    extra: int
    """The nodes that it leaves free then."""
    shadow: bool
    """Whether the policy goes by the instant as its shadow time; else it is the predicted start."""


@attrs.frozen
class Availability:
    """Free nodes from now on."""

    now: int
    nodes: int
    ends: Profile
    """As running jobs end and outages begin and end."""
    planned: Profile
    """The same with every waiting job in the place predicted for it."""
    head: Head | None
    """None if nobody waits, or the first of the queue has no start that is known."""
    starts: Mapping[int, int]
    """When waiting jobs are predicted to start, by index."""


def availability(session: Session) -> Availability:
    """Return the free nodes from now on. O(jobs on the machine)."""
    run = session.run
    simulation, columns = run.simulation, run.case.columns
    now = simulation.now
    starts = planned_starts(run, simulation)
    ends = {job: _end(simulation, job) for job in simulation.running()}
    beside = [(job, state) for job, state in holding(simulation).items() if simulation.nodes_of(job)]
    # Who is about to run has its estimate before it; who is being stopped leaves as soon as that is done.
    ends |= {job: now + (columns.estimate[job] if state == "W" else 1) for job, state in beside}
    sized = run.case.scenario.machine.torus is None
    leaving = [
        (end, columns.size[job] if sized else sum(count for _, count in simulation.nodes_of(job)))
        for job, end in ends.items()
    ]
    leaving += _outages(session, simulation, ends)
    about = {job for job, state in beside if state == "W"}
    coming = [
        change
        for job, start in starts.items()
        if job not in about
        for change in ((start, -columns.size[job]), (start + columns.estimate[job], columns.size[job]))
    ]
    free = Profile(*_profile(now, simulation.free, leaving))
    planned = Profile(*_profile(now, simulation.free, [*leaving, *coming]))
    return Availability(now, run.case.nodes, free, planned, _head(session, simulation, starts, free), starts)


def _end(simulation: Simulation, job: int) -> int:
    end = simulation.end_of(job)
    return simulation.now + 1 if end is None else max(end, simulation.now + 1)


def _profile(now: int, free: int, changes: Changes) -> tuple[Sequence[int], Sequence[int]]:
    by_time: dict[int, int] = {}
    for time, by in changes:
        moment = max(time, now)
        by_time[moment] = by_time.get(moment, 0) + by
    free += by_time.pop(now, 0)
    times, found = [now], [free]
    for time in sorted(by_time):
        free += by_time[time]
        times.append(time)
        found.append(free)
    return times, found


def _head(session: Session, simulation: Simulation, starts: Mapping[int, int], free: Profile) -> Head | None:
    waiting = simulation.waiting()
    if not waiting:
        return None
    job = waiting[0]
    size = session.run.case.columns.size[job]
    reason = session.run.reasons.of(simulation, job)
    numbers: Mapping[str, Value] = {} if reason is None else reason.numbers
    shadow, extra = numbers.get("shadow"), numbers.get("extra")
    if isinstance(shadow, int):
        return Head(job, size, shadow, extra if isinstance(extra, int) else free.at(shadow) - size, True)
    start = starts.get(job)
    return None if start is None else Head(job, size, start, free.at(start) - size, False)


def _outages(session: Session, simulation: Simulation, ends: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the changes by outages, as far as they are known; a node with a job leaves after it."""
    scenario, now = session.run.case.scenario, simulation.now
    draining = frozenset(simulation.draining())
    known = [outage for outage in scenario.outages if outage.until is None or outage.until > now]
    if not known and not draining:
        return
    owners, per = simulation.owners(), scenario.machine.node_size
    away: dict[int, list[tuple[int, int | None]]] = {}
    for outage in known:
        for first, end in outage.nodes:
            for node in range(first * per, min(end * per, len(owners))):
                away.setdefault(node, []).append((outage.start, outage.until))
    for node in draining:
        away.setdefault(node, []).append((now, None) if not away.get(node) else away[node][0])
    for node, spans in away.items():
        owner = owners[node]
        if owner == DOWN:
            backs = [until for start, until in spans if start <= now]
            if backs and None not in backs:
                yield max(until for until in backs if until is not None), 1
        busy = ends.get(owner, now) if owner >= 0 else now
        for start, until in spans:
            if owner == DOWN and start <= now:
                continue
            leaves = max(start, busy)
            if until is None or until > leaves:
                yield leaves, -1
                if until is not None:
                    yield until, 1
