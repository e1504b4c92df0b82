"""What the kernel's numbers stand for: ids for rows, names for orders, schedulers and metrics.

The kernel gives everything in whole numbers. Facts hold what they mean, so that nobody above the session
needs to know which policy gave them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from shadowtime.console.session.facts import Decision, Event, Matrix, Reason
from shadowtime.console.session.operator.journal import acted, events_of, numbered
from shadowtime.console.session.operator.refusals import Refusal, refused
from shadowtime.console.session.travel.decisions import Decisions, Raw
from shadowtime.console.session.values import StatusValue, Value
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decision_view import DecisionView
from shadowtime.kernels.core.jobs import SERVICES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies.orders import ORDERS_IN_FORCE
from shadowtime.kernels.policies.pbas import METRICS
from shadowtime.kernels.policies.torus.nqs import NQS_QUEUES
from shadowtime.scenarios import Action, Outage, Scenario
from shadowtime.scenarios.nodes import NodeRanges

JOB_VALUED = frozenset(("job", "head", "blocker", "by"))
"""The numbers that name a job: the kernel gives its row there, and facts its id."""
JOB_LISTS = frozenset(("rows",))
"""What lists jobs in the status of a policy: the rows of a matrix."""
MILLIONTHS = frozenset(("average", "recent", "score_was", "score_becomes", "priority"))
"""The numbers that the kernel gives in millionths when it decides, and in the terms of a job."""
OF_ORDERS = frozenset(("aert", "classes_waiting"))
"""Reasons whose `was` and `becomes` are orders."""
OF_SCHEDULERS = frozenset(("scores", "nobody_completed", "sizes", "no_arrivals"))
"""Reasons whose `was` and `becomes` are candidates of PBAS or WBAS."""
NAMED: Mapping[str, Sequence[str]] = {"service": SERVICES, "queue": NQS_QUEUES}
"""The numbers that stand for a class of service, and for a queue of NQS."""
FOREVER = 1 << 62
"""The kernel's instant that never comes."""


class Names:
    """Turns what a simulation reports into facts; knows the ids of the jobs, by row."""

    def __init__(
        self,
        ids: Sequence[int],
        actions: Sequence[Action] = (),
        outages: Sequence[Outage] = (),
        per_node: int = 1,
    ) -> None:
        """`actions` and `outages`: those of the run, as a scenario lists them.

        `per_node`: how many of what the kernel calls nodes make one.
        """
        self._ids = ids
        self._outages = outages
        self._per_node = per_node
        self.steer(actions)

    def steer(self, actions: Sequence[Action]) -> None:
        """Go on with other actions."""
        after = numbered(actions)
        self._actions = actions
        self._classed = any(action.do == "class" for action in actions)
        self._numbered = dict(zip(events_of(after), after, strict=True))

    def action(self, simulation: Simulation) -> Action | None:
        """Return what the operator did with the event that a simulation has just done, or tried to."""
        if simulation.last is None or EVENT_NAMES[simulation.last[1]] != "action":
            return None
        found = self._numbered.get(simulation.event)
        return self._actions[acted(simulation, self._actions)[0] - 1] if found is None else found

    def classes(self, simulation: Simulation) -> Mapping[int, str]:
        """Return the classes that the operator gave to jobs, by id: of each the last so far."""
        if not self._classed:
            return {}
        return {self._ids[row]: str(self._actions[place].to) for row, place in simulation.classes().items()}

    def refused(self, simulation: Simulation) -> tuple[Refusal, ...]:
        """Return the actions so far that could not be done, in their order."""
        found = []
        for place, event, policy, code, numbers in simulation.refused():
            action, named = self._actions[place], self.reason(simulation, code, numbers).numbers
            found.append(Refusal(action, event, refused(action, code, named, policy)))
        return tuple(found)

    def reason(self, simulation: Simulation, code: str, numbers: Mapping[str, int]) -> Reason:
        return self._reason(code, numbers, candidates_of(simulation) if code in OF_SCHEDULERS else ())

    def _reason(self, code: str, numbers: Mapping[str, int], candidates: Sequence[str]) -> Reason:
        named: dict[str, Value] = {key: self._value(key, number) for key, number in numbers.items()}
        if code in OF_ORDERS or code in OF_SCHEDULERS:
            names = ORDERS_IN_FORCE if code in OF_ORDERS else candidates
            named |= {key: _named(numbers[key], names) for key in ("was", "becomes") if key in numbers}
            if "metric" in numbers:
                named["metric"] = _named(numbers["metric"], METRICS)
        return Reason(code, named)

    def decisions(self, simulation: Simulation, decided: DecisionView | None = None) -> Decisions:
        """Return what the last event decided, as facts; `decided` if a copy of it has been kept."""
        raw = simulation.decisions() if decided is None else decided
        candidates = candidates_of(simulation) if raw.jobless() else ()

        def fact(raw: Raw) -> Decision:
            kind, job, code, numbers = raw
            return Decision(kind, self.id(job), self._reason(code, numbers, candidates))

        return Decisions(raw, fact)

    def last_event(self, simulation: Simulation, decided: DecisionView | None = None) -> Event | None:
        """Return the event that a simulation has just done, with its decisions; None before the first.

        `decided` is what it decided, if the simulation has come there by a copy.
        """
        if simulation.last is None:
            return None
        time, kind, job = simulation.last
        decisions: Sequence[Decision] = self.decisions(simulation, decided)
        name, action = EVENT_NAMES[kind], self.action(simulation)
        if action is not None:
            decisions = tuple(_in_words(made, action, simulation.policy_name) for made in decisions)
        if action is not None or name in ("node_down", "node_up"):
            decisions = tuple(self._nodes_counted(made, decisions) for made in decisions)
        return Event(
            simulation.event, time, name, self.id(job), decisions, action, self._nodes_of(name, time)
        )

    def _nodes_of(self, kind: str, time: int) -> NodeRanges:
        """Return the nodes that fail or come back; empty if several outages share the instant."""
        if kind not in ("node_down", "node_up"):
            return ()
        found = [
            each for each in self._outages if (each.start if kind == "node_down" else each.until) == time
        ]
        return found[0].nodes if len(found) == 1 else ()

    def _nodes_counted(self, made: Decision, all_made: Sequence[Decision]) -> Decision:
        """Return a decision about nodes in whole nodes; if jobs are struck, no node drains."""
        if made.reason.code not in ("nodes_down", "nodes_back"):
            return made
        numbers = {
            key: number // self._per_node if isinstance(number, int) else number
            for key, number in made.reason.numbers.items()
        }
        if any(other.reason.code.startswith("struck") for other in all_made):
            numbers["leaving"] = 0
        return attrs.evolve(made, reason=Reason(made.reason.code, numbers))

    def terms(self, simulation: Simulation, index: int) -> Mapping[str, Value]:
        """Return what the policy keeps for a job that is not over, by index."""
        return {key: self._value(key, number) for key, number in simulation.terms(index).items()}

    def frozen(self, status: Mapping[str, object]) -> Mapping[str, StatusValue]:
        return {key: self._frozen(key, value) for key, value in status.items()}

    def id(self, row: int) -> int | None:
        """Return the id of the job in a row; None for no row."""
        return self._ids[row] if row >= 0 else None

    def _value(self, key: str, number: int) -> Value:
        value = self._plain(key, number)
        return value / 1e6 if key in MILLIONTHS and isinstance(value, int) else value

    def _plain(self, key: str, value: Value) -> Value:
        if isinstance(value, int):
            if key in JOB_VALUED:
                return self.id(value)
            if value >= FOREVER:
                return None
            if key in NAMED:
                return _named(value, NAMED[key])
            if key == "state":
                return chr(value)
        return value

    def _frozen(self, key: str, value: object) -> StatusValue:
        if isinstance(value, Mapping):
            return {str(inner): self._frozen(str(inner), what) for inner, what in value.items()}
        if isinstance(value, list | tuple):
            inner = "job" if key in JOB_LISTS else key
            return tuple(
                self._frozen(inner if not isinstance(item, list | tuple) else key, item) for item in value
            )
        return self._plain(key, value if isinstance(value, int | float | str | None) else str(value))


def _in_words(made: Decision, action: Action, policy: str) -> Decision:
    """Return a decision about an action; a refusal with the words that the operator would be shown."""
    if made.kind != "refuse":
        return made
    text = refused(action, made.reason.code, made.reason.numbers, policy)
    return attrs.evolve(made, reason=Reason(made.reason.code, {**made.reason.numbers, "text": text}))


def names_of(scenario: Scenario) -> Names:
    workload, per_node = scenario.workload, scenario.machine.node_size
    return Names(workload.ids, scenario.actions, scenario.outages, per_node)


def matrix_of(status: Mapping[str, Any]) -> Matrix | None:
    """Return the time slots from the status of a policy; None if it shares space."""
    if "slot_utilizations" not in status:
        return None
    return Matrix(
        current=status["current"],
        rows=status["rows"],
        utilizations=status["slot_utilizations"],
        utilization=status["utilization_slots"],
        next_switch=status["next_switch"],
        quantum=status["quantum"],
        switches=status["switches"],
    )


def candidates_of(simulation: Simulation) -> Sequence[str]:
    """Return the names of the schedulers that the policy chooses from; none if it does not choose."""
    candidates: Sequence[str] = simulation.status().get("candidates", ())
    return candidates


def _named(number: int, names: Sequence[str]) -> str:
    return names[number] if 0 <= number < len(names) else str(number)
