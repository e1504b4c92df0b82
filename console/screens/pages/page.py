"""A page: lines over the whole screen, to read, scroll, copy, choose from, or to answer. Esc goes back."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar, TypeVar

import attrs
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key, Resize, ScreenResume
from textual.geometry import Size
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.strip import Strip
from textual.widgets import Static

from shadowtime.console.keys import keyboard_of
from shadowtime.console.session import SessionError
from shadowtime.console.session.work import Work
from shadowtime.console.widgets.frame.ink import Line, Piece, texts, width_of, wrap
from shadowtime.console.widgets.frame.lines import EVERYTHING, LineView
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.status import StatusLine

GAP = 3
"""Blanks behind the label of a key."""
SHOWING = 0.2
"""Seconds between two times that it is shown how far work is."""
Found = TypeVar("Found")

CURSOR: Piece = ("> ", "key")
"""What opens the line that can be chosen now."""
Build = Callable[[int], Sequence[Line]]
LIST_KEYS: tuple[Binding, ...] = (
    Binding("j", "focused.move(1)", show=False, id="row_down"),
    Binding("k", "focused.move(-1)", show=False, id="row_up"),
    Binding("ctrl+d", "focused.half(1)", show=False, id="half_down"),
    Binding("ctrl+u", "focused.half(-1)", show=False, id="half_up"),
    Binding("g", "focused.far(-1)", show=False, id="first_row"),
    Binding("G", "focused.far(1)", show=False, id="last_row"),
)
"""`g` alone leads to the first line, so that `gg` does too."""
LETTERS = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"
"""The letters that `;` puts in front of rows, those under the fingers first."""
HELP = (
    ("Up Down, j k", "move"),
    ("PageUp PageDown", "a screen up or down; Ctrl+U Ctrl+D: half of one"),
    ("Home End, g G", "to the first, to the last"),
)
"""What they do, for a page of help."""
LEAST = Size(60, 18)
"""Columns and lines below which panels cannot be read. Terminals of 80x24 less the line of a multiplexer have
room enough."""


class SteadyScreen(Screen[ScreenResultType]):
    """Leaves out what the framework does for a screen that has its size: to lay it out and paint it again.

    A screen gets its size when it is shown. An event that says so follows, also for the screen behind it.
    """

    def _screen_resized(self, size: Size) -> None:
        if size != self.outer_size:
            super()._screen_resized(size)


class Body(LineView):
    """The lines of a page, asked for anew whenever the width or the facts change."""

    def __init__(self, source: Build, *, id: str | None = None, focus: bool = True) -> None:
        super().__init__(id=id, focus=focus)
        self._source = source

    def build(self, width: int, height: int) -> Sequence[Line]:
        return self._source(width)


class WholeKeys(StatusLine):
    """Pairs of a key and its label, after some words: those that have no room are left out from the end.

    The last `kept` pairs stay: what goes is before them.
    """

    def __init__(self, *, id: str | None = None, kept: int = 0) -> None:
        super().__init__(id=id)
        self._last = 2 * kept
        self._brief: Sequence[Piece] = ()
        self._words = 0
        """How many pieces of the line are no keys."""

    def put_pairs(
        self, pairs: Sequence[tuple[str, str]], first: Sequence[Piece] = (), brief: Sequence[Piece] = ()
    ) -> None:
        """Put some words, then keys, each by its id, with labels; `brief` words where keys lack room."""
        keyboard, pieces = keyboard_of(self.app), [(" ", "text"), *first]
        self._brief, self._words = brief, len(pieces)
        for key, label in pairs:
            pieces += [(keyboard.first(key), "key"), (f" {label}{' ' * GAP}", "dim")]
        self.put(pieces)

    def render_line(self, y: int) -> Strip:
        line = self._fitted(self.lines[0] if self.lines else ())
        if self._brief and line:
            whole = self.lines[0]
            shorter = self._fitted([whole[0], *self._brief, *whole[self._words :]])
            # For more keys only; it has as many pieces before them.
            line = max(line, shorter, key=len)
        if line:
            # Blanks at the end have no room to need.
            line[-1] = (line[-1][0].rstrip(), line[-1][1])
        return self.pen.strip(line, self.size.width)

    def _fitted(self, whole: Line) -> list[Piece]:
        """The line without the keys that have no room; a blank is left at the edge."""
        line = list(whole)
        while len(line) > 2 + self._last and width_of(line) - GAP >= self.size.width:
            end = len(line) - self._last
            del line[end - 2 : end]
        return line


class Page(SteadyScreen[None], ModalScreen[None]):
    """Shows what `source` builds for a width; Esc or Enter goes back, `y` copies it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LIST_KEYS,
        Binding("escape", "leave", "back", id="escape"),
        Binding("q", "leave", "back", id="quit"),
        Binding("enter", "leave", "back", id="detail"),
        Binding("y", "copy", "copy", id="copy"),
        Binding("home", "far(-1)", show=False, id="first"),
        Binding("end", "far(1)", show=False, id="last"),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("escape", "back"), ("copy", "copy"))
    """What the line below shows: the id of a key, or a key itself, and what it does here."""

    def __init__(self, title: str, source: Build) -> None:
        super().__init__()
        self._title = title
        self._body = Body(source)
        self._keys = WholeKeys(id="page-keys")
        self._doing: Work[object] | None = None
        self._share = 0.0
        """How far the work is that is done."""

    def compose(self) -> ComposeResult:
        yield Frame(self._title, self._body)
        yield self._keys

    def on_mount(self) -> None:
        self._body.focus()
        self.show_keys()

    def show_keys(self, *first: Piece, brief: Sequence[Piece] = ()) -> None:
        """Show the keys of this page, after some words, `brief` ones where keys lack room."""
        self._keys.put_pairs(self.shown_keys, first, brief)

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        """The keys of the line below that do something now."""
        return self.KEYS

    @property
    def text(self) -> str:
        return "\n".join(texts(self._body.lines))

    def entitle(self, title: str) -> None:
        self._title = title
        self.query_one(Frame).entitle(title)

    def freshen(self) -> None:
        self._body.rebuild()

    def do(self, work: Work[Found], take: Callable[[Found | None, str], None]) -> None:
        """Do a piece of work in a thread, and none before it; `take` gets what it found, or its fault."""
        self.leave_off()
        self._doing, shown = work, monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal shown
            if monotonic() - shown > SHOWING and work is self._doing:
                shown = monotonic()
                self.app.call_from_thread(show, done / total if total else 1.0)

        def show(share: float) -> None:
            self._share = share
            self.freshen()

        def run() -> None:
            found: Found | None = None
            fault = ""
            try:
                found = work.run(progress)
            except SessionError as error:
                fault = str(error)
            if work is self._doing and (found is not None or fault) and self.is_attached:
                self.app.call_from_thread(taken, found, fault)

        def taken(found: Found | None, fault: str) -> None:
            if work is self._doing:
                take(found, fault)
                self.freshen()

        self.run_worker(run, thread=True)

    def leave_off(self) -> None:
        """Break off the work that is done."""
        if self._doing is not None:
            self._doing.cancel()

    def on_unmount(self) -> None:
        self.leave_off()

    def action_leave(self) -> None:
        self.dismiss()

    def action_far(self, way: int) -> None:
        """To the first lines (-1) or the last (1)."""
        self._body.action_move(way * len(self._body.lines))

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self.text)
        self.show_keys(("copied   ", "good"))


class Story(Page):
    """What is told before something begins: Enter begins it, Esc goes back to before."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "begin", "begin", id="detail")]
    KEYS = (("detail", "begin"), ("escape", "back"), ("copy", "copy"))

    def __init__(
        self, title: str, source: Build, leave: Callable[[], None], begin: Callable[[], None] | None = None
    ) -> None:
        super().__init__(title, source)
        self._leave = leave
        self._begin = begin

    def action_begin(self) -> None:
        """To what was told of."""
        self.dismiss()
        if self._begin is not None:
            self.app.call_later(self._begin)

    def action_leave(self) -> None:
        self.dismiss()
        self.app.call_later(self._leave)


def too_small(size: Size) -> bool:
    """Whether a terminal has no room for the console."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(ModalScreen[None]):
    """Says that the terminal is too small, until it is larger."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.exit_console", "quit", id="quit")]
    DEFAULT_CSS = "TooSmall { background: $background; } TooSmall > Static { padding: 0 1; }"

    _left = False

    def __init__(self) -> None:
        super().__init__()
        self._line = Static(markup=False)

    def compose(self) -> ComposeResult:
        yield self._line

    def on_mount(self) -> None:
        self._measure()

    def on_resize(self, _: Resize) -> None:
        self._measure()

    def on_screen_resume(self, _: ScreenResume) -> None:
        """What lay above is gone: the terminal may have grown meanwhile."""
        self._measure()

    def _measure(self) -> None:
        size, key = self.app.size, keyboard_of(self.app).first("quit")
        self._line.update(
            f"too small: {size.width}x{size.height}, needs {LEAST.width}x{LEAST.height}; {key} quits"
        )
        if self.app.screen is self and not too_small(size) and not self._left:
            self._left = True
            self.dismiss()


class CursorPage(Page):
    """Shows lines with a cursor on those that can be chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the body below, which would scroll.
        Binding("up", "move(-1)", "up", priority=True),
        Binding("down", "move(1)", "down", priority=True),
        Binding("home", f"move({-EVERYTHING})", show=False, id="first", priority=True),
        Binding("end", f"move({EVERYTHING})", show=False, id="last", priority=True),
        Binding("j", "move(1)", show=False, id="row_down"),
        Binding("k", "move(-1)", show=False, id="row_up"),
        Binding("g", f"move({-EVERYTHING})", show=False, id="first_row"),
        Binding("G", f"move({EVERYTHING})", show=False, id="last_row"),
        Binding("enter", "choose", "choose", priority=True),
    ]

    def __init__(
        self,
        title: str,
        choices: Build,
        count: Callable[[], int],
        chosen: Callable[[int], None],
    ) -> None:
        """Show the choices, a line each, and how many there are; `chosen` gets the place of one."""
        self.place = 0
        self._choices = choices
        self._count = count
        self._chosen = chosen
        super().__init__(title, self._lines)

    def above(self, place: int, width: int) -> Sequence[Line]:
        """What stands between a choice and the one before it, such as a heading."""
        return ()

    def under(self, place: int, width: int) -> Sequence[Line]:
        """The further lines of a choice."""
        return ()

    def below(self, place: int, width: int) -> Sequence[Line]:
        """What stands under the choices while the cursor is on one of them."""
        return ()

    @property
    def count(self) -> int:
        return self._count()

    def _lines(self, width: int) -> Sequence[Line]:
        self.place = min(self.place, max(0, self.count - 1))
        lines: list[Line] = []
        for place, line in enumerate(self._choices(width - 2)):
            lines += self.above(place, width)
            here = place == self.place and bool(self.count)
            lines.append([CURSOR if here else ("  ", "key"), *line])
            lines += [[("  ", "text"), *more] for more in self.under(place, width)]
        below = self.below(self.place, width) if self.count else ()
        return [*lines, [], *below] if below else lines

    def action_move(self, lines: int) -> None:
        self.place = min(max(self.place + lines, 0), max(0, self.count - 1))
        self.freshen()
        self.keep_in_sight()

    def keep_in_sight(self) -> None:
        """Scroll as far as the lines of the cursor need; to the top where it is on the first choice."""
        here = next((at for at, line in enumerate(self._body.lines) if line and line[0] == CURSOR), 0)
        self._body.keep_in_sight(here + len(self.under(self.place, self.size.width)))
        self._body.keep_in_sight(here if self.place else 0)

    def action_choose(self) -> None:
        if self.count:
            self._chosen(self.place)


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
