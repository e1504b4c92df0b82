"""A scout: a simulation beside the operator's that visits any place of the course and looks around there.

It reads what is true of a position (decisions, reasons, forecasts); the columns of results are not its
business, as it did not run the whole course itself.
"""

from collections.abc import Callable
from typing import Protocol

from kernels.simulation import Copy, Simulation


class Places(Protocol):
    """Copies of the course to start from: a tape, or the marks of one."""

    def before_event(self, event: int) -> Copy: ...
    def before_time(self, time: int) -> Copy: ...


class Scout:
    """One simulation of a case, made at the first visit. For one thread."""

    def __init__(self, make: Callable[[], Simulation]) -> None:
        self._make = make
        self._simulation: Simulation | None = None

    def at_event(self, places: Places, event: int) -> Simulation:
        """Return the simulation after `event` events, or at the end where there are fewer."""
        simulation = self._ready()
        start = places.before_event(event)
        if not start.event <= simulation.event <= event:
            simulation.restore(start)
        simulation.run(events=event - simulation.event)
        return simulation

    def at_time(self, places: Places, time: int) -> Simulation:
        """Return the simulation after the last event, with its pass, that is not later than `time`."""
        simulation = self._ready()
        simulation.restore(places.before_time(time))
        simulation.run(until=time)
        return simulation

    def _ready(self) -> Simulation:
        if self._simulation is None:
            self._simulation = self._make()
        return self._simulation
