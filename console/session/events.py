"""The list of events: any stretch of it, replayed from a copy, with the decisions taken and their reasons."""

from collections import OrderedDict

from console.session.facts import Event
from console.session.names import Names
from console.session.scout import Places, Scout
from kernels.policies import PolicyError

KEPT = 8192
"""Events kept."""
MOST = 1 << 20
"""Decisions kept with them: some 60 MB."""


class EventList:
    """The events that were read last, by number."""

    def __init__(self, scout: Scout, names: Names) -> None:
        self._scout = scout
        self._names = names
        self._events: OrderedDict[int, Event] = OrderedDict()
        self._decisions = 0

    def part(self, scout: Scout, event: int) -> None:
        """Go on with another run that has this one's past up to `event`; the rest is forgotten."""
        self._scout = scout
        for number in [number for number in self._events if number > event]:
            self._decisions -= len(self._events.pop(number).decisions)

    def read(self, places: Places, first: int, count: int) -> tuple[Event, ...]:
        """Return `count` events from number `first` on, as far as they exist; the first of all is 1."""
        numbers = range(max(first, 1), first + count)
        found = []
        for number in numbers:
            event = self._events.pop(number, None)
            if event is None:
                event = self._replay(places, number)
                if event is None:
                    break
                self._decisions += len(event.decisions)
            found.append(event)
            self._events[number] = event
        while len(self._events) > KEPT or self._decisions > MOST:
            self._decisions -= len(self._events.popitem(last=False)[1].decisions)
        return tuple(found)

    def _replay(self, places: Places, number: int) -> Event | None:
        try:
            simulation = self._scout.at_event(places, number - 1)
            if simulation.event < number - 1 or not simulation.step():
                return None
        except PolicyError:
            # No event exists that the policy fails to decide.
            return None
        return self._names.last_event(simulation)
