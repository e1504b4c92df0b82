"""The screen over a cluster: the plan of its next cycle, its nodes, and why a job starts when it does."""

import gc
from collections.abc import Sequence
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widget import Widget

from console.keys import keyboard_of
from console.screens.pages.help import choice_help
from console.screens.pages.list_keys import HELP, LIST_KEYS
from console.screens.pages.page import Page
from console.screens.slurm.following import Follower, Keep
from console.session import SessionError
from console.session.jobs.filters import continued, fault_of
from console.session.permissions import READ_ONLY
from console.session.slurm.board import CLUSTER, Board, PlanRow, changes, shown_rows
from console.session.slurm.board.changes import NOTHING
from console.session.slurm.capturing import Source
from console.widgets.frame.ink import Line, plain, width_of
from console.widgets.frame.lines import LineView
from console.widgets.frame.panel import Panel
from console.widgets.frame.prompt import Prompt
from console.widgets.frame.status import StatusLine
from console.widgets.slurm.dates import Dates
from console.widgets.slurm.nodes_text import NodesText
from console.widgets.slurm.plan_text import PlanText
from console.widgets.slurm.status_text import (
    Following,
    changed,
    nodes_caption,
    plan_caption,
    plan_foot,
    title,
)
from console.widgets.slurm.table import RowTable
from console.widgets.slurm.why_text import why_lines

SORTS = ("queue", "start", "job", "user", "size", "priority")
"""What the plan can be sorted by."""
ROOMY = (110, 30)
"""Cells and lines from which all panels are shown at once."""


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
        *LIST_KEYS,
        Binding("q", "leave", "quit", id="quit"),
        Binding("escape", "back", "back", id="escape"),
        Binding("slash", "filter", "filter", id="filter"),
        Binding("s", "sort(1)", "sort", id="sort"),
        Binding("S", "turn", "the other way round", id="sort_reverse"),
        Binding("space", "pause", "pause", id="play"),
        Binding("r", "read", "read again"),
        Binding("tab", "turn_panel(1)", "panel", id="next_panel", priority=True),
        Binding("shift+tab", "turn_panel(-1)", "panel", id="previous_panel", priority=True),
        Binding("1", "panel(1)", "plan", id="panel1"),
        Binding("2", "panel(2)", "nodes", id="panel2"),
        Binding("3", "panel(3)", "why", id="panel3"),
        Binding("enter", "detail", "everything", id="detail"),
        Binding("y", "copy", "copy", id="copy"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (
        ("filter", "filter"),
        ("sort", "sort"),
        ("next_panel", "panel"),
        ("detail", "everything"),
        ("r", "read again"),
        ("play", "pause"),
        ("copy", "copy"),
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
    ) -> None:
        """Show the board that was taken first; follow the source `every` seconds, and keep each board."""
        super().__init__()
        self.board, self.changes = first, NOTHING
        self.follower = Follower(self, source, every, keep, self.take, self._failed)
        self._source, self._dates = source, dates
        self._taken = monotonic()
        self._rows: tuple[PlanRow, ...] = first.rows
        self._filter = ""
        self._sort, self._reverse = SORTS[0], False
        self._panel = 1
        self._title = StatusLine(id="cluster-title")
        self._keys = StatusLine(id="cluster-keys")
        self._prompt = Prompt(id="prompt")
        self._plan_text = PlanText(first, NOTHING, dates, first.now)
        self._nodes_text = NodesText(first, NOTHING, dates, first.now)
        self.plan = RowTable(
            lambda width: self._plan_text.layout(width).heading(),
            lambda place, width: self._plan_text.layout(width).line(self._rows[place]),
            id="plan",
        )
        self.nodes = RowTable(
            lambda width: self._nodes_text.layout(width).heading(),
            lambda place, width: self._nodes_text.layout(width).line(self.board.nodes[place]),
            id="nodes",
        )
        self._why = Why(self)
        self._panels = (
            Panel(1, "PLAN", self.plan),
            Panel(2, "NODES", self.nodes),
            Panel(3, "WHY", self._why),
        )

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._panels[0]
        with Container(id="lower"):
            yield self._panels[1]
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
        if self._source.live:
            self.set_interval(1, self._tick)

    def on_unmount(self) -> None:
        self.follower.end()
        gc.unfreeze()

    # The clock and the captures.

    @property
    def now(self) -> int:
        """The instant from which countdowns count: that of the capture, which moves on if it is live."""
        passed = monotonic() - self._taken if self._source.live else 0
        return self.board.now + int(passed)

    def _tick(self) -> None:
        self._plan_text, self._nodes_text = self._plan_text.at(self.now), self._nodes_text.at(self.now)
        self.plan.redraw()
        self.nodes.redraw()
        self._entitle()

    def take(self, found: Board) -> None:
        """Show a new board: what changed is marked, and the cursor stays with its job."""
        if found.now != self.board.now:
            self.changes = changes(self.board, found)
        self.board, self._taken = found, monotonic()
        self._show()
        self.say(changed(self.changes, found, self._dates))

    def _failed(self, fault: str) -> None:
        self.say(fault, "warn")
        self._entitle()

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""
        if not self._prompt.asking:
            self._prompt.say(text, role)

    # What is shown.

    def _show(self) -> None:
        self._plan_text = PlanText(self.board, self.changes, self._dates, self.now)
        self._nodes_text = NodesText(self.board, self.changes, self._dates, self.now)
        self._choose()
        self.nodes.show([node.name for node in self.board.nodes])
        self._panels[0].foot(plan_foot(self.board))
        self._panels[1].caption(nodes_caption(self.board))
        self._entitle()
        self._put_keys()

    def _choose(self) -> None:
        """Show the rows of the filter, in the order of the sort."""
        rows = list(shown_rows(self.board, self._filter))
        if self._sort != SORTS[0]:
            rows.sort(key=lambda row: _sort_key(row, self._sort))
        if self._reverse:
            rows.reverse()
        self._rows = tuple(rows)
        self.plan.nothing = f"no job of the plan is {self._filter}" if self._filter else "no job waits"
        self.plan.show([row.key for row in rows])
        words = plan_caption(self.board, len(rows), self._filter)
        order = f"   by {self._sort}{' reversed' if self._reverse else ''}"
        plain_order = self._sort == SORTS[0] and not self._reverse
        # The table says that its cursor moved, and then the reason is written anew.
        self._panels[0].caption(words if plain_order else words + order)

    def _entitle(self) -> None:
        age = self.now - self.board.now if self._source.live else None
        follower = self.follower
        following = Following(follower.every, follower.paused, follower.reading, follower.fault)
        self._title.put(title(self.board, self._source.name, self._dates, age, following))

    def _put_keys(self) -> None:
        """Show the first keys, as many as there is room for; help and quit are always among them."""
        first = keyboard_of(self.app).first
        begun: Line = [(f" {READ_ONLY}   ", "dim")]
        *others, help_key, quit_key = [
            [(first(key), "key"), (f" {label}   ", "dim")]
            for key, label in self.KEYS
            if key != "play" or self.follower.every is not None
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

    def why(self, width: int) -> list[Line]:
        """The lines about the row under the cursor."""
        return why_lines(self.board, self.changes, self.current, self._dates, width)

    def on_row_table_moved(self, event: RowTable.Moved) -> None:
        """Say why the row under the cursor starts when it does."""
        if event.table is self.plan:
            self._why.scroll_to(y=0, animate=False)
            self._why.rebuild()

    # Panels.

    def on_resize(self, _: Resize) -> None:
        self._fit()
        self._put_keys()

    def _fit(self) -> None:
        width, height = self.size
        self.set_class(width < ROOMY[0] or height < ROOMY[1], "-compact")
        self.set_class(self._panel == 2, "-on2")
        self.set_class(self._panel == 3, "-on3")

    def action_panel(self, number: int) -> None:
        """Go to a panel; a small screen shows it alone."""
        self._panel = number
        self._fit()
        (self.plan, self.nodes, self._why)[number - 1].focus()

    def action_turn_panel(self, way: int) -> None:
        """To the next panel, or the one before."""
        if not self._prompt.asking:
            self.action_panel((self._panel - 1 + way) % 3 + 1)
        elif way > 0:
            self._complete()

    # The filter and the order.

    def action_filter(self) -> None:
        """Type a filter of the plan."""
        hint = "user=ada partition=batch starts<1h size>8 id=17"
        self._prompt.ask("filter", "show only ", self._filter, hint=hint)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """Say what is wrong with the filter while it is typed."""
        if event.question == "filter":
            self._prompt.remark(fault_of(event.text, known=CLUSTER), "warn")

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """A line was typed."""
        self.typed(event.question, event.text)

    def typed(self, question: str, text: str) -> None:
        """Filter the plan: nothing else is asked here."""
        before, self._filter = self._filter, text
        try:
            self._choose()
        except SessionError as error:
            self._filter = before
            self.say(str(error), "warn")
        self.action_panel(1)

    def _complete(self) -> None:
        """Complete the word that is typed."""
        line = self._prompt.query_one("Input")
        text = getattr(line, "value", "")
        found = continued(text, self._known, CLUSTER)
        if found is not None:
            self._prompt.ask("filter", "show only ", found)

    def _known(self, field: str) -> set[str]:
        """The values of a text of the rows."""
        names = {"state": "outcome", "reason": "slurm_reason"}
        return {str(getattr(row, names.get(field, field))) for row in self.board.rows}

    def on_key(self, event: Key) -> None:
        """Esc ends what is typed."""
        if event.key == "escape" and self._prompt.asking:
            event.stop()
            self._prompt.close()
            self.action_panel(self._panel)

    def action_sort(self, step: int) -> None:
        """Sort the plan by the next column."""
        self._sort = SORTS[(SORTS.index(self._sort) + step) % len(SORTS)]
        self._choose()

    def action_turn(self) -> None:
        """Turn the order of the plan."""
        self._reverse = not self._reverse
        self._choose()

    # Reading again.

    def action_read(self) -> None:
        """Capture the cluster, or read the folder, once more."""
        self.follower.read()
        self._entitle()

    def action_pause(self) -> None:
        """Stop following, or follow again."""
        if self.follower.every is None:
            self.say("this console does not follow; --follow 30s reads every 30 seconds")
            return
        self.follower.pause()
        self._entitle()

    # Pages.

    def action_detail(self) -> None:
        """Everything about the row under the cursor, on a page."""
        if self._panel == 2:
            self._say_node()
        elif self.current is not None:
            self.app.push_screen(Page(f"JOB {self.current.job}", self.why))

    def _say_node(self) -> None:
        """Show the node under the cursor in one line."""
        place = self.nodes.place
        if place is None:
            return
        node = self.board.nodes[place]
        parts = ", ".join(node.partitions) or "no partition"
        runs = ", ".join(node.jobs) or "nobody"
        self.say(f"{node.name}: {node.state}; in {parts}; runs: {runs}")

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        table, text = (self.nodes, "") if self._panel == 2 else (self.plan, "")
        place = table.place
        if place is not None:
            width = 400
            line = (
                self._nodes_text.layout(width).line(self.board.nodes[place])
                if self._panel == 2
                else self._plan_text.layout(width).line(self._rows[place])
            )
            text = " ".join(plain(line).split())
        self.app.copy_to_clipboard(text)
        self.say("copied")

    def action_help(self) -> None:
        """The keys of this screen."""
        self.app.push_screen(Page("HELP", self._help))

    def _help(self, width: int) -> Sequence[Line]:
        first = keyboard_of(self.app).first
        found = (
            *HELP,
            (
                first("filter"),
                "filter the plan: user, account, partition, qos, name, state, reason, id, size,",
            ),
            ("", "cpus, priority, wait, limit, starts; Tab completes, an empty filter shows all"),
            (first("sort"), "sort by the next of: queue, start, job, user, size, priority"),
            (first("sort_reverse"), "the other way round"),
            (first("next_panel"), "to the next panel; 1 2 3: plan, nodes, why"),
            (first("detail"), "everything about the job under the cursor"),
            ("r", "capture the cluster, or read the folder, once more"),
            (first("play"), "stop following, or follow again"),
            (first("copy"), "copy the row"),
            (first("escape"), "back: from a filter, a panel, or to the list of scenarios"),
            (first("quit"), "quit"),
        )
        return choice_help("OVER A CLUSTER", found, width)

    def action_back(self) -> None:
        """Back: from the filter, to the plan, to the list of scenarios."""
        if self._filter:
            self._filter = ""
            self._choose()
        elif self._panel != 1:
            self.action_panel(1)
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
    if sort == "start":
        return (row.start is None, row.start or 0)
    if sort == "size":
        return (-row.size,)
    if sort == "priority":
        return (-row.priority,)
    return (row.user,) if sort == "user" else (row.number, row.key)
