"""What is found of a cluster beside the keys; likely starts are sampled while it stands still."""

from collections.abc import Callable, Mapping
from time import monotonic, sleep
from typing import Generic, TypeVar

from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.ledger.odds import SAMPLES, likely_of
from shadowtime.console.session.slurm.likely.odds import JobOdds, Likely
from shadowtime.console.session.work import Broken

STILL = 0.3
"""Seconds for which the cluster has to stand before it is sampled."""
PIECE, YIELD = 0.005, 0.0005
"""Seconds of work between two moments in which the interpreter is free for a key, and of such a moment."""
Found = TypeVar("Found")


class Sampling:
    """The likely starts of the board that is shown. `found` is called when there are any, or none at all."""

    def __init__(
        self,
        screen: Screen[None],
        captures: Captures,
        found: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        self._screen, self._captures, self._found, self._say = screen, captures, found, say
        self._looking: Looking[Likely] = Looking(screen, self._taken)
        self._board: Board | None = None
        self._still: Timer | None = None
        self._stopped = False

    def look(self) -> None:
        """A board is shown: break off the samples of another, and sample it once it has stood still."""
        if self._captures.board is not self._board:
            self._board = self._captures.board
            self._looking.stop()
            self._stop_waiting()
            # A large cluster takes longer to draw than it has to stand.
            self._screen.call_after_refresh(self._wait)

    def stop(self) -> None:
        self._stopped = True
        self._looking.stop()
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._still is not None:
            self._still.stop()

    def _wait(self) -> None:
        self._stop_waiting()
        if not self._stopped:
            self._still = self._screen.set_timer(STILL, self._sample)

    def _sample(self) -> None:
        board, travel = self._captures.board, self._captures.travel
        if travel.busy or travel.player.playing:
            self._wait()
            return
        keeps = self._captures.follower.keeps and not travel.stepped
        self._looking.ask(board, lambda stopped: likely_of(board, SAMPLES, keeps, _pauses(stopped)))

    def _taken(self, fault: str) -> None:
        if fault:
            self._say(fault, "warn")
        self._found()

    @property
    def under_way(self) -> bool:
        return self._looking.looking(self._captures.board)

    @property
    def answer(self) -> Likely | None:
        return self._looking.of(self._captures.board)

    @property
    def odds(self) -> Mapping[str, JobOdds]:
        """The likely starts of the board that is shown, as far as they are known."""
        return {} if self.answer is None else self.answer.starts


def _pauses(stopped: Callable[[], bool]) -> Callable[[], None]:
    """Return what leaves the interpreter to a key now and then. Broken if the samples are broken off."""
    worked = monotonic()

    def pause() -> None:
        nonlocal worked
        if stopped():
            raise Broken
        if monotonic() - worked > PIECE:
            sleep(YIELD)
            worked = monotonic()

    return pause


class Looking(Generic[Found]):
    """Looks for something in a worker; `found` is called on the screen's thread."""

    def __init__(self, screen: Screen[None], found: Callable[[str], None]) -> None:
        """`found` gets why there is nothing to find; empty if there is."""
        self._screen, self._tell = screen, found
        self._board: Board | None = None
        """What is looked at, or what the answer is of."""
        self._answer: Found | None = None
        self._over = False
        self._asked = 0

    def of(self, board: Board) -> Found | None:
        """Return what has been found of a board; None if nothing has."""
        return self._answer if board is self._board else None

    def looking(self, board: Board) -> bool:
        """Whether something about a board is being looked for."""
        return board is self._board and not self._over

    def stop(self) -> None:
        """Break off what is being looked for, and forget what was found."""
        self._asked += 1
        self._board = self._answer = None

    def ask(self, board: Board, find: Callable[[Callable[[], bool]], Found]) -> None:
        """Look for something about a board, unless that is done or under way.

        `find` runs in another thread. It gets what says whether it is broken off, and raises Broken then.
        """
        if board is self._board:
            return
        self.stop()
        self._board, self._over, asked = board, False, self._asked

        def take(answer: Found | None, fault: str) -> None:
            if asked == self._asked:
                self._answer, self._over = answer, True
                self._tell(fault)

        def run() -> None:
            answer, fault = None, ""
            try:
                answer = find(lambda: asked != self._asked)
            except Broken:
                return
            except (SessionError, OSError) as error:
                fault = str(error)
            if self._screen.is_attached:
                self._screen.app.call_from_thread(take, answer, fault)

        self._screen.run_worker(run, thread=True)
