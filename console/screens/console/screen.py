"""The console: the screen of a session. It puts the panels together and paints them from one snapshot."""

import gc
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import attrs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.events import Key, Resize

from console import keys, words
from console.screens.console.background import Background
from console.screens.console.commands import Commanding
from console.screens.console.gantt import Charting
from console.screens.console.panels import COLUMNS
from console.session import Session
from console.session.facts import ASIDE, Event, Sample
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


class ConsoleScreen(Commanding):
    """The main screen: title, time bar, panels, note, prompt, keys."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.bindings())
    AUTO_FOCUS = "#queue"

    def __init__(self, session: Session, at: str | None = None) -> None:
        super().__init__(session, at)
        columns = self.case.columns
        last = columns.submit[-1] if len(columns.submit) else 0
        shape = Shape.of(columns.id, columns.user, columns.klass, self.case.nodes, last)
        self._queue = Queue(shape, self.rows, id="queue")
        machine = self.case.scenario.machine
        torus = Torus.of(machine.torus, machine.unit, machine.per_node)
        self._unit = unit_of(machine.torus, machine.unit)
        self._map = NodeMap(torus=torus, id="nodemap")
        self._events = EventPanel(self.events, id="events")
        self._matrix = MatrixPanel(id="matrix")
        self._metrics = MetricsPanel(id="metrics")
        self._chart = Charting(
            self,
            session,
            self._unit,
            free=lambda: not self.busy,
            label=self._label,
            row=self.row,
        )
        self._turning = self.snapshot.matrix is not None
        self.place = 3 if self._turning else 1
        self._order: Sequence[int] = ()
        self._title = StatusLine(id="title")
        self._bar = TimeBar(id="timebar")
        self._bar.numbers = False
        self._next_up = StatusLine(id="nextup")
        self._event_line = StatusLine(id="eventline")
        self._note = StatusLine(id="note")
        self._prompt = Prompt(id="prompt")
        self._panels = {
            1: Panel(1, "NODE MAP", self._map),
            2: Panel(2, "QUEUE", self._queue),
            3: Panel(3, "MATRIX", self._matrix) if self._turning else Panel(3, "GANTT", self._chart.panel),
            4: Panel(4, "EVENTS", self._events),
            5: Panel(5, "METRICS", self._metrics),
        }
        self._background = Background(
            self,
            session,
            free=lambda: not self.busy,
            predicted=self._paint_predictions,
            surveyed=self._surveyed,
            in_sight=self._in_sight,
        )

    @cached_property
    def _users(self) -> Sequence[str]:
        return self.case.columns.user

    def _label(self, index: int) -> str:
        return str(self.session.id_of(index))

    @cached_property
    def _story(self) -> str:
        """The title of the scenario; a log's says no more than its file's name."""
        title = self.case.scenario.title
        return title if title != self._names[0] else ""

    @property
    def _names(self) -> tuple[str, ...]:
        case, shot = self.case, self.snapshot
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
                yield from (self._panels[number] for number in COLUMNS["left"])
            with Container(id="right"):
                yield from (self._panels[number] for number in COLUMNS["right"])
        yield self._next_up
        yield self._event_line
        yield self._note
        yield self._prompt
        footer = keys.keyboard_of(self.app).footer()
        yield KeyLine([key for key in footer if key.id not in self.unoffered], id="keys")

    def on_mount(self) -> None:
        self.lay_out()
        self.arrive()
        self.show_panel(2)
        # Whatever is loaded by now stays: the collector need not look at it again while the operator works.
        gc.freeze()
        self._background.survey()
        told = self.readings
        if told:
            self.say(f"{told[0]}{'   :note tells more' if len(told) > 1 else ''}", "warn")
        if self.begin_at is not None:
            self.go(self.begin_at)

    def on_screen_resume(self) -> None:
        if words.count_in(self._unit) and not self.busy:
            # What came from behind while another machine was on the screen was counted in its unit.
            self.arrive()

    def restart(self) -> None:
        self._background.restart()

    def on_unmount(self) -> None:
        self._background.stop()
        self._chart.stop()
        gc.unfreeze()

    def on_resize(self, _: Resize) -> None:
        self.lay_out()
        self.call_after_refresh(self._paint_lines)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Esc works on a line that is typed; nothing that moves works while a journey is under way."""
        if self._prompt.asking:
            return action in ("escape", "palette")
        return not self.busy or action in WHILE_BUSY

    def on_key(self, event: Key) -> None:
        if self.awaited and event.is_printable and event.character:
            event.stop()
            self.answer_letter(event.character)
        elif event.key == "enter" and self._map.has_focus and self._map.cursor is None:
            # Without a cursor the map has nothing to pick, and would swallow the key.
            event.stop()
            self.action_detail()

    # Painting.

    def arrive(self) -> None:
        self.say("")
        self.forget_rows()
        self.snapshot = self.session.snapshot()
        matrix = self.snapshot.matrix
        turning = 0 if matrix is None else sum(map(len, matrix.rows))
        self._background.forecast(len(self.snapshot.waiting), turning, self.player.playing)
        self._order = self.order()
        self._queue.nobody = f"no job matches {self.filter!r}" if self.filter else "nobody waits, nobody runs"
        self._queue.show(self.snapshot, self._order, self.selected, self.sort, self.reverse)
        self._map.show(
            self.snapshot,
            states=self.snapshot.holding,
            label=self._label,
            user=self._users.__getitem__,
            start=self.start_of,
            end=self.end_of,
        )
        if self.snapshot.matrix is not None:
            self._matrix.show(self.snapshot, self.columns, self._label, self._users.__getitem__)
        self._paint_chart()
        self._metrics.show(self.snapshot, thinned(self.session.trend()), self.session.preempts)
        self._paint_chosen()
        self._paint_lines()
        self._tell_failure()

    def lay_out(self) -> None:
        super().lay_out()
        self._paint_chart()

    def _paint_chart(self) -> None:
        """The bars, where they are seen: they cost what others do not."""
        if not self._turning and self.seen(3):
            self._chart.show(self.snapshot, self.chosen)

    def _tell_failure(self) -> None:
        """A policy that fails to foresee or to explain is told of; the rest of the picture stands."""
        if self.session.failure:
            self.say(self.session.failure, "warn")

    def look(self) -> None:
        self._queue.place(self.selected)
        self._paint_chosen()

    def _paint_chosen(self) -> None:
        self._map.selected = self.chosen
        if self._turning:
            self._matrix.place(self.chosen)
        elif self.seen(3):
            self._chart.panel.place(self.chosen)
        self._events.show(self.snapshot, self.choice(self.chosen))
        self._paint_captions()

    def show_state(self) -> None:
        player = self.player
        state, speed = player.state_shown, player.speed_shown
        self._title.put(title_line(self._names, self._story, state, self.snapshot, speed, self.size.width))
        self._bar.show(self.snapshot, self.session.timeline(), self.marks.all)

    def _surveyed(self) -> None:
        """More of the course is known, at last how long it is."""
        if self.snapshot.total != self.session.total:
            self.snapshot = attrs.evolve(self.snapshot, total=self.session.total)
        self.show_state()

    def _paint_lines(self) -> None:
        self.show_state()
        inner = self.size.width - 2
        if self.compact:
            queue, holding = self.snapshot.waiting, self.snapshot.holding
            # Who has nodes already and waits for a turn comes up, too.
            turns = [index for index, state in holding.items() if state not in ASIDE]
            self._next_up.put(*next_up(self.rows([*queue[:2], *turns[:2]], 0, 2), len(queue), inner))
            self._event_line.put(event_line(self.snapshot.last, inner))
        self._paint_note(inner)

    def _paint_note(self, width: int) -> None:
        note = self.note()
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
        if self.filter:
            queue += f", {len(self._order):,} match {self.filter!r}"
        if self.sort != "queue" or self.reverse:
            queue += f", by {self.sort}{' reversed' if self.reverse else ''}"
        self._panels[2].caption(queue)
        self._panels[3].caption(self._matrix.caption if self._turning else self._chart.panel.caption)
        self._panels[4].caption(f"at event {snapshot.number:,}")
        self._caption_map()

    def _caption_map(self) -> None:
        room = self._panels[1].size.width - len("[1] NODE MAP") - 6
        caption = self._map.caption
        self._panels[1].caption(caption if len(caption) <= room else caption.split(",")[0])

    def _paint_predictions(self) -> None:
        self.forget_rows()
        self._queue.freshen()
        self._events.choose(self.choice(self.chosen))
        self._paint_chart()
        self._paint_lines()
        self._tell_failure()

    def _in_sight(self) -> Sequence[int]:
        found = self._queue.in_sight
        return [*found, self.chosen] if self.chosen is not None and self.chosen not in found else found

    def say(self, text: str, role: str = "dim") -> None:
        self._prompt.say(text, role)

    # What the panels tell.

    @property
    def chosen(self) -> int | None:
        return self.selected if self.selected is not None else self._queue.current

    @property
    def node(self) -> int | None:
        if self.panel != 1 or self._map.cursor is None:
            return None
        machine = self.case.scenario.machine
        return self._map.cursor // (machine.per_node if machine.unit == "processor" else 1)

    @property
    def queue_line(self) -> str:
        return self._queue.line_text(self.row(self.chosen)) if self.chosen is not None else ""

    @property
    def picked_event(self) -> Event | None:
        return self._events.current

    def on_queue_selected(self, event: Queue.Selected) -> None:
        self.select(event.job)

    def on_matrix_panel_selected(self, event: MatrixPanel.Selected) -> None:
        self.select(event.job)

    def on_gantt_panel_selected(self, event: GanttPanel.Selected) -> None:
        self.select(event.job)

    def on_gantt_panel_picked(self, event: GanttPanel.Picked) -> None:
        if event.job is not None:
            self.select(event.job)
        self.action_detail()

    def on_gantt_panel_moved(self) -> None:
        self._chart.seek()
        self._panels[3].caption(self._chart.panel.caption)

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        if self.selected == event.job_index:
            self.action_detail()
        else:
            self.select(event.job_index)

    def on_node_map_recaptioned(self) -> None:
        self._caption_map()

    def on_time_bar_pointed(self, event: TimeBar.Pointed) -> None:
        self.go(f"#{event.number}")

    def on_descendant_focus(self) -> None:
        """A click put another panel in use."""
        for number in self._panels:
            if self._panels[number].body.has_focus:
                self.panel = number

    # The node map's own keys, from any panel.

    def action_colouring(self) -> None:
        """Colour the node map by the next property."""
        self.bring(1)
        self._map.action_colour()
        self.say(f"the node map is coloured by {self._map.colouring.value.removeprefix('by ')}")

    def action_zoom(self, step: int) -> None:
        """Look closer at the nodes, or see more of the machine."""
        self.bring(1)
        self._map.action_zoom(step)
        self.say(f"node map: {self._map.caption}")
