"""Ink: lines of text in named roles, and how a role looks on this terminal.

Panels build their text as lines of (text, role) pieces in plain functions that need no application; only here
a role becomes a style. No role differs by colour alone: it also has an attribute or a word.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import attrs
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from shadowtime.console.session.texts import printable as printable
from shadowtime.console.widgets.frame.looks import (
    Depth,
    Look,
    Palette,
    job_look,
    look,
    palette_of,
    ramp_look,
    user_look,
)

Piece = tuple[str, str]
Line = Sequence[Piece]

NO_BREAK = "\u00a0"
MOST_OF_CELL = 6
"""Characters in one cell at most: a letter and what combines with it."""
WHOLE = re.compile(r"(\d+d|\d\d-\d\d) (\d\d:\d\d:\d\d)")
"""An instant: two words that stay on one line."""
DARK = {
    "text": "",
    "strong": "bold #ffffff",
    "dim": "#8a929b",
    "faint": "#565e68",
    "key": "bold #e69f00",
    "head": "bold #8fb8d8",
    "now": "bold underline #ffffff",
    "good": "#2fc497",
    "warn": "bold #e69f00",
    "bad": "bold #ee7733",
    "note": "italic #f0e442",
    "promise": "bold #56b4e9",
    "plan": "#56b4e9",
    "stale": "italic #8a929b",
    "cursor": "bold #ffffff on #26394d",
    "cursor cell": "bold underline #ffffff on #26394d",
}
LIGHT = DARK | {
    "strong": "bold #000000",
    "dim": "#666666",
    "faint": "#a0a0a0",
    "key": "bold #8a5a00",
    "head": "bold #1c5a82",
    "now": "bold underline #000000",
    "good": "#007055",
    "warn": "bold #8a5a00",
    "bad": "bold #b04200",
    "note": "italic #6b6600",
    "promise": "bold #1f6d9b",
    "plan": "#1f6d9b",
    "stale": "italic #666666",
    "cursor": "bold #000000 on #cfe0ee",
    "cursor cell": "bold underline #000000 on #cfe0ee",
}
SIXTEEN = DARK | {
    "strong": "bold",
    "dim": "dim",
    "faint": "dim",
    "key": "bold yellow",
    "head": "bold cyan",
    "now": "bold underline",
    "good": "green",
    "warn": "bold yellow",
    "bad": "bold red",
    "note": "italic yellow",
    "promise": "bold cyan",
    "plan": "cyan",
    "stale": "dim italic",
    "cursor": "reverse",
    "cursor cell": "bold underline reverse",
}
PLAIN = SIXTEEN | {
    "key": "bold",
    "head": "bold",
    "good": "",
    "warn": "bold",
    "bad": "bold",
    "note": "italic",
    "promise": "bold",
    "plan": "",
}
CHOSEN = Style(reverse=True, dim=False)
PROMISED = {"guaranteed": "promise", "settled": "promise", "planned": "plan"}
"""The roles of predicted starts that a policy stands for, each in its degree."""


@lru_cache
def ink(palette: Palette) -> Mapping[str, Style]:
    """The styles of the roles on a terminal; every role has one on each."""
    table = {Depth.NONE: PLAIN, Depth.SIXTEEN: SIXTEEN}.get(palette.depth, DARK if palette.dark else LIGHT)
    return {
        role: Style.parse(definition) if definition else Style.null() for role, definition in table.items()
    }


def lettered(strip: Strip, letter: str, style: Style) -> Strip:
    """A line with a letter in its first two cells."""
    return Strip.join([Strip([Segment(f"{letter} ", style)], 2), strip.crop(2)])


def cell(text: str, width: int, right: bool = False) -> str:
    """The text, printable, in exactly `width` cells; what does not fit ends in an ellipsis."""
    text = printable(text[: MOST_OF_CELL * (width + 1)])
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…" if width > 0 else ""
    return " " * (width - length) + text if right else text + " " * (width - length)


def plain(line: Line) -> str:
    """The line as bare text."""
    return "".join(text for text, _ in line)


def width_of(line: Line) -> int:
    """How many cells the line takes."""
    return sum(cell_len(text) for text, _ in line)


def clip(line: Line, width: int) -> list[Piece]:
    """The line in at most `width` cells; a cut line ends in an ellipsis."""
    kept: list[Piece] = []
    room = width
    for text, role in line:
        length = cell_len(text)
        if length > room:
            return [*kept, (cell(text, room), role)] if room else _ellipsis(kept)
        kept.append((text, role))
        room -= length
    return kept


def shorten(lines: Sequence[Line], most: int, width: int) -> list[Line]:
    """The first `most` of wrapped lines of `width` cells; a sentence that goes on ends in an ellipsis.

    A line that goes on with a sentence opens with blanks.
    """
    kept = list(lines[:most])
    if most < len(lines) and kept and not plain(lines[most][:1]).strip():
        kept[-1] = clip([*kept[-1], ("…", kept[-1][-1][1])], width)
    return kept


def _ellipsis(kept: list[Piece]) -> list[Piece]:
    if not kept:
        return kept
    text, role = kept[-1]
    return [*kept[:-1], (set_cell_size(text, max(0, cell_len(text) - 1)) + "…", role)]


def wrap(text: str, width: int, role: str = "text", first: Line = (), indent: int = 0) -> list[list[Piece]]:
    """The text, printable, broken at words into lines of `width` cells.

    `first` opens the first line, blanks the others. A word that is longer than a line is
    broken where the line ends: nothing of a path or an address is lost.
    """
    lines: list[list[Piece]] = []
    opening: list[Piece] = list(first)
    line, room = "", max(1, width - width_of(first))
    for word in _words(text):
        at = 0
        while not _fits(word, at, room - cell_len(line) - bool(line)):
            if line:
                lines.append([*opening, (line, role)])
            else:
                end = _end(word, at, room)
                lines.append([*opening, (word[at:end], role)])
                at = end
            opening, line, room = [(" " * indent, role)], "", max(1, width - indent)
        line = f"{line} {word[at:]}" if line else word[at:]
    return [*lines, [*opening, (line, role)]] if line or not lines else lines


def paragraphs(parts: Iterable[str], width: int) -> list[Line]:
    """Parts of a story as printable paragraphs, an empty line behind each."""
    return [line for part in parts for line in [*wrap(part, width), []]]


def fact(label: str, text: str, width: int, indent: int) -> list[list[Piece]]:
    """A fact behind what it is called, from the cell `indent` on; a long label has a line of its own."""
    label, text = printable(label), printable(text)
    if cell_len(label) < indent or cell_len(label) + 1 + cell_len(text) <= width:
        return wrap(text, width, "text", [(f"{label:<{indent - 1}} ", "dim")], indent)
    return [*wrap(label, width, "dim"), *wrap(text, width, "text", [(" " * indent, "dim")], indent)]


def _words(text: str) -> list[str]:
    """The words of a text; an instant is one."""
    kept = WHOLE.sub(rf"\1{NO_BREAK}\2", printable(" ".join(text.split())))
    return [word.replace(NO_BREAK, " ") for word in kept.split(" ") if word]


def _fits(word: str, at: int, room: int) -> bool:
    """Whether a word from a place on fits into so many cells. What is far longer is not measured."""
    return len(word) - at <= MOST_OF_CELL * max(0, room) and cell_len(word[at:]) <= room


def _end(word: str, at: int, room: int) -> int:
    """Where the part of a word ends that fits into so many cells, at least one letter."""
    end = at + room
    while end > at + 1 and cell_len(word[at:end]) > room:
        end -= 1
    while end < len(word) and cell_len(word[at : end + 1]) <= room:
        end += 1
    return end


_LOOKS: Mapping[str, Callable[[str, Palette], Look]] = {
    "state": look,
    "job": lambda index, palette: job_look(int(index), palette),
    "user": user_look,
    "ramp": lambda step, palette: ramp_look(int(step), palette),
}
"""The looks that a role names by a word and a value."""


@attrs.frozen
class Pen:
    """What lines of one widget are drawn with: the style of each role, on the widget's own ground."""

    palette: Palette
    base: Style
    styles: dict[str, Style]
    """The roles that the widget has drawn so far."""

    @staticmethod
    def of(widget: Widget) -> "Pen":
        """The pen of a widget as its styles are now."""
        palette = palette_of(widget.app)
        base = widget.rich_style
        return Pen(palette, base, {role: base + style for role, style in ink(palette).items()})

    def style(self, role: str) -> Style:
        """The style of a role.

        `state:N`, `job:17`, `user:ada` and `ramp:3` are the looks of a state, of the job at an index, of a
        user and of a step of a scale; `chosen:ROLE` is a role that stands out.
        """
        found = self.styles.get(role)
        if found is None:
            kind, _, what = role.partition(":")
            if kind == "chosen":
                found = self.style(what) + CHOSEN
            else:
                found = self.base + _LOOKS[kind](what, self.palette).style
            self.styles[role] = found
        return found

    def cursor(self, line: Line, width: int) -> Strip:
        """The line under a cursor."""
        # In one colour: several would be a patchwork in reverse, and some of them are not read on its ground.
        return Strip([Segment(cell(plain(line), width), self.styles["cursor"])], width)

    def strip(self, line: Line, width: int) -> Strip:
        """The line as Textual draws it, in exactly `width` cells."""
        segments: list[Segment] = []
        room = width
        for text, role in clip(line, width):
            segments.append(Segment(text, self.style(role)))
            room -= cell_len(text)
        if room > 0:
            # Never without a style: that crashes where there are no colours.
            segments.append(Segment(" " * room, self.base))
        return Strip(segments, width)


class Penned(Widget):
    """A widget that draws its lines with a pen."""

    _pen: Pen | None = None

    @property
    def pen(self) -> Pen:
        """The pen, kept until the styles change: it costs more than a line."""
        if self._pen is None:
            self._pen = Pen.of(self)
        return self._pen

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._pen = None

    def refresh_lines_at(self, places: Iterable[int]) -> None:
        """Draw some lines anew, by their place in what is seen."""
        regions = [Region(0, y, self.size.width, 1) for y in places]
        if regions:
            self.refresh(*regions)


def different(now: Sequence[object], before: Sequence[object]) -> list[int]:
    """The places at which two lists of lines differ; those that only one of them has are among them."""
    longest = max(len(now), len(before))
    return [at for at in range(longest) if now[at : at + 1] != before[at : at + 1]]


def texts(lines: Iterable[Line]) -> list[str]:
    """The lines as bare text, without trailing blanks."""
    return [plain(line).rstrip() for line in lines]
