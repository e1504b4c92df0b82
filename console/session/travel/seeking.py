"""Seeking: the next event, or the one before, at which a breakpoint is met. Runs in any thread."""

from collections.abc import Iterator, Sequence
from time import perf_counter

from shadowtime.console.session.travel.breakpoints import Breakpoint
from shadowtime.console.session.travel.scout import Places, Scout
from shadowtime.kernels.core.simulation import Simulation

PIECE = 1024
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
        self._looking = self._look()

    def cancel(self) -> None:
        """Stop soon; nothing is found then."""
        self._cancelled = True

    def run(self, seconds: float | None = None) -> bool:
        """Search on for so many seconds, or to the end; return whether it is over."""
        deadline = None if seconds is None else perf_counter() + seconds
        for number in self._looking:
            self.number = number
            if self._cancelled:
                self.found, self.met = None, ()
                break
            if deadline is not None and perf_counter() > deadline:
                return False
        return True

    def _look(self) -> Iterator[int]:
        """Search; yield now and then how far it has looked."""
        if not self._points:
            return
        if self._forward:
            yield from self._search(self._here, None)
            return
        until, window = self._here - 1, WINDOW
        while until > 0 and self.found is None:
            first = max(until - window, 0)
            yield from self._search(first, until)
            until, window = first, 4 * window

    def _search(self, first: int, last: int | None) -> Iterator[int]:
        """Look at the events after `first`: for the earliest, or up to `last`, for the latest."""
        simulation = self._scout.at_event(self._places, first)
        probes = [(each.text, each.probe(simulation)) for each in self._points]
        number = simulation.event
        while last is None or number < last:
            yield number
            for _ in range(PIECE if last is None else min(PIECE, last - number)):
                if not simulation.step():
                    return
                number += 1
                met = [text for text, probe in probes if probe(simulation)]
                if met:
                    self.found, self.met = number, tuple(met)
                    if last is None:
                        return
