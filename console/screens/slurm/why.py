"""Why a job of the plan starts when it does, and when it is expected to start over time."""

from collections.abc import Callable, Mapping, Sequence

from textual.screen import Screen

from shadowtime.console.screens.pages.page import Body
from shadowtime.console.screens.slurm.sampling import Looking, Sampling
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session.slurm.board.facts import COVERED, PlanRow
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.space import Need, Space
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.why_text import expected_words, why_lines
from shadowtime.console.words.cluster.likely import absent, sentence

Starts = Mapping[str, int | None]
"""Job, as Slurm names it -> its expected start; None: it never starts."""
LOOKED_FOR = "following the cluster until every job has started ..."
SAMPLED = "sampling what may come ..."


class Why(Body):
    """Everything about the row under the cursor."""

    DEFAULT_CSS = "Why { padding: 0 1; }"

    @property
    def space(self) -> Space:
        """The first reasons, or all of them."""
        return Space(Need(56, 74, 110), Need(5, 14, 24))


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
        self.sampling = Sampling(screen, captures, show, say)

    def lines(self, width: int) -> Sequence[Line]:
        row, at = self._current(), self._captures
        if row is None:
            return [[("no job is under the cursor", "dim")]]
        expected = self._expected_words(row)
        return why_lines(
            at.board, at.changes, row, self._dates(), width, at.travel.course.stand.coming, expected,
            self._odds_words(row), self.sampling.odds,
        )  # fmt: skip

    @property
    def starts(self) -> Starts:
        """The expected starts of jobs without one in the cycle that is shown, as far as they are known."""
        without = {row.job for row in self._captures.board.rows if row.start is None}
        return {job: start for job, start in self._expected.items() if job in without}

    @property
    def _expected(self) -> Starts:
        return self.expecting.of(self._captures.board) or {}

    def _odds_words(self, row: PlanRow) -> str:
        sampling, dates = self.sampling, self._dates()
        found, now = sampling.answer, self._captures.board.now
        if found is None:
            return SAMPLED if sampling.under_way else ""
        if row.job in found.starts:
            return sentence(found.starts[row.job], found.record, lambda at: dates.brief(at, now))
        return absent(found)

    def _expected_words(self, row: PlanRow) -> str:
        board = self._captures.board
        if row.job in self._expected:
            return expected_words(self._expected[row.job], row, board, self._dates())
        return LOOKED_FOR if self.expecting.looking(board) else ""

    def look_for(self, row: PlanRow) -> None:
        if row.outcome not in ("started", COVERED):
            self._follow()

    def _follow(self) -> None:
        board, outlook = self._captures.board, self._outlook()

        def find(stopped: Callable[[], bool]) -> Starts:
            times = outlook.before(stopped, lambda left: None)
            names = dict.fromkeys(row.job for row in board.rows)
            return {name: outlook.jobs.first_start(times, name, outlook.time) for name in names}

        self.expecting.ask(board, find)

    def show_expected(self) -> None:
        """Show when jobs without a start are expected to start, or no more."""
        if self.starts or self.expecting.looking(self._captures.board):
            self.expecting.stop()
            self._say("", "dim")
            self._show()
            return
        self._follow()
        self._say(LOOKED_FOR, "dim")

    def _found(self, fault: str) -> None:
        """The expected starts have been found, or why there are none."""
        self._say(
            fault or "EXPECTED: starts over time of jobs without one in the next cycle",
            "warn" if fault else "dim",
        )
        self._show()
