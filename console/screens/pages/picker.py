"""A list to choose from, over the whole screen: a cursor, Enter chooses, Esc goes back."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.screens.pages.page import Build, Page
from shadowtime.console.widgets.frame.ink import Line, Piece
from shadowtime.console.widgets.frame.lines import EVERYTHING


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
            mark: Piece = ("> " if here else "  ", "key")
            lines.append([mark, *line])
        below = self.below(self.place, width) if self.count else ()
        return [*lines, [], *below] if below else lines

    def action_move(self, lines: int) -> None:
        self.place = min(max(self.place + lines, 0), max(0, self.count - 1))
        self.freshen()
        self.keep_in_sight()

    def keep_in_sight(self) -> None:
        """Scroll as far as the line of the cursor needs to be seen."""
        self._body.keep_in_sight(self.place)

    def action_choose(self) -> None:
        if self.count:
            self._chosen(self.place)
