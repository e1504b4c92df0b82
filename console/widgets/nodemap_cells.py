"""Cells: runs of text in one style, from which every line of the map is put together."""

from collections.abc import Callable, Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Cell = tuple[str, Style]
Cells = list[Cell]


def joined(cells: Iterable[Cell]) -> Cells:
    """Neighbours of one style as one run: each run costs the screen an escape sequence."""
    runs: Cells = []
    for text, style in cells:
        if runs and runs[-1][1] is style:
            runs[-1] = (runs[-1][0] + text, style)
        else:
            runs.append((text, style))
    return runs


def restyled(cells: Cells, column: int, restyle: Callable[[Style], Style]) -> Cells:
    """The same cells with the one letter at a column in another style."""
    out: Cells = []
    at = 0
    for text, style in cells:
        within = column - at
        at += len(text)
        if 0 <= within < len(text):
            parts = (text[:within], style), (text[within], restyle(style)), (text[within + 1 :], style)
            out += [part for part in parts if part[0]]
        else:
            out.append((text, style))
    return out


def strip(cells: Cells, width: int, base: Style) -> Strip:
    """Cells as a strip of exactly this width. Every segment has a style: one without breaks NO_COLOR."""
    line = Strip([Segment(text, style) for text, style in cells])
    return line.adjust_cell_length(width, base)


def text_of(cells: Cells) -> str:
    """The letters of a line without their styles."""
    return "".join(text for text, _ in cells)


def percent(part: int, whole: int) -> str:
    """A share in whole percent; 100% only when it is all, 0% only when it is none."""
    if part in (0, whole):
        return "100%" if part else "0%"
    return f"{min(99, max(1, round(100 * part / whole)))}%"
