"""The command line: what the operator types after `:`, `/` and `g`."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from textual.suggester import Suggester

from shadowtime.console.clock import KINDS as CLOCKS
from shadowtime.console.screens.command_table import CONSOLE
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
from shadowtime.console.screens.console.exports import COPIES, KINDS
from shadowtime.console.screens.console.parts import Parts
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.jumps import reading
from shadowtime.console.session import PolicyError, ScenarioError, SessionError, policies_table
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.table.filtering import fault_of
from shadowtime.console.widgets.frame.prompt import Prompt

GOING = frozenset(("g", "go", "goto"))
"""The words of a command that goes to a place."""
PLACES = "#1284   0 06:12:44   1h30m   50%   job 31   31 start   31 end"


class CommandLine:
    """Asks for lines, and hands each to what it is for; `command` does what a typed command says."""

    def __init__(self, prompt: Prompt, parts: Parts, command: Callable[[str], None]) -> None:
        self._prompt = prompt
        self._parts = parts
        self._desk = parts.desk
        self._command = command
        self._filter_before = ""

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        hint: str = "",
        known: Suggester | tuple[str, ...] = (),
    ) -> None:
        """Let the operator type a line."""
        self._parts.play.pause()
        self._prompt.ask(question, label, text, known, hint)

    def ask_command(self, begun: str = "") -> None:
        """Ask for a command, which may have been begun."""
        hint = " 10n   goto 50%   sort wait   help"
        self.ask("command", ":", begun, known=self._completion(), hint=hint)

    def ask_copy(self) -> None:
        """Ask what to copy, and whether to a file too."""
        self.ask("command", ":", "copy ", known=self._completion())

    def _completion(self) -> Completion:
        policies = [entry.name for entry in policies_table()]
        variants = [variant.name for variant in self._desk.case.scenario.variants]
        about = {
            "sort": one_of(*QUEUE.orders, *(f"{column} reverse" for column in QUEUE.orders)),
            "filter": lambda rest: filled(rest, self._desk.texts),
            "under": one_of(*variants, *policies),
            "compare": one_of(*variants, *policies),
            "theme": one_of(*self._parts.themes.names),
            "clock": one_of(*CLOCKS),
            "seek": one_of(*self._parts.seeks.sought),
            "view": one_of(*self._parts.views),
            "policy": one_of(*policies),
            "sweep": one_of(*policies),
            **self._files(),
        }
        return Completion({name: about.get(name, nothing) for name in typed.NAMES})

    def _files(self) -> Mapping[str, Callable[[str], Iterable[str]]]:
        """What completes the commands that write files; without files no folder is read."""
        if permissions_of(self._parts.view.app).no_writing:
            return {"copy": one_of(*COPIES)}
        return {
            "save": files,
            "export": then_file(*KINDS),
            "copy": then_file(*COPIES),
        }

    def ask_place(self) -> None:
        """Ask for a place in time."""
        self.ask("goto", "go to ", hint=PLACES)

    def ask_filter(self) -> None:
        """Ask for a filter; it works while it is typed."""
        self._filter_before = self._desk.filter
        self._parts.panels.bring(2)
        hint = "user=kim   state:N   size>32   wait>2h   starts<1h   31"
        self.ask("filter", "show only ", self._desk.filter, hint, FilterCompletion(self._desk.texts))

    def typing(self, question: str, text: str) -> None:
        """What is typed is said under it: how a place is read, and what a filter asks for that there is not.

        A filter works while it is typed.
        """
        if question == "filter" and not self._desk.busy:
            fault = fault_of(text, QUEUE, self._desk.clock)
            if not fault:
                with suppress(SessionError):
                    self._desk.session.order(text=text)
                    self._parts.selection.filter_by(text)
            self._prompt.remark(fault, "warn" if fault.startswith("filter") else "dim")
            return
        word, _, rest = text.partition(" ")
        place = text if question == "goto" else rest if question == "command" and word in GOING else ""
        shown = place and not self._desk.busy
        self._prompt.remark(reading(self._desk.session, place, self._desk.clock) if shown else "")

    def answered(self, question: str, text: str) -> None:
        """The operator typed a line."""
        self._show_panel()
        if question == "goto" and text:
            self._parts.jumps.go(text)
        elif question == "filter":
            self._parts.selection.filter_by(text)
        elif question == "command" and text:
            self._command(text)
        elif question.partition(" ")[0] in typed.NAMES and text:
            self._command(f"{question} {text}")

    def leave(self) -> bool:
        """Stop asking; whether a line was being typed."""
        if not self._prompt.asking:
            return False
        self._prompt.close()
        if self._prompt.question == "filter":
            self._parts.selection.filter_by(self._filter_before)
        self._show_panel()
        return True

    def _show_panel(self) -> None:
        self._parts.panels.show(self._parts.panels.used)


def obey(
    line: str,
    commands: Mapping[str, Callable[[str], object]],
    say: Callable[[str, str], None],
    view: str = CONSOLE,
) -> None:
    """Do what a line typed in a view says; a line without a meaning gives a message in one line."""
    try:
        meant = typed.parse(line, view)
        commands[meant.name](meant.rest)
    except (Unknown, SessionError, ScenarioError, PolicyError) as error:
        say(" ".join(str(error).split()), "warn")
