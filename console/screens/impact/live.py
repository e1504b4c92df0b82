"""The impact of the action under a cursor: found in a worker while the cursor rests on it."""

from collections.abc import Callable

from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Outlook

REST = 0.15
"""Seconds that the cursor rests on an action before its impact is looked for."""


class LiveImpact:
    """Finds the impact of one action after another; `found` is called on the screen's thread."""

    def __init__(self, outlook: Callable[[], Outlook], found: Callable[[], None]) -> None:
        self._outlook = outlook
        self._found = found
        self._known: dict[str, Impact | SessionError] = {}
        self._at_limits: dict[str, Impact] = {}
        """Those that are still being sampled, or were broken off then."""
        self._work: ImpactWork | None = None
        self._timer: Timer | None = None

    def of(self, action: str) -> Impact | SessionError | None:
        """Return the impact of a typed action, or why it has none; None if that is not known yet."""
        return self._known.get(action, self._at_limits.get(action))

    def ask(self, screen: Screen[None], action: str) -> None:
        """Look for the impact of an action soon, unless another one is asked for before."""
        self.stop()
        if action not in self._known:
            self._timer = screen.set_timer(REST, lambda: self._begin(screen, action))

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._work is not None:
            self._work.cancel()
        self._timer = self._work = None

    def _begin(self, screen: Screen[None], action: str) -> None:
        def take(found: Impact | SessionError) -> None:
            self._known[action] = found
            self._found()

        try:
            work = self._work = ImpactWork(self._outlook(), [action])
        except SessionError as error:
            take(error)
            return

        def take_limits(found: Impact) -> None:
            self._at_limits[action] = found
            self._found()

        def show_limits(found: Impact) -> None:
            if screen.is_attached:
                screen.app.call_from_thread(take_limits, found)

        work.at_limits = show_limits

        def run() -> None:
            found: Impact | SessionError | None
            try:
                found = work.run()
            except SessionError as error:
                found = error
            if found is not None and screen.is_attached:
                screen.app.call_from_thread(take, found)

        screen.run_worker(run, thread=True)
