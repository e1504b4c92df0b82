"""How the prediction of one job, and its likely start, moved while it waited, and at which events."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import attrs

from shadowtime.console.session.facts import LikelyStart, Prediction, TrackRecord
from shadowtime.console.session.jobs.predictions import EXPECTED, NOT_STARTED, forecast_now, promise_of
from shadowtime.console.session.likely.calibration import snapshot
from shadowtime.console.session.likely.starts import ENDED, FIRST, Likely, odds_of
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError

SAMPLES = 200
"""Forecasts made at most for one history; if there are more instants they are spread evenly."""
INSTANTS = 20_000
"""Events up to which every instant is looked at; a longer wait is cut into even stretches of events."""
CHANGES = 4096
"""The most changes of a history; of more, every second one between the first and the last is left out."""
MOMENTS = 12
"""Moments of a wait that are sampled: its first and its last are among them."""


@attrs.frozen
class Life:
    """How the forecast of a job moved up to its start, or up to now."""

    predicted: Sequence[Prediction]
    """Each the first of its value, in order of event."""
    instants: Mapping[int, int]
    """When each of these events was."""
    odds: Mapping[int, LikelyStart] = attrs.field(factory=dict)
    """Event -> the likely start then, not calibrated, where there are odds."""


class LifeWork(Cancellable):
    """Follows one job from its submission to the event `until`; cancelled, it returns what it has."""

    def __init__(
        self, simulation: Simulation, places: Places, likely: Likely, job: int, submit: int, until: int
    ) -> None:
        """The simulation becomes its own; `job` is an index."""
        self._scout = Scout(simulation)
        self._places, self._likely = places, likely
        self._job = job
        self._submit = submit
        self._until = until
        self.instants: dict[int, int] = {}
        """When the events were that `run` has found."""

    def run(self) -> tuple[Prediction, ...]:
        """Return the predictions, each the first of its value, in order of event.

        If the policy promises every job its start, every change is found, up to `CHANGES`. If it does not,
        or not always, predictions are looked at after the pass of every instant, or of at most `SAMPLES` of
        them.
        """
        simulation = self._scout.at_time(self._places, self._submit - 1)
        simulation.run(until=self._submit, events=self._until - simulation.event)
        found: list[Prediction] = []
        # If the policy fails the history ends: nothing is known beyond.
        with suppress(PolicyError):
            for here in self._follow(simulation):
                self.instants[here.event] = simulation.now
                if not found or (here.time, here.promise) != (found[-1].time, found[-1].promise):
                    found.append(here)
                if len(found) > CHANGES:
                    del found[1:-1:2]
                if self._cancelled:
                    break
        return tuple(found)

    def _follow(self, simulation: Simulation) -> Iterator[Prediction]:
        if not self._waits(simulation):
            return
        if simulation.policy.promises and promise_of(simulation, self._job) is not None:
            yield from self._promises(simulation)
        else:
            yield from self._forecasts(simulation)

    def _waits(self, simulation: Simulation) -> bool:
        return simulation.state(self._job) in NOT_STARTED

    def _promises(self, simulation: Simulation) -> Iterator[Prediction]:
        while self._waits(simulation):
            promise = promise_of(simulation, self._job)
            if promise is not None:
                yield Prediction(promise[0], promise[1], simulation.event)
            if not self._next_instant(simulation):
                return

    def _forecasts(self, simulation: Simulation) -> Iterator[Prediction]:
        copy = simulation.copy()
        events = self._instants(simulation)
        simulation.restore(copy)
        for event in thinned(events, SAMPLES):
            simulation.run(events=event - simulation.event)
            # An event cut out of the middle of an instant: what counts is the pass that follows it.
            simulation.run(until=simulation.now, events=self._until - simulation.event)
            if not self._waits(simulation):
                return
            promise = promise_of(simulation, self._job)
            if promise is not None:
                yield Prediction(promise[0], promise[1], simulation.event)
                continue
            start = forecast_now(simulation).get(self._job)
            if start is not None:
                yield Prediction(start, EXPECTED, simulation.event)

    def _instants(self, simulation: Simulation) -> list[int]:
        """Return the events that end instants while the job waits; at even distances in a long wait."""
        first = simulation.event
        if self._until - first > INSTANTS:
            return [first + (self._until - first) * k // (SAMPLES - 1) for k in range(SAMPLES)]
        events = [first]
        while self._next_instant(simulation) and self._waits(simulation):
            events.append(simulation.event)
        return events

    def _next_instant(self, simulation: Simulation) -> bool:
        upcoming = simulation.peek()
        if upcoming is None or simulation.event >= self._until:
            return False
        simulation.run(until=upcoming[0], events=self._until - simulation.event)
        return True

    def predicted(self) -> Life:
        """Return the life without odds."""
        return Life(self.run(), self.instants)

    def odds(self, life: Life) -> Life:
        """Return the life with odds at some of its moments."""
        found: dict[int, LikelyStart] = {}
        for event in thinned([made.event for made in life.predicted], MOMENTS):
            if self._cancelled:
                break
            there = self._scout.at_event(self._places, event)
            if there.finished >= ENDED:
                starts = self._likely.sampled(there, [self._job], samples=FIRST)
                made = snapshot(0, there.now, [self._job], starts)
                found |= {event: odds_of(made, None, TrackRecord(0, 0), event)[self._job]}
        return attrs.evolve(life, odds=found)


def thinned(events: list[int], count: int) -> list[int]:
    """Return at most `count` of the events, evenly spread, the first and the last among them."""
    if len(events) <= count:
        return events
    return [events[(len(events) - 1) * k // (count - 1)] for k in range(count)]
