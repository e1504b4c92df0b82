"""The command line of the compare view, and what its commands do."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from shadowtime.console.screens.command_table import COMPARE, CONSOLE, names_of
from shadowtime.console.screens.compare.jumps import LaneJumps
from shadowtime.console.screens.compare.makers import LaneMaker
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.steps import Steps
from shadowtime.console.session import Case, PolicyError, ScenarioError, SessionError
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST, Lockstep
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.widgets.frame.prompt import Prompt

WIDE = 120
"""Columns from which four lanes are seen side by side; below two are."""
KNOWN = names_of(COMPARE)


def room(columns: int) -> int:
    """How many lanes are seen side by side."""
    return MOST if columns >= WIDE else FEWEST


class LanesView(Protocol):
    """What the commands ask of the screen of the lanes."""

    lane: int

    @property
    def width(self) -> int:
        """Columns of the terminal."""

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def use(self, place: int, /) -> None:
        """Put a lane in use."""

    def select(self, index: int | None, /) -> None:
        """Look at a job."""

    def why(self) -> None:
        """Show why the job looked at stands as it does."""

    def filter_by(self, text: str, /) -> None:
        """Show the jobs that a filter lets through."""

    def show_verdict(self, line: str, /) -> None:
        """Show what changes for the jobs of a typed window. SessionError."""

    def show_lanes(self, cases: Sequence[Case], /) -> None:
        """Compare other cases, at the same instant."""

    def replace(self, lockstep: Lockstep, instant: int | None, /) -> None:
        """Show other lanes in this place."""

    def write_by(self, kind: str, /) -> None:
        """Write instants by a kind of clock; without a kind show which is in force. ValueError."""

    def open_help(self) -> None:
        """Show the keys of this view."""

    def leave(self) -> None:
        """Back to the console."""


class LaneCommands:
    """Asks for lines, and does what they say."""

    def __init__(
        self,
        view: LanesView,
        maker: LaneMaker,
        lockstep: Lockstep,
        prompt: Prompt,
        play: Play,
        steps: Steps,
        jumps: LaneJumps,
    ) -> None:
        self._view = view
        self._maker = maker
        self._lockstep = lockstep
        self._prompt = prompt
        self._play = play
        self._steps = steps
        self._jumps = jumps

    def ask_command(self) -> None:
        self._ask(
            "command", ":", KNOWN, " 10n   goto 0 06:12:44   job 31   compare easy gang:quantum=10m   help"
        )

    def ask_filter(self) -> None:
        self._ask("filter", "/", (), " user=kim   state=N   size>32   31; nothing: all jobs")

    def ask_place(self) -> None:
        self._ask("goto", "go to ", (), EXPECTED)

    def _ask(self, question: str, label: str, known: tuple[str, ...], hint: str) -> None:
        self._play.pause()
        self._prompt.ask(question, label, "", known, hint)

    def answered(self, question: str, text: str) -> None:
        self._view.use(self._view.lane)
        if question == "goto" and text:
            self._jumps.go(text)
        elif question == "filter":
            self._view.filter_by(text)
        elif question == "command" and text:
            self.command(text)

    def command(self, line: str) -> None:
        """Do what a typed line says; a line without a meaning gives a message in one line."""
        try:
            word = line.strip().lstrip(":").partition(" ")[0]
            # What the console alone knows is refused below, with what there is here.
            meant = typed.parse(line, COMPARE if word in KNOWN else CONSOLE)
            commands = self.table()
            if meant.name not in commands:
                raise Unknown(f"{meant.name} is no command of this view; expected one of {', '.join(KNOWN)}")
            commands[meant.name](meant.rest)
        except (Unknown, SessionError, ScenarioError, PolicyError, ValueError) as error:
            self._view.say(" ".join(str(error).split()), "warn")

    def leave(self) -> bool:
        """Stop asking; whether a line was being typed."""
        if not self._prompt.asking:
            return False
        self._prompt.close()
        self._view.use(self._view.lane)
        return True

    def table(self) -> Mapping[str, Callable[[str], None]]:
        """The commands by name; each gets the rest of its line."""
        return {
            "n": lambda rest: self._steps.forward(_instants(rest)),
            "p": lambda rest: self._steps.back(_instants(rest)),
            "goto": self._jumps.go,
            "job": self._select,
            "why": self._why,
            "speed": lambda rest: self._play.set_speed(typed.speed(rest)),
            "play": lambda rest: self._play.toggle(),
            "skip": self._steps.skip,
            "compare": self._compare,
            "whatif": self._whatif,
            "filter": self._view.filter_by,
            "window": self._view.show_verdict,
            "clock": self._view.write_by,
            "help": lambda rest: self._view.open_help(),
            "quit": lambda rest: self._view.leave(),
        }

    def _select(self, rest: str) -> None:
        self._view.select(self._lockstep.lanes[0].index_of(typed.number(rest, "job")))

    def _why(self, rest: str) -> None:
        if rest:
            self._select(rest)
        self._view.why()

    def _compare(self, rest: str) -> None:
        self._view.show_lanes(self._maker.typed(self._lockstep.lanes[0].case, rest, room(self._view.width)))

    def _whatif(self, rest: str) -> None:
        """Add a lane with the past of the one in use, in which something is done after its last event."""
        if not rest:
            raise Unknown("what if what? expected an action, as in whatif hold 31")
        lanes = self._lockstep.lanes
        if len(lanes) == MOST:
            raise Unknown(f"{MOST} lanes at most; choose fewer first")
        lane = lanes[self._view.lane]
        fork = lane.fork(lane.case.name, rest)
        here = self._lockstep.time if self._lockstep.begun else None
        self._view.replace(Lockstep((*lanes, fork), self._lockstep.until), here)


def _instants(rest: str) -> int:
    return typed.number(rest, "number of instants") if rest else 1
