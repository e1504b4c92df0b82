"""The plan of a cluster in lines, for pipes, screen readers and terminals that cannot draw."""

import sys
from collections.abc import Callable, Sequence
from time import monotonic, sleep
from typing import TextIO

from shadowtime.console.clock import Clock, duration
from shadowtime.console.commands.output import say_table
from shadowtime.console.commands.slurm.keeping import keeper
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.moving_lines import Commands, Conversation, MovingLines
from shadowtime.console.screens.command_table import LINES, Command, commands_of
from shadowtime.console.session import ScenarioError, SessionError
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.places import parse_place, refuse_beyond
from shadowtime.console.session.slurm.board.changes import changes
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.board.running import running_rows
from shadowtime.console.session.slurm.ledger.odds import SAMPLES, likely_of
from shadowtime.console.session.slurm.likely.odds import Likely
from shadowtime.console.session.slurm.stepping.cluster import SteppedCluster
from shadowtime.console.widgets.frame.ink import plain
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import event_text
from shadowtime.console.widgets.slurm.plan_text import OUTCOMES, running_lines
from shadowtime.console.widgets.slurm.status_text import changed
from shadowtime.console.widgets.slurm.why_text import summary_line, why_lines
from shadowtime.console.words.cluster.capture import summary
from shadowtime.console.words.cluster.caveats import TOUCHED
from shadowtime.console.words.cluster.likely import HEADINGS, cells, odds_words
from shadowtime.console.words.cluster.why import note_of
from shadowtime.console.words.moving import OF_CLUSTERS
from shadowtime.console.words.plan import beside_words, left_out_words

WIDTH = 110
"""Cells of a printed line."""
PLAN = Command("plan", "", "plan", "print the plan of this position", frozenset())


class ClusterLines:
    """A cluster in lines."""

    def __init__(
        self,
        reached: Reached,
        say: Callable[[str], None],
        at: str | None = None,
        source: TextIO | None = None,
    ) -> None:
        """`at` is a place to which each capture is stepped before it is printed; `source` is who types."""
        self._reached, self._say, self._at, self._source = reached, say, at, source
        self._dates = reached.dates
        self._likely: tuple[Board, Likely] | None = None
        """The likely starts of the last capture, of a cluster that is followed and kept."""

    def run(self) -> None:
        """Print the plan, then do what is typed. With an interval, print it again with what changed.

        The first capture has to succeed; a later one that fails is one line.
        """
        reached, began = self._reached, monotonic()
        before = self._take()
        stepped = self._begin(before)
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
                self._begin(found)
                before = found
        if self._source is not None:
            self._say("Enter is the next event; help lists the commands.")
            stepped.conversation.run(self._source)

    def _begin(self, found: Board) -> "SteppedLines":
        """Print the plan at the place; say what happened last. SessionError if there is no such place."""
        stepped = SteppedLines(found, self._dates, self._say, self._print)
        if self._at is not None:
            stepped.begin(self._at)
        self._print(stepped.course.stand.board)
        return stepped

    def _take(self) -> Board:
        found = board(self._reached.source.take())
        keep = keeper(self._reached)
        if keep is not None:
            try:
                keep(found)
                if self._reached.every is not None:
                    self._likely = found, likely_of(found, SAMPLES, keeps=True)
            except (SessionError, OSError) as error:
                self._say(f"not kept: {error}")
        return found

    def _print(self, found: Board) -> None:
        self._say(summary(found.capture))
        if self._reached.source.altered:
            self._say(f"with {self._reached.source.altered}")
        rows = []
        likely = self._likely[1] if self._likely is not None and self._likely[0] is found else None
        odds = HEADINGS if likely is not None and likely.starts else ()
        titles = "#", "job", "user", "partition", "nodes", "outcome", "start", "in", *odds, "Slurm", "on, why"
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
            shown = cells(likely.starts.get(row.job), self._dates.whole) if likely and odds else ()
            order, outcome = row.order or "", OUTCOMES.get(row.outcome, row.outcome)
            about = f"{order}", row.job, row.user, row.partition, str(row.size), outcome
            rows.append((*about, start, ahead, *shown, theirs, why))
        if rows:
            say_table(titles, rows, fold=True)
        for text in odds_words(likely) if likely is not None else ():
            self._say(text)
        for text in left_out_words(found.caveats, [(row.job, row.caveats) for row in found.rows]):
            self._say(text)
        if text := beside_words(found.beside, self._dates.whole):
            self._say(text)


class SteppedLines:
    """A stepped cluster in lines: the words of a scenario, and `plan`."""

    def __init__(
        self, first: Board, dates: Dates, say: Callable[[str], None], plan: Callable[[Board], None]
    ) -> None:
        self.course = SteppedCluster(first)
        self._dates, self._say, self._plan = dates, say, plan
        self._moving = MovingLines(self, OF_CLUSTERS)
        self.conversation = Conversation(self.say, sys.stdout, self.commands, self._offered)

    @property
    def read(self) -> Clock:
        return dated_clock(self._dates.zone, self.course.begin)

    def say(self, line: str = "") -> None:
        self._say(line)

    def jumped(self) -> None:
        """Every event has one line, whatever came before."""

    def here(self) -> None:
        course = self.course
        text = event_text(course.moment, self._dates, course.begin)
        self._say(f"event {course.number}, {self._dates.whole(course.time)}: {text}")

    def begin(self, at: str) -> None:
        """Begin at a place; what happened last is printed. SessionError if there is no such place."""
        self.go(at)
        if self.course.number:
            self.here()
        self.course.look()

    def go(self, at: str) -> None:
        """Go to a place. SessionError if there is no such place."""
        place = parse_place(at, self.read, self.course.time)
        self.course.go_place(place)
        refuse_beyond(place, f"--at: {at}", self.course.number, self.course.time, self.course.over)

    def commands(self) -> Commands:
        return {
            **self._moving.commands(),
            "why": self.why,
            PLAN.name: lambda rest: self._plan(self.course.look().board),
            "help": lambda rest: self.conversation.help(),
        }

    def _offered(self) -> Sequence[Command]:
        known = (*self.commands(), "quit")
        return (*(command for command in commands_of(LINES) if command.name in known), PLAN)

    def row(self, job: str) -> PlanRow:
        """The row of a waiting job. SessionError if no such job waits."""
        rows = self.course.look().board.rows
        row = next((row for row in rows if row.is_called(job)), None)
        if row is None:
            raise SessionError(f"there is no job {job} that waits here" if job else "why which job?")
        return row

    def why(self, rest: str) -> None:
        """Why a job waits, or until when it runs. SessionError if there is no such job."""
        stand = self.course.look()
        running = (row for row in running_rows(stand.board) if rest in (row.job, str(row.number)))
        waits = any(row.is_called(rest) for row in stand.board.rows)
        if not waits and (runs := next(running, None)) is not None:
            for line in running_lines(stand.board, runs, self._dates, WIDTH):
                self._say(plain(line).rstrip())
            return
        row = self.row(rest)
        for line in why_lines(stand.board, stand.changes, row, self._dates, WIDTH, stand.coming, ""):
            self._say(plain(line).rstrip())
