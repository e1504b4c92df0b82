"""The console: the screen of a session. It puts the panels together and paints them from one snapshot."""

import gc
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import ClassVar

import attrs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key, Resize

from shadowtime.console import keys
from shadowtime.console.screens.actions import Action, perform
from shadowtime.console.screens.composed.copies import Copies
from shadowtime.console.screens.composed.greeting import greet
from shadowtime.console.screens.composed.line import obey
from shadowtime.console.screens.composed.shared_actions import shared_actions
from shadowtime.console.screens.console.background import Background
from shadowtime.console.screens.console.commands import CommandLine, Commands, MachineConsole
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.exports import Exports
from shadowtime.console.screens.console.other_views import SideBySide, open_training
from shadowtime.console.screens.console.picture import MachinePicture
from shadowtime.console.screens.console.selection import Selection
from shadowtime.console.screens.console.status_lines import StatusLines
from shadowtime.console.screens.console.steering import Steering
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.editing import Editing
from shadowtime.console.screens.habits.lists import Letters, Lists
from shadowtime.console.screens.impact.answers import Answers
from shadowtime.console.screens.keeping.unsaved import SAVE_AND_LEAVE, Unsaved
from shadowtime.console.screens.pages.help import Help, Own
from shadowtime.console.screens.time.clocks import Clocks
from shadowtime.console.screens.travel.breakpoints import Breakpoints, Seeks
from shadowtime.console.screens.travel.jumps import Jumps
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.playing import Player
from shadowtime.console.screens.travel.steps import PlayedSession, Steps
from shadowtime.console.session import PolicyError, Session, SessionError
from shadowtime.console.session.errors import failure
from shadowtime.console.session.facts import Row, Snapshot
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.matrix.panel import MatrixPanel
from shadowtime.console.widgets.nodemap.panel import NodeMap
from shadowtime.console.widgets.queue.panel import Queue


class ConsoleScreen(MachineConsole):
    """The main screen: title, time bar, panels, note, prompt, keys."""

    over: ClassVar[str] = keys.MACHINE
    BINDINGS: ClassVar[list[BindingType]] = list(keys.bindings())
    AUTO_FOCUS = "#queue"
    keeps: ClassVar[bool] = True
    """Whether unsaved actions are asked about and kept: those of a lesson are not."""

    def __init__(
        self,
        session: Session,
        at: str | None = None,
        lane: bool = False,
        said: str = "",
        job: int | None = None,
    ) -> None:
        """Show a session, first at a place as it is typed; a `lane` goes on in the view that it came from.

        There `said` is the message, if it is not the usual one, and the job of an index is selected.
        """
        super().__init__()
        self._lane = lane
        self._beginning = False
        """Whether the place where the screen begins has not been reached."""
        self._begin_at, self._said = at, said
        self.desk = desk = Desk(
            session, say=self.say, busy=lambda: self.busy, cover=self.cover, last_event=self.last_event
        )
        desk.selected = job
        self.player = Player(skips=bool(session.skipped))
        self.lines = StatusLines(self, desk, self.player)
        self.picture = MachinePicture(
            self,
            desk,
            chosen=lambda: self.selection.chosen,
            numbers=lambda: self.numbers,
            queue_caption=self.queue_caption,
            below=self.lines.below,
            laid_out=self._laid_out,
            say=self.say,
        )
        self.panels = self.picture.panels
        self.lines.needed, self.lines.filled = lambda: self.panels.needed, self.panels.filled
        self._background = Background(
            self,
            session,
            free=lambda: not self.busy,
            predicted=self._paint_predictions,
            surveyed=self._surveyed,
            in_sight=self.picture.in_sight,
            chosen=lambda: self.selection.chosen,
        )
        self._compose_parts()

    def _compose_parts(self) -> None:
        desk = self.desk
        self.jumps = Jumps(self, desk)
        course = PlayedSession(desk.session)
        self.play = self.jumps.play = Play(self, self.player, course, lambda: self.busy, self.held)
        self.selection = Selection(
            self, desk, self.panels, self.picture.queue, self.picture.events, self.step_clock, self.jumps.go
        )
        self.steering = Steering(
            self,
            desk,
            self.play,
            chosen=lambda: self.selection.chosen,
            node=lambda: self.picture.node,
            command=self.command,
            restart=self._background.restart,
            keep=self._keep,
            unoffered=self.unoffered,
        )
        self.unsaved = Unsaved(
            self,
            desk,
            keeps=self.keeps and not self._lane,
            save=self.steering.save,
            go=self.jumps.go,
            restart=self._background.restart,
        )
        self.exports = Exports(self, desk.session)
        self.lists = Lists(self.panels)
        self.lettering = Letters(self.panels, self.say, self.show_keys)
        self.counts = Counts(self, self.lists, step=self.jumps.step, say=self.say, busy=lambda: self.busy)
        self.awaiting = (self.jumps, self.lettering, self.counts)
        self.editing = Editing(self, desk, self.play.pause, self._edited)
        self.stepping = Steps(self, desk.session, self.play)
        self.breakpoints = Breakpoints(self, desk, self.jumps.set_out)
        self.answers = Answers(
            self.open_page,
            outlook=lambda: desk.session.outlook(desk.clock),
            clock=lambda: desk.clock,
            chosen=self.steering.chosen_job,
            look=lambda row: self.selection.select(row.index),
            take=self.steering.take_advice,
        )
        self.copies = Copies(
            self,
            self.panels,
            {
                "reason": lambda: self.selection.explained,
                "row": lambda: self.selection.queue_line,
                "event": lambda: self.selection.event_text,
            },
        )
        self.side_by_side = SideBySide(self, desk, lambda session: ConsoleScreen(session, lane=True))
        self.themes = Themes(self)
        self.clocks = Clocks(self, desk, self.picture.use)
        self.seeks = Seeks(
            desk,
            self.jumps.set_out,
            unit=lambda: desk.unit,
            job_of=desk.job_of,
            lists={"put-off": self.selection.open_put_off},
        )
        self.views = {**self.picture.views(), "users": self.selection.open_users}
        """What `:view` shows, by name."""
        self._commands = Commands(self, self._open)
        self.line = CommandLine(self._prompt, self, self.command)
        self.actions = self.actions_of(action_table(self))
        perform(self, self.actions)

    @property
    def session(self) -> Session:
        return self.desk.session

    @property
    def snapshot(self) -> Snapshot:
        return self.desk.snapshot

    # What a screen of training does otherwise.

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

    def queue_caption(self, usual: str) -> str:
        return usual

    def cover(self, row: Row) -> Row:
        """What may be seen of a job."""
        return row

    def last_event(self) -> int | None:
        """The number of the last event that may be seen; None is no limit."""
        return None

    def open_node(self, node: int) -> None:
        self.selection.open_node(node)

    def show_notes(self) -> None:
        self._commands.show_notes()

    def begin(self) -> None:
        """Go where the screen begins, when it is there."""
        if self._begin_at is not None:
            self.jumps.go(self._begin_at, self._said)
        elif self.keeps:
            greet(self)
        self.unsaved.offer()

    def typed(self, question: str, text: str) -> None:
        if question == SAVE_AND_LEAVE:
            self.panels.show(self.panels.used)
            self.unsaved.save_and_leave(text)
        else:
            super().typed(question, text)

    def command(self, line: str) -> None:
        obey(line, self.commands(), self.say)

    def pressed(self, event: Key) -> bool:
        if super().pressed(event):
            return True
        if event.key == "enter" and self.picture.map.has_focus and self.picture.map.cursor is None:
            # Without a cursor the map has nothing to pick, and would swallow the key.
            self.actions["detail"]()
            return True
        return False

    def commands(self) -> Mapping[str, Callable[[str], object]]:
        """The typed commands by name; each gets the rest of its line."""
        return {
            **self._commands.table(),
            "play": lambda rest: self.actions["play"](),
            "note": lambda rest: self.show_notes(),
            "help": lambda rest: self.open_help(),
            "quit": lambda rest: self.leave(),
        }

    # What the parts ask for.

    def waits_for(self, key: str) -> bool:
        """Whether a key waits for the end of a journey.

        While the screen begins every key does that would do nothing; later only one after which a line is
        typed, for the line would go astray.
        """
        actions = self.actions_of_key(key) if self.busy else frozenset()
        return bool(actions - self.while_busy if self._beginning else actions & keys.ASKING)

    def step_clock(self, events: int) -> None:
        """So many events forward, or back if fewer than 0."""
        self.actions["forward" if events > 0 else "back"](abs(events))

    def failed(self, error: PolicyError) -> None:
        if self.desk.session.number != self.desk.snapshot.number:
            self.arrive()
        self.say(failure(error), "warn")

    def _keep(self) -> None:
        self.unsaved.keep()

    def _open(self, session: Session, at: str, said: str, job: int | None) -> None:
        # The actions go along, and are as unsaved there as they are here.
        self.unsaved.hand_over(session)
        self.app.switch_screen(ConsoleScreen(session, at, said=said, job=job))

    def _edited(self, session: Session, job: int | None, text: str) -> None:
        """Show what an edited file says, with the job that was selected."""
        screen = ConsoleScreen(session)
        self.app.switch_screen(screen)

        def report() -> None:
            if job is not None:
                with suppress(SessionError):
                    screen.selection.select_job(job)
            screen.say(text, "good")

        screen.call_after_refresh(report)

    def compose(self) -> ComposeResult:
        yield self.lines.title
        yield self.lines.bar
        lines = self.lines
        yield self.panels.area(*lines.under, lines.note)
        yield from self.below_panels()
        yield self._prompt
        yield self._keys
        self.show_keys()

    def on_mount(self) -> None:
        self.panels.lay_out()
        self.clocks.begin()
        self.arrive()
        self.panels.show(2)
        # Whatever is loaded by now stays: the collector need not look at it again while the operator works.
        gc.freeze()
        self._background.survey()
        shown = self.desk.readings
        if self.clocks.missed:
            self.say(self.desk.clock.described, "warn")
        elif shown:
            self.say(f"{shown[0]}{'   :note shows all' if len(shown) > 1 else ''}", "warn")
        self.begin()
        self._beginning = self.busy

    def on_unmount(self) -> None:
        self.exports.writing.stop()
        self._background.stop()
        self.picture.chart.stop()
        gc.unfreeze()

    def on_resize(self, _: Resize) -> None:
        self.call_after_refresh(self.paint_lines)

    # Painting.

    def arrive(self) -> None:
        self._beginning = False
        self.say("")
        self.desk.freshen()
        matrix = self.snapshot.matrix
        turning = 0 if matrix is None else sum(map(len, matrix.rows))
        self._background.forecast(len(self.snapshot.waiting), turning, self.player.playing)
        self.picture.paint()
        self.paint_lines()
        self._show_failure()

    def _show_failure(self) -> None:
        """A policy that fails to foresee or to explain gives a message; the rest of the picture stands."""
        if self.session.failure:
            self.say(self.session.failure, "warn")

    def look(self) -> None:
        self.picture.look()
        self._paint_why()
        self._background.explain()

    def _laid_out(self, moved: bool) -> None:
        """Other panels are seen, or they have another size: so have the lines below them."""
        if moved:
            self.picture.paint_chart()
            if self.is_mounted:
                self.paint_lines()
                self.call_after_refresh(self._background.see)

    def show_state(self) -> None:
        self.lines.show_state()

    def _surveyed(self) -> None:
        """More of the course is known, at last how long it is."""
        if self.snapshot.total != self.session.total:
            self.desk.snapshot = attrs.evolve(self.snapshot, total=self.session.total)
            self.picture.paint_chosen()
            self.panels.fit()
        self.show_state()

    def paint_lines(self) -> None:
        self.lines.paint(self.panels.height, self.panels.shown)
        self._paint_why()

    def _paint_why(self) -> None:
        """Where no panel has it the reason of the job looked at has lines of its own."""
        self.lines.paint_why(self.desk.choice(self.selection.chosen) if self.lines.why.display else None)

    def _paint_predictions(self) -> None:
        self.picture.paint_predictions()
        self.paint_lines()
        self._show_failure()

    # What the panels report.

    def on_queue_selected(self, event: Queue.Selected) -> None:
        self.selection.select(event.job)

    def on_queue_promised(self, _: Queue.Promised) -> None:
        self.picture.explain_queue()

    def on_matrix_panel_selected(self, event: MatrixPanel.Selected) -> None:
        self.selection.select(event.job)

    def on_gantt_panel_selected(self, event: GanttPanel.Selected) -> None:
        self.selection.select(event.job)

    def on_gantt_panel_picked(self, event: GanttPanel.Picked) -> None:
        if event.job is not None:
            self.selection.select(event.job)
        self.actions["detail"]()

    def on_gantt_panel_moved(self) -> None:
        self.picture.chart.seek()
        self.picture.caption_chart()

    def on_node_map_picked(self, event: NodeMap.Picked) -> None:
        if self.desk.selected == event.job_index:
            self.actions["detail"]()
        else:
            self.selection.select(event.job_index)

    def on_node_map_opened(self, event: NodeMap.Opened) -> None:
        if event.job_index >= 0:
            self.selection.select(event.job_index)
        self.open_node(event.node // self.desk.case.scenario.machine.node_size)

    def on_node_map_recaptioned(self) -> None:
        self.picture.caption_map()

    # Away from here.

    def open_help(self) -> None:
        self.open_page(Help(self.over, self.desk.unit, self.own_help))

    @property
    def own_help(self) -> Own | None:
        """What the help of one of training has; None of the console as it is."""
        return None

    def leave(self) -> None:
        """Leave, after a question if a file is being written or there are unsaved actions."""
        self.play.pause()
        self.exports.writing.leave(lambda: self.unsaved.leave(self.depart))

    def stop_way(self) -> bool:
        """Break off a journey or an export; whether there was one."""
        return super().stop_way() or self.exports.writing.stop()

    def let_go(self) -> bool:
        """Give up the filter, then the selected job; whether there was one."""
        if self.desk.filter:
            self.selection.all_jobs()
        elif self.desk.selected is not None:
            self.selection.select(None)
            self.say("no job is selected: the head of the queue is explained")
        else:
            return False
        return True


def action_table(screen: ConsoleScreen) -> Mapping[str, Action]:
    """Every action of `shadowtime.console.keys.KEYS` by its name."""
    return {
        **shared_actions(screen, screen.stepping, screen.breakpoints, screen.lettering, screen.counts),
        "panel": screen.selection.show_panel,
        "detail": screen.selection.detail,
        "why": screen.selection.why,
        "sort": screen.selection.sort_next,
        "sort_reverse": screen.selection.sort_reverse,
        "colouring": screen.picture.colour,
        "zoom": screen.picture.zoom,
        "compare": screen.side_by_side.compare_here,
        "act": screen.steering.menu,
        "undo": screen.steering.undo,
        "redo": screen.steering.redo,
        "copy": screen.selection.copy,
        "clock": screen.clocks.turn,
        "train": lambda: open_training(screen),
        "edit": screen.editing.edit,
        "read": screen.editing.read_again,
    }
