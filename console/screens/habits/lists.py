"""Moving in the list of the panel in use: by rows, by half of what is seen, to its ends, to a letter."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from textual.widget import Widget

from shadowtime.console.screens.composed.panels import PanelArrangement
from shadowtime.console.screens.pages.page import LETTERS


@runtime_checkable
class Listed(Protocol):
    """A body of rows."""

    def action_move(self, lines: int) -> None:
        """Move by rows."""

    def far(self, way: int) -> None:
        """To the first row (-1) or the last (1)."""


@runtime_checkable
class Plane(Protocol):
    """A body in which one moves to the right and down."""

    def action_move(self, right: int, down: int) -> None:
        """Move by cells and rows."""

    def action_page(self, pages: int) -> None:
        """Move by what is seen."""


FAR = 10_000
"""More rows than a plane shows."""


class Lists:
    """Moves in the panel in use."""

    def __init__(self, panels: PanelArrangement) -> None:
        self._panels = panels

    @property
    def _body(self) -> Widget:
        return self._panels.panels[self._panels.used].body

    def row(self, rows: int) -> None:
        """Move down by rows, up if fewer than 0."""
        body = self._body
        if isinstance(body, Listed):
            body.action_move(rows)
        elif isinstance(body, Plane):
            body.action_move(0, rows)
        else:
            body.scroll_relative(y=rows, animate=False)

    def half(self, way: int) -> None:
        self.row(way * max(1, self._body.size.height // 2))

    def far(self, way: int) -> None:
        body = self._body
        if isinstance(body, Listed):
            body.far(way)
        else:
            self.row(way * FAR)

    def to(self, row: int) -> None:
        """To a row by its number, from 1."""
        self.far(-1)
        self.row(row - 1)


@runtime_checkable
class Lettered(Protocol):
    """A body whose rows can have letters."""

    @property
    def pickable(self) -> Sequence[int]:
        """The lines in sight that can be chosen."""

    def pick(self, line: int) -> None:
        """Choose what stands on a line in sight."""

    def letter(self, letters: dict[int, str]) -> None:
        """Show letters in front of lines; none takes them away."""


class Letters:
    """Puts a letter on each panel and each row in sight; the next key goes to where its letter stands."""

    def __init__(
        self, panels: PanelArrangement, say: Callable[[str, str], None], show_keys: Callable[[], None]
    ) -> None:
        self._panels = panels
        self._say, self._show_keys = say, show_keys
        self._places: dict[str, Callable[[], None]] = {}

    @property
    def awaited(self) -> bool:
        """Whether the next key is a letter."""
        return bool(self._places)

    def begin(self) -> None:
        free = iter(LETTERS)
        seen = [number for number in self._panels.panels if self._panels.seen(number)]
        for number, letter in zip(seen, free, strict=False):
            self._panels.panels[number].letter(letter)
            self._places[letter] = partial(self._panels.show, number)
        for number in sorted(seen, key=lambda number: number != self._panels.used):
            body = self._panels.panels[number].body
            if isinstance(body, Lettered):
                lines = dict(zip(body.pickable, free, strict=False))
                body.letter(lines)
                self._places.update({it: self._picker(number, body, line) for line, it in lines.items()})
        self._say("which letter? the focus goes to its panel or its row", "key")
        self._show_keys()

    def answer(self, _: str, letter: str) -> bool:
        """The next key: go to its letter, if it has one."""
        place = self._places.get(letter)
        self.end()
        if place is not None:
            place()
        elif letter in LETTERS:
            self._say(f"there is no letter {letter} here", "warn")
        return True

    def end(self) -> None:
        self._places = {}
        for panel in self._panels.panels.values():
            panel.letter("")
            if isinstance(panel.body, Lettered):
                panel.body.letter({})
        self._say("", "dim")
        self._show_keys()

    def _picker(self, number: int, body: Lettered, line: int) -> Callable[[], None]:
        def pick() -> None:
            self._panels.show(number)
            body.pick(line)

        return pick
