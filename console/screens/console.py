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

from console import keys
from console.screens.background import Background
from console.screens.commanding import Commanding
from console.session import Session
from console.session.facts import Event, Sample
from console.widgets.events import EventPanel
from console.widgets.metrics import MetricsPanel
from console.widgets.nodemap import NodeMap
from console.widgets.panel import Panel
from console.widgets.prompt import Prompt
from console.widgets.queue import Queue
from console.widgets.queue_columns import Shape
from console.widgets.status import KeyLine, StatusLine, event_line, next_up, note_lines, title_line
from console.widgets.timebar import TimeBar

NOTE_LINES = 3
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
        self._map = NodeMap(id="nodemap")
        self._events = EventPanel(self.events, id="events")
        self._metrics = MetricsPanel(id="metrics")
        self._order: Sequence[int] = ()
        self._note = ""
        self._background = Background(
            self, session, lambda: not self.busy, self._paint_predictions, self._surveyed
        )

    @cached_property
    def _names(self) -> tuple[str, ...]:
        case = self.case
        policy = case.policy if case.name == case.policy else f"{case.name} ({case.policy})"
        path = case.scenario.path
        return (path.name if path else "", policy, f"{case.nodes:,} nodes")

    def compose(self) -> ComposeResult:
        yield StatusLine(id="title")
        bar = TimeBar(id="timebar")
        bar.numbers = False
        yield bar
        with Container(id="panels"):
            with Container(id="left"):
                yield Panel(1, "NODE MAP", self._map)
                yield Panel(5, "METRICS", self._metrics)
            with Container(id="right"):
                yield Panel(2, "QUEUE", self._queue)
                yield Panel(4, "EVENTS", self._events)
        yield StatusLine(id="nextup")
        yield StatusLine(id="eventline")
        yield StatusLine(id="note")
        yield Prompt(id="prompt")
        yield KeyLine(keys.footer(), id="keys")

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

    def on_unmount(self) -> None:
        self._background.stop()
        gc.unfreeze()

    def on_resize(self, _: Resize) -> None:
        self.lay_out()
        self.call_after_refresh(self._paint_lines)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Esc works on a line that is typed; nothing that moves works while a journey is under way."""
        if self.is_mounted and self.query_one(Prompt).asking:
            return action in ("escape", "palette")
        return not self.busy or action in WHILE_BUSY

    def on_key(self, event: Key) -> None:
        if self.awaited and event.is_printable and event.character:
            event.stop()
            self.answer_letter(event.character)

    # Painting.

    def arrive(self) -> None:
        self.say("")
        self.forget_rows()
        self.snapshot = self.session.snapshot()
        self._order = self.order()
        self._queue.nobody = f"no job matches {self.filter!r}" if self.filter else "nobody waits, nobody runs"
        self._queue.show(self.snapshot, self._order, self.selected, self.sort, self.reverse)
        users = self.case.columns.user
        self._map.show(
            self.snapshot,
            label=lambda index: str(self.session.id_of(index)),
            user=users.__getitem__,
            start=self.start_of,
            end=self.end_of,
        )
        self._metrics.show(self.snapshot, thinned(self.session.trend()))
        self.look()
        self._paint_course()
        self._paint_lines()
        self._background.forecast(self._in_sight)

    def look(self) -> None:
        self._queue.place(self.selected)
        self._map.selected = self.chosen
        self._events.show(self.snapshot, self.choice(self.chosen))
        self._paint_captions()

    def show_state(self) -> None:
        self._paint_course()
        player, width = self.player, self.size.width
        title = self.case.scenario.title if self.case.scenario.title != self._names[0] else ""
        state = player.state_shown
        line = title_line(self._names, title, state, self.snapshot, player.speed_shown, width)
        self.query_one("#title", StatusLine).put(line)

    def _paint_course(self) -> None:
        self.query_one(TimeBar).show(self.snapshot, self.session.timeline(), self.marks.all)

    def _surveyed(self) -> None:
        """More of the course is known, at last how long it is."""
        if self.snapshot.total != self.session.total:
            self.snapshot = attrs.evolve(self.snapshot, total=self.session.total)
        self.show_state()

    def _paint_lines(self) -> None:
        width = self.size.width
        self.show_state()
        waiting = self.rows(self.snapshot.waiting, 0, 2)
        inner = width - 2
        self.query_one("#nextup", StatusLine).put(*next_up(waiting, len(self.snapshot.waiting), inner))
        self.query_one("#eventline", StatusLine).put(event_line(self.snapshot.last, inner))
        self._paint_note(inner)

    def _paint_note(self, width: int) -> None:
        notes = self.notes()
        lines = note_lines(notes[-1], width, NOTE_LINES) if notes else []
        note = self.query_one("#note", StatusLine)
        note.display = bool(lines)
        note.styles.height = len(lines)
        note.put(*lines)

    def _paint_captions(self) -> None:
        snapshot = self.snapshot
        queue = f"{len(snapshot.waiting):,} waiting, {len(snapshot.running):,} running"
        if self.filter:
            queue += f", {len(self._order):,} match {self.filter!r}"
        if self.sort != "queue" or self.reverse:
            queue += f", by {self.sort}{' reversed' if self.reverse else ''}"
        self._caption(2, queue)
        self._caption(4, f"at event {snapshot.number:,}")
        self._caption_map()

    def _caption(self, number: int, text: str) -> None:
        self.query_one(f"#panel{number}", Panel).caption(text)

    def _caption_map(self) -> None:
        room = self.query_one("#panel1", Panel).size.width - len("[1] NODE MAP") - 6
        caption = self._map.caption
        self._caption(1, caption if len(caption) <= room else caption.split(",")[0])

    def _paint_predictions(self) -> None:
        self.forget_rows()
        self._queue.freshen()
        self._events.choose(self.choice(self.chosen))
        self._paint_lines()

    def _in_sight(self) -> Sequence[int]:
        found = self._queue.in_sight
        return [*found, self.chosen] if self.chosen is not None and self.chosen not in found else found

    def say(self, text: str, role: str = "dim") -> None:
        self.query_one(Prompt).say(text, role)

    # What the panels tell.

    @property
    def chosen(self) -> int | None:
        return self.selected if self.selected is not None else self._queue.current

    @property
    def queue_line(self) -> str:
        return self._queue.line_text(self.row(self.chosen)) if self.chosen is not None else ""

    @property
    def picked_event(self) -> Event | None:
        return self._events.current

    def on_queue_selected(self, event: Queue.Selected) -> None:
        self.select(event.job)

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
        for number in (1, 2, 4, 5):
            if self.query_one(f"#panel{number}", Panel).body.has_focus:
                self.panel = number

    # The node map's own keys, from any panel.

    def action_colouring(self) -> None:
        """Colour the node map by the next property."""
        self._map.action_colour()
        self.say(f"the node map is coloured by {self._map.colouring.value.removeprefix('by ')}")

    def action_zoom(self, step: int) -> None:
        """Look closer at the nodes, or see more of the machine."""
        self._map.action_zoom(step)
        self.say(f"node map: {self._map.caption}")
