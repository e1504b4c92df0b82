"""The screen over a cluster: its plan, nodes and events, and why a job starts when it does."""

import gc
from collections.abc import Callable, Sequence
from datetime import tzinfo
from time import monotonic
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widget import Widget

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.command_table import CLUSTER as CLUSTER_VIEW
from shadowtime.console.screens.command_table import CLUSTER_SORTS
from shadowtime.console.screens.console.completion import Completion
from shadowtime.console.screens.pages.help import choice_help, command_lines
from shadowtime.console.screens.pages.list_keys import LIST_KEYS
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.commands import ClusterCommands
from shadowtime.console.screens.slurm.events import Events
from shadowtime.console.screens.slurm.expecting import Expecting
from shadowtime.console.screens.slurm.following import Follower, Keep
from shadowtime.console.screens.slurm.help import help_of
from shadowtime.console.screens.slurm.list_page import ListPage
from shadowtime.console.screens.slurm.node_views import NodeViews
from shadowtime.console.screens.slurm.running import RunningJobs
from shadowtime.console.screens.slurm.travel import Travel
from shadowtime.console.session import SessionError
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.session.jobs.filters import continued, fault_of
from shadowtime.console.session.permissions import READ_ONLY
from shadowtime.console.session.slurm.board import (
    CLUSTER,
    Board,
    PartitionRow,
    PlanRow,
    ReservationRow,
    changes,
    shown_rows,
)
from shadowtime.console.session.slurm.board.changes import NOTHING
from shadowtime.console.session.slurm.board.facts import COVERED
from shadowtime.console.session.slurm.capturing import Source
from shadowtime.console.widgets.frame.ink import Line, plain, width_of
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.panel import Panel
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.lists.lists import (
    LISTS,
    OUT,
    PARTITIONS,
    RESERVATIONS,
    reservation_lines,
)
from shadowtime.console.widgets.slurm.map import ClusterMap
from shadowtime.console.widgets.slurm.map_text import Colouring
from shadowtime.console.widgets.slurm.node_text import node_lines
from shadowtime.console.widgets.slurm.plan_text import PlanText
from shadowtime.console.widgets.slurm.standing_text import standing_lines
from shadowtime.console.widgets.slurm.status_text import (
    Following,
    Stepped,
    changed,
    plan_caption,
    plan_foot,
    title,
)
from shadowtime.console.widgets.slurm.table import RowTable
from shadowtime.console.widgets.slurm.why_text import expected_words, why_lines

LOOKED_FOR = "following the cluster until every job has started ..."
LOOKS = "The console only looks: nothing is submitted, changed or cancelled on the cluster."
LOOKING = frozenset(("row_down", "row_up", "half_down", "half_up", "next_panel", "previous_panel"))
"""Keys that do not wait for the end of a way, by their ids."""
ARROWS = frozenset(("up", "down", "pageup", "pagedown", "escape"))
ROOMY = (110, 30)
"""Cells and lines from which all panels are shown at once."""
PLAN, NODES, WHY, EVENTS, RUNNING = 1, 2, 3, 4, 5
"""The panels."""


class Why(LineView):
    """Everything about the row under the cursor."""

    DEFAULT_CSS = "Why { scrollbar-gutter: stable; padding: 0 1; }"

    def __init__(self, screen: "ClusterScreen") -> None:
        super().__init__(id="why")
        self._cluster = screen

    def build(self, width: int, height: int) -> Sequence[Line]:
        return self._cluster.why(width)


class ClusterScreen(Screen[None]):
    """A console over a cluster. It only looks: nothing is submitted, changed or cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # `g` goes to a place, as in the console; `gg` to the first row.
        *(key for key in LIST_KEYS if key.id != "first_row"),
        Binding("q", "leave", "quit", id="quit"),
        Binding("escape", "out", "back", id="escape"),
        Binding("slash", "filter", "filter", id="filter"),
        Binding("s", "sort(1)", "sort", id="sort"),
        Binding("S", "turn", "the other way round", id="sort_reverse"),
        Binding("n,full_stop", "forward(1)", "step", id="forward"),
        Binding("p,comma", "back(1)", "back", id="back"),
        Binding("right_curly_bracket", "forward(10)", "ten on", id="forward10"),
        Binding("left_curly_bracket", "back(10)", "ten back", id="back10"),
        Binding("N", "next_decision", "decision", id="next_decision"),
        Binding("P", "previous_decision", "decision", id="previous_decision"),
        Binding("g", "goto", "go to", id="goto"),
        Binding("home", "first", "capture", id="first"),
        Binding("end", "last", "end", id="last"),
        Binding("space", "play", "play", id="play"),
        Binding("left_square_bracket", "speed(0.5)", "slower", id="slower"),
        Binding("right_square_bracket", "speed(2)", "faster", id="faster"),
        Binding("r", "read", "read again"),
        Binding("tab", "turn_panel(1)", "panel", id="next_panel", priority=True),
        Binding("shift+tab", "turn_panel(-1)", "panel", id="previous_panel", priority=True),
        Binding("1", "panel(1)", "plan", id="panel1"),
        Binding("2", "panel(2)", "nodes", id="panel2"),
        Binding("3", "panel(3)", "why", id="panel3"),
        Binding("4", "panel(4)", "events", id="panel4"),
        Binding("5", "panel(5)", "running", id="panel5"),
        Binding("e", "panel(3)", "why", id="why"),
        Binding("v", "colouring", "colour", id="colouring"),
        Binding("enter", "detail", "everything", id="detail"),
        Binding("y", "copy", "copy", id="copy"),
        Binding("colon", "command", "command", id="command"),
        Binding("m", "mark('m')", "mark", id="mark"),
        Binding("apostrophe", "mark('to')", "to mark", id="to_mark"),
        Binding("b", "break_here", "break", id="break_here"),
        Binding("B", "breakpoints", "breakpoints", id="breakpoints"),
        Binding("c", "continue(True)", "on", id="continue"),
        Binding("C", "continue(False)", "on back", id="continue_back"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    plays: ClassVar[bool] = True
    """Whether Space plays, or pauses what is followed."""
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("forward", "step"),
        ("back", "back"),
        ("next_decision", "next start"),
        ("next_panel", "panel"),
        ("goto", "go to"),
        ("command", "command"),
        ("filter", "filter"),
        ("sort", "sort"),
        ("detail", "everything"),
        ("copy", "copy"),
        ("break_here", "break"),
        ("continue", "continue"),
        ("mark", "mark"),
        ("r", "read again"),
        ("help", "help"),
        ("quit", "quit"),
    )

    def __init__(
        self,
        source: Source,
        first: Board,
        dates: Dates,
        every: float | None = None,
        keep: Keep | None = None,
        at: str | None = None,
    ) -> None:
        """Show the board that was taken first; follow the source `every` seconds, and keep each board.

        `at` is a place to step to. SessionError if there is no such place.
        """
        super().__init__()
        self.board, self.changes = first, NOTHING
        self._captured = NOTHING
        """What the last capture changed."""
        self.follower = Follower(self, source, every, keep, self.take, self._failed)
        self._source, self._dates = source, dates
        self.commands = ClusterCommands(self)
        self._waiting: Board | None = None
        """A board that came while the operator was stepping."""
        self._taken = monotonic()
        self._rows: tuple[PlanRow, ...] = first.rows
        self._filter = ""
        self._sort, self._reverse = CLUSTER_SORTS[0], False
        self._panel = self._about = PLAN
        """The panel in use, and the one whose cursor the reason is about."""
        self._title = StatusLine(id="cluster-title")
        self._keys = StatusLine(id="cluster-keys")
        self.travel = Travel(self, first, self._moved, self.say)
        self.events = Events(self.travel, dates)
        self.running = RunningJobs(first, NOTHING, dates)
        self.expecting = Expecting(self, self._expect)
        self._at = at
        if at is not None:
            self.travel.check(at, dates.zone)
        self._prompt = Prompt(id="prompt")
        self._plan_text = PlanText(first, NOTHING, dates, first.now)
        self.plan = RowTable(
            lambda width: self._plan_text.layout(width).heading(),
            lambda place, width: self._plan_text.layout(width).line(self._rows[place]),
            id="plan",
        )
        self.nodes = NodeViews(first, dates, lambda: self.current)
        self._why = Why(self)
        self._panels = (
            Panel(1, "PLAN", self.plan),
            self.nodes.panel,
            Panel(3, "WHY", self._why),
            self.events.panel,
            self.running.panel,
        )

    def compose(self) -> ComposeResult:
        yield self._title
        yield self.events.line
        yield self._panels[0]
        with Container(id="lower"):
            yield self._panels[1]
            yield self._panels[3]
            yield self._panels[4]
            yield self._panels[2]
        yield from self.below_panels()
        yield self._prompt
        yield self._keys

    def below_panels(self) -> Sequence[Widget]:
        """What stands between the panels and the lines below."""
        return ()

    def on_mount(self) -> None:
        # A cluster has a million objects, and none of them is garbage.
        gc.freeze()
        self.plan.focus()
        self.plan.nothing = "no job waits"
        self._fit()
        self._show()
        self.follower.begin()
        if self._at is not None:
            self.travel.to(self._at, self._dates.zone)
        if self._source.live:
            self.set_interval(1, self._tick)

    def on_unmount(self) -> None:
        self.follower.end()
        self.expecting.stop()
        gc.unfreeze()

    # The clock and the captures.

    @property
    def now(self) -> int:
        """The instant from which countdowns count: that of the capture, which moves on if it is live."""
        passed = monotonic() - self._taken if self._source.live and not self.travel.stepped else 0
        return self.board.now + int(passed)

    def _tick(self) -> None:
        if self.travel.stepped:
            return
        self._plan_text = self._plan_text.at(self.now)
        self.plan.redraw()
        self.nodes.tick(self.now)
        self.running.tick(self.now)
        self._entitle()

    def take(self, found: Board) -> None:
        """Show a new board: what changed is marked, and the cursor stays with its job."""
        if self.travel.stepped:
            self._waiting = found
            self.say(f"a new capture waits; {self._back_to_now} returns to now", "key")
            return
        if found.now != self.board.now:
            self.changes = changes(self.board, found)
        self.board, self._taken = found, monotonic()
        self.travel.stop()
        self.travel = self.events.travel = Travel(self, found, self._moved, self.say)
        self._captured = self.changes
        self._show()
        self.say(changed(self.changes, found, self._dates))

    def _failed(self, fault: str) -> None:
        self.say(fault, "warn")
        self._entitle()

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""
        if not self._prompt.asking:
            self._prompt.say(text, role)

    def key(self, id: str) -> str:
        """The key of an action, as the operator reads it."""
        return keyboard_of(self.app).first(id)

    @property
    def dates(self) -> Dates:
        """How instants are written."""
        return self._dates

    @property
    def _back_to_now(self) -> str:
        """The key that returns to now: Space plays if nothing is followed."""
        return self.key("first" if self.follower.every is None else "play")

    # Stepping.

    def _moved(self) -> None:
        """Show where the cluster stands now. A step pauses the following."""
        travel, follower = self.travel, self.follower
        if travel.stepped and follower.every is not None and not follower.paused:
            follower.pause()
            self.say(f"following is paused while you step; {self._back_to_now} returns to now", "key")
        elif not self._prompt.asking:
            self.say("")
        self.board = travel.board
        self.changes = travel.changes if travel.stepped else self._captured
        if not travel.stepped and self._waiting is not None:
            found, self._waiting = self._waiting, None
            self.take(found)
            return
        self._show()

    def action_forward(self, count: int) -> None:
        """Events forward."""
        self.travel.forward(count)

    def action_back(self, count: int) -> None:
        """Events back."""
        self.travel.back(count)

    def action_next_decision(self) -> None:
        """To the next event that starts a job."""
        self.travel.next_start()

    def action_previous_decision(self) -> None:
        """To the event before that started a job."""
        self.travel.previous_start()

    def action_first(self) -> None:
        """Back to the capture."""
        self.travel.first()

    def action_last(self) -> None:
        """To the last event."""
        self.travel.last()

    def action_goto(self) -> None:
        """Type a place to go to."""
        self._prompt.ask("goto", "go to ", hint=EXPECTED)

    # What is shown.

    def _show(self) -> None:
        expected = self.expecting.starts(self.board)
        self._plan_text = PlanText(self.board, self.changes, self._dates, self.now, expected=expected)
        self._choose()
        self.nodes.show(self.board, self.changes, self._dates, self.now)
        self.events.show()
        self._panels[0].foot(plan_foot(self.board))
        self._entitle()
        self._put_keys()

    def _choose(self) -> None:
        """Show the rows of the filter, in the order of the sort."""
        rows = list(shown_rows(self.board, self._filter))
        if self._sort != CLUSTER_SORTS[0]:
            rows.sort(key=lambda row: _sort_key(row, self._sort))
        if self._reverse:
            rows.reverse()
        self._rows = tuple(rows)
        self.plan.nothing = f"no job of the plan is {self._filter}" if self._filter else "no job waits"
        self.plan.show([row.key for row in rows])
        words = plan_caption(self.board, len(rows), self._filter)
        order = f"   by {self._sort}{' reversed' if self._reverse else ''}"
        plain_order = self._sort == CLUSTER_SORTS[0] and not self._reverse
        # The table says that its cursor moved, and then the reason is written anew.
        self._panels[0].caption(words if plain_order else words + order)
        self.running.show(self.board, self.changes, self._dates, self.now, self._filter)

    def _entitle(self) -> None:
        age = self.now - self.board.now if self._source.live else None
        follower = self.follower
        following = Following(follower.every, follower.paused, follower.reading, follower.fault)
        history = self.travel.history
        travel = self.travel
        stepped = Stepped(travel.position, travel.at - history.begin) if travel.stepped else None
        source = self._source
        words = title(self.board, source.name, self._dates, age, following, stepped, source.altered)
        self._title.put(words)
        self.events.put_lines(self.board, self.size.width, 1 if self.has_class("-compact") else 2)

    @property
    def _space(self) -> tuple[str, str]:
        """What Space does."""
        if self.follower.every is None:
            return "play", "play"
        return "play", "now" if self.travel.stepped else "pause"

    def _put_keys(self) -> None:
        """Show the first keys, as many as there is room for; help and quit are always among them."""
        first = keyboard_of(self.app).first
        begun: Line = [(f" {READ_ONLY}   ", "dim")]
        *others, help_key, quit_key = [
            [(first(key), "key"), (f" {label}   ", "dim")]
            for key, label in (*self.KEYS[:2], *((self._space,) if self.plays else ()), *self.KEYS[2:])
        ]
        quit_key[-1] = (quit_key[-1][0].rstrip(), "dim")
        room = self.size.width - width_of([*begun, *help_key, *quit_key])
        shown: list[Line] = []
        for other in others:
            if width_of(other) <= room:
                shown.append(other)
                room -= width_of(other)
        self._keys.put([piece for line in (begun, *shown, help_key, quit_key) for piece in line])

    @property
    def current(self) -> PlanRow | None:
        """The row under the cursor of the plan."""
        place = self.plan.place
        return None if place is None else self._rows[place]

    def why(self, width: int) -> Sequence[Line]:
        """The lines about what is under the cursor: a row of the plan, a node, a running job."""
        if self._about == RUNNING and self.running.current is not None:
            return self.running.lines(self.running.current, width)
        if self._about == NODES and self.nodes.current is not None:
            return list(node_lines(self.board, self.nodes.current, self._dates, width))
        return self.plan_why(width)

    def plan_why(self, width: int) -> Sequence[Line]:
        """The lines about the row under the cursor of the plan."""
        if self.current is None:
            return [[("no job is under the cursor", "dim")]]
        expected = self._expected_words(self.current)
        coming = self.travel.coming
        return why_lines(self.board, self.changes, self.current, self._dates, width, coming, expected)

    def _expected_words(self, row: PlanRow) -> str:
        starts = self.expecting.starts(self.board)
        if row.start is not None:
            return ""
        if row.job in starts:
            return expected_words(starts[row.job], self.board, self._dates)
        return LOOKED_FOR if self.expecting.looking(self.board) else ""

    def show_expected(self) -> None:
        """Show when jobs without a start are expected to start, or no more."""
        if self.expecting.starts(self.board) or self.expecting.looking(self.board):
            self.expecting.stop()
            self.say("")
            self._show()
            return
        self.expecting.ask(self.board, self.commands.course())
        self.say(LOOKED_FOR)

    def _expect(self, fault: str) -> None:
        """The expected starts have been found, or why there are none."""
        self.say(
            fault or "EXPECTED: starts over time of jobs without one in the next cycle",
            "warn" if fault else "dim",
        )
        self._show()
        self._why.rebuild()
        if isinstance(self.app.screen, Page):
            self.app.screen.freshen()

    def on_row_table_moved(self, event: RowTable.Moved) -> None:
        """Say why the row under the cursor starts when it does, or who has the node."""
        if event.table is self.nodes.table:
            self.nodes.pointed.rebuild()
        if event.table is self.plan:
            self.nodes.highlight()
        if (
            event.table
            is {PLAN: self.plan, NODES: self.nodes.table, RUNNING: self.running.table}[self._about]
        ):
            self._why.scroll_to(y=0, animate=False)
            self._why.rebuild()

    def on_cluster_map_moved(self, event: ClusterMap.Moved) -> None:
        """The map and the table have one cursor."""
        self.nodes.table.go(event.place)

    # Panels.

    def on_resize(self, _: Resize) -> None:
        self._fit()
        self._put_keys()

    def _fit(self) -> None:
        width, height = self.size
        self.set_class(width < ROOMY[0] or height < ROOMY[1], "-compact")
        for number in (NODES, WHY, EVENTS, RUNNING):
            self.set_class(self._panel == number, f"-on{number}")
        self.running.seen = self._panel == RUNNING
        self.running.freshen()

    def action_panel(self, number: int) -> None:
        """Go to a panel. The nodes, asked for again, become a map, or a table again."""
        if number == NODES == self._panel:
            self.nodes.toggle()
        self.go_panel(number)

    def go_panel(self, number: int) -> None:
        """Go to a panel; a small screen shows it alone."""
        self._panel = number
        if number in (PLAN, NODES, RUNNING) and number != self._about:
            self._about = number
            self._why.scroll_to(y=0, animate=False)
        self._fit()
        self._why.rebuild()
        (self.plan, self.nodes, self._why, self.events.table, self.running.table)[number - 1].focus()

    def action_colouring(self) -> None:
        """Let the letters of the map mean the next thing; the first time show the map."""
        self.nodes.next_colouring()
        if self._panel == NODES:
            self.nodes.focus()

    def map_by(self, colouring: Colouring | None) -> None:
        """Show the nodes as a map, with letters of this meaning."""
        self.nodes.map_by(colouring)
        self.go_panel(NODES)

    def action_turn_panel(self, way: int) -> None:
        """To the next panel, or the one before."""
        if not self._prompt.asking:
            self.go_panel((self._panel - 1 + way) % len(self._panels) + 1)
        elif way > 0:
            self._complete()

    # What is typed after `:`, marks and breakpoints.

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        known: Completion | tuple[str, ...] = (),
        hint: str = "",
    ) -> None:
        """Let the operator type a line."""
        self.travel.stop()
        self._prompt.ask(question, label, text, known, hint)

    def waits_for(self, key: str) -> bool:
        """Whether a key has to wait for the end of a way: all but those that look at rows."""
        if not self.travel.going:
            return False
        keyboard = keyboard_of(self.app)
        return (
            not any(key in each.pressed for each in keyboard.keys if each.id in LOOKING) and key not in ARROWS
        )

    def action_command(self) -> None:
        """Type a command."""
        self.commands.ask()

    def action_mark(self, which: str) -> None:
        """Mark this position, or go to a mark, by the letter that follows."""
        self.commands.await_letter("m" if which == "m" else "'")

    def action_break_here(self) -> None:
        """Set a breakpoint on the job under the cursor."""
        self.commands.stop_here()

    def action_breakpoints(self) -> None:
        """List the breakpoints."""
        self.commands.list_stops()

    def action_continue(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        self.commands.go_on(forward)

    def select_job(self, name: str) -> bool:
        """Put the cursor on a job of the plan, by name or number. Whether it is there."""
        number = name.partition("_")[0]
        for wanted in ({name}, {f"{number}_*"} if "_" in name else {name, f"{name}_*"}):
            if not any(row.job in wanted for row in self._rows) and any(
                row.job in wanted for row in self.board.rows
            ):
                self._filter = ""
                self._choose()
            place = next((place for place, row in enumerate(self._rows) if row.job in wanted), None)
            if place is not None:
                self.go_panel(PLAN)
                self.plan.go(place)
                return True
        return False

    def select_node(self, name: str) -> bool:
        """Put the cursor on a node. Whether there is one."""
        place = self.board.places.get(name)
        if place is None:
            return False
        self.go_panel(NODES)
        self.nodes.go(place)
        return True

    def select_running(self, name: str) -> bool:
        """Put the cursor on a running job, by name or number. Whether there is one."""
        before = self._panel
        self.go_panel(RUNNING)
        if self._filter and not self.running.select(name):
            self._filter = ""
            self._choose()
        if self.running.select(name):
            return True
        self.go_panel(before)
        return False

    def sort_by(self, column: str, reverse: bool) -> None:
        """Sort the plan by a column."""
        self._sort, self._reverse = column, reverse
        self._choose()

    def write_in(self, zone: tzinfo) -> None:
        """Write instants in a time zone."""
        self._dates = Dates(zone)
        self.events.write_in(self._dates)
        self._show()

    # The filter and the order.

    def action_filter(self) -> None:
        """Type a filter of the plan."""
        hint = "user=ada partition=batch starts<1h size>8 gpus>0 id=17"
        self._prompt.ask("filter", "show only ", self._filter, hint=hint)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """Say what is wrong with the filter while it is typed. A second `g` goes to the first row."""
        if event.question == "goto":
            if event.text == self.key("goto"):
                self._prompt.close()
                self.go_panel(self._panel)
                tables: dict[int, RowTable | ClusterMap] = {
                    PLAN: self.plan, NODES: self.nodes.seen, EVENTS: self.events.table,
                    RUNNING: self.running.table,
                }  # fmt: skip
                if self._panel in tables:
                    tables[self._panel].action_far(-1)
            return
        if event.question == "filter":
            self._prompt.remark(fault_of(event.text, known=CLUSTER), "warn")

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """A line was typed."""
        self.typed(event.question, event.text)

    def typed(self, question: str, text: str) -> None:
        """Filter the plan, go to a place, or do a command."""
        if question == "command":
            self.go_panel(self._panel)
            if text:
                self.commands.do(text)
            return
        if question == "goto":
            self.go_panel(self._panel)
            if text:
                self._go_to(text)
            return
        before, self._filter = self._filter, text
        try:
            self._choose()
        except SessionError as error:
            self._filter = before
            self.say(str(error), "warn")
        self.go_panel(PLAN)

    def _go_to(self, text: str) -> None:
        try:
            self.travel.to(text, self._dates.zone)
        except SessionError as error:
            self.say(str(error), "warn")

    def _complete(self) -> None:
        """Complete the word that is typed: of a command as what is suggested, as Right does."""
        if self._prompt.question == "command":
            self._prompt.complete()
            return
        if self._prompt.question != "filter":
            return
        line = self._prompt.query_one("Input")
        text = getattr(line, "value", "")
        found = continued(text, self.commands.known, CLUSTER)
        if found is not None:
            self._prompt.ask("filter", "show only ", found)

    def on_key(self, event: Key) -> None:
        """Esc ends what is typed; a letter that a mark waits for is its own."""
        if self.commands.awaited and not self._prompt.asking:
            event.stop()
            event.prevent_default()
            if event.key == "escape":
                self.commands.awaited = ""
                self.say("")
            else:
                self.commands.answer(event.character or event.key)
            return
        if event.key == "escape" and self._prompt.asking:
            event.stop()
            self._prompt.close()
            self.go_panel(self._panel)

    def action_sort(self, step: int) -> None:
        """Sort the plan, or the running jobs, by the next column."""
        if self._panel == RUNNING:
            self.running.sort(step)
            return
        self._sort = CLUSTER_SORTS[(CLUSTER_SORTS.index(self._sort) + step) % len(CLUSTER_SORTS)]
        self._choose()

    def action_turn(self) -> None:
        """Turn the order of the plan, or of the running jobs."""
        if self._panel == RUNNING:
            self.running.turn()
            return
        self._reverse = not self._reverse
        self._choose()

    # Reading again.

    def action_read(self) -> None:
        """Capture the cluster, or read the folder, once more."""
        self.follower.read()
        self._entitle()

    def action_play(self) -> None:
        """Play or pause. A console that follows stops following, or returns to now and follows again."""
        if self.follower.every is None:
            self.travel.play()
            return
        if self.travel.stepped:
            self.travel.first()
            if not self.follower.paused:
                return
        self.follower.pause()
        self._entitle()

    def action_speed(self, factor: float) -> None:
        """Play faster or slower."""
        self.travel.speed(factor)

    # Pages.

    def action_detail(self) -> None:
        """Everything about what is under the cursor, on a page."""
        page = self._page()
        if page is not None:
            self.app.push_screen(page)

    def _page(self) -> Page | None:
        if self._panel == EVENTS:
            return self.events.enter()
        if self._about == RUNNING:
            return self.running.page()
        if self._about == NODES and self.nodes.current is not None:
            return self._node_page(self.nodes.current.name)
        if self.current is None:
            return None
        if self.current.start is None and self.current.outcome != COVERED:
            self.expecting.ask(self.board, self.commands.course())
        return Page(f"JOB {self.current.job}", self.plan_why)

    def _node_page(self, name: str) -> Page:
        def lines(width: int) -> Sequence[Line]:
            node = self.board.nodes[self.board.places[name]]
            return list(node_lines(self.board, node, self._dates, width))

        return Page(f"NODE {name}", lines)

    def show_standing(self, most: str) -> None:
        """How users, accounts and partitions stand, on a page: who holds most of this first."""
        self.app.push_screen(
            Page("USERS", lambda width: list(standing_lines(self.board, self._dates, width, most)))
        )

    def show_list(self, name: str) -> None:
        """Show a list of the cluster on a page."""
        details: dict[str, Callable[[ListPage[Any], Any], object]] = {
            OUT.name: lambda page, row: page.app.push_screen(self._node_page(row.node)),
            RESERVATIONS.name: lambda page, row: page.app.push_screen(self._reservation_page(row)),
            PARTITIONS.name: self._longest_wait,
        }
        self.app.push_screen(ListPage(LISTS[name], self.board, self._dates, details[name]))

    def _reservation_page(self, row: ReservationRow) -> Page:
        board, dates = self.board, self._dates
        return Page(
            f"RESERVATION {row.name}", lambda width: list(reservation_lines(board, row, dates, width))
        )

    def _longest_wait(self, page: ListPage[PartitionRow], row: PartitionRow) -> None:
        """Go to the job that waits longest in a partition."""
        if row.longest_job:
            page.dismiss()
            self.select_job(row.longest_job)

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        width = 400
        tables: dict[int, tuple[RowTable, Callable[[int], Line]]] = {
            NODES: (self.nodes.table, lambda place: self.nodes.row(place, width)),
            EVENTS: (self.events.table, lambda place: self.events.row(place, 10 * width)),
            RUNNING: (self.running.table, lambda place: self.running.row(place, width)),
        }
        plan = self.plan, lambda place: self._plan_text.layout(width).line(self._rows[place])
        table, line = tables.get(self._panel, plan)
        place = table.place
        self.app.copy_to_clipboard("" if place is None else " ".join(plain(line(place)).split()))
        self.say("copied")

    def action_help(self) -> None:
        """The keys of this screen."""
        self.app.push_screen(Page("HELP", self._help))

    def _help(self, width: int) -> Sequence[Line]:
        found = help_of(keyboard_of(self.app).first)
        return [*choice_help("OVER A CLUSTER", found, width, LOOKS), [], *command_lines(CLUSTER_VIEW, width)]

    def action_out(self) -> None:
        """Back: from a way, from the filter, to the plan, to the list of scenarios; a message goes."""
        self.say("")
        if self.travel.going or self.travel.playing:
            self.travel.stop()
            self.say("broken off")
        elif self._filter:
            self._filter = ""
            self._choose()
        elif self._panel != PLAN:
            self.go_panel(PLAN)
        elif self._in_browser:
            self.dismiss()

    @property
    def _in_browser(self) -> bool:
        # Below the screens that were pushed lies an empty one of Textual's own.
        return len(self.app.screen_stack) > 2

    def action_leave(self) -> None:
        """Leave for the list of scenarios if that is behind it, else the console."""
        if self._in_browser:
            self.dismiss()
        else:
            self.app.exit(0)


def _sort_key(row: PlanRow, sort: str) -> tuple[object, ...]:
    """The place of a row in an order; what has no value comes last."""
    if sort == "starts":
        return (row.start is None, row.start or 0)
    if sort == "size":
        return (-row.size,)
    if sort == "priority":
        return (-row.priority,)
    if sort == "gpus":
        return (-row.gpus,)
    return (row.user,) if sort == "user" else (row.number, row.key)
