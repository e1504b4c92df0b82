"""Cells: runs of text in one style, from which every line of the map is put together."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import TypeVar

from rich.style import Style

Cell = tuple[str, Style]
Cells = list[Cell]
Who = TypeVar("Who")
Ink = TypeVar("Ink")


def joined(cells: Iterable[Cell], base: Style) -> Cells:
    """Neighbours of one style as one run: each run costs the screen a segment and an escape sequence.

    A blank in the base style joins a run on whose ground a blank looks the same.
    """
    runs: Cells = []
    last, blank = base, True
    for text, style in cells:
        if runs and (style is last or (style is base and blank and not text.strip())):
            runs[-1] = (runs[-1][0] + text, last)
        else:
            runs.append((text, style))
            last, blank = style, blank_alike(style, base)
    return runs


@lru_cache(1024)
def blank_alike(style: Style, base: Style) -> bool:
    """Whether a blank looks the same in both styles."""
    return style.bgcolor == base.bgcolor and not (style.underline or style.reverse)


def restyled(cells: Cells, column: int, restyle: Callable[[Style], Style], letter: str = "") -> Cells:
    """The same cells with the letter at a column in another style, and another letter if one is given."""
    out: Cells = []
    at = 0
    for text, style in cells:
        within = column - at
        at += len(text)
        if 0 <= within < len(text):
            marked = (letter or text[within], restyle(style))
            parts = (text[:within], style), marked, (text[within + 1 :], style)
            out += [part for part in parts if part[0]]
        else:
            out.append((text, style))
    return out


def named_runs(
    letters: Iterable[tuple[Who, str, Ink]], wide: int, name: Callable[[Who], str]
) -> Iterator[tuple[str, Ink]]:
    """Runs of letters, `wide` cells each; a run with room for more than its name has it in the middle.

    Among digits it would be read as some of them.
    """
    for (who, letter, ink), same in groupby(letters):
        width = len(list(same)) * wide
        called = "" if wide == 1 or letter.isdigit() else name(who)
        yield (f" {called} " if called and len(called) + 3 <= width else "").center(width, letter), ink


def text_of(cells: Cells) -> str:
    return "".join(text for text, _ in cells)


def percent(part: int, whole: int) -> str:
    """A share in whole percent; 100% only when it is all, 0% only when it is none."""
    if part in (0, whole):
        return "100%" if part else "0%"
    return f"{min(99, max(1, round(100 * part / whole)))}%"
