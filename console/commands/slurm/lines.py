"""The plan of a cluster in lines, for pipes, screen readers and terminals that cannot draw."""

from collections.abc import Callable
from time import monotonic, sleep

from shadowtime.console.clock import duration
from shadowtime.console.commands.output import Grid, say_table
from shadowtime.console.commands.slurm.keeping import keeper
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.places import parse_place
from shadowtime.console.session.slurm import summary
from shadowtime.console.session.slurm.board import Board, board, changes
from shadowtime.console.session.slurm.stepping import SteppedCluster
from shadowtime.console.widgets.slurm.event_text import event_text
from shadowtime.console.widgets.slurm.plan_text import OUTCOMES
from shadowtime.console.widgets.slurm.status_text import changed
from shadowtime.console.widgets.slurm.why_text import summary_line
from shadowtime.console.words.cluster.caveats import TOUCHED
from shadowtime.console.words.cluster.why import note_of
from shadowtime.console.words.plan import beside_words, left_out_words


class Lines:
    """A cluster in lines."""

    def __init__(self, reached: Reached, say: Callable[[str], None], at: str | None = None) -> None:
        """`at` is a place to which each capture is stepped before it is printed."""
        self._reached, self._say, self._at = reached, say, at
        self._dates = reached.dates

    def run(self) -> None:
        """Print the plan. With an interval, print it again with what changed, until interrupted.

        The first capture has to succeed; a later one that fails is one line.
        """
        reached, began = self._reached, monotonic()
        before = self._take()
        self._print(self._stepped(before))
        while reached.every is not None:
            sleep(max(0.0, reached.every - (monotonic() - began)))
            began = monotonic()
            try:
                found = self._take()
            except (ScenarioError, SessionError, OSError) as error:
                self._say(f"no answer: {str(error).splitlines()[0]}")
                continue
            if found.now != before.now:
                self._say(changed(changes(before, found), found, self._dates))
                self._print(self._stepped(found))
                before = found

    def _take(self) -> Board:
        found = board(self._reached.source.take())
        keep = keeper(self._reached)
        if keep is not None:
            try:
                keep(found)
            except (SessionError, OSError) as error:
                self._say(f"not kept: {error}")
        return found

    def _stepped(self, found: Board) -> Board:
        """The board of the place; says what happened last. SessionError if there is no such place."""
        if self._at is None:
            return found
        history = SteppedCluster(found)
        place = parse_place(self._at, dated_clock(self._dates.zone, history.begin), history.begin)
        history.go_place(place)
        moment = history.moment
        if moment is None:
            return found
        text = event_text(moment, self._dates, history.begin)
        self._say(f"event {history.number}, {self._dates.whole(moment.at)}: {text}")
        return history.look().board

    def _print(self, found: Board) -> None:
        self._say(summary(found.capture))
        if self._reached.source.altered:
            self._say(f"with {self._reached.source.altered}")
        table = Grid()
        for name in ("#", "job", "user", "partition", "nodes", "outcome", "start", "in", "Slurm", "on, why"):
            table.add_column(name, overflow="fold")
        for row in found.rows:
            sign = TOUCHED if row.caveats else ""
            start = sign if row.start is None else self._dates.whole(row.start) + sign
            ahead = "" if row.start is None else duration(max(0, row.start - found.now))
            expected = found.slurm_start(row)
            theirs = "" if expected is None else self._dates.whole(expected)
            why = row.nodes or note_of(found, row)
            if row.outcome == "planned":
                why = summary_line(found, row, self._dates).partition(": ")[2]
                why = f"{row.nodes}; {why}"
            table.add_row(
                "" if row.order is None else str(row.order), row.job, row.user, row.partition, str(row.size),
                OUTCOMES.get(row.outcome, row.outcome), start, ahead, theirs, why,
            )  # fmt: skip
        if found.rows:
            say_table(table)
        for text in left_out_words(found.caveats, [(row.job, row.caveats) for row in found.rows]):
            self._say(text)
        if text := beside_words(found.beside, self._dates.whole):
            self._say(text)
