"""The list of events: any stretch of it, replayed from a copy, with the decisions taken and their reasons."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from console.session.facts import Decision, Event, Reason
from console.session.scout import Places, Scout
from kernels.clock import EVENT_NAMES
from kernels.simulation import Simulation

KEPT = 8192
JOB_VALUED = frozenset(("job", "head", "blocker"))
"""The numbers of a reason that name a job: the kernel gives its row there, and facts its id."""


def reason_of(code: str, numbers: Mapping[str, int], ids: Sequence[int]) -> Reason:
    """Return a reason of the kernel's, with ids where it has rows."""
    return Reason(code, {key: ids[value] if key in JOB_VALUED else value for key, value in numbers.items()})


def decision_of(raw: tuple[str, int, str, dict[str, int]], ids: Sequence[int]) -> Decision:
    """Return a decision of the kernel's as a fact."""
    kind, job, code, numbers = raw
    return Decision(kind, ids[job], reason_of(code, numbers, ids))


def last_event(simulation: Simulation, ids: Sequence[int]) -> Event | None:
    """Return the event that the simulation has just done, with its decisions; None before the first."""
    if simulation.last is None:
        return None
    time, kind, job = simulation.last
    decisions = tuple(decision_of(raw, ids) for raw in simulation.decisions())
    return Event(simulation.event, time, EVENT_NAMES[kind], None if job < 0 else ids[job], decisions)


class EventList:
    """The events that were read last, by number."""

    def __init__(self, simulation: Simulation, ids: Sequence[int]) -> None:
        """The simulation becomes the list's own: it replays what is asked for."""
        self._scout = Scout(simulation)
        self._ids = ids
        self._events: OrderedDict[int, Event] = OrderedDict()

    def read(self, places: Places, first: int, count: int) -> tuple[Event, ...]:
        """Return `count` events from number `first` on, as far as they exist; the first of all is 1."""
        numbers = range(max(first, 1), first + count)
        found = []
        for number in numbers:
            event = self._events.get(number) or self._replay(places, number)
            if event is None:
                break
            found.append(event)
            self._events[number] = event
            self._events.move_to_end(number)
        while len(self._events) > KEPT:
            self._events.popitem(last=False)
        return tuple(found)

    def _replay(self, places: Places, number: int) -> Event | None:
        simulation = self._scout.at_event(places, number - 1)
        if simulation.event < number - 1 or not simulation.step():
            return None
        return last_event(simulation, self._ids)
