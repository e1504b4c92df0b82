"""A question over the whole screen: a few sentences, and answers with a letter each; Esc answers nothing."""

from collections.abc import Callable, Sequence

import attrs
from textual.events import Key

from shadowtime.console.screens.pages.picker import CursorPage
from shadowtime.console.widgets.frame.ink import Line, wrap


@attrs.frozen
class Option:
    """One answer: its letter, what it does in a few words, and what is done."""

    letter: str
    words: str
    act: Callable[[], object]


class Question(CursorPage):
    """Asks; Enter takes the answer under the cursor, a letter its own."""

    KEYS = (("detail", "choose"), ("escape", "back"))

    def __init__(
        self,
        title: str,
        sentences: Sequence[str],
        answers: Sequence[Option],
        otherwise: Callable[[Key], object] | None = None,
    ) -> None:
        """Ask; `otherwise` gets a character that is no answer, and the question is not answered then."""
        self._otherwise = otherwise
        self._sentences = sentences
        self._answers = answers
        super().__init__(title, self._offered, lambda: len(answers), self._take)

    def _offered(self, width: int) -> Sequence[Line]:
        return [[(answer.letter, "key"), (f"  {answer.words}", "text")] for answer in self._answers]

    def _lines(self, width: int) -> Sequence[Line]:
        asked = [line for text in self._sentences for line in [*wrap(text, width), []]]
        return [*asked, *super()._lines(width)]

    def _take(self, place: int) -> None:
        self.dismiss()
        self.app.call_later(self._answers[place].act)

    def on_key(self, event: Key) -> None:
        for place, answer in enumerate(self._answers):
            if event.character == answer.letter:
                event.stop()
                self._take(place)
                return
        if self._otherwise is not None and event.is_printable:
            event.stop()
            self.dismiss()
            self._otherwise(event)
