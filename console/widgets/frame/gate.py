"""The last gate before a screen: every line of every widget passes it, borders and titles included.

Panels make their texts printable before they measure them. What a panel forgot, or a widget of the framework
shows, keeps its cells here and loses what a terminal would obey.
"""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

MARKS = 2
"""Characters of a cell: more of them are a flood of combining characters."""
SPARE = 8


class Printable(LineFilter):
    """Replaces what is not printable."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line, in as many cells as before."""
        if _sound(segments):
            return segments
        return [
            segment if _sound((segment,)) else Segment(_kept(segment.text), segment.style, segment.control)
            for segment in segments
        ]


def _sound(segments: Sequence[Segment]) -> bool:
    for segment in segments:
        text = segment.text
        if not text.isprintable():
            return False
        if not text.isascii() and len(text) > MARKS * segment.cell_length + SPARE:
            return False
    return True


def _kept(text: str) -> str:
    cells = cell_len(text)
    seen = "".join(c if c.isprintable() else "?" for c in text if cell_len(c))
    return set_cell_size(seen, cells)
