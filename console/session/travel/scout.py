"""A scout: a fork of the operator's simulation that visits any place of the course and looks around there."""

from typing import Protocol

from shadowtime.kernels.core.simulation import Copy, Simulation


class Places(Protocol):
    """Copies of the course to start from: a tape, or the marks of one."""

    def before_event(self, event: int) -> Copy: ...
    def before_time(self, time: int) -> Copy: ...


class Scout:
    """Moves a simulation that is its own. For one thread at a time."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def at_event(self, places: Places, event: int) -> Simulation:
        """Return the simulation after `event` events, or at the end if there are fewer."""
        simulation, start = self._simulation, places.before_event(event)
        if not start.event <= simulation.event <= event:
            simulation.restore(start)
        simulation.run(events=event - simulation.event)
        return simulation

    def at_copy(self, copy: Copy) -> Simulation:
        if self._simulation.event != copy.event:
            self._simulation.restore(copy)
        return self._simulation

    def at_time(self, places: Places, time: int) -> Simulation:
        """Return the simulation after the last event, with its pass, that is not later than `time`."""
        simulation, start = self._simulation, places.before_time(time)
        if simulation.event < start.event or simulation.now > time:
            simulation.restore(start)
        simulation.run(until=time)
        return simulation
