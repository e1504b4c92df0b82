"""A journey: going to a place that may be far, a piece at a time, so that it can be shown and stopped."""

from collections.abc import Callable, Iterator
from threading import Event as Flag
from time import perf_counter

from console.screens.console.pace import Pace
from console.session import Session

Leg = tuple[Session, Callable[[], bool]]
"""A session that has to run on, and whether it is far enough."""


class Going:
    """Runs sessions ahead, one after another; then `arrive` goes to the place itself, which is near.

    `advance` belongs to one thread at a time; `stop` may be called in any.
    """

    def __init__(
        self, words: str, legs: Iterator[Leg], arrive: Callable[[], object], number: int = 0
    ) -> None:
        self.words = words
        self.number = number
        """The event that it has come to; another thread may read it while `advance` runs."""
        self.fault: Exception | None = None
        """What `arrive` raised, or the policy on the way."""
        self._legs = legs
        self._leg: Leg | None = None
        self._pace = Pace()
        self._arrive = arrive
        self._stopped = Flag()

    @property
    def stopped(self) -> bool:
        """Whether the operator stopped it."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Stop after the present piece, and stay there."""
        self._stopped.set()

    def advance(self, budget: float | None = None) -> bool:
        """Go on for so many seconds, or until it ends; return whether it has ended."""
        deadline = None if budget is None else perf_counter() + budget
        try:
            while leg := self._leg or next(self._legs, None):
                session, known = self._leg = leg
                if known() or session.over:
                    self._leg = None
                    continue
                if self.stopped:
                    return True
                session.step(self._pace.begin())
                self._pace.end()
                self.number = session.number
                if deadline is not None and perf_counter() > deadline:
                    return False
            self._arrive()
        except Exception as error:
            self.fault = error
        return True


class Journey(Going):
    """Runs one session ahead until `known` holds, then arrives."""

    def __init__(
        self, session: Session, words: str, known: Callable[[], bool], arrive: Callable[[], object]
    ) -> None:
        super().__init__(words, iter(((session, known),)), arrive, session.number)
        self.origin = session.number
        self.told = ""
        """What to say at its end; nothing for the usual."""
