"""The compare view: two to four policies on the same workload in lockstep, side by side, and how they differ.

The console that it was opened from stays where it is. The lanes are sessions of their own.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.events import Resize
from textual.screen import Screen

from shadowtime.console import words
from shadowtime.console.clock import KINDS, Clocked, calendar_of
from shadowtime.console.keys import ASKING, actions_of
from shadowtime.console.screens.actions import Action, perform
from shadowtime.console.screens.compare import keys as comparing_keys
from shadowtime.console.screens.compare.command_line import LaneCommands, room
from shadowtime.console.screens.compare.divergence import Divergence, LikelyLanes
from shadowtime.console.screens.compare.jumps import LaneJumps
from shadowtime.console.screens.compare.lane_choice import Picker
from shadowtime.console.screens.compare.lanes import LaneBars, LockstepCourse, same_order
from shadowtime.console.screens.compare.makers import LaneMaker
from shadowtime.console.screens.compare.verdict_page import VerdictPage
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.playing import Player
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.session import Case, PolicyError, SessionError
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lane_figures import LaneFigures, carried, some_of, standings
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST, Lockstep
from shadowtime.console.session.comparison.verdict import VerdictWork, window_line
from shadowtime.console.session.errors import failure
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.widgets.compare import text as wording
from shadowtime.console.widgets.compare.lane import NOBODY, Lanes, LaneView
from shadowtime.console.widgets.events.text import ChosenJob
from shadowtime.console.widgets.events.text import why as reasons_of
from shadowtime.console.widgets.frame.ink import Line, plain, wrap
from shadowtime.console.widgets.frame.letters import Held, Letters
from shadowtime.console.widgets.frame.lines import LineView
from shadowtime.console.widgets.frame.prompt import Prompt
from shadowtime.console.widgets.frame.status import KeyLine, StatusLine
from shadowtime.console.widgets.gantt.panel import GanttPanel
from shadowtime.console.widgets.queue.panel import Queue
from shadowtime.console.words.likely_change import lanes_verdict
from shadowtime.console.words.moving import OF_LANES

WHILE_BUSY = frozenset(("escape", "quit", "help", "lane", "next_panel", "previous_panel"))
"""What may be done while another thread has the lanes."""
TALL = 32
"""Lines from which a lane shows why the job looked at stands as it does, and the view how it ends.

Below a long message has the lines of what happened.
"""
SHORT = 20
"""Lines below which the figures give way to the jobs of the lanes."""
NARROW = 72
"""Columns below which the figures give way to the jobs that differ."""
REASON = 170
"""Columns below which a reason has two lines."""
SOON, SOON_TURNING = 500, 64
"""Jobs that wait, or take turns, up to which their starts are predicted at once."""
WORST = 50
"""Jobs whose wait changes most that a verdict lists."""
DIFFERING = 32
"""Jobs that differ which are told at most."""


class CompareScreen(Screen[None]):
    """The screen of the compare view."""

    BINDINGS: ClassVar[list[BindingType]] = list(comparing_keys.bindings())
    AUTO_FOCUS = "Queue"
    DEFAULT_CSS = """
    CompareScreen { layout: vertical; }
    CompareScreen #lanes { layout: horizontal; height: 1fr; }
    CompareScreen .lane { width: 1fr; height: 1fr; }
    CompareScreen #differences { layout: horizontal; }
    CompareScreen LineView { overflow-y: hidden; }
    CompareScreen #figures { height: 1fr; padding: 0 1; }
    CompareScreen #differing { width: 1fr; height: 1fr; }
    """

    def __init__(
        self, lockstep: Lockstep, instant: int | None, maker: LaneMaker, letters: Held | None = None
    ) -> None:
        """Show lanes at an instant, where they stand for None; the maker makes others.

        `letters` are those that jobs have already, by their index in the lanes.
        """
        super().__init__()
        self.lockstep = lockstep
        self.lane = 0
        self.letters = Letters(letters)
        self._instant = instant
        self._maker = maker
        self.selected: int | None = None
        self.filter = ""
        """The words that the jobs of the lanes have to match."""
        self._charted = not any(
            lane.snapshot().matrix is not None or lane.case.scenario.machine.torus for lane in lockstep.lanes
        )
        """Whether bars are shown: at first, unless a lane has time slots or a torus to show."""
        self._seen: Sequence[int] = ()
        """The places of the lanes that there is room for."""
        self._lines = (0, 0)
        """Lines of the tables, and of what happened."""
        self._most = (0, 0)
        """The most lines that either has had since the lanes were laid out: so nothing moves in a step."""
        self.standings: LaneFigures = standings(lockstep, DIFFERING)
        self._title = StatusLine(id="title")
        self._verdict = StatusLine(id="verdict")
        self._figures = LineView(id="figures", focus=False)
        self._jobs = LineView(id="differing", focus=False)
        self._differences = Container(self._figures, self._jobs, id="differences")
        self._story = StatusLine(id="story")
        self._prompt = Prompt(id="prompt")
        self.bars = LaneBars(self, maker, lockstep.lanes, free=lambda: not self.busy)
        self.views = [
            LaneView(place, lane, chart.panel)
            for place, (lane, chart) in enumerate(zip(lockstep.lanes, self.bars.charts, strict=True))
        ]
        self.player = Player(skips=bool(lockstep.skipped))
        self.play = Play(self, self.player, LockstepCourse(lockstep), lambda: self.busy, ends=OF_LANES)
        self.steps = Steps(self, lockstep, self.play, OF_LANES)
        self.divergence = Divergence(self, lockstep, self.play, self.steps, lambda: self.busy)
        self.odds = LikelyLanes(self, lockstep, self.paint)
        self.jumps = LaneJumps(
            self,
            lockstep,
            self.play,
            lane=lambda: self.lane,
            select=self.select,
            ended=self.divergence.take,
        )
        self._line = LaneCommands(self, self._prompt, self.play.pause, self.jumps.go, self.commands)
        self.actions: Mapping[str, Action] = {
            "forward": self.steps.forward,
            "back": self.steps.back,
            "next_decision": self.steps.next_decision,
            "previous_decision": self.steps.previous_decision,
            "play": self.play.toggle,
            "reverse": self.play.reverse,
            "slower": self.play.slower,
            "faster": self.play.faster,
            "speed_one": self.play.usual_speed,
            "diverge": self.divergence.diverge,
            "differ": self.divergence.differ,
            "goto": self._line.ask_place,
            "first": self.jumps.first,
            "last": self.jumps.last,
            "next_panel": self.use_next,
            "previous_panel": self.use_previous,
            "lane": self.use_number,
            "detail": self.open_lane,
            "lanes": self.choose_lanes,
            "filter": self._line.ask_filter,
            "verdict": lambda: self.show_verdict(""),
            "escape": self.go_back,
            "why": self.why,
            "colouring": self.colour,
            "bars": self.show_bars,
            "zoom_time": lambda steps: self.bars.zoom(self.lane, steps),
            "pan_time": lambda steps: self.bars.pan(self.lane, steps),
            "fit_time": lambda: self.bars.fit(self.lane),
            "copy": self.copy,
            "clock": self.turn_clock,
            "command": self._line.ask_command,
            "help": self.open_help,
            "quit": self.leave,
        }
        """Every action of `shadowtime.console.screens.compare.keys.COMPARING` by its name."""
        perform(self, self.actions)

    def commands(self) -> Mapping[str, Callable[[str], None]]:
        """The typed commands by name; each gets the rest of its line."""
        return {
            "n": lambda rest: self.steps.forward(typed.repeats(rest, "number of instants")),
            "p": lambda rest: self.steps.back(typed.repeats(rest, "number of instants")),
            "goto": self.jumps.go,
            "job": self._select_typed,
            "why": self._why_typed,
            "speed": lambda rest: self.play.set_speed(typed.speed(rest)),
            "play": lambda rest: self.play.toggle(),
            "skip": self.steps.skip,
            "compare": self._compare,
            "whatif": self._whatif,
            "filter": self.filter_by,
            "window": self.show_verdict,
            "clock": self.write_by,
            "help": lambda rest: self.open_help(),
            "quit": lambda rest: self.leave(),
        }

    @property
    def busy(self) -> bool:
        """Whether another thread has the lanes."""
        return self.jumps.travel.busy

    def waits_for(self, key: str) -> bool:
        """Whether a key waits for the end of a journey: one after which a line is typed."""
        return self.busy and bool(actions_of(comparing_keys.in_force(self.app), key) & ASKING)

    def compose(self) -> ComposeResult:
        yield self._title
        yield Lanes(*self.views, id="lanes")
        yield self._verdict
        yield self._differences
        yield self._story
        yield self._prompt
        yield KeyLine(comparing_keys.footer(self.app), id="keys")

    def turn_clock(self) -> None:
        """Write instants the other way, if the calendar is known."""
        try:
            self.write_by(KINDS[not self.standings.clock.dated])
        except ValueError as error:
            self.say(str(error), "warn")

    def write_by(self, kind: str) -> None:
        clock = self.standings.clock.turned(kind) if kind else self.standings.clock
        if isinstance(self.app, Clocked):
            self.app.clock = clock.kind
        self.arrive()
        self.say(clock.described)

    def on_mount(self) -> None:
        self.lay_out()
        self.arrive()
        self.use(0)
        self.divergence.explore()
        if self._instant is not None:
            self.jumps.go(str(self._instant))

    def on_unmount(self) -> None:
        self.bars.stop()
        self.odds.stop()
        self.divergence.forget()

    def on_resize(self, _: Resize) -> None:
        self.lay_out()

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        self._line.answered(event.question, event.text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only Esc works on a line that is typed; nothing that moves works while the lanes are away."""
        if self._prompt.asking:
            return action == "escape"
        return not self.busy or action in WHILE_BUSY

    # Painting.

    @property
    def tall(self) -> bool:
        """Whether there is room for reasons."""
        return self.app.size.height >= TALL

    def lay_out(self) -> None:
        """Show as many lanes as there is room for, among them the one in use, and give all their lines."""
        count = len(self.views)
        seen = min(count, room(self.app.size.width))
        first = min(max(0, self.lane - 1), count - seen) if seen < count else 0
        self._seen = range(first, first + seen)
        for place, view in enumerate(self.views):
            view.display = place in self._seen
        self._verdict.styles.height = 2 if self.tall else 1
        self._story.put(*self._told(self.app.size.width - 2))
        self._most = (0, 0)
        self._share()
        width = self.app.size.width
        wide = wording.figures_width(some_of(self.standings, self._seen), width)
        self._figures.styles.width = "1fr" if width < NARROW else wide
        self.call_after_refresh(self.paint)

    @property
    def _reasons_lines(self) -> int:
        """Lines for the reason of a lane: none where the lanes have no room beside those of all of them."""
        if self.app.size.height < TALL + 4 * (len(self._seen) - FEWEST):
            return 0
        return 2 if self.app.size.width < REASON else 1

    def _share(self) -> None:
        """Give the lines below the lanes to what fills them, and paint anew if that is another number."""
        height, width, it = *self.app.size[::-1], some_of(self.standings, self._seen)
        most = 3 if height < SHORT else 6 if height < TALL else max(9, height // 3 - 3)
        # What the lanes leave is for the tables, and what reasons leave, less what a long message needs.
        story, reserved = len(self._story.lines), len(self._seen) * (1 + self._reasons_lines)
        self._most = max(self._most[0], wording.lines_of(it)), max(self._most[1], story)
        spare = height - (6 if self.tall else 5) - most - reserved
        spare -= max(self.views[place].needed for place in self._seen)
        below = min(most + reserved + max(0, spare), sum(self._most))
        self._story.display = height >= TALL or self._prompt.tall == 1
        lines = below + 1 - self._prompt.tall - (story if self._story.display else 0)
        before, self._lines = self._lines, (max(1, lines), story)
        self._differences.styles.height, self._story.styles.height = self._lines
        narrow, listed = width < NARROW, bool(it.differing.jobs)
        self._figures.display, self._jobs.display = not (narrow and listed), listed or not narrow
        if before != self._lines:
            self.call_after_refresh(self.paint)

    def arrive(self) -> None:
        self.say("")
        for lane in self.lockstep.lanes:
            _predict(lane)
        self.standings = standings(self.lockstep, DIFFERING, calendar_of(self.app))
        self._show_lanes()
        self.paint()

    def _show_lanes(self) -> None:
        """Show every lane: its machine, and the same jobs in the same order, that of the lane in use."""
        it = self.standings
        everybody = same_order(it.snapshots, self.lane)
        running = (index for shot in it.snapshots for index in (*shot.running, *shot.holding))
        self.letters.give((*running, *everybody))
        order = self._passing(everybody)
        for view in self.views:
            view.charted = self._charted
            view.show(it, self.chosen, order)
        if self._charted:
            self.bars.show(it.snapshots, self.chosen, self.lane)

    def _passing(self, order: Sequence[int]) -> Sequence[int]:
        """The jobs that the filter lets through, by the lane in use."""
        return self.lockstep.lanes[self.lane].passing(order, self.filter) if self.filter else order

    def filter_by(self, text: str) -> None:
        """Show the jobs of the lanes that a filter lets through; an empty one lets all through."""
        before, self.filter = self.filter, text.strip()
        try:
            self._passing(())
        except SessionError as error:
            self.filter = before
            self.say(str(error), "warn")
            return
        for view in self.views:
            view.queue.nothing = f"no job matches {text}; / and Enter shows all" if self.filter else NOBODY
        self._show_lanes()
        self.say(f"only jobs that match {self.filter}; / and Enter shows all" if self.filter else "all jobs")

    def show_verdict(self, line: str) -> None:
        """Show what changes for the jobs of a typed window, once that is known. SessionError."""
        case = self.lockstep.lanes[0].case
        window = window_line(case, line, self.standings.clock)

        def show() -> None:
            partings = self.lockstep.partings
            assert partings is not None
            work = VerdictWork(case.columns, self.lockstep.names, partings.starts, window, WORST)
            clock = self.standings.clock
            self.app.push_screen(VerdictPage(work, self.lockstep.lanes, clock, self.lane, self._look_at))

        self.divergence.when_known(show)

    def _look_at(self, index: int, place: int) -> None:
        """Go to the start of a job in a lane, and look at it."""
        self.use(place)
        self.jumps.go(f"{self.lockstep.lanes[place].row(index).called} start")

    def show_bars(self) -> None:
        """Show bars over one time axis, or who has which nodes now."""
        self._charted = not self._charted
        self._show_lanes()
        self.call_after_refresh(self._show_lanes)
        if self.views[self.lane].pictured:
            self.say("bars over one time axis" if self._charted else "who has which nodes now")
        else:
            self.say("neither bars nor a map have room here; Enter opens the lane", "warn")

    def on_gantt_panel_moved(self) -> None:
        if self._charted:
            self.bars.follow(self.lane)

    def on_gantt_panel_selected(self, event: GanttPanel.Selected) -> None:
        self.select(event.job)

    def paint(self) -> None:
        """Paint all but the maps and the queues."""
        it, width = self.standings, self.size.width
        self._story.put(*self._told(width - 2))
        for view in self.views:
            view.title(it, self._seen)
        self._share()
        self.show_state()
        odds = self.odds.of(self.chosen)
        if odds is not None:
            self.say(lanes_verdict(odds, it.names, it.clock), "text")
        parting = wording.verdict(it, width - 1) or "where they part is being found out ..."
        self._verdict.put([(f" {parting}", "strong")], [(f" {wording.outlook(it)}", "dim")])
        left, right = self._figures, self._jobs
        it = some_of(it, self._seen)
        lines = self._lines[0]
        left.lines = wording.figures_table(it, max(1, left.size.width), lines)
        right.lines = wording.jobs_table(it, self.chosen, max(1, right.size.width), lines)
        left.rebuild()
        left.refresh()
        right.rebuild()
        right.refresh()

    def _told(self, width: int) -> Sequence[Line]:
        """What happens in each lane in use, and why the job looked at stands there as it does."""
        lines: list[Line] = []
        for place in self._seen:
            lines.append(wording.named(self.standings, place, wording.happened(self.standings, place), width))
            reason = self._why(place) if self._reasons_lines else ""
            if reason:
                lines += wording.reason(self.standings, reason, width, self._reasons_lines)
        return [[(" ", "text"), *line] for line in lines]

    def show_state(self) -> None:
        player, scenario = self.player, self.lockstep.lanes[0].case.scenario
        name = scenario.path.name if scenario.path else scenario.title
        state = permissions_of(self.app).marked(player.state_shown)
        self._title.put(wording.title(self.standings, name, state, player.speed_shown, self.size.width))

    def failed(self, error: PolicyError) -> None:
        self.say(failure(error), "warn")

    def say(self, text: str, role: str = "dim") -> None:
        self._prompt.say(text, role)
        self._share()

    # The job that is looked at.

    @property
    def chosen(self) -> int | None:
        """Index of the selected job, else of the one that differs most, else of the head of the queue."""
        if self.selected is not None:
            return self.selected
        if self.standings.differing.jobs:
            return self.standings.differing.jobs[0].rows[0].index
        return self.views[self.lane].queue.key

    def select(self, index: int | None) -> None:
        self.selected = index
        for view in self.views:
            view.place_at(self.chosen)
        if self._charted:
            self.bars.place(self.chosen)
        self.paint()

    def _select_typed(self, rest: str) -> None:
        self.select(self.lockstep.lanes[0].index_of(typed.number(rest, "job")))

    def _why_typed(self, rest: str) -> None:
        if rest:
            self._select_typed(rest)
        self.why()

    def on_queue_selected(self, event: Queue.Selected) -> None:
        self.select(event.job)

    def _choice(self, place: int, index: int) -> ChosenJob:
        lane = self.lockstep.lanes[place]
        row = carried(lane.row(index), self.standings.time)
        return ChosenJob.of(row, lane.turned(row.id), self.standings.snapshots[place])

    def _reasons(self, place: int, index: int) -> list[str]:
        shot = self.standings.snapshots[place]
        choice, unit = self._choice(place, index), wording.unit_of(self.standings, place)
        return [sentence for _, _, sentence in reasons_of(choice, self.standings.time, shot.number, unit)]

    def _why(self, place: int) -> str:
        """Why the job looked at stands in a lane as it does, in a sentence."""
        if self.chosen is None or self.busy:
            return ""
        return self._reasons(place, self.chosen)[0]

    def why(self) -> None:
        """Tell why the job looked at stands as it does, first in the lane in use."""
        index = self.chosen
        if index is None:
            self.say("nobody waits and nobody runs; N goes to the next start", "warn")
            return
        self.play.pause()
        places = sorted(range(len(self.views)), key=lambda place: place != self.lane)
        reasons = [(self.standings.names[place], self._reasons(place, index)) for place in places]
        job = self.lockstep.lanes[0].id_of(index)

        def lines(width: int) -> Sequence[Line]:
            found: list[Line] = []
            for name, sentences in reasons:
                found.append([(name, "head")])
                found += [
                    line for text in sentences for line in wrap(text, width - 2, "text", [("  ", "text")], 2)
                ]
                found.append([])
            return found

        self.app.push_screen(Page(f"WHY JOB {job}", lines))

    def copy(self) -> None:
        lines = wording.summary(self.standings, 110)
        self.app.copy_to_clipboard("\n".join(plain(line).rstrip() for line in lines))
        self.say(f"copied: {len(lines)} lines", "good")

    # Lanes.

    def use(self, place: int) -> None:
        self.lane = place
        self.lay_out()
        self.views[place].queue.focus()

    def on_descendant_focus(self) -> None:
        for place, view in enumerate(self.views):
            if view.has_focus_within:
                self.lane = place

    def use_number(self, number: int) -> None:
        if number <= len(self.views):
            self.use(number - 1)
        else:
            self.say(f"there are {len(self.views)} lanes; l chooses others", "warn")

    def use_next(self) -> None:
        self.use((self.lane + 1) % len(self.views))

    def use_previous(self) -> None:
        self.use((self.lane - 1) % len(self.views))

    def colour(self) -> None:
        for view in self.views:
            view.map.action_colour()
        self.say(f"node maps are coloured by {self.views[0].map.colouring.value.removeprefix('by ')}")

    def choose_lanes(self) -> None:
        self.play.pause()
        cases = [lane.case for lane in self.lockstep.lanes]

        def chosen(found: tuple[Case, ...] | None) -> None:
            if found is not None:
                self.show_lanes(found)

        self.app.push_screen(Picker(self._maker.offered(cases), len(cases)), chosen)

    def show_lanes(self, cases: Sequence[Case]) -> None:
        here = self.lockstep.time if self.lockstep.begun else None
        lockstep = self._maker.lockstep(cases)
        lockstep.skip(self.lockstep.skipped)
        self.replace(lockstep, here)

    def _compare(self, rest: str) -> None:
        self.show_lanes(self._maker.typed(self.lockstep.lanes[0].case, rest, room(self.app.size.width)))

    def _whatif(self, rest: str) -> None:
        """Add a lane with the past of the one in use, in which something is done after its last event."""
        if not rest:
            raise Unknown(words.WHAT_IF)
        lanes = self.lockstep.lanes
        if len(lanes) == MOST:
            raise Unknown(f"{MOST} lanes at most; l chooses fewer")
        lane = lanes[self.lane]
        fork = lane.fork(lane.case.name, rest)
        here = self.lockstep.time if self.lockstep.begun else None
        self.replace(Lockstep((*lanes, fork), self.lockstep.until), here)

    def replace(self, lockstep: Lockstep, instant: int | None) -> None:
        self.divergence.forget()
        self.app.switch_screen(CompareScreen(lockstep, instant, self._maker, self.letters.held))

    def open_lane(self) -> None:
        """Open the lane in use in the console, where it stands; Esc there comes back."""
        self.play.pause()
        here = self.lockstep.time if self.lockstep.begun else None
        lane = self.lockstep.lanes[self.lane]
        journal = lane.journal

        def back(_: None) -> None:
            if lane.journal != journal:
                # Another course than the one that was found out.
                self.divergence.forget()
                self.lockstep.partings = None
            self.steps.skip_kinds(lane.skipped)
            if here is None:
                self.lockstep.go_start()
            else:
                self.lockstep.go_time(here)
            self.arrive()
            self.use(self.lane)
            self.divergence.explore()

        try:
            console = self._maker.opens(lane)
        except SessionError as error:
            self.say(str(error), "warn")
        else:
            self.app.push_screen(console, back)

    # Away from here.

    def open_help(self) -> None:
        self.play.pause()
        keys = comparing_keys.in_force(self.app)
        self.app.push_screen(Page("HELP: COMPARE", lambda width: comparing_keys.help_lines(keys, width)))

    def leave(self) -> None:
        self.dismiss()

    def go_back(self) -> None:
        """Back: from a question, a trip, the search for where the lanes part, the view."""
        if not self._line.leave() and not self.jumps.travel.stop() and not self.divergence.stop():
            self.dismiss()


def _predict(lane: Lane) -> None:
    """Predict the starts of a lane's jobs, where that takes no time."""
    shot = lane.snapshot()
    turning = 0 if shot.matrix is None else sum(map(len, shot.matrix.rows))
    if len(shot.waiting) <= SOON and turning <= SOON_TURNING:
        lane.predict()
