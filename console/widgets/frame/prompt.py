"""The prompt: one line to type a command, a place or a filter; otherwise it shows the last message."""

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.suggester import Suggester, SuggestFromList
from textual.widgets import Input, Label

from shadowtime.console.widgets.frame.ink import printable, shorten, wrap
from shadowtime.console.widgets.frame.status import StatusLine

LINES = 4
"""Lines that a message takes at most."""


class Prompt(Vertical):
    """A line that is a message until `ask` makes it a question; a remark on what is typed stands under it."""

    DEFAULT_CSS = """
    Prompt { height: 1; }
    Prompt > Horizontal { height: auto; }
    Prompt Label { width: auto; display: none; text-style: bold; }
    Prompt Input { display: none; width: 1fr; height: 1; border: none; padding: 0; }
    Prompt > Horizontal > StatusLine { width: 1fr; }
    Prompt.-asking Label, Prompt.-asking Input { display: block; }
    Prompt.-asking > Horizontal > StatusLine { display: none; }
    Prompt > #remark { display: none; }
    """

    class Answered(Message):
        """The operator typed a line."""

        def __init__(self, question: str, text: str) -> None:
            super().__init__()
            self.question = question
            self.text = text

    class Typed(Message):
        """The line changed while it is typed."""

        def __init__(self, question: str, text: str) -> None:
            super().__init__()
            self.question = question
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.question = ""
        self.message = ""
        self._role = "dim"
        self.tall = self._high = 1
        """Lines of all of it, and of the message."""
        self._remark = self._hint = ""
        self._under = 0
        """Lines of the remark."""
        self._label = Label(markup=False)
        self._line = Input(compact=True)
        self._status = StatusLine(id="message")
        self._below = StatusLine(id="remark")

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self._label
            yield self._line
            yield self._status
        yield self._below

    @property
    def asking(self) -> bool:
        return self.has_class("-asking")

    def ask(
        self,
        question: str,
        label: str,
        text: str = "",
        known: Suggester | tuple[str, ...] = (),
        hint: str = "",
    ) -> None:
        """Let the operator type a line; `known` (or known lines) complete it, `hint` shows while empty."""
        self.say("")
        self.remark("")
        self.question = question
        self._label.update(printable(label))
        line = self._line
        line.suggester = SuggestFromList(known, case_sensitive=False) if isinstance(known, tuple) else known
        self._hint = hint
        self._put_hint()
        self.add_class("-asking")
        with line.prevent(Input.Changed):
            line.value = text
        line.cursor_position = len(text)
        # What ends in a blank is to be gone on with; anything else is typed over.
        line.select_on_focus = not text.endswith(" ")
        line.focus()

    def _put_hint(self) -> None:
        """Show as many of the examples of the hint as have room."""
        hint, room = self._hint, self.size.width - cell_len(str(self._label.content)) - 1
        while 0 < room < cell_len(hint) and (end := max(map(hint.rfind, (", ", "   ")))) > 0:
            hint = hint[:end]
        self._line.placeholder = hint

    def complete(self) -> None:
        """Take what is suggested, as Right does at the end of the line."""
        self._line.action_end()
        self._line.action_cursor_right()

    def close(self) -> None:
        self.remove_class("-asking")
        self.remark("")
        self._stretch()

    def remark(self, text: str, role: str = "dim") -> None:
        """Show under the line that is typed what is to be known of it; an empty text takes that away."""
        if text == self._remark:
            return
        self._remark = text
        under = self._below
        room = max(1, self.size.width - 2)
        lines = shorten(wrap(text, room, role, [(" ", role)], 1), LINES, room) if text else []
        under.display = bool(lines)
        under.styles.height = self._under = len(lines)
        under.put(*lines)
        self._stretch()

    def say(self, text: str, role: str = "dim") -> None:
        """Show a message: in one line, or in so many as it needs, `LINES` at most."""
        self.message, self._role = text, role
        self._put()

    def on_resize(self) -> None:
        """Another width may need another number of lines."""
        self._put()
        self._put_hint()

    def _put(self) -> None:
        shown = printable(self.message)
        room = max(1, self.size.width - 2)
        role = self._role
        if len(shown) > room:
            lines = shorten(wrap(shown, room, role, [(" ", role)], 1), LINES, room)
        else:
            lines = [[(f" {shown}", role)]]
        self._high = len(lines)
        self._status.put(*lines)
        self._stretch()

    def _stretch(self) -> None:
        """Take as many lines as the message needs, or the line that is typed with the remark."""
        tall = 1 + self._under if self.asking else self._high
        if self.tall != tall:
            # Each of these lays out the whole screen, and a message is that long only now and then.
            self.tall = tall
            self.styles.height = tall
            self._status.styles.height = self._high

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.close()
        self.post_message(self.Answered(self.question, event.value.strip()))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.asking:
            self.post_message(self.Typed(self.question, event.value))
