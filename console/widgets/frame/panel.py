"""The frame of a panel: a title on the border, bodies inside."""

from typing import Protocol, runtime_checkable

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from shadowtime.console.widgets.frame.ink import printable
from shadowtime.console.widgets.frame.space import FRAME, Space


class Frame(Container):
    """A border with a title around some widgets. It stands out while one of them has the focus."""

    def __init__(self, title: str, *bodies: Widget, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bodies = bodies
        self.entitle(title)

    def compose(self) -> ComposeResult:
        yield from self._bodies

    def entitle(self, title: str) -> None:
        # Content, because markup would swallow brackets.
        self.border_title = Content(printable(title))


@runtime_checkable
class Spacious(Protocol):
    """A body that says what its content needs."""

    @property
    def space(self) -> Space:
        """What the content needs."""


@runtime_checkable
class Filling(Protocol):
    """A body that knows how many lines its content fills."""

    def filled(self, columns: int, lines: int) -> int:
        """How many lines it fills in so many columns and lines."""


class Panel(Frame):
    """A numbered panel around one body that can have the focus."""

    def __init__(self, number: int, title: str, body: Widget) -> None:
        self.number = number
        self.title = title
        self.body = body
        self._letter = self._words = ""
        super().__init__(f"[{number}] {title}", body, id=f"panel{number}")

    @property
    def space(self) -> Space:
        """What the panel needs with its frame."""
        body = self.body
        return (body.space if isinstance(body, Spacious) else Space()).framed()

    def filled(self, columns: int, lines: int) -> int:
        """How many of so many lines the panel fills with its frame; all, if that is not known."""
        if not isinstance(self.body, Filling):
            return lines
        return self.body.filled(columns - FRAME, lines - FRAME) + FRAME

    def letter(self, letter: str) -> None:
        """Show a letter in the place of the number; none shows the number again."""
        self._letter = letter
        self.caption(self._words)

    def foot(self, text: str) -> None:
        """Explain words of the panel on its lower border."""
        foot = Content(printable(text))
        if self._border_subtitle is None or foot.plain != self._border_subtitle.plain:
            # As with the title: a property would paint the whole panel anew.
            self._border_subtitle = foot
            self.refresh(Region(-1, self.outer_size.height - 2, self.outer_size.width, 1))

    def caption(self, text: str) -> None:
        self._words = text
        sign = f"[{self._letter or self.number}]"
        title = Content(printable(f"{sign} {self.title}  {text}").rstrip())
        if self._border_title is None or title.plain != self._border_title.plain:
            # Set as a property it would paint the whole panel anew, with all that is in it.
            self._border_title = title
            self.refresh(Region(-1, -1, self.outer_size.width, 1))
