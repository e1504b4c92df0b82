"""Columns of a table share a line: no text is cut where the last column has room to spare."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.widgets.frame.ink import plain
from shadowtime.console.widgets.table.columns import LONGER, Column, layout, widths

LENGTHS = st.lists(st.integers(0, 60), min_size=2, max_size=7)


def _text(length: int, _: int) -> str:
    return "x" * length


@given(LENGTHS, st.integers(1, 20), st.integers(20, 300))
def test_what_the_last_column_does_not_need_is_for_texts_that_are_cut(
    lengths: list[int], most: int, width: int
) -> None:
    """A column has its text or the most that it may have, or the last one has no more than it needs."""
    columns = [
        Column[int](str(place), place, partial(_text, length), most=most)
        for place, length in enumerate(lengths)
    ]
    found = layout(columns, widths(columns, [0]), width, least=10)
    *firsts, (_, last) = found.columns
    assert sum(cells + 1 for _, cells in firsts) + last == width or last == 1
    for column, cells in firsts:
        wanted = min(lengths[int(column.title)], LONGER * most)
        assert cells >= min(wanted, most)
        assert cells >= wanted or last <= max(10, min(lengths[-1], LONGER * most))


def test_a_text_is_cut_by_its_cells() -> None:
    """Wide letters take two, what is not printable takes that of its escape."""
    for text, cells in (("x" * 20, 20), ("日" * 20, 40), ("\x1b" * 5, 20), ("xx…", 3)):
        column = Column[str]("text", 0, str)
        assert [width for width in range(1, 60) if column.cuts(text, width)] == list(range(1, cells))


def test_a_column_goes_for_a_few_cells_that_the_last_one_lacks() -> None:
    """Not for more cells, nor where the text is made for the room that there is."""

    def titles(length: int, fitted: bool = False) -> str:
        made = (lambda _, room: "x" * room) if fitted else None
        last = Column[int]("z", 0, partial(_text, length), fitted=made)
        columns = [Column[int]("a", 0, partial(_text, 9)), Column[int]("b", 5, partial(_text, 9)), last]
        return "".join(column.title for column, _ in layout(columns, widths(columns, [0]), 30, 10).columns)

    assert titles(10) == titles(15) == titles(14, fitted=True) == "abz"
    assert titles(14) == "az"


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize(
    ("falls", "reverse", "arrow"),
    [(False, False, "↑"), (False, True, "↓"), (True, False, "↓"), (True, True, "↑")],
)
def test_the_column_of_the_order_has_an_arrow_and_a_blank_behind(
    right: bool, falls: bool, reverse: bool, arrow: str
) -> None:
    """Up where values rise from row to row."""
    columns = [
        Column[int]("aaaa", 0, partial(_text, 4), right, name="a", falls=falls),
        Column[int]("zz", 0, partial(_text, 2), True),
    ]
    table = layout(columns, widths(columns, [0]), 8, 2, "a", reverse)
    assert plain(table.heading()) == f"aaaa{arrow} zz" and len(plain(table.line(0))) == 8


def test_a_text_that_would_be_cut_begins_over_the_blank_cells_before_it() -> None:
    """Only over as many columns as it needs, and over none with a text."""

    def line(*texts: str) -> str:
        columns = [
            Column[int](str(place), 0, lambda row, place=place: texts[place], least=6)  # type: ignore[misc]
            for place in range(len(texts))
        ]
        return plain(layout(columns, [6] * len(texts), 27).line(0)).rstrip()

    assert line("one", "", "", "twelve cells") == "one           twelve cells"
    assert line("one", "", "two", "twelve cells") == "one           two    twelv…"
    assert line("one", "", "", "six on") == "one                  six on"
