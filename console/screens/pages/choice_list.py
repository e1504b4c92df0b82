"""A screen of choices: titles on the left, and beside them what the one under the cursor is about."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, Resize
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip

from shadowtime.console.screens.pages.page import LETTERS, LIST_KEYS, WholeKeys
from shadowtime.console.widgets.frame.ink import READABLE, Line, Piece, plain
from shadowtime.console.widgets.frame.lines import EVERYTHING, LineView
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.widgets.frame.pen import lettered
from shadowtime.console.widgets.frame.status import StatusLine

T = TypeVar("T")
WIDE = 300
"""Cells of a line with room for every title."""
GAP = re.compile(" +")
FRAME = 3
"""Cells of a frame, and of a scrollbar."""
ABOUT = 32
"""Cells at least of what a title is about, where titles take more than half."""
Titles = Callable[[Sequence[T], int, int], tuple[list[Line], int]]
"""The titles as lines, of the items, the place of the cursor and a width; and the line of the cursor."""
Description = Callable[[T | None, Sequence[str], int], list[Line]]
"""What an item is about as lines, after faults, of a width."""


class Shelf(LineView, Generic[T]):
    """The titles, one under the other, in groups."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", show=False, id="detail"),
        Binding("home", f"move({-EVERYTHING})", show=False, id="first"),
        Binding("end", f"move({EVERYTHING})", show=False, id="last"),
    ]

    class Moved(Message):
        """The cursor stands on another item."""

    class Opened(Message):
        """The operator wants the item under the cursor."""

    def __init__(self, titles: Titles[T], items: Sequence[T] = ()) -> None:
        super().__init__(id="titles")
        self.items = items
        self.cursor = 0
        self._titles = titles
        self._letters: dict[int, str] = {}
        """The letters in front of lines in sight."""

    @property
    def current(self) -> T | None:
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @property
    def places(self) -> Mapping[int, int]:
        """The items in sight: the line of each, from the top of what is seen, and its place."""
        width, height = self.scrollable_content_region.size
        top = self.scroll_offset.y
        lines = (self._titles(self.items, place, width)[1] - top for place in range(len(self.items)))
        return {line: place for place, line in enumerate(lines) if 0 <= line < height}

    @property
    def needed(self) -> int:
        """Cells of the longest title, with what stands at the end of its line."""
        lines = (plain(line).ljust(WIDE) for line in self._titles(self.items, 0, WIDE)[0])
        return max((WIDE + 1 - max(map(len, GAP.findall(line)), default=0) for line in lines), default=0)

    def letter(self, letters: dict[int, str]) -> None:
        self._letters = letters
        self.refresh()

    def render_line(self, y: int) -> Strip:
        line, letter = super().render_line(y), self._letters.get(y)
        return line if letter is None else lettered(line, letter, self.pen.styles["key"])

    def build(self, width: int, height: int) -> Sequence[Line]:
        lines, place = self._titles(self.items, self.cursor, width)
        self.call_after_refresh(self._keep_in_sight, place)
        return lines

    def action_move(self, lines: int) -> None:
        self.cursor = min(max(0, self.cursor + lines), max(0, len(self.items) - 1))
        self.rebuild()
        self.post_message(self.Moved())

    def action_open(self) -> None:
        self.post_message(self.Opened())

    def _keep_in_sight(self, place: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if place < top or place >= top + height:
            self.scroll_to(y=max(0, place - height // 2), animate=False)


class About(LineView, Generic[T]):
    """What one item is about, after what is wrong."""

    def __init__(self, description: Description[T]) -> None:
        super().__init__(id="about")
        self._description = description
        self._item: T | None = None
        self._faults: Sequence[str] = ()

    def show(self, item: T | None, faults: Sequence[str] = ()) -> None:
        self._item, self._faults = item, faults
        self.scroll_to(y=0, animate=False)
        self.rebuild()

    def build(self, width: int, height: int) -> Sequence[Line]:
        return self._description(self._item, self._faults, min(width, READABLE))


class ChoiceScreen(Screen[None], Generic[T]):
    """Pick, read, open: the shelf, what is about the item under the cursor, and the keys of `KEYS`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LIST_KEYS,
        Binding("tab", "turn", "read", show=False, id="next_panel"),
        Binding("shift+tab", "turn", "read", show=False, id="previous_panel"),
        Binding("semicolon", "letters", "letters", show=False, id="letters"),
    ]
    HEADING: ClassVar[str] = ""
    """What stands above the titles."""
    KEYS: ClassVar[Sequence[tuple[str, str]]] = ()
    """The keys that the last line shows, by id, and what they do."""

    def __init__(self, titles: Titles[T], description: Description[T], items: Sequence[T] = ()) -> None:
        super().__init__()
        self.shelf = Shelf(titles, items)
        self.about = About(description)
        self._shelf_frame = Frame(self.HEADING, self.shelf, id="titles-frame")
        self._title = StatusLine(id="browser-title")
        self._keys = WholeKeys(id="browser-keys", kept=1)
        self.faults: Sequence[str] = ()
        self._lettered: Mapping[str, int] = {}
        """The places of items by their letters, while a letter is awaited."""

    def compose(self) -> ComposeResult:
        yield self._title
        with Container(id="shelf"):
            yield self._shelf_frame
            yield Frame("ABOUT", self.about, id="about-frame")
        yield self._keys

    def on_resize(self, event: Resize) -> None:
        """Titles take what they need, half of the screen at least; the rest is for what one is about."""
        wide = self.shelf.needed + FRAME
        self._shelf_frame.styles.width = max(event.size.width // 2, min(wide, event.size.width - ABOUT))

    def entitle(self, *pieces: Piece) -> None:
        """Put the first line."""
        self._title.put([(" SHADOWTIME ", "strong"), *pieces])

    def show_keys(self, *first: Piece) -> None:
        """Put the last line: something to say, and the keys."""
        self._keys.put_pairs(self.shown_keys, first)

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        """The keys of the last line as they are now."""
        return self.KEYS

    def show_items(self, items: Sequence[T]) -> None:
        """Show other items, the cursor on the one that it was on if that is among them."""
        current = self.shelf.current
        self.shelf.items = items
        self.shelf.cursor = next((place for place, item in enumerate(items) if item is current), 0)
        self.shelf.rebuild()
        self.about.show(self.shelf.current, self.faults)

    def on_shelf_moved(self) -> None:
        self.about.show(self.shelf.current, self.faults)
        self.show_keys()

    # Letters.

    def action_letters(self) -> None:
        """Put a letter on each title in sight; the next key goes to where its letter stands."""
        self._lettered = dict(zip(LETTERS, self.shelf.places.values(), strict=False))
        self.shelf.letter(dict(zip(self.shelf.places, LETTERS, strict=False)))
        self.show_keys(("which letter? the cursor goes to its title; Esc takes the letters away   ", "key"))

    def on_key(self, event: Key) -> None:
        if not self._lettered:
            return
        event.stop()
        event.prevent_default()
        place = self._lettered.get(event.character or "")
        self._lettered = {}
        self.shelf.letter({})
        self.show_keys()
        if place is not None:
            self.shelf.focus()
            self.shelf.action_move(place - self.shelf.cursor)

    def action_turn(self) -> None:
        """From the titles to the text and back, to scroll it."""
        other = self.about if self.shelf.has_focus else self.shelf
        other.focus()
