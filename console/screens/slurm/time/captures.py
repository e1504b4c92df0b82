"""The captures of a console over a cluster: the board that is shown, what comes new, and stepping it."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.slurm.board.changes import NOTHING, changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import ClusterSource
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.status_text import changed

Keep = Callable[[Board], None]
"""What is done with each board besides showing it. SessionError or OSError in one line."""


class Captures:
    """The board on the screen, and what it is taken from. `show` paints it, `entitle` only the lines."""

    def __init__(
        self,
        screen: Screen[None],
        source: ClusterSource,
        first: Board,
        travel: ClusterTravel,
        every: float | None,
        keep: Keep | None,
        *,
        show: Callable[[], None],
        entitle: Callable[[], None],
        say: Callable[[str, str], None],
        dates: Callable[[], Dates],
        key: Callable[[str], str],
    ) -> None:
        self.source = source
        self.board, self.changes = first, NOTHING
        self.follower = Follower(screen, source, every, keep, self.take, self._failed)
        self.travel = travel
        self._show, self._entitle, self._say = show, entitle, say
        self._dates, self._key = dates, key
        self._captured = NOTHING
        """What the last capture changed."""
        self._waiting: Board | None = None
        """A board that came while the operator was stepping."""
        self._taken = monotonic()

    @property
    def now(self) -> int:
        """The instant from which countdowns count: that of the capture, which moves on if it is live."""
        passed = monotonic() - self._taken if self.source.live and not self.travel.stepped else 0
        return self.board.now + int(passed)

    def take(self, found: Board) -> None:
        if self.travel.busy or self.travel.stepped:
            self._waiting = found
            self._say(f"a new capture waits; {self._back_to_now} returns to now", "key")
            return
        if found.now != self.board.now:
            self.changes = changes(self.board, found)
        self.board, self._taken = found, monotonic()
        self.travel.stop()
        self.travel.take(found)
        self._captured = self.changes
        self._show()
        self._say(changed(self.changes, found, self._dates()), "dim")

    def _failed(self, fault: str) -> None:
        self._say(fault, "warn")
        self._entitle()

    @property
    def _back_to_now(self) -> str:
        """The key that returns to now: Space plays if nothing is followed."""
        return self._key("first" if self.follower.every is None else "play")

    def moved(self) -> None:
        """Show where the cluster stands now. A step pauses the following."""
        travel, follower = self.travel, self.follower
        if travel.stepped and follower.every is not None and not follower.paused:
            follower.pause()
            self._say(f"following is paused while you step; {self._back_to_now} returns to now", "key")
        else:
            self._say("", "dim")
        stand = travel.course.stand
        self.board = stand.board
        self.changes = stand.changes if travel.stepped else self._captured
        if not travel.stepped and self._waiting is not None:
            found, self._waiting = self._waiting, None
            self.take(found)
            return
        self._show()

    def read(self) -> None:
        self.follower.read()
        self._entitle()

    def play(self) -> None:
        """Play or pause. What follows stops following, or returns to now and follows again."""
        if self.follower.every is None:
            self.travel.play.toggle()
            return
        if self.travel.stepped:
            self.travel.jumps.first()
            if not self.follower.paused:
                return
        self.follower.pause()
        self._entitle()


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
