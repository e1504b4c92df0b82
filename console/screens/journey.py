"""A journey: going to a place that may be far, a piece at a time, so that it can be shown and stopped."""

from collections.abc import Callable
from threading import Event as Flag
from time import perf_counter

from console.screens.pace import Pace
from console.session import Session


class Journey:
    """Runs the session ahead until `known` holds; then `arrive` goes to the place itself, which is near.

    `advance` belongs to one thread at a time; `stop` may be called in any.
    """

    def __init__(
        self, session: Session, words: str, known: Callable[[], bool], arrive: Callable[[], object]
    ) -> None:
        self.words = words
        self.origin = session.number
        self.number = session.number
        """Where it has come to; another thread may read it while `advance` runs."""
        self.fault: Exception | None = None
        """What `arrive` raised, or the policy on the way."""
        self.told = ""
        """What to say at its end; nothing for the usual."""
        self._session = session
        self._pace = Pace()
        self._known = known
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
            while not self._known() and not self._session.over:
                if self.stopped:
                    return True
                self._session.step(self._pace.begin())
                self._pace.end()
                self.number = self._session.number
                if deadline is not None and perf_counter() > deadline:
                    return False
            self._arrive()
        except Exception as error:
            self.fault = error
        return True
