"""Steps that pass over events of some kinds, and over the passes that belong to nothing else.

Which events are passed over depends on the course alone, never on where one came from: so from an event that
is not passed over, a step forward and a step back lead to the same state again.
"""

from collections.abc import Iterable, Iterator

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation

WINDOW = 64
"""Events searched first for the ones before."""
WIDEST = 1 << 16
"""Events searched at once at most: the numbers of all of them may have to be kept."""
PASS = "pass"
SWITCH = "switch_slot"


class Skipping:
    """The kinds that are passed over, and where a step then leads. For one thread at a time."""

    def __init__(self, scout: Scout) -> None:
        self._scout = scout
        self.kinds: frozenset[str] = frozenset()

    def part(self, scout: Scout) -> None:
        """Go on with another run."""
        self._scout = scout

    def choose(self, kinds: Iterable[str]) -> None:
        """Pass over these kinds from now on. SessionError for an unknown kind."""
        chosen = frozenset(kinds)
        unknown = sorted(chosen.difference(EVENT_NAMES))
        if unknown:
            known = ", ".join(sorted(EVENT_NAMES))
            raise SessionError(f"{unknown[0]!r} is no kind of event; expected none, or some of {known}")
        self.kinds = chosen

    def stepped(self, places: Places, here: int, events: int) -> int:
        """Return the event that so many steps from `here` lead to; negative steps go back.

        If nothing is passed over, that may lie beyond the end; otherwise the last event stops, and 0 does.
        """
        if not self.kinds:
            return max(here + events, 0)
        return self._after(places, here, events) if events > 0 else self._before(places, here, -events)

    def _after(self, places: Places, here: int, count: int) -> int:
        simulation = self._instant(places, here)
        for number, seen in self._walk(simulation):
            if number > here and seen:
                count -= 1
                if count == 0:
                    return number
        return max(simulation.event, here)

    def _before(self, places: Places, here: int, count: int) -> int:
        last, window = here - 1, max(WINDOW, 2 * count)
        while last > 0:
            first = max(last - min(window, WIDEST), 0)
            simulation = self._instant(places, first)
            found = [number for number, seen in self._until(simulation, last) if seen and number > first]
            if len(found) >= count:
                return found[-count]
            count -= len(found)
            last, window = first, 4 * window
        return 0

    def _instant(self, places: Places, event: int) -> Simulation:
        """Return a simulation before the first event of the instant in which `event` happens."""
        return self._scout.at_time(places, self._scout.at_event(places, event).now - 1)

    def _until(self, simulation: Simulation, last: int) -> Iterator[tuple[int, bool]]:
        for number, seen in self._walk(simulation, last):
            if number > last:
                return
            yield number, seen
            if number == last:
                return

    def _walk(self, simulation: Simulation, last: int | None = None) -> Iterator[tuple[int, bool]]:
        """Go on event by event: the number of each, and whether a step stops there.

        A pass belongs to the events of its instant since the pass before. Turns of rows are passed over at
        once if no step stops there, but not beyond the event `last`.
        """
        time, others = None, set[str]()
        while True:
            if SWITCH in self.kinds:
                simulation.pass_turns(None if last is None else max(last - simulation.event, 0))
            if not simulation.step():
                return
            assert simulation.last is not None
            now, kind, _ = simulation.last
            name = EVENT_NAMES[kind]
            if now != time:
                time, others = now, set()
            if name == PASS:
                alone = bool(others) and others <= self.kinds
                yield simulation.event, not alone and PASS not in self.kinds
                others = set()
            else:
                others.add(name)
                yield simulation.event, name not in self.kinds
