"""Capturing a cluster again and again behind a screen. A capture that fails is reported, and tried again."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import ClusterSource

Keep = Callable[[Board], None]
"""What is done with each board besides showing it. SessionError or OSError in one line."""


class Follower:
    """Takes boards from a source in a worker, one at a time; `every` seconds apart if it follows."""

    def __init__(
        self,
        screen: Screen[None],
        source: ClusterSource,
        every: float | None,
        keep: Keep | None,
        taken: Callable[[Board], None],
        failed: Callable[[str], None],
    ) -> None:
        self.every, self.paused, self.reading = every, False, False
        self.fault = ""
        """Why the last capture failed; empty if it did not."""
        self._screen, self._source, self._keep = screen, source, keep
        self._taken, self._failed = taken, failed
        self._timer: Timer | None = None
        self._begun = monotonic()

    @property
    def keeps(self) -> bool:
        return self._keep is not None

    def begin(self) -> None:
        self._begun = monotonic()
        self._wait()

    def end(self) -> None:
        """Follow no more, and end what runs."""
        self._stop_waiting()
        self._source.stop()

    def pause(self) -> None:
        """Follow no more, or again."""
        self.paused = not self.paused
        if self.paused:
            self._stop_waiting()
        else:
            self.read()

    def read(self) -> None:
        """Take the cluster as it is now, unless that is being done."""
        if self.reading:
            return
        self.reading, self._begun = True, monotonic()
        self._stop_waiting()
        self._screen.run_worker(self._work, thread=True, group="following")

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _wait(self) -> None:
        """Read again `every` seconds after the last capture began, at once if it took longer."""
        if self.every is not None and not self.paused:
            left = self.every - (monotonic() - self._begun)
            self._timer = self._screen.set_timer(max(0.05, left), self.read)

    def _work(self) -> None:
        try:
            found = board(self._source.take())
        except (ScenarioError, SessionError, OSError) as error:
            self._hand(self._take, None, str(error).splitlines()[0])
            return
        fault = ""
        if self._keep is not None:
            try:
                self._keep(found)
            except (SessionError, OSError) as error:
                fault = f"not kept: {error}"
        self._hand(self._take, found, fault)

    def _hand(self, call: Callable[[Board | None, str], None], found: Board | None, fault: str) -> None:
        if self._screen.is_attached:
            self._screen.app.call_from_thread(call, found, fault)

    def _take(self, found: Board | None, fault: str) -> None:
        self.reading = False
        if not self._screen.is_attached:
            return
        self.fault = fault if found is None else ""
        if found is not None:
            self._taken(found)
        if fault:
            self._failed(fault)
        self._wait()
