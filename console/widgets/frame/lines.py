"""A panel's body of lines: built from facts by a plain function, drawn line by line, scrolled."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console.widgets.frame.ink import Line, different, plain
from shadowtime.console.widgets.frame.pen import Penned, lettered

EVERYTHING = 10**6
"""More lines than there are anywhere."""


class LineView(Penned, ScrollView, inherit_bindings=False):
    """Lines of (text, role) pieces. A subclass overrides `build`; `rebuild` asks for it anew."""

    DEFAULT_CSS = """
    LineView { overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, *, id: str | None = None, focus: bool = True) -> None:
        super().__init__(id=id)
        self.can_focus = focus
        self.lines: Sequence[Line] = ()
        self.letters: dict[int, str] = {}
        """The letters in front of lines in sight."""

    def build(self, width: int, height: int) -> Sequence[Line]:
        """The lines for a body of this size; called when the facts or the size change."""
        return self.lines

    def rebuild(self) -> None:
        width, height = self.scrollable_content_region.size
        if width > 0:
            before, self.lines = self.lines, list(self.build(width, height))
            top = self.scroll_offset.y
            self.refresh_lines_at(at - top for at in different(self.lines, before) if 0 <= at - top < height)
            self.measure()

    def measure(self) -> None:
        if self.virtual_size.height != len(self.lines):
            self.virtual_size = Size(self.size.width, len(self.lines))

    @property
    def text(self) -> list[str]:
        return [plain(line).rstrip() for line in self.lines]

    def on_resize(self, _: Resize) -> None:
        self.rebuild()

    def render_line(self, y: int) -> Strip:
        place = y + self.scroll_offset.y
        line = self.lines[place] if place < len(self.lines) else ()
        strip = self.pen.strip(line, self.scrollable_content_region.width)
        letter = self.letters.get(y)
        return strip if letter is None else lettered(strip, letter, self.pen.styles["key"])

    def keep_in_sight(self, place: int) -> None:
        """Scroll as far as a line needs to be seen."""
        top, height = self.scroll_offset.y, self.size.height
        if not top <= place < top + height:
            self.scroll_to(y=place if place < top else place - height + 1, animate=False)

    def action_move(self, lines: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)

    def far(self, way: int) -> None:
        self.action_move(way * EVERYTHING)

    def action_far(self, way: int) -> None:
        """To the first line (-1) or the last (1)."""
        self.far(way)

    def action_half(self, way: int) -> None:
        self.action_move(way * max(1, self.size.height // 2))

    def action_page(self, pages: int) -> None:
        """Scroll by what is seen, less one line."""
        self.action_move(pages * max(1, self.size.height - 1))
