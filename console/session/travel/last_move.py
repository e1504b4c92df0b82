"""The decision that put a job where it stands: the one that started, resumed or preempted it last."""

from shadowtime.console.session.facts import Decision
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation

ACTING = frozenset(("start", "backfill", "preempt", "resume", "place"))
"""The kinds of decisions that move a job between waiting and running."""
LATER = frozenset(EVENT_NAMES.index(kind) for kind in ("loaded", "swapped_in", "swapped_out"))
"""Events that end what an earlier decision began."""
KEPT = 1024


class LastMoves:
    """Looks the decisions up where they were taken, and keeps them."""

    def __init__(self, scout: Scout, names: Names) -> None:
        self._scout = scout
        self._names = names
        self._known: dict[tuple[object, ...], tuple[int, Decision | None]] = {}
        """By job and state: up to which event it was looked for, and what was found."""

    def part(self, scout: Scout, event: int) -> None:
        """Go on with another run that has this one's past up to `event`; the rest is forgotten."""
        self._scout = scout
        self._known = {key: found for key, found in self._known.items() if found[0] <= event}

    def of(self, places: Places, simulation: Simulation, index: int) -> Decision | None:
        """Return that decision about a job, by index, as a simulation stands; None before its start."""
        if simulation.start_of(index) is None and simulation.state(index) in ("", "N", "H"):
            return None
        end = simulation.finish_event(index)
        moment = (simulation.state(index), simulation.since(index), end, simulation.preemptions(index))
        key = (index, *moment)
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            number = simulation.event if end is None else end - 1
            self._known[key] = (number, self._search(places, index, number))
        return self._known[key][1]

    def _search(self, places: Places, index: int, number: int) -> Decision | None:
        """Return the last such decision up to event `number`, after which the job is active."""
        while True:
            simulation = self._scout.at_event(places, number)
            since = simulation.since(index)
            if since is None:
                return None
            found, later = self._in_instant(places, index, since, number)
            if found is not None or later is None:
                return found
            number = later - 1

    def _in_instant(
        self, places: Places, index: int, since: int, number: int
    ) -> tuple[Decision | None, int | None]:
        """Return the last decision about the job in an instant, and the event that ended an earlier one."""
        simulation = self._scout.at_time(places, since - 1)
        found, later = None, None
        while simulation.event < number and simulation.step() and simulation.now == since:
            decisions = self._names.decisions(simulation)
            for place in decisions.raw.about(index):
                if decisions[place].kind in ACTING:
                    found = decisions[place]
            if simulation.last is not None and simulation.last[1] in LATER and simulation.last[2] == index:
                later = simulation.event
        return found, later
