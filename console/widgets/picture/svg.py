"""A picture of a screen as SVG that every viewer draws alike.

Each word has its own place and length; what is drawn in cells (braille, boxes, blocks) is a shape. Thus
neither the font of a viewer nor the way it treats blanks moves anything.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

import attrs
from rich.cells import cell_len
from rich.color import blend_rgb
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME as OWN

from shadowtime.console.session.texts import printable
from shadowtime.console.widgets.picture.shapes import HIGH, SHADES, WIDE, Box, boxes

MARGIN = 10.0
"""The rim around the cells."""
SIZE = 13.3
"""The size of the letters, of which one takes a cell."""
BASE = 12.0
"""Where a line of letters stands in its row."""
UNDER, THROUGH = 14.0, 8.0
"""Where the lines under and through letters are."""
FONTS = "'DejaVu Sans Mono', 'Liberation Mono', Menlo, Consolas, monospace"
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


def picture(rows: Sequence[Iterable[Segment]], columns: int, title: str) -> str:
    """Draw the rows of a screen that is so many columns wide."""
    marks = list(marks_of(rows))
    ground = ground_of(marks, columns * len(rows))
    return drawing(drawn(seen(marks, ground)), columns, len(rows), title, ground)


def ground_of(marks: Iterable[Mark], cells: int) -> str:
    """The colour that most of so many cells have for their ground; without a mark it is the usual one."""
    found: Counter[str] = Counter()
    for mark in marks:
        if not mark.text:
            found[mark.look.colour] += mark.cells
    found[OWN.background_color.hex] += max(0, cells - found.total())
    return found.most_common(1)[0][0]


def seen(marks: Iterable[Mark], ground: str) -> Iterator[Mark]:
    """The marks without the ground that the whole picture has."""
    return (mark for mark in marks if mark.text or mark.look.colour != ground)


def drawing(content: Iterable[str], columns: int, rows: int, title: str, ground: str, style: str = "") -> str:
    width, height = columns * WIDE + 2 * MARGIN, rows * HIGH + 2 * MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'width="{number(width)}" height="{number(height)}" role="img" xml:space="preserve">'
    )
    sheet = f'<rect width="100%" height="100%" rx="6" fill="{ground}"/>'
    letters = f'<g font-family="{FONTS}" font-size="{number(SIZE)}">'
    named = f"<title>{escape(printable(title))}</title>"
    lines = [head, named, *([style] if style else []), sheet, letters, *content]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def drawn(marks: Iterable[Mark]) -> Iterator[str]:
    """Yield the elements of marks, ground first; neighbours of one look share a group."""
    # Ground of all rows comes first: letters reach out of their row.
    ordered = sorted(marks, key=lambda mark: bool(mark.text))
    for (inked, look), group in groupby(ordered, key=lambda mark: (bool(mark.text), mark.look)):
        found = list(group)
        shapes = "".join(_path(mark) if mark.shaped or not inked else _lines(mark) for mark in found)
        if shapes:
            yield f'<path d="{shapes}"{_colour(look)}/>'
        words = [_word(mark) for mark in found if not mark.shaped and mark.text.strip()]
        if words:
            yield f"<g{_colour(look)}{_letters(look)}>{''.join(words)}</g>"


def _colour(look: MarkLook) -> str:
    faint = "" if look.share == 1.0 else f' fill-opacity="{look.share}"'
    return f' fill="{look.colour}"{faint}'


def _letters(look: MarkLook) -> str:
    return (' font-weight="bold"' if look.bold else "") + (' font-style="italic"' if look.italic else "")


def _lines(mark: Mark) -> str:
    left, top = _corner(mark)
    heights = [UNDER] * mark.look.underlined + [THROUGH] * mark.look.struck
    return "".join(_rectangle((left, top + height, mark.cells * WIDE, 1.0)) for height in heights)


def _word(mark: Mark) -> str:
    left, top = _corner(mark)
    place = f'x="{number(left)}" y="{number(top + BASE)}"'
    room = f' textLength="{number(mark.cells * WIDE)}" lengthAdjust="spacingAndGlyphs"'
    length = room if mark.cells > 1 else ""
    return f"<text {place}{length}>{escape(mark.text)}</text>"


def _corner(mark: Mark) -> tuple[float, float]:
    return MARGIN + mark.column * WIDE, MARGIN + mark.row * HIGH


def _path(mark: Mark) -> str:
    """The shapes of a mark, or its ground, as one path."""
    left, top = _corner(mark)
    if not mark.text:
        return _rectangle((left, top, mark.cells * WIDE, HIGH))
    return "".join(map(_rectangle, _joined(mark.text, left, top)))


def _joined(text: str, left: float, top: float) -> Iterator[Box]:
    """Yield the rectangles of characters; those that go on from cell to cell are one."""
    last: Box | None = None
    for place, character in enumerate(text):
        for right, down, wide, high in boxes(character):
            x, y = left + place * WIDE + right, top + down
            if last is not None and (y, high) == last[1::2] and last[0] <= x <= last[0] + last[2] + 1e-6:
                last = (last[0], y, max(last[2], x + wide - last[0]), high)
                continue
            if last is not None:
                yield last
            last = (x, y, wide, high)
    if last is not None:
        yield last


def _rectangle(box: Box) -> str:
    x, y, wide, high = map(number, box)
    return f"M{x} {y}h{wide}v{high}h-{wide}z"


def number(value: float) -> str:
    """A length in so few digits as tell it apart."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
