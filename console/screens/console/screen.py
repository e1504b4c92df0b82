"""The console: the screen of a session. It puts the panels together and paints them from one snapshot."""

import gc
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import attrs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widget import Widget

from console import keys, words
from console.screens.actions import Action, perform
from console.screens.console.action_table import action_table
from console.screens.console.background import Background
from console.screens.console.breakpoints import Breakpoints
from console.screens.console.command_line import CommandLine, obey
from console.screens.console.commands import Commands
from console.screens.console.desk import Desk
from console.screens.console.exports import Exports
from console.screens.console.gantt import GanttChart
from console.screens.console.jumps import Jumps
from console.screens.console.other_views import SideBySide
from console.screens.console.panels import COLUMNS, PanelArrangement
from console.screens.console.parts import Parts
from console.screens.console.selection import Selection
from console.screens.console.steering import Steering
from console.screens.console.themes import Themes
from console.screens.pages.help import Help
from console.screens.travel.play import Play
from console.screens.travel.playing import Player
from console.screens.travel.steps import SessionCourse, Steps
from console.session import PolicyError, Session
from console.session.errors import failure
from console.session.facts import ASIDE, Row, Sample, Snapshot
from console.widgets.events.panel import EventPanel
from console.widgets.frame.panel import Panel
from console.widgets.frame.prompt import Prompt
from console.widgets.frame.status import KeyLine, StatusLine, event_line, next_up, note_lines, title_line
from console.widgets.frame.timebar import TimeBar
from console.widgets.gantt.panel import GanttPanel
from console.widgets.matrix.panel import MatrixPanel
from console.widgets.metrics.panel import MetricsPanel
from console.widgets.nodemap.panel import NodeMap
from console.widgets.nodemap.torus_layout import Torus, unit_of
from console.widgets.queue.columns import Shape
from console.widgets.queue.panel import Queue

NOTE_LINES = 3
LOW = 22
"""Lines below which a note has one of them."""
WHILE_BUSY = frozenset(("escape", "quit", "help", "panel", "next_panel", "previous_panel", "resize"))
"""What may be done while a journey holds the session."""
TREND = 128
"""Samples of the trend that the metrics get: about two for each of their dots."""


def thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    """At most twice `TREND` of the samples, evenly spread, and the last one."""
    step = max(1, len(samples) // TREND)
    return [*samples[::step], *samples[-1:]] if step > 1 else samples


class ConsoleScreen(Screen[None]):
    """The main screen: title, time bar, panels, note, prompt, keys."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.bindings())
    AUTO_FOCUS = "#queue"
    unoffered: ClassVar[frozenset[str]] = frozenset()
    """Commands, and keys by id, that are not for who sits here: neither the footer nor the menu has them."""

    def __init__(self, session: Session, at: str | None = None) -> None:
        """Show a session, first at a place as it is typed."""
        super().__init__()
        self._begin_at = at
        self.desk = desk = Desk(
            session, say=self.say, busy=lambda: self.busy, cover=self.cover, last_event=self.last_event
        )
        self._title = StatusLine(id="title")
        self._bar = TimeBar(id="timebar")
        self._bar.numbers = False
        self._next_up = StatusLine(id="nextup")
        self._event_line = StatusLine(id="eventline")
        self._note = StatusLine(id="note")
        self._prompt = Prompt(id="prompt")
        self._order: Sequence[int] = ()
        self._turning = desk.snapshot.matrix is not None
        self._background = Background(
            self,
            session,
            free=lambda: not self.busy,
            predicted=self._paint_predictions,
            surveyed=self._surveyed,
            in_sight=self._in_sight,
        )
        self._compose_panels()
        self._compose_parts()

    def _compose_panels(self) -> None:
        desk, case = self.desk, self.desk.case
        columns, machine = case.columns, case.scenario.machine
        last = columns.submit[-1] if len(columns.submit) else 0
        shape = Shape.of(columns.id, columns.user, columns.klass, case.nodes, last)
        self._queue = Queue(shape, desk.rows, id="queue")
        self._unit = unit_of(machine.torus, machine.unit)
        self._map = NodeMap(torus=Torus.of(machine.torus, machine.unit, machine.per_node), id="nodemap")
        self._events = EventPanel(desk.events, id="events")
        self._matrix = MatrixPanel(id="matrix")
        self._metrics = MetricsPanel(id="metrics")
        self._chart = GanttChart(
            self,
            desk.session,
            self._unit,
            free=lambda: not self.busy,
            label=self._label,
            row=desk.row,
        )
        panels = {
            1: Panel(1, "NODE MAP", self._map),
            2: Panel(2, "QUEUE", self._queue),
            3: Panel(3, "MATRIX", self._matrix) if self._turning else Panel(3, "GANTT", self._chart.panel),
            4: Panel(4, "EVENTS", self._events),
            5: Panel(5, "METRICS", self._metrics),
        }
        self.panels = PanelArrangement(
            self,
            panels,
            3 if self._turning else 1,
            numbers=lambda: self.numbers,
            laid_out=self._paint_chart,
            say=self.say,
        )

    def _compose_parts(self) -> None:
        desk = self.desk
        self.player = Player(skips=bool(desk.session.skipped))
        self.play = Play(self, self.player, SessionCourse(desk.session), lambda: self.busy, self.held)
        self.jumps = Jumps(self, desk, self.play)
        self.selection = Selection(
            self, desk, self.panels, self._queue, self._events, self.step_clock, self.jumps.go
        )
        self.steering = Steering(
            self,
            desk,
            self.play,
            chosen=lambda: self.selection.chosen,
            node=lambda: self._node,
            command=self.command,
            restart=self._background.restart,
            unoffered=self.unoffered,
        )
        self.exports = Exports(self, desk, self.selection, self.panels)
        parts = Parts(
            view=self,
            desk=desk,
            panels=self.panels,
            play=self.play,
            steps=Steps(self, desk.session, self.play),
            jumps=self.jumps,
            breakpoints=Breakpoints(self, desk, self.jumps.set_out),
            selection=self.selection,
            steering=self.steering,
            exports=self.exports,
            side_by_side=SideBySide(self, desk, ConsoleScreen),
            themes=Themes(self),
        )
        self.themes = parts.themes
        self._commands = Commands(parts, self._open)
        self._line = CommandLine(self._prompt, parts, self.command)
        self.actions = self.actions_of(action_table(parts, self._line, self))
        perform(self, self.actions)

    @property
    def session(self) -> Session:
        """What is simulated, and where it stands."""
        return self.desk.session

    @property
    def snapshot(self) -> Snapshot:
        """What is on the screen."""
        return self.desk.snapshot

    # What a screen of training does otherwise.

    def below_panels(self) -> Sequence[Widget]:
        """What stands between the panels and the lines below."""
        return ()

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        """The actions of the keys, from those of the console."""
        return table

    @property
    def numbers(self) -> tuple[int, ...]:
        """The panels that may be used: the third is the bars, or the matrix if the policy slices time."""
        return (1, 2, 3, 4, 5)

    def held(self) -> bool:
        """Whether something holds up the way forward; a message says what."""
        return False

    def cover(self, row: Row) -> Row:
        """What may be seen of a job."""
        return row

    def last_event(self) -> int | None:
        """The number of the last event that may be seen; None is no limit."""
        return None

    def show_notes(self) -> None:
        """The notes so far."""
        self._commands.show_notes()

    def begin(self) -> None:
        """Go where the screen begins, when it is there."""
        if self._begin_at is not None:
            self.jumps.go(self._begin_at)

    def typed(self, question: str, text: str) -> None:
        """The operator typed a line in answer to a question."""
        self._line.answered(question, text)

    def command(self, line: str) -> None:
        """Do what a typed command says."""
        obey(line, self.commands(), self.say)

    def pressed(self, event: Key) -> bool:
        """Whether a key that is no binding was for the screen."""
        if self.jumps.awaited and event.is_printable and event.character:
            self.jumps.answer(event.character)
        elif event.key == "enter" and self._map.has_focus and self._map.cursor is None:
            # Without a cursor the map has nothing to pick, and would swallow the key.
            self.actions["detail"]()
        else:
            return False
        return True

    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The typed commands by name; each gets the rest of its line."""
        return {
            **self._commands.table(),
            "note": lambda rest: self.show_notes(),
            "help": lambda rest: self.open_help(),
            "quit": lambda rest: self.leave(),
        }

    # What the parts ask for.

    @property
    def busy(self) -> bool:
        """Whether a journey holds the session."""
        return self.jumps.travel.busy

    def key(self, id: str) -> str:
        """The key of an action, as the operator reads it."""
        return keys.keyboard_of(self.app).first(id)

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""
        self._prompt.say(text, role)

    def ask(self, question: str, label: str, text: str = "", hint: str = "") -> None:
        """Let the operator type the rest of a command that is named by the question."""
        self._line.ask(question, label, text, hint)

    def open_page(self, page: Screen[None]) -> None:
        """Pause, and show a page over the panels."""
        self.play.pause()
        self.app.push_screen(page)

    def step_clock(self, events: int) -> None:
        """So many events forward, or back if fewer than 0."""
        self.actions["forward" if events > 0 else "back"](abs(events))

    def failed(self, error: PolicyError) -> None:
        """Show that the policy failed, at the position that it left."""
        if self.desk.session.number != self.desk.snapshot.number:
            self.arrive()
        self.say(failure(error), "warn")

    def _open(self, session: Session, at: str | None) -> None:
        self.app.switch_screen(ConsoleScreen(session, at))

    @cached_property
    def _users(self) -> Sequence[str]:
        return self.desk.case.columns.user

    def _label(self, index: int) -> str:
        return str(self.session.id_of(index))

    @cached_property
    def _story(self) -> str:
        """The title of the scenario; a log's says no more than its file's name."""
        title = self.desk.case.scenario.title
        return title if title != self._names[0] else ""

    @property
    def _names(self) -> tuple[str, ...]:
        case, shot = self.desk.case, self.snapshot
        path = case.scenario.path
        began = (case.policy, case.parameters)
        policy = words.in_force(began, case.name, shot.policy, shot.parameters)
        return (path.name if path else "", policy, words.sized(case.nodes))

    def compose(self) -> ComposeResult:
        # Before anything is painted: what was open before may have counted in another unit.
        words.count_in(self._unit)
        yield self._title
        yield self._bar
        with Container(id="panels"):
            with Container(id="left"):
                yield from (self.panels.panels[number] for number in COLUMNS["left"])
            with Container(id="right"):
                yield from (self.panels.panels[number] for number in COLUMNS["right"])
        yield from self.below_panels()
        yield self._next_up
        yield self._event_line
        yield self._note
        yield self._prompt
        footer = keys.keyboard_of(self.app).footer()
        yield KeyLine([key for key in footer if key.id not in self.unoffered], id="keys")

    def on_mount(self) -> None:
        self.panels.lay_out()
        self.arrive()
        self.panels.show(2)
        # Whatever is loaded by now stays: the collector need not look at it again while the operator works.
        gc.freeze()
        self._background.survey()
        told = self.desk.readings
        if told:
            self.say(f"{told[0]}{'   :note tells more' if len(told) > 1 else ''}", "warn")
        self.begin()

    def on_screen_resume(self) -> None:
        if words.count_in(self._unit) and not self.busy:
            # What came from behind while another machine was on the screen was counted in its unit.
            self.arrive()

    def on_unmount(self) -> None:
        self.exports.stop()
        self._background.stop()
        self._chart.stop()
        gc.unfreeze()

    def on_resize(self, _: Resize) -> None:
        self.panels.lay_out()
        self.call_after_refresh(self._paint_lines)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Esc works on a line that is typed; nothing that moves works while a journey is under way."""
        if self._prompt.asking:
            return action in ("escape", "palette")
        return not self.busy or action in WHILE_BUSY

    def on_key(self, event: Key) -> None:
        """A letter that a mark waits for, and what else is no binding."""
        if self.pressed(event):
            event.stop()

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """The line that is typed has changed."""
        self._line.typing(event.question, event.text)

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """A line was typed."""
        self.typed(event.question, event.text)

    # Painting.

    def arrive(self) -> None:
        """Take a new snapshot, and paint everything from it."""
        self.say("")
        self.desk.freshen()
        matrix = self.snapshot.matrix
        turning = 0 if matrix is None else sum(map(len, matrix.rows))
        self._background.forecast(len(self.snapshot.waiting), turning, self.player.playing)
        self._order = self.desk.order()
        self._queue.nobody = (
            f"no job matches {self.desk.filter!r}" if self.desk.filter else "nobody waits, nobody runs"
        )
        self._queue.show(self.snapshot, self._order, self.desk.selected, self.desk.sort, self.desk.reverse)
        self._map.show(
            self.snapshot,
            states=self.snapshot.holding,
            label=self._label,
            user=self._users.__getitem__,
            start=self.desk.start_of,
            end=self.desk.end_of,
        )
        if self.snapshot.matrix is not None:
            self._matrix.show(self.snapshot, self.desk.columns, self._label, self._users.__getitem__)
        self._paint_chart()
        self._metrics.show(self.snapshot, thinned(self.session.trend()), self.session.preempts)
        self._paint_chosen()
        self._paint_lines()
        self._tell_failure()

    def _paint_chart(self) -> None:
        """The bars, where they are seen: they cost what others do not."""
        if not self._turning and self.panels.seen(3):
            self._chart.show(self.snapshot, self.selection.chosen)

    def _tell_failure(self) -> None:
        """A policy that fails to foresee or to explain is told of; the rest of the picture stands."""
        if self.session.failure:
            self.say(self.session.failure, "warn")

    def look(self) -> None:
        """Paint the selection anew at the same position."""
        self._queue.place(self.desk.selected)
        self._paint_chosen()

    def _paint_chosen(self) -> None:
        self._map.selected = self.selection.chosen
        if self._turning:
            self._matrix.place(self.selection.chosen)
        elif self.panels.seen(3):
            self._chart.panel.place(self.selection.chosen)
        self._events.show(self.snapshot, self.desk.choice(self.selection.chosen))
        self._paint_captions()

    def show_state(self) -> None:
        """Paint whether, where to and how fast it plays, and the marks."""
        player = self.player
        state, speed = player.state_shown, player.speed_shown
        self._title.put(title_line(self._names, self._story, state, self.snapshot, speed, self.size.width))
        self._bar.show(self.snapshot, self.session.timeline(), self.desk.marks.all)

    def _surveyed(self) -> None:
        """More of the course is known, at last how long it is."""
        if self.snapshot.total != self.session.total:
            self.desk.snapshot = attrs.evolve(self.snapshot, total=self.session.total)
        self.show_state()

    def _paint_lines(self) -> None:
        self.show_state()
        inner = self.size.width - 2
        if self.panels.compact:
            queue, holding = self.snapshot.waiting, self.snapshot.holding
            # Who has nodes already and waits for a turn comes up, too.
            turns = [index for index, state in holding.items() if state not in ASIDE]
            self._next_up.put(*next_up(self.desk.rows([*queue[:2], *turns[:2]], 0, 2), len(queue), inner))
            self._event_line.put(event_line(self.snapshot.last, inner))
        self._paint_note(inner)

    def _paint_note(self, width: int) -> None:
        note = self.desk.note()
        # On a low screen the panel needs the lines more than the note does, which `:note` shows in full.
        most = NOTE_LINES if self.size.height >= LOW else 1
        lines = note_lines(*note, width, most) if note is not None else []
        if len(lines) != len(self._note.lines):
            # Each of these lays out the whole screen, and a note is new only now and then.
            self._note.display = bool(lines)
            self._note.styles.height = len(lines)
        self._note.put(*lines)

    def _paint_captions(self) -> None:
        snapshot = self.snapshot
        queue = f"{len(snapshot.waiting):,} waiting, {len(snapshot.running):,} running"
        queue = ", ".join((queue, *words.aside(snapshot.holding)))
        if self.desk.filter:
            queue += f", {len(self._order):,} match {self.desk.filter!r}"
        if self.desk.sort != "queue" or self.desk.reverse:
            queue += f", by {self.desk.sort}{' reversed' if self.desk.reverse else ''}"
        self.panels.panels[2].caption(queue)
        self.panels.panels[3].caption(self._matrix.caption if self._turning else self._chart.panel.caption)
        self.panels.panels[4].caption(f"at event {snapshot.number:,}")
        self._caption_map()

    def _caption_map(self) -> None:
        room = self.panels.panels[1].size.width - len("[1] NODE MAP") - 6
        caption = self._map.caption
        self.panels.panels[1].caption(caption if len(caption) <= room else caption.split(",")[0])

    def _paint_predictions(self) -> None:
        self.desk.forget_rows()
        self._queue.freshen()
        self._events.choose(self.desk.choice(self.selection.chosen))
        self._paint_chart()
        self._paint_lines()
        self._tell_failure()

    def _in_sight(self) -> Sequence[int]:
        found = self._queue.in_sight
        return (
            [*found, self.selection.chosen]
            if self.selection.chosen is not None and self.selection.chosen not in found
            else found
        )

    # What the panels tell.

    @property
    def _node(self) -> int | None:
        if self.panels.used != 1 or self._map.cursor is None:
            return None
        machine = self.desk.case.scenario.machine
        return self._map.cursor // (machine.per_node if machine.unit == "processor" else 1)

    def on_queue_selected(self, event: Queue.Selected) -> None:
        self.selection.select(event.job)

    def on_matrix_panel_selected(self, event: MatrixPanel.Selected) -> None:
        self.selection.select(event.job)

    def on_gantt_panel_selected(self, event: GanttPanel.Selected) -> None:
        self.selection.select(event.job)

    def on_gantt_panel_picked(self, event: GanttPanel.Picked) -> None:
        if event.job is not None:
            self.selection.select(event.job)
        self.actions["detail"]()

    def on_gantt_panel_moved(self) -> None:
        self._chart.seek()
        self.panels.panels[3].caption(self._chart.panel.caption)

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        if self.desk.selected == event.job_index:
            self.actions["detail"]()
        else:
            self.selection.select(event.job_index)

    def on_node_map_recaptioned(self) -> None:
        self._caption_map()

    def on_time_bar_pointed(self, event: TimeBar.Pointed) -> None:
        self.jumps.go(f"#{event.number}")

    def on_descendant_focus(self) -> None:
        """A click put another panel in use."""
        for number in self.panels.panels:
            if self.panels.panels[number].body.has_focus:
                self.panels.used = number

    # The node map's own keys, from any panel.

    def colour(self) -> None:
        """Colour the node map by the next property."""
        self.panels.bring(1)
        self._map.action_colour()
        self.say(f"the node map is coloured by {self._map.colouring.value.removeprefix('by ')}")

    def zoom(self, step: int) -> None:
        """Look closer at the nodes, or see more of the machine."""
        self.panels.bring(1)
        self._map.action_zoom(step)
        self.say(f"node map: {self._map.caption}")

    # Away from here.

    def open_palette(self) -> None:
        """Search all actions by name."""
        self.app.action_command_palette()

    def open_help(self) -> None:
        """Keys and commands."""
        self.open_page(Help())

    def leave(self) -> None:
        """Leave: the scenario for the browser if one is behind it, else the console."""
        if self._in_browser:
            self.dismiss()
        else:
            self.app.exit(0)

    @property
    def _in_browser(self) -> bool:
        # Below the screens that were pushed lies an empty one of Textual's own.
        return len(self.app.screen_stack) > 2

    def go_back(self) -> None:
        """Back: from a question, a jump, a large panel, the filter, the selected job, the scenario."""
        if self._line.leave():
            return
        if self.jumps.awaited:
            self.jumps.awaited = ""
            self.say("")
        elif not self.jumps.travel.stop() and not self.exports.stop():
            self._let_go()

    def _let_go(self) -> None:
        if self.panels.enlarged:
            self.panels.enlarged = 0
            self.panels.lay_out()
        elif self.desk.filter:
            self.selection.filter_by("")
            self.say("the filter is off")
        elif self.desk.selected is not None:
            self.selection.select(None)
            self.say("no job is selected: the head of the queue is explained")
        elif self._in_browser:
            self.dismiss()
        else:
            self.say(f"{self.key('quit')} quits")
