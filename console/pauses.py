"""Full collections of garbage, in the operator's pauses: one takes a tenth of a second; no key waits."""

import gc
from time import monotonic

PAUSE = 0.6
"""Seconds without a key or a click after which the operator pauses."""
YOUNGER = (700, 10)
"""Objects after which the youngest are collected, and such collections after which the middle ones are."""
DUE = 10
"""Collections of the middle generation after which a full one is due; the interpreter's own number."""
OVERDUE = 200
"""The same for an operator who never pauses: some millions of objects."""


class Pauses:
    """Puts full collections off until a pause, from `begin` to `end`; one at a time in a process."""

    def __init__(self) -> None:
        self._usual = gc.get_threshold()
        self._last = monotonic()

    def begin(self) -> None:
        """Take the long runs over from the interpreter."""
        gc.set_threshold(*YOUNGER, OVERDUE)

    def end(self) -> None:
        """Leave them to the interpreter again."""
        gc.set_threshold(*self._usual)

    def touched(self) -> None:
        self._last = monotonic()

    def collect(self) -> bool:
        """Collect where that is due and the operator pauses; did it? To be called now and then."""
        if gc.get_count()[2] < DUE or monotonic() - self._last < PAUSE:
            return False
        gc.collect()
        return True
