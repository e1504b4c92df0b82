"""When jobs without a start in the next cycle are expected to start over time: found beside the keys."""

from collections.abc import Callable, Mapping

from textual.screen import Screen

from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.board import Board
from shadowtime.console.session.slurm.impact import ClusterOutlook
from shadowtime.console.session.work import Broken

Starts = Mapping[str, int | None]
"""Job, as Slurm names it -> its expected start; None: it never starts."""


class Expecting:
    """Follows the cluster of a screen in a worker; `found` is called on the screen's thread."""

    def __init__(self, screen: Screen[None], found: Callable[[str], None]) -> None:
        """`found` gets why there is nothing to find; empty if there is."""
        self._screen, self._found = screen, found
        self._board: Board | None = None
        """What the starts are of, or are looked for."""
        self._starts: Starts | None = None
        self._asked = 0

    def starts(self, board: Board) -> Starts:
        """Return the starts of the jobs of a board; none if they have not been found."""
        return self._starts if self._starts is not None and board is self._board else {}

    def looking(self, board: Board) -> bool:
        """Whether the starts of a board are being looked for."""
        return self._starts is None and board is self._board

    def stop(self) -> None:
        """Break off what is being looked for, and forget what was found."""
        self._asked += 1
        self._board = self._starts = None

    def ask(self, board: Board, outlook: ClusterOutlook) -> None:
        """Look for the starts of a board, unless that is done or under way."""
        if board is self._board:
            return
        self.stop()
        self._board, asked = board, self._asked
        names = tuple(dict.fromkeys(row.job for row in board.rows if row.start is None))

        def take(starts: Starts, fault: str) -> None:
            if asked == self._asked:
                self._starts = starts
                self._found(fault)

        def run() -> None:
            found: Starts = {}
            fault = ""
            try:
                times = outlook.before(lambda: asked != self._asked, lambda left: None)
                found = {name: outlook.jobs.first_start(times, name, outlook.time) for name in names}
            except Broken:
                return
            except SessionError as error:
                fault = str(error)
            if self._screen.is_attached:
                self._screen.app.call_from_thread(take, found, fault)

        self._screen.run_worker(run, thread=True, group="expecting")
