"""What is typed in the compare view, the choice of lanes, the help, and the way back."""

from collections.abc import Callable, Mapping, Sequence

from console.screens.compare import keys as comparing_keys
from console.screens.compare.lane_choice import Picker
from console.screens.compare.travel import Travelling
from console.screens.console import typed
from console.screens.console.typed import Unknown
from console.screens.pages.page import Page
from console.session import Case, PolicyError, ScenarioError, SessionError, open_session
from console.session.comparison.lanes import typed_lanes
from console.session.comparison.lockstep import FEWEST, MOST, Lockstep
from console.widgets.frame.prompt import Prompt

PLACES = "0 06:12:44   1h30m   #1284   50%   31 start   31 end"
WIDE = 120
"""Columns from which four lanes are seen side by side; below two are."""
KNOWN = ("n", "p", "goto", "job", "why", "speed", "play", "skip", "compare", "whatif", "help", "quit")


def lockstep_of(cases: Sequence[Case]) -> Lockstep:
    """Lanes of cases, before the first event."""
    return Lockstep([open_session(case) for case in cases])


def room(columns: int) -> int:
    """How many lanes are seen side by side."""
    return MOST if columns >= WIDE else FEWEST


class Asking(Travelling):
    """What the keys of typing do."""

    def use(self, place: int) -> None:
        """Put a lane in use."""
        raise NotImplementedError

    def select(self, index: int | None) -> None:
        """Look at a job."""
        raise NotImplementedError

    def action_why(self) -> None:
        """Tell why the job looked at stands as it does."""
        raise NotImplementedError

    def action_command(self) -> None:
        """Ask for a command."""
        self._ask(
            "command", ":", KNOWN, " 10n   goto 0 06:12:44   job 31   compare easy gang:quantum=10m   help"
        )

    def action_goto(self) -> None:
        """Ask for a place in time."""
        self._ask("goto", "go to ", (), PLACES)

    def _ask(self, question: str, label: str, known: tuple[str, ...], hint: str) -> None:
        self.pause()
        self.query_one(Prompt).ask(question, label, "", known, hint)

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """The operator typed a line."""
        self.use(self.lane)
        if event.question == "goto" and event.text:
            self.go(event.text)
        elif event.question == "command" and event.text:
            self.command(event.text)

    def command(self, line: str) -> None:
        """Do what a typed line says; what it does not mean is told in one line."""
        try:
            meant = typed.parse(line)
            commands = self._commands()
            if meant.name not in commands:
                raise Unknown(f"{meant.name} is no command of this view; expected one of {', '.join(KNOWN)}")
            commands[meant.name](meant.rest)
        except (Unknown, SessionError, ScenarioError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")

    def _commands(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "n": lambda rest: self.action_forward(typed.number(rest, "number of instants") if rest else 1),
            "p": lambda rest: self.action_back(typed.number(rest, "number of instants") if rest else 1),
            "goto": self._goto,
            "job": self._select,
            "why": self._why_of,
            "speed": lambda rest: self.set_speed(typed.speed(rest)),
            "play": lambda rest: self.action_play(),
            "skip": self.skip,
            "compare": self._compare,
            "whatif": self._whatif,
            "help": lambda rest: self.action_help(),
            "quit": lambda rest: self.action_quit(),
        }

    def _goto(self, rest: str) -> None:
        if not rest:
            raise Unknown(f"go where? expected one of {PLACES}")
        self.go(rest)

    def _select(self, rest: str) -> None:
        self.select(self.lockstep.lanes[0].index_of(typed.number(rest, "job")))

    def _why_of(self, rest: str) -> None:
        if rest:
            self._select(rest)
        self.action_why()

    def _compare(self, rest: str) -> None:
        self.show_lanes(typed_lanes(self.lockstep.lanes[0].case, rest, room(self.app.size.width)))

    def _whatif(self, rest: str) -> None:
        """Add a lane with the past of the one in use, in which something is done after its last event."""
        if not rest:
            raise Unknown("what if what? expected an action, as in whatif hold 31")
        lanes = self.lockstep.lanes
        if len(lanes) == MOST:
            raise Unknown(f"{MOST} lanes at most; choose fewer first")
        lane = lanes[self.lane]
        fork = lane.fork(lane.case.name, rest)
        here = self.lockstep.time if self.lockstep.begun else None
        self.replace(Lockstep((*lanes, fork)), here)

    def action_lanes(self) -> None:
        """Choose what is compared."""
        self.pause()
        cases = [lane.case for lane in self.lockstep.lanes]

        def chosen(found: tuple[Case, ...] | None) -> None:
            if found is not None:
                self.show_lanes(found)

        self.app.push_screen(Picker(cases), chosen)

    def show_lanes(self, cases: Sequence[Case]) -> None:
        """Compare other cases, at the same instant."""
        here = self.lockstep.time if self.lockstep.begun else None
        lockstep = lockstep_of(cases)
        lockstep.skip(self.lockstep.skipped)
        self.replace(lockstep, here)

    def replace(self, lockstep: Lockstep, instant: int | None) -> None:
        """Show other lanes in this place."""
        raise NotImplementedError

    def action_help(self) -> None:
        """The keys of this view."""
        self.pause()
        keys = comparing_keys.in_force(self.app)
        self.app.push_screen(Page("HELP: COMPARE", lambda width: comparing_keys.help_lines(keys, width)))

    def action_quit(self) -> None:
        """Back to the console."""
        self.dismiss()

    def action_escape(self) -> None:
        """Back: from a question, a trip, the selected job, the view."""
        prompt = self.query_one(Prompt)
        if prompt.asking:
            prompt.close()
            self.use(self.lane)
        elif not self.stop_waiting():
            self.dismiss()
