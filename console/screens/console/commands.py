"""What is typed over a machine: the line, what each command does, and the console that commands are about."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from shadowtime.console import words
from shadowtime.console.clock import KINDS as CLOCKS
from shadowtime.console.screens.command_table import ACTIONS
from shadowtime.console.screens.composed.copies import COPIES, Copies
from shadowtime.console.screens.composed.line import TypedLine
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.completion import (
    Completion,
    FilterCompletion,
    files,
    filled,
    nothing,
    one_of,
    then_file,
)
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.exports import KINDS, Exports
from shadowtime.console.screens.console.other_views import SideBySide, open_training
from shadowtime.console.screens.console.picture import COLOURINGS, MachinePicture
from shadowtime.console.screens.console.selection import Selection
from shadowtime.console.screens.console.steering import Steering
from shadowtime.console.screens.console.themes import Themes
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.impact.answers import Answers
from shadowtime.console.screens.pages.detail_text import policy_lines
from shadowtime.console.screens.pages.page import Build, Page
from shadowtime.console.screens.pages.sweep import SweepPage
from shadowtime.console.screens.pages.sweep_form import SweepForm
from shadowtime.console.screens.time.clocks import Clocks
from shadowtime.console.screens.travel.breakpoints import Breakpoints, Seeks
from shadowtime.console.screens.travel.jumps import reading
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.session import (
    PolicyError,
    ScenarioError,
    Session,
    SessionError,
    open_session,
    policies_table,
)
from shadowtime.console.session.comparison.sweep import Sweep
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, paragraphs
from shadowtime.console.widgets.frame.prompt import Prompt

GOING = frozenset(("g", "go", "goto"))
"""The words of a command that goes to a place."""


class MachineConsole(PanelScreen):
    """The console over a machine, with the parts that commands are about."""

    desk: Desk
    picture: MachinePicture
    play: Play
    stepping: Steps
    breakpoints: Breakpoints
    selection: Selection
    steering: Steering
    answers: Answers
    exports: Exports
    copies: Copies
    side_by_side: SideBySide
    themes: Themes
    clocks: Clocks
    seeks: Seeks
    views: Mapping[str, Callable[[], None]]
    """What `:view` shows, by name."""


class CommandLine(TypedLine):
    """The line of a console over a machine."""

    hint = " 10n   goto 50%   sort wait   help"
    filters = "user=kim   state:N   size>32   wait>2h   starts<1h   31"

    def __init__(self, prompt: Prompt, screen: MachineConsole, command: Callable[[str], None]) -> None:
        super().__init__(prompt, screen.panels, screen.pause, command)
        self._screen = screen
        self._desk = screen.desk

    @property
    def filter(self) -> str:
        return self._desk.filter

    def filter_by(self, text: str) -> None:
        self._screen.selection.filter_by(text)

    def go(self, text: str) -> None:
        self._screen.jumps.go(text)

    def suggester(self) -> FilterCompletion:
        return FilterCompletion(self._desk.texts)

    def completion(self) -> Completion:
        policies = [entry.name for entry in policies_table()]
        variants = [variant.name for variant in self._desk.case.scenario.variants]
        about = {
            "sort": one_of(*QUEUE.orders, *(f"{column} reverse" for column in QUEUE.orders)),
            "filter": lambda rest: filled(rest, self._desk.texts),
            "under": one_of(*variants, *policies),
            "compare": one_of(*variants, *policies),
            "theme": one_of(*self._screen.themes.names),
            "clock": one_of(*CLOCKS),
            "seek": one_of(*self._screen.seeks.sought),
            "view": one_of(*self._screen.views),
            "map": one_of(*COLOURINGS),
            "policy": one_of(*policies),
            "sweep": one_of(*policies),
            **self._files(),
        }
        return Completion({name: about.get(name, nothing) for name in typed.NAMES})

    def _files(self) -> Mapping[str, Callable[[str], Iterable[str]]]:
        """What completes the commands that write files; without files no folder is read."""
        if permissions_of(self._screen.app).no_writing:
            return {"copy": one_of(*COPIES)}
        return {
            "save": files,
            "report": files,
            "report!": files,
            "export": then_file(*KINDS),
            "copy": then_file(*COPIES),
        }

    def remark(self, question: str, text: str) -> None:
        """Say how a place is read, and what a filter asks for that there is not; a filter works already."""
        if question == "filter" and not self._desk.busy:
            fault = fault_of(text, QUEUE, self._desk.clock)
            if not fault:
                with suppress(SessionError):
                    self._desk.session.order(text=text)
                    self._screen.selection.filter_by(text)
            self._prompt.remark(fault, "warn" if fault.startswith("filter") else "dim")
            return
        word, _, rest = text.partition(" ")
        place = text if question == "goto" else rest if question == "command" and word in GOING else ""
        shown = place and not self._desk.busy
        self._prompt.remark(reading(self._desk.session, place, self._desk.clock) if shown else "")


class Commands:
    """The typed commands; `opens` puts another session in the place of this one, at a place as typed."""

    def __init__(
        self, screen: MachineConsole, opens: Callable[[Session, str, str, int | None], None]
    ) -> None:
        self._screen = screen
        self._desk = screen.desk
        self._opens = opens

    def table(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name; each gets the rest of its line."""
        screen = self._screen
        return {
            "n": lambda rest: self._step(rest, 1),
            "p": lambda rest: self._step(rest, -1),
            "goto": screen.jumps.go,
            "job": lambda rest: screen.selection.select_job(typed.number(rest, "job")),
            "why": self._why,
            "view": self._view,
            "map": self._map,
            "users": self._users,
            "node": lambda rest: screen.selection.open_node(typed.number(rest, "node")),
            "sort": self._sort,
            "filter": screen.selection.filter_by,
            "speed": lambda rest: screen.play.set_speed(typed.speed(rest)),
            "skip": screen.stepping.skip,
            "mark": screen.jumps.set_mark,
            "break": screen.breakpoints.add,
            "seek": screen.seeks.seek,
            **{name: self._action(name) for name in ACTIONS},
            "undo": lambda rest: screen.steering.undo(),
            "redo": lambda rest: screen.steering.redo(),
            "save": screen.steering.save,
            "save!": lambda rest: screen.steering.save(rest, force=True),
            "policy": self._policy,
            "under": self._under,
            "compare": screen.side_by_side.compare,
            "whatif": screen.side_by_side.whatif,
            "impact": screen.answers.impact,
            "advise": screen.answers.advise,
            "train": lambda rest: open_training(screen, rest),
            "export": screen.exports.export,
            "report": screen.exports.report,
            "report!": lambda rest: screen.exports.report(rest, over=True),
            "copy": screen.copies.copy,
            "theme": screen.themes.choose,
            "sweep": self._sweep,
            "clock": screen.clocks.choose,
        }

    def _action(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._screen.steering.do(f"{name} {rest}")

    def _step(self, rest: str, direction: int) -> None:
        self._screen.jumps.step(direction * typed.repeats(rest, "number of events"))

    def _why(self, rest: str) -> None:
        if rest:
            self._screen.selection.select_job(typed.number(rest, "job"))
        self._screen.selection.why()

    def _sort(self, rest: str) -> None:
        self._screen.selection.sort_by(Order(QUEUE).read(rest))

    def _view(self, rest: str) -> None:
        views = self._screen.views
        if rest not in views:
            begun = f"{rest!r} is no view;" if rest else "which view?"
            raise Unknown(f"{begun} expected one of {', '.join(views)}")
        views[rest]()

    def _map(self, rest: str) -> None:
        """Show the node map, its letters by one of its properties if one is named."""
        self._screen.picture.map_by(rest)

    def _users(self, rest: str) -> None:
        if rest:
            raise Unknown(f"a machine has nodes alone, and nothing to sort users by; {rest!r} is too much")
        self._screen.selection.open_users()

    def _policy(self, rest: str) -> None:
        if rest:
            self._screen.steering.do(f"policy {rest}")
            return
        case, snapshot, unit = self._desk.case, self._desk.snapshot, self._desk.unit
        self._screen.open_page(Page("POLICY", lambda width: policy_lines(case, snapshot, width, unit)))

    def _under(self, rest: str) -> None:
        """Open the same workload under a variant of the scenario or another policy, at the same instant."""
        if not rest:
            raise Unknown("under which policy? expected one, or a variant of the scenario")
        desk = self._desk
        variants = [variant.name for variant in desk.case.scenario.variants]
        case = desk.case.variant(rest) if rest in variants else desk.case.spoken(rest)
        session = open_session(case)
        session.skip(desk.session.skipped)
        at = desk.clock.format(desk.snapshot.time)
        said = f"{rest} from the start; the clock stands at {at} as before"
        self._opens(session, at if desk.snapshot.number else "#0", said, desk.selected)

    def _sweep(self, rest: str) -> None:
        """Run policies and values of their parameters; without words open the form."""
        case = self._desk.case

        def run(text: str) -> str:
            try:
                self._sweep(text)
            except (SessionError, ScenarioError, PolicyError) as error:
                return " ".join(str(error).split())
            return ""

        if rest:
            self._screen.open_page(SweepPage(Sweep(case, rest), str(case.scenario.path)))
        else:
            self._screen.open_page(SweepForm(policies_table(), case.policy, run))

    def show_notes(self, title: str = "NOTES", above: Build = lambda width: ()) -> None:
        """Show what reading the workload changed, and the notes so far; `above` is what stands over them."""
        notes = (*self._desk.readings, *(words.dated(note, self._desk.clock) for note in self._desk.notes()))
        notes = notes or ("no note is due yet",)

        def lines(width: int) -> list[Line]:
            first = above(width)
            return [*first, *([[]] if first else []), *paragraphs(notes, width)]

        self._screen.open_page(Page(title, lines))
