"""The screen over a cluster: what each key does, and what is typed."""

import gc
from collections.abc import Sequence
from datetime import tzinfo
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widget import Widget

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.command_table import CLUSTER as CLUSTER_VIEW
from shadowtime.console.screens.console.completion import Completion
from shadowtime.console.screens.pages.help import choice_help, command_lines
from shadowtime.console.screens.pages.list_keys import LIST_KEYS
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.captures import Captures
from shadowtime.console.screens.slurm.commands import ClusterCommands
from shadowtime.console.screens.slurm.following import Keep
from shadowtime.console.screens.slurm.help import help_of
from shadowtime.console.screens.slurm.pages import ClusterPages
from shadowtime.console.screens.slurm.picture import EVENTS, NODES, PLAN, RUNNING, WHY, ClusterPicture
from shadowtime.console.screens.slurm.travel import ClusterTravel
from shadowtime.console.screens.slurm.why import Reasons
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.session.permissions import READ_ONLY
from shadowtime.console.session.slurm.board import PLAN as FIELDS
from shadowtime.console.session.slurm.board import Board, PlanRow
from shadowtime.console.session.slurm.capturing import Source
from shadowtime.console.session.table.filtering import continued, fault_of
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, width_of
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.frame.status import StatusLine
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map import ClusterMap
from shadowtime.console.widgets.slurm.map_text import Colouring
from shadowtime.console.widgets.table.list_table import ListTable

LOOKS = "The console only looks: nothing is submitted, changed or cancelled on the cluster."
LOOKING = frozenset(("row_down", "row_up", "half_down", "half_up", "next_panel", "previous_panel"))
"""Keys that do not wait for the end of a way, by their ids."""
ARROWS = frozenset(("up", "down", "pageup", "pagedown", "escape"))


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
        Binding("a", "act", "ask", id="act"),
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
        ("act", "ask"),
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
        self._travel = ClusterTravel(self, first, lambda: self.dates.zone, lambda: self.current)
        self.captures = Captures(
            self,
            source,
            first,
            self._travel,
            every,
            keep,
            show=self.show,
            entitle=self._entitle,
            say=self.say,
            dates=lambda: self.dates,
            key=self.key,
        )
        self.picture = ClusterPicture(self, self.captures, dates, self.plan_why)
        self.commands = ClusterCommands(self)
        self.reasons = Reasons(
            self,
            self.captures,
            current=lambda: self.current,
            outlook=self.commands.outlook,
            dates=lambda: self.dates,
            show=self._show_expected,
            say=self.say,
        )
        self.pages = ClusterPages(self, self.captures, self.picture, self.reasons, self.plan_why)
        self._keys = StatusLine(id="cluster-keys")
        player = self.travel.player
        self._played = f"{player.state_shown} {player.speed_shown}"
        """Whether and how fast it plays, as it was said last."""
        self._at = at
        if at is not None:
            self.travel.check(at)
        self._prompt = Prompt(id="prompt")

    def compose(self) -> ComposeResult:
        picture = self.picture
        yield picture.title
        yield picture.events.line
        yield picture.panels[PLAN]
        with Container(id="lower"):
            yield from (picture.panels[number] for number in (NODES, EVENTS, RUNNING, WHY))
        yield from self.below_panels()
        yield self._prompt
        yield self._keys

    def below_panels(self) -> Sequence[Widget]:
        """What stands between the panels and the lines below."""
        return ()

    def on_mount(self) -> None:
        # A cluster has a million objects, and none of them is garbage.
        gc.freeze()
        self.picture.plan.table.focus()
        self.picture.fit()
        self.show()
        self.captures.follower.begin()
        if self._at is not None:
            self.travel.jumps.go(self._at)
        if self.captures.source.live:
            self.set_interval(1, self.picture.tick)

    def on_unmount(self) -> None:
        self.captures.follower.end()
        self.reasons.expecting.stop()
        gc.unfreeze()

    # What is shown.

    @property
    def board(self) -> Board:
        """The cluster as it is shown."""
        return self.captures.board

    @property
    def travel(self) -> ClusterTravel:
        """Where the cluster stands."""
        return self._travel

    @property
    def dates(self) -> Dates:
        """How instants are written."""
        return self.picture.dates

    @property
    def current(self) -> PlanRow | None:
        """The row under the cursor of the plan."""
        return self.picture.plan.current

    def plan_why(self, width: int) -> Sequence[Line]:
        """The lines about the row under the cursor of the plan."""
        return self.reasons.lines(width)

    def arrive(self) -> None:
        """Paint everything at the present position."""
        self.captures.moved()

    def look(self) -> None:
        """The selection is where it was."""

    def show_state(self) -> None:
        """Show whether and how fast it plays."""
        player = self.travel.player
        state = f"{player.state_shown} {player.speed_shown}"
        if state != self._played:
            self._played = state
            self.say(state, "key" if player.playing else "dim")

    def failed(self, error: PolicyError) -> None:
        """Show that a policy failed."""
        self.say(str(error), "warn")

    def open_page(self, page: Screen[None]) -> None:
        """Show a page over the panels."""
        self.app.push_screen(page)

    def show(self) -> None:
        """Paint everything."""
        self.picture.show(self.reasons.starts)
        self._put_keys()

    def _entitle(self) -> None:
        self.picture.entitle()

    def _show_expected(self) -> None:
        """Paint the expected starts that were found, also on a page."""
        self.show()
        self.picture.why.rebuild()
        if isinstance(self.app.screen, Page):
            self.app.screen.freshen()

    def write_in(self, zone: tzinfo) -> None:
        """Write instants in a time zone."""
        self.picture.write_in(zone)
        self.show()

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""
        if not self._prompt.asking:
            self._prompt.say(text, role)

    def key(self, id: str) -> str:
        """The key of an action, as the operator reads it."""
        return keyboard_of(self.app).first(id)

    @property
    def _space(self) -> tuple[str, str]:
        """What Space does."""
        if self.captures.follower.every is None:
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

    def on_list_table_moved(self, event: ListTable.Moved) -> None:
        """The cursor of a table moved."""
        self.picture.moved(event.table)

    def on_cluster_map_moved(self, event: ClusterMap.Moved) -> None:
        """The map and the table have one cursor."""
        self.picture.nodes.table.go(event.place)

    def on_resize(self, _: Resize) -> None:
        self.picture.fit()
        self._put_keys()

    # Keys that step.

    def action_forward(self, count: int) -> None:
        """Events forward."""
        self.travel.steps.forward(count)

    def action_back(self, count: int) -> None:
        """Events back."""
        self.travel.steps.back(count)

    def action_next_decision(self) -> None:
        """To the next event that starts a job."""
        self.travel.steps.next_decision()

    def action_previous_decision(self) -> None:
        """To the event before that started a job."""
        self.travel.steps.previous_decision()

    def action_first(self) -> None:
        """Back to the capture."""
        self.travel.jumps.first()

    def action_last(self) -> None:
        """To the last event."""
        self.travel.jumps.last()

    def action_play(self) -> None:
        """Play or pause."""
        self.captures.play()

    def action_speed(self, factor: float) -> None:
        """Play faster or slower."""
        self.travel.play.set_speed(self.travel.player.speed * factor)

    def action_read(self) -> None:
        """Capture the cluster, or read the folder, once more."""
        self.captures.read()

    # Panels, the filter and the order.

    def action_panel(self, number: int) -> None:
        """Go to a panel. The nodes, asked for again, become a map, or a table again."""
        self.picture.choose(number)

    def action_turn_panel(self, way: int) -> None:
        """To the next panel, or the one before."""
        if not self._prompt.asking:
            self.picture.turn(way, RUNNING)
        elif way > 0:
            self._complete()

    def action_colouring(self) -> None:
        """Let the letters of the map mean the next thing; the first time show the map."""
        self.picture.colour()

    def map_by(self, colouring: Colouring | None) -> None:
        """Show the nodes as a map, with letters of this meaning."""
        self.picture.map_by(colouring)

    def action_sort(self, step: int) -> None:
        """Sort the plan, or the running jobs, by the next column."""
        self.picture.sort(step)

    def action_turn(self) -> None:
        """Turn the order of the plan, or of the running jobs."""
        self.picture.turn_order()

    def sort_by(self, order: Order) -> None:
        """Sort the plan by a column."""
        self.picture.plan.sort_by(order)

    def select_job(self, name: str) -> bool:
        """Put the cursor on a job of the plan, by name or number. Whether it is there."""
        return self.picture.select_job(name)

    def select_node(self, name: str) -> bool:
        """Put the cursor on a node. Whether there is one."""
        return self.picture.select_node(name)

    def select_running(self, name: str) -> bool:
        """Put the cursor on a running job, by name or number. Whether there is one."""
        return self.picture.select_running(name)

    # What is typed, marks and breakpoints.

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        hint: str = "",
        known: Completion | tuple[str, ...] = (),
    ) -> None:
        """Let the operator type a line."""
        self.travel.play.pause()
        self._prompt.ask(question, label, text, known, hint)

    def waits_for(self, key: str) -> bool:
        """Whether a key has to wait for the end of a way: all but those that look at rows."""
        if not self.travel.busy:
            return False
        keyboard = keyboard_of(self.app)
        return (
            not any(key in each.pressed for each in keyboard.keys if each.id in LOOKING) and key not in ARROWS
        )

    def action_goto(self) -> None:
        """Type a place to go to."""
        self._prompt.ask("goto", "go to ", hint=EXPECTED)

    def action_filter(self) -> None:
        """Type a filter of the plan."""
        hint = "user=ada partition=batch starts<1h size>8 gpus>0 id=17"
        self._prompt.ask("filter", "show only ", self.picture.plan.filter, hint=hint)

    def action_command(self) -> None:
        """Type a command."""
        self.commands.ask()

    def action_mark(self, which: str) -> None:
        """Mark this position, or go to a mark, by the letter that follows."""
        jumps = self.travel.jumps
        jumps.mark() if which == "m" else jumps.to_mark()

    def action_act(self) -> None:
        """Show what can be asked about what is under the cursor."""
        self.commands.menu(*self.picture.asked)

    def action_break_here(self) -> None:
        """Set a breakpoint on the job under the cursor."""
        self.travel.breakpoints.set_here()

    def action_breakpoints(self) -> None:
        """List the breakpoints."""
        self.travel.breakpoints.show()

    def action_continue(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        self.travel.breakpoints.go_on(forward)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """Say what is wrong with the filter while it is typed. A second `g` goes to the first row."""
        if event.question == "goto":
            if event.text == self.key("goto"):
                self._stop_asking()
                rows = self.picture.rows
                if rows is not None:
                    rows.action_far(-1)
            return
        if event.question == "filter":
            self._prompt.remark(fault_of(event.text, FIELDS, self.picture.reading.clock), "warn")

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """A line was typed."""
        self.typed(event.question, event.text)

    def typed(self, question: str, text: str) -> None:
        """Filter the plan, go to a place, or do a command."""
        if question == "filter":
            try:
                self.picture.filter_by(text)
            except SessionError as error:
                self.say(str(error), "warn")
            self.picture.go(PLAN)
            return
        self.picture.go(self.picture.used)
        if text and question == "command":
            self.commands.do(text)
        elif text and question == "break":
            self.commands.do(f"break {text}")
        elif text:
            self.travel.jumps.go(text)

    def _stop_asking(self) -> None:
        self._prompt.close()
        self.picture.go(self.picture.used)

    def _complete(self) -> None:
        """Complete the word that is typed: of a command as what is suggested, as Right does."""
        if self._prompt.question == "command":
            self._prompt.complete()
            return
        if self._prompt.question != "filter":
            return
        line = self._prompt.query_one("Input")
        text = getattr(line, "value", "")
        found = continued(text, self.commands.known, FIELDS)
        if found is not None:
            self._prompt.ask("filter", "show only ", found)

    def on_key(self, event: Key) -> None:
        """Esc ends what is typed; a letter that a mark waits for is its own."""
        jumps = self.travel.jumps
        if jumps.awaited and not self._prompt.asking:
            event.stop()
            event.prevent_default()
            if event.key == "escape":
                jumps.awaited = ""
                self.say("")
            else:
                jumps.answer(event.character or event.key)
            return
        if event.key == "escape" and self._prompt.asking:
            event.stop()
            self._stop_asking()

    # Pages, and away from here.

    def action_detail(self) -> None:
        """Everything about what is under the cursor, on a page."""
        self.pages.detail()

    def show_expected(self) -> None:
        """Show when jobs without a start are expected to start, or no more."""
        self.reasons.show_expected()

    def show_standing(self, most: str) -> None:
        """How users, accounts and partitions stand, on a page: who holds most of this first."""
        self.pages.standing(most)

    def show_list(self, name: str) -> None:
        """Show a list of the cluster on a page."""
        self.pages.list(name)

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        self.app.copy_to_clipboard(self.picture.copied)
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
        if self.travel.stop():
            pass
        elif self.picture.plan.filter:
            self.picture.filter_by("")
        elif self.picture.used != PLAN:
            self.picture.go(PLAN)
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
