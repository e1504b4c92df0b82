"""A worked example on a page: solved, or with its answer left to the trainee."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session.training import Example, QuestionResult, letter_of
from shadowtime.console.widgets.asked.text import machine_lines
from shadowtime.console.widgets.frame.ink import Line
from shadowtime.console.widgets.frame.question import listed, question_lines
from shadowtime.console.words import training

LETTERS = tuple(letter_of(place) for place in range(4))


class ExamplePage(Page):
    """The question, the steps, the machine; Esc or Enter goes on."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"choose('{letter}')", show=False, priority=True) for letter in LETTERS)
    ]

    def __init__(self, example: Example) -> None:
        super().__init__(training.SOLVED if example.solved else training.FADED, self._lines)
        self._example = example
        self._ended: QuestionResult | None = None
        self._machine: Sequence[Line] = ()

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        letters = (
            ()
            if self._answered
            else ((f"a-{LETTERS[len(self._example.drill.answer.offered) - 1]}", "answer"),)
        )
        return (*letters, ("detail", "goes on" if self._answered else "goes on without an answer"))

    @property
    def _answered(self) -> bool:
        return self._example.solved or self._ended is not None

    def action_choose(self, letter: str) -> None:
        """Answer with the choice of a letter."""
        if self._answered or LETTERS.index(letter) >= len(self._example.drill.answer.offered):
            return
        self._ended = self._example.drill.give(letter)
        self.freshen()
        self.show_keys()
        self.action_far(-1)

    def _lines(self, width: int) -> list[Line]:
        drill, ended = self._example.drill, self._ended
        unit = words.unit_of(drill.session.case.scenario.machine)
        if ended is None:
            # What it shows once the question is over would be more than was known.
            self._machine = [[], *([(line, "dim")] for line in machine_lines(drill, unit, width))]
            asked = question_lines(drill, width, unit)
            return [*asked, [], *listed(training.stepped(self._example, unit), width), *self._machine]
        return [*listed(training.judged(ended, unit), width), *self._machine]
