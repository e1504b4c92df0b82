"""Who is put off: the predicted starts of all waiting jobs, noted after each instant of a naive run."""

import copy
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.space.flex import Flex
from tests.oracles.space.virtual import Machine, State
from tests.oracles.steered.expected import expected, to_the_end
from tests.oracles.steered.run import Steered


class Seen(NamedTuple):
    """What stands after the last event of an instant."""

    at: int
    event: int
    predicted: dict[int, int]
    """Of the jobs that wait for their first start."""
    started: dict[int, int]


class Moved(NamedTuple):
    """A job that was put off: how often, how far at most, at which instant and event, and its slip."""

    times: int
    most: int
    at: int
    event: int
    slip: int


def put_off(seen: Iterable[Seen]) -> dict[int, Moved]:
    """Return the jobs that were put off."""
    course, found = list(seen), dict[int, Moved]()
    for job in {job for moment in course for job in moment.predicted}:
        told = [(moment, moment.predicted[job]) for moment in course if job in moment.predicted]
        later = [
            (start - told[place][1], moment)
            for place, (moment, start) in enumerate(told[1:])
            if start > told[place][1]
        ]
        if later:
            most, where = max(later, key=lambda each: (each[0], -each[1].event))
            last = course[-1].started.get(job, told[-1][1])
            found[job] = Moved(len(later), most, where.at, where.event, last - told[0][1])
    return found


def expecting(run: Steered) -> Iterator[Seen]:
    """Yield what runs at the limits give after each instant of a run."""
    while run.step() is not None:
        ahead = copy.deepcopy(run)
        upcoming = ahead.step()
        if upcoming is None or upcoming.time > run.world.now:
            records = run.world.records
            ends = to_the_end(expected(run)).world.records
            starts = {job: record.start for job, record in enumerate(ends[: run.arrived])}
            yield Seen(
                run.world.now,
                len(run.events),
                {job: at for job, at in starts.items() if at is not None and records[job].start is None},
                {job: record.start for job, record in enumerate(records) if record.start is not None},
            )


def planning(jobs: list[Job], nodes: int, slack: int) -> Iterator[Seen]:
    """Yield the plan of Flex after each instant; for an event stands the number of the instant."""
    scheduler = Flex(slack)
    machine, coming = Machine(State(jobs, nodes), scheduler), list(range(len(jobs)))
    started: dict[int, int] = {}
    number = 0
    while coming or machine.state.waiting or machine.state.running:
        times = [machine.next_event(), jobs[coming[0]].submit if coming else None]
        now, number = min(time for time in times if time is not None), number + 1
        machine.complete(now)
        while coming and jobs[coming[0]].submit == now:
            machine.submit(coming.pop(0), now)
        machine.schedule(now)
        started.update(machine.state.running)
        yield Seen(now, number, {item.job: item.start for item in scheduler.plan}, dict(started))
