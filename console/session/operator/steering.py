"""From what a file or an operator says to what the kernel is given: jobs by row, policies made.

A parameter belongs to the policy that is in force when it changes. Most of the time the actions alone settle
which that is; if they do not (some follow events and some the clock, or a policy may be refused), the run up
to there does.
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from shadowtime.console.session.environment import refuse_machine
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.operator.journal import acted, events_of, timed
from shadowtime.console.session.plugins import choose, defaults_of, policies
from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Steering
from shadowtime.kernels.operator.steering import Outage as KernelOutage
from shadowtime.kernels.policies import Policy, make
from shadowtime.scenarios import Action, Labels, Scenario, ScenarioError
from shadowtime.scenarios.nodes import NodeRanges

Force = tuple[str, Mapping[str, object]]
PRIORITIES = {"interactive": 4, "debug": 4, "production": 3, "benchmark": 2, "standby": 1}
"""The priority of a class by its name (Feitelson & Jette 1997, the table of section 4); any other has 0."""

INTERACTIVE = {"interactive": 1}
"""The class of the jobs that somebody waits for in front of a screen."""

SERVICE = {name: number for number, name in enumerate(SERVICES)}
"""The T3D's classes of service by their names."""


class Steered(Protocol):
    """A case, as far as its actions depend on it."""

    @property
    def scenario(self) -> Scenario: ...
    @property
    def policy(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, object]: ...
    def index_of(self, job: int) -> int: ...
    def begun(self, steering: Steering) -> Simulation: ...


def settle(
    case: Steered, actions: Sequence[Action], known: Mapping[int, Intervention] | None = None
) -> tuple[Intervention, ...]:
    """Return the intervention of each of a scenario's actions.

    `known` holds those that are known, by the identity of the action. SessionError: a policy that cannot
    schedule this machine, with the line of the file.
    """
    known = known or {}
    interventions = [known.get(id(action)) or intervention_of(case, action, None) for action in actions]
    open_places = [
        place for place, action in enumerate(actions) if action.do == "parameter" and id(action) not in known
    ]
    if open_places and _alone(case, actions):
        _walk(case, actions, interventions, open_places)
    elif open_places:
        _run(case, actions, interventions, open_places)
    return tuple(interventions)


def intervention_of(case: Steered, action: Action, force: Force | None) -> Intervention:
    """Return the intervention of one action; `force` is the policy that a parameter changes.

    A parameter without one, or of another policy, is refused when it comes to it. SessionError as `settle`.
    """
    job = -1 if action.job is None else case.index_of(action.job)
    nodes = in_units(case.scenario, action.nodes)
    policy: Policy | None = None
    to, columns = (action.to if isinstance(action.to, int) else 0), None
    if isinstance(action.to, str):
        _refuse_class(case, action)
        to, columns = SERVICE.get(action.to, -1), columns_of(action.to)
    if action.policy is not None:
        policy = _made(case, action)
    elif action.do == "parameter" and force is not None:
        policy = _changed(force, action)
    return Intervention(
        action.do,
        at=action.at,
        after=action.after,
        job=job,
        to=to,
        nodes=nodes,
        policy=policy,
        columns=columns,
    )


def columns_of(klass: str) -> tuple[int, int, int]:
    """Return what a class counts for: its class of service, whether somebody waits for it, its priority."""
    service = SERVICE.get(klass, SERVICE["production"])
    return service, INTERACTIVE.get(klass, 0), PRIORITIES.get(klass, 0)


def _refuse_class(case: Steered, action: Action) -> None:
    """Refuse a class that the T3D does not have, if it is the machine. SessionError."""
    if case.scenario.machine.torus is not None and action.to not in SERVICE:
        where = f"{case.scenario.path}:{action.line}: " if action.line else ""
        raise SessionError(
            f"{where}there is no class {str(action.to)!r}; expected one of {', '.join(SERVICE)}"
        )


def outages_of(scenario: Scenario) -> tuple[KernelOutage, ...]:
    """Return the kernel's outages for the nodes that fail."""
    return tuple(
        KernelOutage(in_units(scenario, outage.nodes), outage.start, outage.until, outage.kill)
        for outage in scenario.outages
    )


def steering_of(scenario: Scenario, interventions: Sequence[Intervention]) -> Steering:
    machine = scenario.machine
    return Steering(interventions, outages_of(scenario), machine.on_failure, machine.checkpoint_interval)


def checked(case: Steered, action: Action, force: Force) -> Action:
    """Return an operator's action with the value of its parameter as the policy takes it.

    SessionError: what the machine, the workload or the policy in force does not have.
    """
    if action.job is not None:
        case.index_of(action.job)
    count = case.scenario.machine.nodes
    if action.nodes and action.nodes[-1][1] > count:
        node = action.nodes[-1][1] - 1
        raise SessionError(f"there is no node {node}; the machine has the nodes 0 to {count - 1}")
    if action.do != "parameter":
        return action
    name, parameters = force
    try:
        chosen = choose(name, parameters, {str(action.key): action.value})
    except ScenarioError as error:
        raise SessionError(f"policy {name}: {str(error).splitlines()[0]}") from error
    return attrs.evolve(action, value=chosen[str(action.key)])


def in_units(scenario: Scenario, nodes: NodeRanges) -> tuple[tuple[int, int], ...]:
    """Return nodes as first and count, in the unit in which jobs ask."""
    per = scenario.machine.node_size
    return tuple((first * per, (stop - first) * per) for first, stop in nodes)


def _made(case: Steered, action: Action) -> Policy:
    assert action.policy is not None
    try:
        refuse_machine(case.scenario, action.policy.name)
        return make(action.policy.name, action.policy.parameters)
    except (SessionError, ValueError) as error:
        where = f"{case.scenario.path}:{action.line}: " if action.line else ""
        raise SessionError(f"{where}{error}") from error


def _changed(force: Force, action: Action) -> Policy | None:
    """Return the policy in force with one parameter changed; None if it has no such parameter."""
    name, parameters = force
    if action.key not in {parameter.name for parameter in policies()[name].parameters}:
        return None
    try:
        return make(name, choose(name, parameters, {str(action.key): action.value}))
    except (SessionError, ScenarioError):
        # Right under the policy that the file was read for, out of range or of another kind under this one.
        return None


def _alone(case: Steered, actions: Sequence[Action]) -> bool:
    """Whether the actions alone settle which policy is in force when."""
    changes = [action for action in actions if action.do in ("policy", "parameter")]
    names = {case.policy, *(action.policy.name for action in changes if action.policy is not None)}
    mixed = len({action.after is None for action in changes}) > 1
    return not mixed and not any(policies()[name].places_blocks for name in names)


def _walk(
    case: Steered, actions: Sequence[Action], interventions: list[Intervention], places: Sequence[int]
) -> None:
    force: Force = (case.policy, case.parameters)
    for place, action in enumerate(actions):
        if action.policy is not None:
            force = chosen(action)
        elif action.do == "parameter":
            if place in places:
                interventions[place] = intervention_of(case, action, force)
            if interventions[place].policy is not None:
                force = (force[0], {**force[1], str(action.key): action.value})


def chosen(action: Action) -> Force:
    """Return the policy that an action puts in force, with all of its parameters."""
    assert action.policy is not None
    name = action.policy.name
    return name, {**defaults_of(name), **action.policy.parameters}


def _run(
    case: Steered, actions: Sequence[Action], interventions: list[Intervention], places: Sequence[int]
) -> None:
    """Find the policy in force at each of the parameters by running there, the first to come first."""
    clocked = len(timed(actions))
    events = events_of(actions[clocked:])
    left = set(places)
    while left:
        simulation = case.begun(steering_of(case.scenario, interventions))
        place = _next(simulation, actions, events, clocked, left)
        if place is None:
            return
        interventions[place] = intervention_of(
            case, actions[place], (simulation.policy_name, simulation.parameters)
        )
        left.remove(place)


def _next(
    simulation: Simulation, actions: Sequence[Action], events: Sequence[int], clocked: int, left: set[int]
) -> int | None:
    """Stand right before the first of some actions; return which it is, None if no action ever comes."""
    first = min((place for place in left if place < clocked), default=None)
    second = min((place for place in left if place >= clocked), default=None)
    simulation.run(
        until=None if first is None else (actions[first].at or 0) - 1,
        events=None if second is None else events[second - clocked] - 1,
    )
    while True:
        before = simulation.copy()
        if not simulation.step():
            return None
        done = acted(simulation, actions)
        for place in (first, second):
            if place is not None and (done[0] > place if place < clocked else done[1] > place - clocked):
                simulation.restore(before)
                return place


def by_class(klass: Sequence[str], worth: Mapping[str, int], otherwise: int = 0) -> "array[int] | None":
    """What each job's class is worth, `otherwise` if it is another one; None if no job has a class.

    It goes by the codes of the column, not by its texts: 25 ms for 500,000 jobs.
    """
    labels = klass if isinstance(klass, Labels) else Labels.of(klass)
    if not labels.words or max(labels.codes, default=-1) < 0:
        return None
    # The code of a job without a class is -1, which picks the last value.
    values = [*(worth.get(word, otherwise) for word in labels.words), otherwise]
    return array("q", map(values.__getitem__, labels.codes))
