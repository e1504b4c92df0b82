"""The screen over a cluster: it composes the parts of a console, and paints them from one board."""

import gc
from collections.abc import Mapping, Sequence
from typing import ClassVar

import attrs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Resize

from shadowtime.console import keys
from shadowtime.console.screens.actions import Action, perform
from shadowtime.console.screens.composed.copies import WIDTH, Copies
from shadowtime.console.screens.composed.greeting import greet
from shadowtime.console.screens.composed.panels import QUEUE, WHY
from shadowtime.console.screens.composed.screen import WHILE_BUSY
from shadowtime.console.screens.composed.shared_actions import shared_actions
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.habits.counts import Counts
from shadowtime.console.screens.habits.lists import Letters, Lists
from shadowtime.console.screens.pages.help import Help
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.slurm.answers import ClusterAnswers
from shadowtime.console.screens.slurm.charting.comparing import Comparing
from shadowtime.console.screens.slurm.clock import ClusterClock
from shadowtime.console.screens.slurm.commands import ClusterCommands, ClusterConsole, ClusterLine
from shadowtime.console.screens.slurm.exports import ClusterExports
from shadowtime.console.screens.slurm.pages import ClusterPages
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures, Keep
from shadowtime.console.screens.slurm.time.travel import ClusterTravel
from shadowtime.console.screens.slurm.why import Reasons
from shadowtime.console.session import PolicyError
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.capturing import ClusterSource
from shadowtime.console.widgets.frame.ink import Line, texts
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map import ClusterMap
from shadowtime.console.widgets.table.list_table import ListTable

LOOKING = WHILE_BUSY | {"row", "half_rows", "far_row"}
"""What may be done while a way is gone in a thread."""
ARROWS = frozenset(("up", "down", "pageup", "pagedown", "escape"))


class ClusterScreen(ClusterConsole):
    """A console over a cluster. It only looks: nothing is submitted, changed or cancelled."""

    over: ClassVar[str] = keys.CLUSTER
    BINDINGS: ClassVar[list[BindingType]] = list(keys.bindings(keys.CLUSTER))
    AUTO_FOCUS = "#plan"
    while_busy: ClassVar[frozenset[str]] = LOOKING
    plays: ClassVar[bool] = True
    """Whether there is something to step through."""

    def __init__(
        self,
        source: ClusterSource,
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
        # A cluster has a million objects, and none of them is garbage.
        gc.freeze()
        self.travel = ClusterTravel(self, first, lambda: self.picture.zone, lambda: self.current)
        self.jumps = self.travel.jumps
        self.captures = Captures(
            self,
            source,
            first,
            self.travel,
            every,
            keep,
            show=self.show,
            entitle=self._entitle,
            say=self.say,
            dates=lambda: self.dates,
            key=self.key,
        )
        self.picture = ClusterPicture(
            self,
            self.captures,
            dates,
            why=self.plan_why,
            marks=lambda: self.travel.marks,
            numbers=lambda: self.numbers,
            say=self.say,
        )
        self.panels = self.picture.panels
        self._compose_parts()
        player = self.travel.player
        self._played = f"{player.state_shown} {player.speed_shown}"
        """Whether and how fast it plays, as it was said last."""
        self._at = at
        if at is not None:
            self.travel.check(at)

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(self.panels.panels)

    def _compose_parts(self) -> None:
        captures, picture = self.captures, self.picture
        self.commands = ClusterCommands(self)
        self.answers = ClusterAnswers(
            captures,
            picture,
            self.open_page,
            look=self.commands.look,
            likely=lambda: self.reasons.sampling.odds,
        )
        self.reasons = Reasons(
            self,
            captures,
            current=lambda: self.current,
            outlook=self.answers.outlook,
            dates=lambda: self.dates,
            show=self._show_expected,
            say=self.say,
        )
        self.pages = ClusterPages(self, captures, picture, self.reasons, self.plan_why)
        self.lists = Lists(self.panels)
        self.exports = ClusterExports(self, captures, picture)
        self.comparing = Comparing(self, captures, lambda: picture.dates, lambda: picture.letters)
        self.copies = Copies(
            self,
            self.panels,
            {
                "reason": lambda: "\n".join(texts(picture.why_lines(WIDTH))),
                "row": lambda: picture.copied,
                "event": lambda: picture.events.text(WIDTH),
            },
        )
        self.clocks = ClusterClock(captures, picture, self.show, self.say)
        self.themes = Themes(self)
        self.lettering = Letters(self.panels, self.say, self.show_keys)
        self.counts = Counts(self, self.lists, step=self.jumps.step, say=self.say, busy=lambda: self.busy)
        self.awaiting = (self.jumps, self.lettering, self.counts)
        self.line = ClusterLine(self._prompt, self, self.command)
        self.actions = action_table(self)
        perform(self, self.actions)

    def compose(self) -> ComposeResult:
        picture = self.picture
        yield picture.title
        yield picture.charts.line
        yield picture.events.line
        yield self.panels.area()
        yield from self.below_panels()
        yield self._prompt
        yield self._keys

    def on_mount(self) -> None:
        # What the panels need is known first: they are laid out once.
        self.show()
        self.panels.show(QUEUE)
        self.captures.follower.begin()
        if self._at is not None:
            self.travel.jumps.go(self._at)
        else:
            greet(self)
        if self.captures.source.live:
            self.set_interval(1, self.picture.tick)

    def on_unmount(self) -> None:
        self.captures.follower.end()
        self.reasons.expecting.stop()
        self.reasons.sampling.stop()
        self.exports.writing.stop()
        gc.unfreeze()

    def on_resize(self, _: Resize) -> None:
        self.picture.entitle()
        self.show_keys()

    # What is shown.

    @property
    def board(self) -> Board:
        return self.captures.board

    @property
    def dates(self) -> Dates:
        return self.picture.dates

    @property
    def current(self) -> PlanRow | None:
        return self.picture.plan.current

    def plan_why(self, width: int) -> Sequence[Line]:
        """The lines about the row under the cursor of the plan."""
        return self.reasons.lines(width)

    def arrive(self) -> None:
        self.captures.moved()

    def look(self) -> None:
        """The selection is where it was."""

    def show_state(self) -> None:
        player = self.travel.player
        state = f"{player.state_shown} {player.speed_shown}"
        if state != self._played:
            self._played = state
            self.say(state, "key" if player.playing else "dim")

    def failed(self, error: PolicyError) -> None:
        self.say(str(error), "warn")

    def show(self) -> None:
        self.reasons.sampling.look()
        self.picture.show(self.reasons.starts, self.reasons.sampling.answer)
        self.show_keys()

    def _entitle(self) -> None:
        self.picture.entitle()
        self.show_keys()

    def _show_expected(self) -> None:
        """Paint the expected starts that were found, also on a page."""
        self.show()
        self.picture.why.rebuild()
        if isinstance(self.app.screen, Page):
            self.app.screen.freshen()

    def footer(self) -> list[keys.Key]:
        """The keys of the footer; Space says what it does to a console that follows."""
        found = super().footer()
        if self.captures.follower.every is None:
            return found
        label = "now" if self.travel.stepped else "pause"
        return [attrs.evolve(key, label=label) if key.id == "play" else key for key in found]

    def on_list_table_moved(self, event: ListTable.Moved) -> None:
        self.picture.moved(event.table)

    def on_cluster_map_moved(self, event: ClusterMap.Moved) -> None:
        """The map and the table have one cursor."""
        self.picture.nodes.go_in_table(event.node)

    def on_gantt_panel_picked(self, event: GanttPanel.Picked) -> None:
        """Everything about the job at the cursor of the chart."""
        if self._point(event.job):
            self.pages.detail()

    def on_gantt_panel_selected(self, event: GanttPanel.Selected) -> None:
        self._point(event.job)

    def _point(self, index: int | None) -> bool:
        """Select a job by its index in the chart; whether it waits or runs."""
        if index is None:
            self.say("no job is under the cursor", "warn")
            return False
        name, chart = self.picture.charts.bars.label(index), self.panels.used
        found = self.picture.select_job(name) or self.picture.select_running(name)
        self.panels.show(chart)
        if not found:
            self.say(f"job {name} neither waits nor runs now", "warn")
        return found

    def on_gantt_panel_moved(self) -> None:
        self.picture.charts.entitle()

    # Keys, and what is typed.

    def waits_for(self, key: str) -> bool:
        """Whether a key has to wait for the end of a way: all but those that look at rows."""
        return self.busy and key not in ARROWS and not self.actions_of_key(key) & LOOKING

    def panel_used(self) -> None:
        self.picture.look()

    def command(self, line: str) -> None:
        self.commands.do(line)

    # Away from here.

    def leave(self) -> None:
        """Leave, after a question if a file is being written."""
        self.exports.writing.leave(self.depart)

    def stop_way(self) -> bool:
        """Break off a way, or play; whether there was one."""
        return self.travel.stop() or self.exports.writing.stop()

    def let_go(self) -> bool:
        """Give up the filter, then the panel for the plan; whether there was one."""
        if self.picture.plan.filter:
            self.picture.filter_by("")
            self.say("the filter is off")
        elif self.panels.used != QUEUE:
            self.panels.show(QUEUE)
        else:
            return False
        return True

    def open_help(self) -> None:
        self.open_page(Help(self.over))


def action_table(screen: ClusterScreen) -> Mapping[str, Action]:
    """Every action that keys of `shadowtime.console.keys.KEYS` do over a cluster, by its name."""
    travel, picture = screen.travel, screen.picture
    return {
        **shared_actions(screen, travel.steps, travel.breakpoints, screen.lettering, screen.counts),
        "play": screen.captures.play,
        "panel": picture.choose,
        "detail": screen.pages.detail,
        "why": lambda: picture.panels.show(WHY),
        "sort": picture.sort,
        "sort_reverse": picture.turn_order,
        "colouring": picture.colour,
        "act": screen.commands.menu,
        "compare": screen.comparing.here,
        "copy": screen.copies.copy_row,
        "clock": screen.clocks.turn,
        "train": lambda: open_training(screen),
        "read": screen.captures.read,
    }
