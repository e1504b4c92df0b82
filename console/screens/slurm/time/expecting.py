"""What takes longer than a key about a cluster: found in a worker, and kept while its board is shown."""

from collections.abc import Callable
from typing import Generic, TypeVar

from textual.screen import Screen

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.work import Broken

Found = TypeVar("Found")


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
