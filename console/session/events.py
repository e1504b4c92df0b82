"""The list of events: any stretch of it, replayed from a copy, with the decisions taken and their reasons."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from console.session.facts import Decision, Event, Reason
from console.session.scout import Places, Scout
from kernels.clock import EVENT_NAMES
from kernels.simulation import Simulation

PAGE = 64
PAGES = 128
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
    """Pages of events, the last used ones kept."""

    def __init__(self, make: Callable[[], Simulation], ids: Sequence[int]) -> None:
        self._scout = Scout(make)
        self._ids = ids
        self._pages: OrderedDict[int, tuple[Event, ...]] = OrderedDict()

    def read(self, places: Places, first: int, count: int) -> tuple[Event, ...]:
        """Return `count` events from number `first` on, as far as they exist; the first of all is 1."""
        last = first + count - 1
        first = max(first, 1)
        found: list[Event] = []
        for page in range((first - 1) // PAGE, (last - 1) // PAGE + 1 if last >= first else 0):
            events = self._page(places, page)
            found.extend(event for event in events if first <= event.number <= last)
            if len(events) < PAGE:
                break
        return tuple(found)

    def _page(self, places: Places, page: int) -> tuple[Event, ...]:
        events = self._pages.get(page)
        if events is None:
            events = self._replay(places, page)
            self._pages[page] = events
            if len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        else:
            self._pages.move_to_end(page)
        return events

    def _replay(self, places: Places, page: int) -> tuple[Event, ...]:
        simulation = self._scout.at_event(places, page * PAGE)
        events: list[Event] = []
        while len(events) < PAGE and simulation.event >= page * PAGE and simulation.step():
            event = last_event(simulation, self._ids)
            assert event is not None
            events.append(event)
        return tuple(events)
