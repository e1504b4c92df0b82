"""Ink: lines of text in named roles.

Panels build their text as lines of (text, role) pieces in plain functions that need no application;
`pen.py` gives a role its style.
"""

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

from shadowtime.console.session.texts import printable as printable

Piece = tuple[str, str]
Line = Sequence[Piece]

READABLE = 100
"""Cells of a line of text at most where there is room for more: the eye loses a longer one."""
NO_BREAK = "\u00a0"
MOST_OF_CELL = 6
"""Characters in one cell at most: a letter and what combines with it."""
WHOLE = re.compile(r"(\d+d|\d\d-\d\d) (\d\d:\d\d)")
"""An instant: two words that stay on one line."""
PROMISED = {"guaranteed": "promise", "settled": "promise", "planned": "plan"}
"""The roles of predicted starts that a policy stands for, each in its degree."""


def cell(text: str, width: int, right: bool = False) -> str:
    """The text, printable, in exactly `width` cells; what does not fit ends in an ellipsis."""
    text = printable(text[: MOST_OF_CELL * (width + 1)])
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + "…" if width > 0 else ""
    return " " * (width - length) + text if right else text + " " * (width - length)


def plain(line: Line) -> str:
    return "".join(text for text, _ in line)


def width_of(line: Line) -> int:
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
    broken behind a slash or comma in its latter half, else where the line ends: nothing of a path is lost.
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
    """Parts of a story as printable paragraphs, an empty line behind each; no line is too long to read."""
    return [line for part in parts for line in [*wrap(part, min(width, READABLE)), []]]


def flowed(texts: Sequence[str], width: int) -> list[str]:
    """The texts, in order, in as few lines as hold them whole, two blanks between; a longer one is cut."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + 2 + len(text) <= width:
            lines[-1] += "  " + text
        else:
            lines.append(text if len(text) <= width else cell(text, width))
    return lines


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
    return max(word.rfind(sign, (at + end) // 2, end) for sign in "/,") + 1 or end


def different(now: Sequence[object], before: Sequence[object]) -> list[int]:
    """The places at which two lists of lines differ; those that only one of them has are among them."""
    longest = max(len(now), len(before))
    return [at for at in range(longest) if now[at : at + 1] != before[at : at + 1]]


def texts(lines: Iterable[Line]) -> list[str]:
    """The lines as bare text, without trailing blanks."""
    return [plain(line).rstrip() for line in lines]
