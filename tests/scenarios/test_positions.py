"""Where keys and values stand, whatever way the file writes them."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.text.positions import positions

TEXT = """\
title = "x"
a.b."c d" = 1
  point = {x = 1, y = [10, 20]} # a comment
[policy.classes."day time"]
limit = 3
[[job]]
id = 1
[[job]]
"é" = 'ü'
[[job.part]]
z = 1
[[job]]
id = 3
[job.inner]
deep = [
  1, # one
  {k = 2},
]
"""


def test_every_key_and_value_has_a_place() -> None:
    """Dotted and quoted keys, inline tables, arrays, arrays of tables and what is in them."""
    spots = positions(TEXT)
    places = {path: (spot.key, spot.value) for path, spot in spots.items()}
    assert places["title",] == ((1, 1), (1, 9))
    assert places["a", "b", "c d"] == ((2, 1), (2, 13))
    assert places["point", "x"] == ((3, 12), (3, 16))
    assert places["point", "y", 1] == ((3, 28), (3, 28))
    assert places["policy", "classes", "day time"] == ((4, 1), (4, 1))
    assert places["policy", "classes", "day time", "limit"] == ((5, 1), (5, 9))
    assert places["job", 0, "id"] == ((7, 1), (7, 6))
    assert places["job", 1] == ((8, 1), (8, 1))
    assert places["job", 1, "é"] == ((9, 1), (9, 7))
    assert places["job", 1, "part", 0, "z"] == ((11, 1), (11, 5))
    assert places["job", 2, "id"] == ((13, 1), (13, 6))
    assert places["job", 2, "inner", "deep", 1, "k"] == ((17, 4), (17, 8))


def test_columns_count_characters() -> None:
    """A letter of two bytes is one column."""
    spots = positions('t = {name = "ééé", size = 1}')
    assert spots["t", "size"].value == (1, 27)


def test_text_that_is_not_understood_is_left_out() -> None:
    """No place is better than a wrong one; what stands around it is kept."""
    assert positions("") == {}
    assert ("b",) in positions("a = = 1\n[b]\nc = 1\n")


KEYS = st.text("abcé-_ ", min_size=1, max_size=4)
LEAVES = st.integers(0, 99) | st.booleans() | st.text("xyzü", max_size=3)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


def written(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {written(inner)}' for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.mark.proof
@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_the_text_at_a_place_is_the_value(document: dict[str, object]) -> None:
    """At the line and column of each value stands that value."""
    text = "".join(f'"{key}" = {written(value)}\n' for key, value in document.items())
    assert tomllib.loads(text) == document
    lines = text.split("\n")
    for path, spot in positions(text).items():
        value: object = document
        for part in path:
            value = value[part]  # type: ignore[index]
        line, column = spot.value
        assert lines[line - 1][column - 1 :].startswith(written(value))


def test_a_table_of_dotted_keys_stands_where_it_begins() -> None:
    """What follows of it further down does not move it."""
    spots = positions("a.b = 1\nc = 2\na.d = 3\n")
    assert spots["a",].key == spots["a", "b"].key == (1, 1)
    assert spots["a", "d"].key == (3, 1)
