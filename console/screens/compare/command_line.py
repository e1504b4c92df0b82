"""The command line of the compare view, and what its commands do."""

from collections.abc import Callable, Mapping
from typing import Protocol

from shadowtime.console.screens.command_table import COMPARE, CONSOLE, names_of
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.session import PolicyError, ScenarioError, SessionError
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST
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

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message."""

    def use(self, place: int, /) -> None:
        """Put a lane in use."""

    def filter_by(self, text: str, /) -> None:
        """Show the jobs that a filter lets through."""


class LaneCommands:
    """Asks for lines, and does what they say."""

    def __init__(
        self,
        view: LanesView,
        prompt: Prompt,
        pause: Callable[[], None],
        go: Callable[[str], None],
        table: Callable[[], Mapping[str, Callable[[str], None]]],
    ) -> None:
        """`table` gives the commands by name; each gets the rest of its line."""
        self._view, self._prompt, self._pause, self._go = view, prompt, pause, go
        self.table = table

    def ask_command(self) -> None:
        self._ask(
            "command", ":", KNOWN, " 10n   goto 0 06:12:44   job 31   compare easy gang:quantum=10m   help"
        )

    def ask_filter(self) -> None:
        self._ask("filter", "/", (), " user=kim   state=N   size>32   31; nothing: all jobs")

    def ask_place(self) -> None:
        self._ask("goto", "go to ", (), EXPECTED)

    def _ask(self, question: str, label: str, known: tuple[str, ...], hint: str) -> None:
        self._pause()
        self._prompt.ask(question, label, "", known, hint)

    def answered(self, question: str, text: str) -> None:
        self._view.use(self._view.lane)
        if question == "goto" and text:
            self._go(text)
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
