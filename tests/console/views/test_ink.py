"""Lines of text in roles: nothing is lost in wrapping, nothing is wider than it may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.widgets.frame.ink import (
    cell,
    clip,
    different,
    plain,
    printable,
    shorten,
    texts,
    width_of,
    wrap,
)
from shadowtime.console.widgets.frame.looks import Depth, Palette
from shadowtime.console.widgets.frame.pen import ink


@given(st.text("ab c/é日", max_size=60), st.integers(5, 30), st.integers(0, 3))
def test_wrapping_loses_no_letter_and_keeps_the_width(text: str, width: int, indent: int) -> None:
    lines = wrap(text, width, "text", [("> ", "key")][:indent], indent)
    assert "".join(plain(line).removeprefix("> ") for line in lines).replace(" ", "") == text.replace(" ", "")
    assert all(width_of(line) <= width for line in lines)


def test_a_long_path_or_list_goes_on_in_the_next_line() -> None:
    lines = texts(wrap("/work/scenarios/kth.toml:27:7: no log", 16, "bad", [("! ", "bad")], 2))
    assert lines == ["! /work/scenario", "  s/kth.toml:27:", "  7: no log"]
    assert texts(wrap("/work/scenarios/logs/kth.toml", 22)) == ["/work/scenarios/logs/", "kth.toml"]
    assert texts(wrap("big[1-3],n[18-20,36-38]", 20)) == ["big[1-3],n[18-20,", "36-38]"]


def test_an_instant_stays_in_one_piece() -> None:
    assert texts(wrap("it starts at 0d 08:00:00", 20)) == ["it starts at", "0d 08:00:00"]


@given(st.text("ab日", max_size=20), st.integers(1, 20))
def test_a_cell_is_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert width_of([(cell(text, width), "text")]) == width
    assert width_of([(cell(text, width, right=True), "text")]) == width


def test_a_cut_line_says_so() -> None:
    assert plain(clip([("job 3 is ", "text"), ("backfilled", "strong")], 12)) == "job 3 is ba…"
    assert plain(clip([("job 3 is ", "text"), ("backfilled", "strong")], 9)) == "job 3 is…"
    assert plain(clip([("short", "text")], 9)) == "short"


def test_lines_that_are_cut_off_say_so_in_the_middle_of_a_sentence() -> None:
    wide = 12
    lines = [
        *wrap("nobody knows this", wide, "text", [("WHY  ", "key")], 5),
        *wrap("never", wide, "text", [("WHEN ", "key")], 5),
    ]
    assert [plain(line) for line in shorten(lines, 2, wide)] == ["WHY  nobody", "     knows…"]
    assert [plain(line) for line in shorten(lines, 3, wide)] == ["WHY  nobody", "     knows", "     this"]
    assert shorten(lines, 9, wide) == lines
    assert width_of(shorten(wrap("abc def", 3, indent=1), 1, 3)[0]) == 3


def test_control_characters_are_shown_as_what_they_are_not() -> None:
    assert printable("a\x1b[31mb\n") == r"a\x1b[31mb\x0a"


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("dark", [True, False])
def test_every_role_has_a_style_on_every_terminal(depth: Depth, dark: bool) -> None:
    assert set(ink(Palette(depth, dark))) == set(ink(Palette()))


def test_no_role_that_matters_is_told_by_colour_alone() -> None:
    """Without colours the roles of keys, headings, promises and the cursor still differ from plain text."""
    bare = ink(Palette(Depth.NONE))
    for role in ("key", "head", "now", "warn", "promise", "stale", "note", "cursor"):
        assert bare[role] != bare["text"], role
        assert bare[role].color is None and bare[role].bgcolor is None, role


def test_different_lines_are_found_also_past_the_shorter_list() -> None:
    assert different(["a", "b", "c"], ["a", "x"]) == [1, 2]
    assert different([], ["a"]) == [0]
