"""Why a job of the plan starts when it does, and when it is expected to start if the plan has no start."""

from collections.abc import Callable, Mapping, Sequence

from textual.screen import Screen

from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.time.expecting import Looking
from shadowtime.console.session.slurm.board import Board, PlanRow
from shadowtime.console.session.slurm.board.facts import COVERED
from shadowtime.console.session.slurm.impact import ClusterOutlook
from shadowtime.console.session.slurm.likely.odds import JobOdds, Likely, likely
from shadowtime.console.session.work import Broken
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import expected_words, why_lines
from shadowtime.console.words.cluster.likely import odds_words, sentence

Starts = Mapping[str, int | None]
"""Job, as Slurm names it -> its expected start; None: it never starts."""
LOOKED_FOR = "following the cluster until every job has started ..."
SAMPLED = "sampling what may come ..."
SAMPLES = 25
"""Of an answer beside the keys: more of them move it little."""


class Why(LineView):
    """Everything about the row under the cursor."""

    DEFAULT_CSS = "Why { scrollbar-gutter: stable; padding: 0 1; }"

    def __init__(self, lines: Callable[[int], Sequence[Line]]) -> None:
        super().__init__(id="why")
        self._lines_of = lines

    def build(self, width: int, height: int) -> Sequence[Line]:
        return self._lines_of(width)


class Reasons:
    """The lines about the row under the cursor of the plan. `show` paints expected starts that were found."""

    def __init__(
        self,
        screen: Screen[None],
        captures: Captures,
        *,
        current: Callable[[], PlanRow | None],
        outlook: Callable[[], ClusterOutlook],
        dates: Callable[[], Dates],
        show: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        self._captures, self._current, self._outlook, self._dates = captures, current, outlook, dates
        self._show, self._say = show, say
        self.expecting: Looking[Starts] = Looking(screen, self._found)
        self.sampling: Looking[Likely] = Looking(screen, self._sampled)

    def lines(self, width: int) -> Sequence[Line]:
        """Return the lines about the row under the cursor."""
        row, at = self._current(), self._captures
        if row is None:
            return [[("no job is under the cursor", "dim")]]
        expected = self._expected_words(row)
        return why_lines(
            at.board, at.changes, row, self._dates(), width, at.travel.course.stand.coming, expected,
            self._odds_words(row),
        )  # fmt: skip

    @property
    def starts(self) -> Starts:
        """The expected starts of the board that is shown, as far as they are known."""
        return self.expecting.of(self._captures.board) or {}

    @property
    def odds(self) -> Mapping[str, JobOdds]:
        """The likely starts of the board that is shown, as far as they are known."""
        found = self.sampling.of(self._captures.board)
        return {} if found is None else found.starts

    def _odds_words(self, row: PlanRow) -> str:
        board, dates = self._captures.board, self._dates()
        if row.job in self.odds:
            return sentence(self.odds[row.job], lambda at: dates.brief(at, board.now))
        if (found := self.sampling.of(board)) is not None and not found.starts:
            return next(odds_words(found))
        return SAMPLED if self.sampling.looking(board) else ""

    def _expected_words(self, row: PlanRow) -> str:
        board = self._captures.board
        if row.start is not None:
            return ""
        if row.job in self.starts:
            return expected_words(self.starts[row.job], board, self._dates())
        return LOOKED_FOR if self.expecting.looking(board) else ""

    def look_for(self, row: PlanRow) -> None:
        """Look for the expected start of a job that has none in the plan."""
        if row.start is None and row.outcome != COVERED:
            self._expect()

    def _expect(self) -> None:
        board, outlook = self._captures.board, self._outlook()
        names = tuple(dict.fromkeys(row.job for row in board.rows if row.start is None))

        def find(stopped: Callable[[], bool]) -> Starts:
            times = outlook.before(stopped, lambda left: None)
            return {name: outlook.jobs.first_start(times, name, outlook.time) for name in names}

        self.expecting.ask(board, find)

    @property
    def likely(self) -> bool:
        """Whether likely starts of the board that is shown are asked for."""
        board = self._captures.board
        return self.sampling.of(board) is not None or self.sampling.looking(board)

    def show_likely(self) -> None:
        """Show when each waiting job is likely to start, or no more; an impact has likely changes as well."""
        board = self._captures.board
        if self.likely:
            self.sampling.stop()
            self._say("", "dim")
            self._show()
            return
        self.sampling.ask(board, lambda stopped: _likely(board, stopped))
        self._say(SAMPLED, "dim")

    def _sampled(self, fault: str) -> None:
        """The likely starts have been found, or why there are none."""
        found = self.sampling.of(self._captures.board)
        lines = [fault] if found is None else list(odds_words(found))
        self._say(lines[0], "dim" if found is not None and found.starts else "warn")
        self._show()

    def show_expected(self) -> None:
        """Show when jobs without a start are expected to start, or no more."""
        if self.starts or self.expecting.looking(self._captures.board):
            self.expecting.stop()
            self._say("", "dim")
            self._show()
            return
        self._expect()
        self._say(LOOKED_FOR, "dim")

    def _found(self, fault: str) -> None:
        """The expected starts have been found, or why there are none."""
        self._say(
            fault or "EXPECTED: starts over time of jobs without one in the next cycle",
            "warn" if fault else "dim",
        )
        self._show()


def _likely(board: Board, stopped: Callable[[], bool]) -> Likely:
    """The likely starts from a board on. Broken if they are broken off."""

    def progress(done: int, whole: int) -> None:
        if stopped():
            raise Broken

    return likely(board.capture, board.now, SAMPLES, progress)
