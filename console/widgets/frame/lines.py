"""What scrolls over lines, and a panel's body of lines that a plain function builds from facts."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shadowtime.console.widgets.frame.ink import Line, different, plain
from shadowtime.console.widgets.frame.pen import Penned

EVERYTHING = 10**6
"""More lines than there are anywhere."""


class Scrolled(Penned, ScrollView, inherit_bindings=False):
    """Lines of which some are seen, beside a scrollbar. A subclass overrides `action_move`."""

    DEFAULT_CSS = """
    Scrolled { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        # There is always room for a scrollbar: one that came later would lay out the whole screen again.
        self.set_reactive(Scrolled.show_vertical_scrollbar, True)

    @property
    def room(self) -> int:
        return self.size.height

    def scroll_over(self, lines: int) -> None:
        """Scroll over so many lines, past the reactive: that would lay out the whole screen."""
        size = Size(self.size.width, lines)
        if size != self.virtual_size:
            self.set_reactive(ScrollView.virtual_size, size)
            self.vertical_scrollbar.window_virtual_size = lines
            self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def action_move(self, lines: int) -> None:
        raise NotImplementedError

    def action_half(self, way: int) -> None:
        self.action_move(way * max(1, self.size.height // 2))

    def action_page(self, pages: int) -> None:
        self.action_move(pages * max(1, self.room - 1))

    def far(self, way: int) -> None:
        """To the first line (-1) or the last (1)."""
        self.action_move(way * EVERYTHING)

    def action_far(self, way: int) -> None:
        self.far(way)


class LineView(Scrolled):
    """Lines of (text, role) pieces. A subclass overrides `build`; `rebuild` asks for it anew."""

    def __init__(self, *, id: str | None = None, focus: bool = True) -> None:
        super().__init__(id=id)
        self.can_focus = focus
        self.lines: Sequence[Line] = ()

    def build(self, width: int, height: int) -> Sequence[Line]:
        """The lines for a body of this size; called when the facts or the size change."""
        return self.lines

    def rebuild(self) -> None:
        width, height = self.scrollable_content_region.size
        if width > 0:
            before, self.lines = self.lines, list(self.build(width, height))
            top = self.scroll_offset.y
            self.refresh_lines_at(at - top for at in different(self.lines, before) if 0 <= at - top < height)
            self.scroll_over(len(self.lines))

    @property
    def text(self) -> list[str]:
        return [plain(line).rstrip() for line in self.lines]

    def on_resize(self, _: Resize) -> None:
        self.rebuild()

    def render_line(self, y: int) -> Strip:
        place = y + self.scroll_offset.y
        line = self.lines[place] if place < len(self.lines) else ()
        return self.pen.strip(line, self.scrollable_content_region.width)

    def keep_in_sight(self, place: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not top <= place < top + height:
            self.scroll_to(y=place if place < top else place - height + 1, animate=False)

    def action_move(self, lines: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)
