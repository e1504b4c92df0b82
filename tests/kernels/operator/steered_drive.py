"""How the tests drive a steered simulation beside the naive program, event by event."""

from statistics import fmean

import pytest

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Outage, Steering
from shadowtime.kernels.policies import make
from tests.kernels.drive import table
from tests.oracles.steered import case as steered_case
from tests.oracles.steered.case import Case, Event
from tests.oracles.steered.run import Steered

ENDED = {"C": "F", "K": "F"}
"""Letters of the naive program that a simulation has no letter for."""


def ranges(nodes: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Nodes, ascending, as (first, count) of those that follow each other."""
    found: list[tuple[int, int]] = []
    for node in nodes:
        if found and sum(found[-1]) == node:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((node, 1))
    return tuple(found)


def action_of(action: steered_case.Action) -> Intervention:
    """An action as the kernel takes it."""
    return Intervention(
        action.do,
        at=action.at,
        after=action.after,
        job=-1 if action.job is None else action.job,
        to=action.to,
        nodes=ranges(action.nodes),
        policy=None if action.policy is None else make(*action.policy),
    )


def steering_of(case: Case) -> Steering:
    """What is done in a case: first the timed actions by time, then the numbered ones by number."""
    timed = sorted((a for a in case.actions if a.at is not None), key=lambda action: action.at or 0)
    numbered = sorted((a for a in case.actions if a.at is None), key=lambda action: action.after or 0)
    return Steering(
        [action_of(action) for action in timed + numbered],
        [Outage(ranges(outage.nodes), outage.start, outage.until, outage.kill) for outage in case.outages],
        case.on_failure,
        case.interval,
    )


def simulate(case: Case) -> Simulation:
    """A simulation of a case, before its first event."""
    return Simulation(table(case.jobs), case.nodes, make(*case.policy), steering=steering_of(case))


def difference(case: Case, naive: Steered | None = None, every: int = 1) -> str | None:
    """The first event after which the simulation is not where the naive program is, and how; None without.

    The naive program is the plain one, or another one of the same case. The machine and its jobs are compared
    after every so many events.
    """
    naive = naive or Steered(case)
    simulation, areas = simulate(case), Areas(case)
    while (event := areas.step(naive)) is not None:
        if event.kind == "action":
            foretold = simulation.refusal(action_of(case.actions[naive.acted[-1]]))
            if (foretold is not None) != (event.number in dict(naive.refusals)):
                return f"the refusal {foretold} is foretold of {event}"
        if not simulation.step():
            return f"the simulation ends before {event}"
        assert simulation.last is not None
        time, kind, job = simulation.last
        found = (simulation.event, time, EVENT_NAMES[kind], None if job < 0 else job)
        if found != tuple(event):
            return f"{found} is not {event}"
        for what, (mine, theirs) in standing(simulation, naive).items() if event.number % every == 0 else ():
            if mine != theirs:
                return f"{what} after {event}: {mine}; expected {theirs}"
    return "the simulation goes on" if simulation.step() else ended(simulation, naive, areas)


def standing(simulation: Simulation, naive: Steered) -> dict[str, tuple[object, object]]:
    """What both say of the machine and its jobs."""
    world = naive.world
    letters = [record.state for record in world.records]
    states = [simulation.state(job) for job in range(len(letters))]
    waited = [simulation.waited(job) for job in range(len(letters))]
    refused = any(kind == "refuse" for kind, *_ in simulation.decisions())
    number = len(naive.events)
    return {
        "owners": (list(simulation.owners()), world.owners()),
        "states": (states, [ENDED.get(letter, letter) for letter in letters]),
        "queue": (list(simulation.waiting()), world.queue()),
        "running": (sorted(simulation.running()), sorted(world.running)),
        "draining": (list(simulation.draining()), world.draining()),
        "idle": (simulation.free, world.owners().count(-1)),
        "waited": (waited, waits(naive)),
        "refused": (refused, number in dict(naive.refusals)),
    }


def shares_space(naive: Steered) -> bool:
    """Whether no policy of the case is a gang scheduler, which has other ways to count a wait."""
    case = naive.case
    policies = [action.policy for action in case.actions if action.policy is not None]
    return "gang" not in [name for name, _ in [case.policy, *policies]]


def waits(naive: Steered) -> list[int | None]:
    """What each job that is here has waited by now; with columns it waits on where it never ran."""
    found = list[int | None]()
    for record in naive.world.records:
        waiting = record.state in ("N", "O", "H") or (record.state == "W" and not record.ran)
        queued = naive.world.now - record.entered if waiting else 0
        found.append(record.wait + queued if record.state in ("N", "O", "H", "W", "R", "S") else None)
    return found


class Areas:
    """What is summed over the time of a naive run."""

    def __init__(self, case: Case) -> None:
        self.jobs = case.jobs
        self.lost = 0
        """Node-seconds idle while a job of the queue would have fitted."""
        self.waiting = 0
        """Seconds of jobs in the queue or held."""

    def step(self, naive: Steered) -> Event | None:
        """Let the next event happen."""
        world, since = naive.world, naive.events[-1].time if naive.events else None
        idle, letters = len(world.idle()), [record.state for record in world.records]
        fitting = any(self.jobs[job].size <= idle for job in world.queue())
        event = naive.step()
        if event is not None and since is not None:
            self.lost += (event.time - since) * idle * fitting
            self.waiting += (event.time - since) * sum(letter in ("N", "O", "H") for letter in letters)
        return event


def measured(naive: Steered, areas: Areas) -> dict[str, float | None]:
    """Metrics of a run that is over, under a policy that shares space."""
    case, fates = naive.case, naive.world.fates()
    span = naive.world.now - case.jobs[0].submit
    responses = [
        (fate.finish - job.submit, job.runtime)
        for job, fate in zip(case.jobs, fates, strict=True)
        if fate.state == "F" and fate.finish is not None
    ]
    busy = sum((stretch.until - stretch.since) * len(stretch.nodes) for f in fates for stretch in f.held)
    return {
        "mean_response": fmean(response for response, _ in responses) if responses else None,
        "mean_slowdown": fmean(response / runtime for response, runtime in responses) if responses else None,
        "utilization": busy / (span * case.nodes) if span > 0 else None,
        "lost_capacity": areas.lost / (span * case.nodes) if span > 0 else None,
        "wasted_ratio": naive.world.wasted / (span * case.nodes) if span > 0 else None,
        "mean_queue_length": areas.waiting / span if span > 0 else None,
    }


def ended(simulation: Simulation, naive: Steered, areas: Areas) -> str | None:
    """How the results differ, which are columns with -1 for what never was, and the metrics."""
    results, fates = simulation.results(), naive.world.fates()
    for name in ("start", "finish", "preemptions"):
        expected = [-1 if (value := getattr(fate, name)) is None else value for fate in fates]
        if list(results[name]) != expected:
            return f"{name}: {list(results[name])}; expected {expected}"
    metrics = simulation.metrics()
    for name, value in measured(naive, areas).items() if shares_space(naive) else ():
        if metrics[name] != (value if value is None else pytest.approx(value)):
            return f"{name}: {metrics[name]}; expected {value}"
    return None
