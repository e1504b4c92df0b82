"""What each typed command of the console does."""

from collections.abc import Callable, Mapping

from shadowtime.console import words
from shadowtime.console.screens.command_table import ACTIONS
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.command_line import Parts
from shadowtime.console.screens.console.other_views import open_training
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.pages.detail_text import policy_lines
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.pages.sweep import SweepPage
from shadowtime.console.screens.pages.sweep_form import SweepForm
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
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import wrap


class Commands:
    """The typed commands; `opens` puts another session in the place of this one, at a place as typed."""

    def __init__(self, parts: Parts, opens: Callable[[Session, str, str, int | None], None]) -> None:
        self._parts = parts
        self._desk = parts.desk
        self._opens = opens

    def table(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name; each gets the rest of its line."""
        parts = self._parts
        return {
            "n": lambda rest: self._step(rest, 1),
            "p": lambda rest: self._step(rest, -1),
            "goto": parts.jumps.go,
            "job": lambda rest: parts.selection.select_job(typed.number(rest, "job")),
            "why": self._why,
            "view": self._view,
            "map": self._map,
            "users": self._users,
            "node": lambda rest: parts.selection.open_node(typed.number(rest, "node")),
            "sort": self._sort,
            "filter": parts.selection.filter_by,
            "speed": lambda rest: parts.play.set_speed(typed.speed(rest)),
            "skip": parts.steps.skip,
            "mark": parts.jumps.set_mark,
            "break": parts.breakpoints.add,
            "seek": parts.seeks.seek,
            **{name: self._action(name) for name in ACTIONS},
            "undo": lambda rest: parts.steering.undo(),
            "redo": lambda rest: parts.steering.redo(),
            "save": parts.steering.save,
            "save!": lambda rest: parts.steering.save(rest, force=True),
            "policy": self._policy,
            "under": self._under,
            "compare": parts.side_by_side.compare,
            "whatif": parts.side_by_side.whatif,
            "impact": parts.answers.impact,
            "advise": parts.answers.advise,
            "train": lambda rest: open_training(parts.view, rest),
            "export": parts.exports.export,
            "report": parts.exports.report,
            "report!": lambda rest: parts.exports.report(rest, over=True),
            "copy": parts.copies.copy,
            "theme": parts.themes.choose,
            "sweep": self._sweep,
            "clock": parts.clocks.choose,
        }

    def _action(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._parts.steering.do(f"{name} {rest}")

    def _step(self, rest: str, direction: int) -> None:
        events = typed.number(rest, "number of events") if rest else 1
        self._parts.jumps.step(direction * events)

    def _why(self, rest: str) -> None:
        if rest:
            self._parts.selection.select_job(typed.number(rest, "job"))
        self._parts.selection.why()

    def _sort(self, rest: str) -> None:
        self._parts.selection.sort_by(Order(QUEUE).read(rest))

    def _view(self, rest: str) -> None:
        views = self._parts.views
        if rest not in views:
            begun = f"{rest!r} is no view;" if rest else "which view?"
            raise Unknown(f"{begun} expected one of {', '.join(views)}")
        views[rest]()

    def _map(self, rest: str) -> None:
        """Show the node map, its letters by one of its properties if one is named."""
        self._parts.picture.map_by(rest)

    def _users(self, rest: str) -> None:
        if rest:
            raise Unknown(f"a machine has nodes alone, and nothing to sort users by; {rest!r} is too much")
        self._parts.selection.open_users()

    def _policy(self, rest: str) -> None:
        if rest:
            self._parts.steering.do(f"policy {rest}")
            return
        case, snapshot, unit = self._desk.case, self._desk.snapshot, self._desk.unit
        self._parts.view.open_page(Page("POLICY", lambda width: policy_lines(case, snapshot, width, unit)))

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
            self._parts.view.open_page(SweepPage(Sweep(case, rest), str(case.scenario.path)))
        else:
            self._parts.view.open_page(SweepForm(policies_table(), case.policy, run))

    def show_notes(self) -> None:
        """Show what reading the workload changed, and the notes so far."""
        notes = (*self._desk.readings, *(words.dated(note, self._desk.clock) for note in self._desk.notes()))
        notes = notes or ("no note is due yet",)
        self._parts.view.open_page(
            Page("NOTES", lambda width: [line for note in notes for line in [*wrap(note, width), []]])
        )
