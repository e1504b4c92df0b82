"""The search for a response: an action at a time, each the one that helps most, as far as the budget goes.

It is for incidents whose file has no response. Candidates are the allowed actions at the instants at which
something happens, not before the first thing goes wrong: each is simulated to the end. Of the jobs those are
tried that wait or run longest, and of the nodes those that ever fail. What a search does not try proves
baseline.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from shadowtime.console.session.case import Case
from shadowtime.console.session.shift.figures import Figures, final, index
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action
from shadowtime.scenarios.nodes import NodeRanges
from shadowtime.scenarios.shift import Shift

ROUNDS = 8
"""Actions that a response has at most."""
INSTANTS = 40
"""Instants that a round tries at most, evenly spread."""
WORK = 30_000
"""Instants times jobs that a round tries at most: a month of a log is searched more coarsely than a night."""
JOBS = 6
"""Jobs of a kind that an instant tries."""
LEAST = 0.005
"""The least gain in the index for which an action is taken."""


def improved(case: Case, shift: Shift, baseline: Figures, end: int) -> Case:
    """Return a case with the actions that were found; the same case if none helps."""
    best, least = case, 1.0
    for _ in range(min(ROUNDS, shift.budget or ROUNDS)):
        tried = [(_index(it, shift, baseline, end), it) for it in _candidates(best, shift)]
        value, other = min(tried, key=lambda pair: pair[0], default=(least, best))
        if value > least - LEAST:
            break
        best, least = other, value
    return best


def _index(case: Case, shift: Shift, baseline: Figures, end: int) -> float:
    found = final(case, shift, end)
    return index(found, baseline, shift.fairness) if found.over >= baseline.over else float("inf")


def _candidates(case: Case, shift: Shift) -> Iterator[Case]:
    """The case with one action more, at any of the instants that are tried."""
    own = case.scenario.actions
    done = max((action.after or 0 for action in own if action.after is not None), default=-1)
    simulation = case.simulation()
    for event in _instants(case, done):
        simulation.run(events=event - simulation.event)
        if simulation.event != event or (shift.until is not None and simulation.now >= shift.until):
            return
        for action in _actions(case, shift, simulation):
            yield case.steered((*own, action.right_after(event)))


def _instants(case: Case, after: int) -> Sequence[int]:
    """The events at the ends of instants, from the first failure, urgent job or action of the file on."""
    scenario = case.scenario
    wrong = [outage.start for outage in scenario.outages]
    wrong += [action.at for action in scenario.actions if action.at is not None]
    wrong += [note.at for note in scenario.notes if note.at > 0]
    since = min(wrong, default=0)
    most = max(3, min(INSTANTS, WORK // max(len(case.jobs), 1)))
    # Counted first, then chosen: a list of all of them would grow with the run.
    count = sum(1 for _ in _ends(case, since, after))
    return tuple(islice(_ends(case, since, after), 0, None, max(1, -(-count // most))))


def _ends(case: Case, since: int, after: int) -> Iterator[int]:
    """Every event later than `after` that ends an instant, from the instant `since` on."""
    simulation = case.simulation()
    while simulation.step():
        upcoming = simulation.peek()
        ends = upcoming is None or upcoming[0] > simulation.now
        if ends and simulation.now >= since and simulation.event > after:
            yield simulation.event


def _actions(case: Case, shift: Shift, simulation: Simulation) -> Iterator[Action]:
    """What may be done at the place of a simulation; what is refused there is not left out."""
    ids = case.columns.id
    waiting = [ids[row] for row in list(simulation.waiting())[:JOBS]]
    running = sorted(simulation.running(), key=lambda row: -(simulation.end_of(row) or 0))[:JOBS]
    states = {ids[row]: simulation.state(row) for row in simulation.held()}
    of_jobs = {
        "start": waiting,
        "hold": waiting,
        "suspend": [ids[row] for row in running],
        "resume": [job for job, state in states.items() if state == "S"],
        "release": [job for job, state in states.items() if state == "H"],
    }
    for do, jobs in of_jobs.items():
        for job in jobs if do in shift.allow else ():
            yield Action(do, job)
    if "priority" in shift.allow:
        for job in waiting[1:]:
            yield Action("priority", job, to=1)
    for do in ("drain", "up"):
        if do in shift.allow:
            for nodes in _failing(case):
                yield Action(do, nodes=nodes)


def _failing(case: Case) -> Sequence[NodeRanges]:
    """The nodes of the outages and of the actions of the file."""
    found = [outage.nodes for outage in case.scenario.outages]
    found += [action.nodes for action in case.scenario.actions if action.at is not None and action.nodes]
    return tuple(dict.fromkeys(found))
