"""The pen: how a role looks on this terminal, and widgets that draw lines with it.

No role differs by colour alone: it also has an attribute or a word.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import attrs
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from shadowtime.console.widgets.frame.ink import Line, cell, clip, plain
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
    "key": "bold magenta",
    "head": "bold",
    "now": "bold underline",
    "good": "bright_blue",
    "warn": "bold magenta",
    "bad": "bold red",
    "note": "italic magenta",
    "promise": "bold bright_blue",
    "plan": "bright_blue",
    "stale": "dim italic",
    "cursor": "reverse",
    "cursor cell": "bold underline reverse",
}
PLAIN = SIXTEEN | {
    "key": "bold",
    "good": "",
    "warn": "bold",
    "bad": "bold",
    "note": "italic",
    "promise": "bold",
    "plan": "",
}
CHOSEN = Style(reverse=True, dim=False)
"""Of a bar in a chart: dim letters are not read on filled ground."""
OTHER = Style(reverse=False)
"""Of what is not chosen where that is in reverse."""


@lru_cache
def ink(palette: Palette) -> Mapping[str, Style]:
    """The styles of the roles on a terminal; every role has one on each."""
    table = {Depth.NONE: PLAIN, Depth.SIXTEEN: SIXTEEN}.get(palette.depth, DARK if palette.dark else LIGHT)
    return {
        role: Style.parse(definition) if definition else Style.null() for role, definition in table.items()
    }


def lettered(strip: Strip, letter: str, style: Style) -> Strip:
    """A line with a letter in its first cell, and a blank behind it but before a digit of a number."""
    blank = "" if strip.text[1:2].isdigit() else " "
    covered = 1 + len(blank)
    return Strip.join([Strip([Segment(letter + blank, style)], covered), strip.crop(covered)])


def strip(cells: Iterable[tuple[str, Style]], width: int, base: Style) -> Strip:
    """Return cells as a strip of this width. Every segment has a style: one without breaks NO_COLOR."""
    line = Strip([Segment(text, style) for text, style in cells])
    return line.adjust_cell_length(width, base)


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
        palette = palette_of(widget.app)
        base = widget.rich_style
        return Pen(palette, base, {role: base + style for role, style in ink(palette).items()})

    def style(self, role: str) -> Style:
        """The style of a role.

        `state:N`, `job:17`, `user:ada` and `ramp:3` are the looks of a state, of the job at an index, of a
        user and of a step of a scale; `chosen:ROLE` is a role that stands out, `other:ROLE` not.
        """
        found = self.styles.get(role)
        if found is None:
            kind, _, what = role.partition(":")
            if kind in ("chosen", "other"):
                found = self.style(what) + (CHOSEN if kind == "chosen" else OTHER)
            else:
                found = self.base + _LOOKS[kind](what, self.palette).style
            self.styles[role] = found
        return found

    def cursor(self, line: Line, width: int) -> Strip:
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
