"""The captures of a console over a cluster: the board that is shown, what comes new, and stepping it."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen

from shadowtime.console.screens.slurm.time.following import Follower, Keep
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.session.slurm.board.changes import NOTHING, changes
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.capturing import ClusterSource
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.status_text import changed


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
