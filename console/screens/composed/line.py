"""The line of a console on which the operator types: a command, a place, a filter."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.suggester import Suggester

from shadowtime.console.screens.command_table import CONSOLE
from shadowtime.console.screens.composed.panels import QUEUE, PanelArrangement
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.completion import Completion
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.session import PolicyError, ScenarioError, SessionError
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.widgets.frame.prompt import Prompt


class TypedLine:
    """Asks for lines, and hands each to what it is for; `command` does what a typed command says.

    A subclass knows what can be typed, and does it.
    """

    hint: ClassVar[str]
    """What stands in an empty line for a command."""
    filters: ClassVar[str]
    """Filters, as examples."""

    def __init__(
        self,
        prompt: Prompt,
        panels: PanelArrangement,
        pause: Callable[[], None],
        command: Callable[[str], object],
    ) -> None:
        self._prompt, self._panels = prompt, panels
        self._pause, self._command = pause, command
        self._filter_before = ""

    # What can be typed, and is done.

    @property
    def filter(self) -> str:
        raise NotImplementedError

    def filter_by(self, text: str) -> None:
        """Show only the jobs that match. SessionError if it is no filter."""
        raise NotImplementedError

    def go(self, text: str) -> None:
        """Go to a place; a text that is no place gives a message."""
        raise NotImplementedError

    def completion(self) -> Completion:
        raise NotImplementedError

    def suggester(self) -> Suggester:
        raise NotImplementedError

    def remark(self, question: str, text: str) -> None:
        """Say under a line what is to be known of it while it is typed."""
        raise NotImplementedError

    # Asking.

    @property
    def asking(self) -> bool:
        return self._prompt.asking

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        hint: str = "",
        known: Suggester | tuple[str, ...] = (),
    ) -> None:
        self._pause()
        self._prompt.ask(question, label, text, known, hint)

    def ask_command(self, begun: str = "", hint: str = "") -> None:
        """Ask for a command, which may have been begun; `hint` is what it needs."""
        self.ask("command", ":", begun, known=self.completion(), hint=hint or self.hint)

    def ask_place(self) -> None:
        self.ask("goto", "go to ", hint=EXPECTED)

    def ask_filter(self) -> None:
        self._filter_before = self.filter
        self._panels.bring(QUEUE)
        self.ask("filter", "show only ", self.filter, self.filters, self.suggester())

    def answered(self, question: str, text: str) -> None:
        """The operator typed a line; for another question it is the rest of the command of that name."""
        self.show_panel()
        if question == "filter":
            self.filter_by(text)
        elif text and question == "goto":
            self.go(text)
        elif text:
            self._command(text if question == "command" else f"{question} {text}")

    def leave(self) -> bool:
        """Stop asking, with the filter that there was; whether a line was being typed."""
        if not self._prompt.asking:
            return False
        self._prompt.close()
        if self._prompt.question == "filter" and self.filter != self._filter_before:
            self.filter_by(self._filter_before)
        self.show_panel()
        return True

    def show_panel(self) -> None:
        self._panels.show(self._panels.used)


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
