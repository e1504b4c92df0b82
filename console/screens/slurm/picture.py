"""The panels of a console over a cluster, which of them is in use, and the lines above them."""

from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from itertools import chain
from typing import Any

from textual.screen import Screen

from shadowtime.console.screens.composed.panels import (
    CHART,
    EVENTS,
    METRICS,
    NODES,
    QUEUE,
    RUNNING,
    WHY,
    PanelArrangement,
)
from shadowtime.console.screens.composed.space import Group
from shadowtime.console.screens.slurm.board_table import BoardTable, Plan, RunningJobs
from shadowtime.console.screens.slurm.charting.charts import Charts
from shadowtime.console.screens.slurm.events import Events
from shadowtime.console.screens.slurm.node_views import NodeViews
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.slurm.why import Why
from shadowtime.console.session.slurm.board.facts import NodeFact
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.running import RunningRow, running_rows
from shadowtime.console.session.slurm.likely.odds import Likely
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.frame.looks import LETTERS
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map_text import Colouring
from shadowtime.console.widgets.slurm.node_text import node_lines
from shadowtime.console.widgets.slurm.status_text import Following, Stepped, plan_foot, title
from shadowtime.console.widgets.table.list_table import ListTable
from shadowtime.console.words.cluster.likely import standing

GROUP = Group(
    (QUEUE, Group((WHY, RUNNING, NODES), beside=True), Group((CHART, EVENTS, METRICS), beside=True))
)
"""The panels: the plan over the whole width, below it the reason beside the running jobs, then the charts."""

AROUND = 6
"""Lines around them: the title, the time bar, what happened, what comes, the prompt, and the keys."""


class ClusterPicture:
    """Paints the panels. `why` makes the lines about the job under the cursor of the plan."""

    def __init__(
        self,
        screen: Screen[None],
        captures: Captures,
        dates: Dates,
        *,
        why: Callable[[int], Sequence[Line]],
        marks: Callable[[], Mapping[str, int]],
        numbers: Callable[[], tuple[int, ...]],
        say: Callable[[str, str], None],
    ) -> None:
        self._screen, self._captures, self._plan_why, self._marks = screen, captures, why, marks
        self.zone, self.elapsed = dates.zone, False
        """How instants are written: by the clock of a zone, or as elapsed since the capture."""
        self._expected: Mapping[str, int | None] = {}
        self._likely: Likely | None = None
        self.about = QUEUE
        """The panel whose cursor the reason is about."""
        first = captures.board
        self.title = StatusLine(id="cluster-title")
        self.plan = Plan()
        self.nodes = NodeViews(first, lambda: self.plan.current, self._number)
        self.events = Events(captures, lambda: self.dates)
        self.running = RunningJobs()
        self.charts = Charts(captures, lambda: self.dates)
        self.why = Why(self.why_lines, id="why")
        panels = {
            NODES: self.nodes.panel,
            QUEUE: self.plan.panel,
            CHART: self.charts.gantt_panel,
            EVENTS: self.events.panel,
            METRICS: self.charts.metrics_panel,
            RUNNING: self.running.panel,
            WHY: Panel(WHY, "WHY", self.why),
        }
        self.panels = PanelArrangement(
            screen,
            panels,
            (GROUP,),
            numbers=numbers,
            below=lambda height, seen: 0,
            laid_out=self._laid_out,
            say=say,
            around=AROUND,
        )

    @property
    def dates(self) -> Dates:
        return Dates(self.zone, self._captures.travel.course.begin if self.elapsed else None)

    # What is shown.

    def show(self, expected: Mapping[str, int | None], likely: Likely | None) -> None:
        """Paint everything, with the expected and the likely starts that are known."""
        self._expected, self._likely = expected, likely
        self.charts.follow()
        reading = self.reading
        self._give_letters(reading)
        course = self._captures.travel.course
        measure = course, bool(expected), bool(reading.odds)
        self.plan.show(reading, self.dates, lambda: reading.board.rows, measure)
        self.plan.panel.foot(plan_foot(reading.board, standing(likely)))
        self.running.show(reading, self.dates, lambda: running_rows(reading.board), course)
        self.nodes.show(reading, self.dates, measure)
        self.events.show()
        self.charts.show(self._selected, self._marks())
        self.entitle()
        self.panels.fit()

    def _give_letters(self, reading: BoardReading) -> None:
        """Give letters to the jobs that run, and to those of the plan."""
        holding = (job for job in reading.board.capture.jobs if job.holding)
        running = nsmallest(len(LETTERS), holding, key=lambda job: (job.end, job.id))
        names = chain((job.shown for job in running), (row.job for row in reading.board.rows))
        letters_of(self._screen).give(map(self._number, names))

    @property
    def letters(self) -> Mapping[str, str]:
        """The letters of jobs, by their names."""
        return {self.charts.bars.label(at): sign for at, sign in letters_of(self._screen).held.items()}

    def _number(self, job: str) -> int:
        """The number of a job, by which it has its letter and its hue."""
        return self.charts.bars.index(job)

    @property
    def _selected(self) -> str | None:
        row = self.running.current if self.about == RUNNING else self.plan.current
        return None if row is None else row.job

    @property
    def reading(self) -> BoardReading:
        at = self._captures
        clock = self.dates.calendar(at.board.now)
        odds = {} if self._likely is None else self._likely.starts
        return BoardReading(at.board, at.now, clock, at.changes, self._expected, odds)

    def filter_by(self, text: str) -> None:
        """Show only the jobs that match, of those that wait and that run; all for an empty text.

        SessionError if it is no filter.
        """
        self.plan.filter_by(text)
        self.running.filter_by(text)

    def tick(self) -> None:
        if self._captures.travel.stepped:
            return
        reading = self.reading
        self.plan.tick(reading)
        self.nodes.tick(reading)
        self.running.tick(reading)
        self.entitle()

    def entitle(self) -> None:
        at, source = self._captures, self._captures.source
        age = at.now - at.board.now if source.live else None
        travel = at.travel
        stepped = (
            Stepped(travel.course.stand.number, at.board.now - travel.course.begin)
            if travel.stepped
            else None
        )
        following = Following(at.follower.every, at.follower.paused, at.follower.reading, at.follower.fault)
        width = self._screen.size.width
        self.title.put(
            title(at.board, source.name, self.dates, age, following, stepped, source.altered, width)
        )
        self.events.put_lines(at.board, width)

    def why_lines(self, width: int) -> Sequence[Line]:
        """Return the lines about what is under the cursor: a row of the plan, a node, a running job."""
        if self.about == RUNNING and self.running.current is not None:
            return self.running.lines(self.running.current, width)
        if self.about == NODES and self.nodes.current is not None:
            return list(node_lines(self._captures.board, self.nodes.current, self.dates, width))
        return self._plan_why(width)

    def moved(self, table: ListTable[Any, Any]) -> None:
        """The cursor of a table moved: say why the row starts when it does, or who has the node."""
        if table is self.nodes.table:
            self.nodes.pointed.rebuild()
        if table is self.plan.table:
            self.nodes.highlight()
        about = {QUEUE: self.plan.table, NODES: self.nodes.table, RUNNING: self.running.table}[self.about]
        if table is about:
            self.charts.place(self._selected)
            self.why.scroll_to(y=0, animate=False)
            self.why.rebuild()

    @property
    def copied(self) -> str:
        """The row under the cursor of the panel in use, in one line."""
        tables: dict[int, ListTable[Any, Any]] = {
            NODES: self.nodes.table, EVENTS: self.events.table, RUNNING: self.running.table,
        }  # fmt: skip
        used = self.about if self.panels.used == WHY else self.panels.used
        return tables.get(used, self.plan.table).current_text

    @property
    def asked(self) -> tuple[RunningRow | None, NodeFact | None]:
        """The running job under the cursor of the panel that the reason is about, or the node."""
        running = self.running.current if self.about == RUNNING else None
        return running, self.nodes.current if self.about == NODES else None

    # Which panel is in use.

    def _laid_out(self, moved: bool) -> None:
        """The reason is about the panel in use, also where none has moved."""
        self.look()

    def look(self) -> None:
        """The panel in use is another, or has another size: the reason is about its cursor."""
        used = self.panels.used
        if used in (QUEUE, NODES, RUNNING) and used != self.about:
            self.about = used
            self.why.scroll_to(y=0, animate=False)
        self._screen.set_class(not self.panels.seen(WHY), "-unexplained")
        for number, table in ((RUNNING, self.running), (NODES, self.nodes.rows)):
            # The reason may be about what is not seen, on a screen with room for one panel.
            table.seen = self.panels.seen(number) or self.about == number
            table.freshen()
        if self._captures.source.live:
            # A table that is seen late has the countdowns of the instant at which its board was shown.
            self.tick()
        self.why.rebuild()

    def choose(self, number: int) -> None:
        """Go to a panel. The nodes, asked for again, become a map, or a table again."""
        if number == NODES == self.panels.used:
            self.nodes.toggle()
        self.panels.choose(number)

    def colour(self) -> None:
        """Let the letters of the map mean the next thing; the first time show the map."""
        self.nodes.next_colouring()
        self.panels.bring(NODES)
        if self.panels.used == NODES:
            self.panels.show(NODES)

    def map_by(self, colouring: Colouring | None) -> None:
        """Show the nodes as a map, with letters of this meaning."""
        self.nodes.map_by(colouring)
        self.panels.show(NODES)

    def sort(self) -> None:
        """Sort the plan, or the nodes or running jobs if they are in use, by the next column that orders."""
        table = self._sorted
        table.sort_by(table.next_order)

    def turn_order(self) -> None:
        """Turn the order of the plan, or of the nodes or running jobs if they are in use."""
        table = self._sorted
        table.sort_by(table.order.turned())

    @property
    def _sorted(self) -> BoardTable[Any]:
        """The table that the keys of the order are about."""
        tables: dict[int, BoardTable[Any]] = {NODES: self.nodes.rows, RUNNING: self.running}
        return tables.get(self.panels.used, self.plan)

    # What is selected.

    def select_job(self, name: str) -> bool:
        """Put the cursor on a job of the plan, by name or number. Whether it is there."""
        number = name.partition("_")[0]
        for names in ({name}, {f"{number}_*"} if "_" in name else {name, f"{name}_*"}):
            place = self.plan.place_of_job(names)
            if place is None and any(row.job in names for row in self._captures.board.rows):
                self.filter_by("")
                place = self.plan.place_of_job(names)
            if place is not None:
                self.panels.show(QUEUE)
                self.plan.table.go(place)
                return True
        return False

    def select_node(self, name: str) -> bool:
        """Put the cursor on a node. Whether there is one."""
        if name not in self._captures.board.places:
            return False
        self.panels.show(NODES)
        self.nodes.go(name)
        return True

    def select_running(self, name: str) -> bool:
        """Put the cursor on a running job, by name or number. Whether there is one."""
        if not any(name in (row.job, str(row.number)) for row in running_rows(self._captures.board)):
            return False
        self.panels.show(RUNNING)
        if not self.running.select(name):
            self.filter_by("")
            self.running.select(name)
        return True
