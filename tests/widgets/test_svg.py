"""Pictures: every word has its place, and what is drawn in cells is a shape."""

import re
import xml.etree.ElementTree as tree

from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME as OWN

from shadowtime.console.widgets.picture.shapes import HIGH, WIDE, boxes
from shadowtime.console.widgets.picture.svg import MARGIN, marks_of, picture

SVG = "{http://www.w3.org/2000/svg}"
ROW = [Segment("two  words ", Style.parse("bold #ff0000")), Segment("é⣿─█", Style.parse("#00ff00"))]


def test_each_word_has_its_own_place_and_length() -> None:
    """No blank is needed to bring a word to its place; the length holds in any font."""
    words = list(tree.fromstring(picture([ROW], 20, "<a>")).iter(f"{SVG}text"))
    assert [word.text for word in words] == ["two", "words", "é"]
    assert [float(word.attrib["x"]) for word in words] == [
        round(MARGIN + column * WIDE, 2) for column in (0, 5, 11)
    ]
    assert float(words[1].attrib["textLength"]) == 5 * WIDE and "textLength" not in words[2].attrib


def test_what_fills_cells_is_a_shape_in_its_cell() -> None:
    """Braille, lines and blocks do not depend on a font."""
    svg = picture([ROW], 20, "shapes")
    assert not re.search("[⠀-⣿─█]", svg)
    for character in "⣿⡀─│╭╮╰╯┼▁▇█▌▐▓▚":
        for x, y, wide, high in boxes(character):
            assert x >= 0 and y >= 0 and x + wide <= WIDE + 1e-9 and y + high <= HIGH + 1e-9
    assert len(boxes("⣿")) == 8 and not boxes("a") and boxes("█") == ((0.0, 0.0, WIDE, HIGH),)


def test_what_is_drawn_begins_and_ends_at_whole_pixels() -> None:
    """No viewer has to spread an edge over two of them, and all draw the same."""
    drawn = [chr(code) for code in (*range(0x2500, 0x25A0), *range(0x2800, 0x2900))]
    edges = {edge for character in drawn for box in boxes(character) for edge in box}
    assert len(edges) > 10 and all(edge == int(edge) for edge in (*edges, MARGIN, WIDE, HIGH))


def test_a_line_that_goes_on_from_cell_to_cell_is_one_shape() -> None:
    """A frame costs little, and has no seams."""
    svg = picture([[Segment("─" * 50, Style.parse("#00ff00"))]], 50, "line")
    assert svg.count("<path") == 1 and svg.count(f"h{50 * WIDE:g}") == 1


def test_ground_reverse_and_lines_are_kept() -> None:
    """A cursor is seen as a cursor in a picture too."""
    row = [Segment("ab", Style.parse("#112233 on #445566 underline")), Segment("c", Style.parse("reverse"))]
    marks = list(marks_of([row]))
    assert [(mark.column, mark.cells, mark.look.colour) for mark in marks if not mark.text] == [
        (0, 2, "#445566"),
        (2, 1, "#c5c8c6"),
    ]
    assert [(mark.text, mark.look.underlined) for mark in marks if mark.text] == [("ab", True), ("c", False)]


def test_lines_go_on_under_blanks_but_no_word_holds_one() -> None:
    """A viewer that drops blanks has nothing to stretch over their cells."""
    root = tree.fromstring(picture([[Segment("  2 0s ", Style.parse("#00ff00 underline"))]], 7, "lines"))
    assert [word.text for word in root.iter(f"{SVG}text")] == ["2", "0s"]
    lines = root.find(f".//{SVG}path")
    assert lines is not None
    widths = [float(width) for width in re.findall(r"h(\d+)v1h", lines.attrib["d"])]
    assert sum(widths) == 7 * WIDE


def test_a_cursor_on_a_ground_of_the_terminal_is_not_the_ground() -> None:
    """A terminal of few colours has a ground of its own: all but a few cells have no colour."""
    row = [Segment("plain text here "), Segment("cursor", Style.parse("reverse"))]
    svg = picture([row], 22, "few")
    assert f'<rect width="100%" height="100%" rx="6" fill="{OWN.background_color.hex}"/>' in svg
    assert svg.count("<path") == 1


def test_a_wide_letter_takes_two_cells() -> None:
    """What follows it stands where the terminal has it."""
    marks = [mark for mark in marks_of([[Segment("a漢b")]]) if mark.text]
    assert [(mark.text, mark.column, mark.cells) for mark in marks] == [
        ("a", 0, 1),
        ("漢", 1, 2),
        ("b", 3, 1),
    ]
