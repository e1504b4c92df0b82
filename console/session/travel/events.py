"""The list of events: any stretch of it, replayed from a copy, with the decisions taken and their reasons."""

from collections import OrderedDict
from time import thread_time

from shadowtime.console.session.facts import Event
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.travel import landings
from shadowtime.console.session.travel.landings import Landing
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.policies import PolicyError

KEPT = 8192
"""Events kept."""
MOST = 1 << 20
"""Decisions kept with them: some 60 MB."""

WIDE = 64
"""Events on either side of the cursor that are prepared for, however many a screen shows."""


class EventList:
    """The events that were read last, by number."""

    def __init__(self, scout: Scout, names: Names) -> None:
        self._scout = scout
        self._names = names
        self._events: OrderedDict[int, Event] = OrderedDict()
        self._decisions = 0
        self.around = (0, 0)
        """How many events before and after the one where the course stood were read with it last."""

    def part(self, scout: Scout, event: int) -> None:
        """Go on with another run that has this one's past up to `event`; the rest is forgotten."""
        self._scout = scout
        for number in [number for number in self._events if number > event]:
            self._decisions -= len(self._events.pop(number).decisions)

    def read(self, course: Trajectory, first: int, count: int) -> tuple[Event, ...]:
        """Return `count` events from number `first` on, as far as they exist; the first of all is 1."""
        numbers = range(max(first, 1), first + count)
        if course.number in numbers:
            before, after = course.number - numbers.start, numbers.stop - 1 - course.number
            self.around = (min(before, WIDE), min(after, WIDE))
        found = []
        for number in numbers:
            event = self._events.pop(number, None)
            if event is None:
                event = self._replay(course, number)
                if event is None:
                    break
                self._decisions += len(event.decisions)
            found.append(event)
            self._events[number] = event
        while len(self._events) > KEPT or self._decisions > MOST:
            self._decisions -= len(self._events.popitem(last=False)[1].decisions)
        return tuple(found)

    def _replay(self, course: Trajectory, number: int) -> Event | None:
        known = course.landings.at(number)
        if known is not None:
            return self._names.last_event(self._scout.at_copy(known.copy), known.decided)
        try:
            simulation = self._scout.at_event(course, number - 1)
            began = thread_time()
            if simulation.event < number - 1 or not simulation.step():
                return None
        except PolicyError:
            # No event exists that the policy fails to decide.
            return None
        if thread_time() - began < landings.WORTH:
            return self._names.last_event(simulation)
        landing = Landing.of(simulation)
        course.landings.keep(landing)
        return self._names.last_event(simulation, landing.decided)
