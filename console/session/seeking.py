"""Seeking: the next event, or the one before, at which a breakpoint is met. Runs in any thread."""

from collections.abc import Sequence

from console.session.breakpoints import Breakpoint
from console.session.scout import Places, Scout
from kernels.simulation import Simulation

PIECE = 4096
"""Events between two looks at whether to stop."""
WINDOW = 4096
"""Events searched first for the ones before."""


class Seeking:
    """One search, from event `here` on or back. `run` may be called in any thread, `cancel` too."""

    def __init__(
        self,
        simulation: Simulation,
        places: Places,
        here: int,
        points: Sequence[Breakpoint],
        forward: bool = True,
    ) -> None:
        """The simulation becomes its own."""
        self._scout = Scout(simulation)
        self._places = places
        self._here = here
        self._points = points
        self._forward = forward
        self._cancelled = False
        self.number = here
        """How far it has looked."""
        self.found: int | None = None
        """The event at which a breakpoint is met."""
        self.met: tuple[str, ...] = ()
        """The breakpoints met there, as they are spelt."""

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop."""
        return self._cancelled

    def cancel(self) -> None:
        """Stop soon; nothing is found then."""
        self._cancelled = True

    def run(self) -> bool:
        """Search to the end, or the beginning; is there such an event?"""
        if not self._points:
            return False
        if self._forward:
            self._search(self._here, None)
        else:
            self._back()
        if self._cancelled:
            self.found, self.met = None, ()
        return self.found is not None

    def _back(self) -> None:
        until, window = self._here - 1, WINDOW
        while until > 0 and self.found is None and not self._cancelled:
            first = max(until - window, 0)
            self._search(first, until)
            until, window = first, 4 * window

    def _search(self, first: int, last: int | None) -> None:
        """Look at the events after `first`: for the earliest, or up to `last`, for the latest."""
        simulation = self._scout.at_event(self._places, first)
        probes = [(each.text, each.probe(simulation)) for each in self._points]
        number = simulation.event
        while not self._cancelled and (last is None or number < last):
            for _ in range(PIECE if last is None else min(PIECE, last - number)):
                if not simulation.step():
                    return
                number += 1
                met = [text for text, probe in probes if probe(simulation)]
                if met:
                    self.found, self.met = number, tuple(met)
                    if last is None:
                        return
            self.number = number
