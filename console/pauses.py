"""Full collections of garbage, in the operator's pauses: one takes a tenth of a second; no key waits."""

import gc
from time import monotonic

PAUSE = 0.6
"""Seconds without a key or a click after which the operator pauses."""
YOUNG = 700
"""Objects after which the youngest are collected; the interpreter's own number."""
DUE = 100
"""Collections of the youngest after which a full one is due. Middle ones took 3 to 5 ms of a key each."""
OVERDUE = 5000
"""The same for an operator who never pauses: some millions of objects."""


class Pauses:
    """Puts full collections off until a pause, from `begin` to `end`; one at a time in a process."""

    def __init__(self) -> None:
        self._usual = gc.get_threshold()
        self._last = monotonic()

    def begin(self) -> None:
        """Take the long runs over from the interpreter."""
        gc.set_threshold(YOUNG, OVERDUE)

    def end(self) -> None:
        """Leave them to the interpreter again."""
        gc.set_threshold(*self._usual)

    def touched(self) -> None:
        self._last = monotonic()

    def collect(self) -> bool:
        """Collect where that is due and the operator pauses; did it? To be called now and then."""
        if gc.get_count()[1] < DUE or monotonic() - self._last < PAUSE:
            return False
        gc.collect()
        return True
