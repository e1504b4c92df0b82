"""Marks: what a screen leaves on paper, each with its own place. Pure data, made of styled text."""

from collections.abc import Iterable, Iterator, Sequence

import attrs
from rich.cells import cell_len
from rich.color import blend_rgb
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME as OWN

from shadowtime.console.widgets.picture.shapes import SHADES, boxes

DIM = 0.4
"""How far dim ink goes towards its ground."""


@attrs.frozen
class MarkLook:
    """How a mark is drawn: a colour and what is done to letters."""

    colour: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    struck: bool = False
    share: float = 1.0
    """How much of the ink there is, from 0 to 1."""


@attrs.frozen
class Mark:
    """Text, shapes or ground in some cells of a row."""

    row: int
    column: int
    cells: int
    text: str
    """One word, or characters that are shapes, or blanks with lines; empty if the mark is ground."""
    look: MarkLook

    @property
    def shaped(self) -> bool:
        """Whether the text is drawn as shapes."""
        return bool(self.text) and bool(boxes(self.text[0]))


def marks_of(rows: Sequence[Iterable[Segment]]) -> Iterator[Mark]:
    """Yield the marks of a screen, row by row: first the ground of a row, then what stands on it."""
    for number, row in enumerate(rows):
        ground: list[Mark] = []
        ink: list[Mark] = []
        column = 0
        for segment in row:
            if segment.control:
                continue
            text = segment.text.rstrip("\n")
            cells = cell_len(text)
            front, back = _looks(segment.style or Style.null())
            if back is not None and cells:
                _spread(ground, Mark(number, column, cells, "", back))
            ink += _words(number, column, text, front)
            column += cells
        yield from ground
        yield from ink


def _spread(ground: list[Mark], more: Mark) -> None:
    """Add ground to a row: one mark if it goes on with the same colour."""
    last = ground[-1] if ground else None
    if last is not None and last.look == more.look and last.column + last.cells == more.column:
        ground[-1] = attrs.evolve(last, cells=last.cells + more.cells)
    else:
        ground.append(more)


def _words(row: int, column: int, text: str, look: MarkLook) -> Iterator[Mark]:
    """Yield the words of a text, each with its place; a letter that is no ASCII stands alone."""
    lined = look.underlined or look.struck
    word, begin, before = "", column, ""
    for character in text:
        cells = cell_len(character)
        kind = _kind(character, lined) if cells else before
        if word and cells and (kind != before or kind == "alone"):
            yield _mark(row, begin, word, look)
            word = ""
        if kind:
            begin = begin if word else column
            word += character
        before = kind
        column += cells
    if word:
        yield _mark(row, begin, word, look)


def _mark(row: int, column: int, text: str, look: MarkLook) -> Mark:
    share = SHADES.get(text[0], 1.0)
    return Mark(row, column, cell_len(text), text, look if share == 1.0 else attrs.evolve(look, share=share))


def _kind(character: str, lined: bool) -> str:
    """What a character may stand in one mark with; empty for a blank, of which nothing is seen."""
    if character.isspace():
        # Apart from the words: a viewer that drops blanks would stretch what is left over their cells.
        return "blank" if lined and character == " " else ""
    if boxes(character[0]):
        return character if character in SHADES else "shape"
    return "text" if character.isascii() else "alone"


def _looks(style: Style) -> tuple[MarkLook, MarkLook | None]:
    """The look of the text of a style and that of its ground, None for the ground of the whole picture."""
    front = OWN.foreground_color if style.color is None else style.color.get_truecolor(OWN)
    ground = OWN.background_color if style.bgcolor is None else style.bgcolor.get_truecolor(OWN, False)
    if style.reverse:
        front, ground = ground, front
    if style.dim:
        front = blend_rgb(front, ground, DIM)
    letters = MarkLook(
        front.hex, bool(style.bold), bool(style.italic), bool(style.underline), bool(style.strike)
    )
    return letters, None if ground == OWN.background_color else MarkLook(ground.hex)
