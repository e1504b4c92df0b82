"""Faults: how a place and a message become one line."""

from decimal import Decimal

import pytest

from shadowtime.scenarios import Fault, ScenarioError
from shadowtime.scenarios.errors import nearest, one_of, shown


def test_a_fault_is_one_line() -> None:
    """File, line and column stand before the message, as far as they are known."""
    assert str(Fault("gang.toml", 14, 9, "size is 200")) == "gang.toml:14:9: size is 200"
    assert str(Fault("gang.toml", 14, None, "size is 200")) == "gang.toml:14: size is 200"
    assert str(Fault("gang.toml", None, None, "is empty")) == "gang.toml: is empty"
    assert str(Fault("", None, None, "--nodes is 0")) == "--nodes is 0"


def test_control_characters_do_not_reach_a_terminal() -> None:
    """A name with a line end or an escape is shown, not obeyed."""
    assert str(Fault("a\nb\x1b[2J", 1, 1, "no\tgood")) == "a\\x0ab\\x1b[2J:1:1: no\\x09good"


def test_an_error_carries_all_its_faults() -> None:
    """str(error) has a line for each."""
    error = ScenarioError([Fault("a", 1, 2, "x"), Fault("a", 3, 4, "y")])
    assert len(error.faults) == 2
    assert str(error) == "a:1:2: x\na:3:4: y"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("64", '"64"'),
        ('say "x"\n', '"say \\"x\\"\\n"'),
        (True, "true"),
        (64, "64"),
        (Decimal("3.90"), "3.90"),
        (Decimal("nan"), "nan"),
        (Decimal("-inf"), "-inf"),
        ([1, "a", [2]], "an array of 3"),
        ([1, "a"], '[1, "a"]'),
        ({"a": 1}, "a table"),
        ({}, "an empty table"),
        (10**100, "a number of more than 40 digits"),
        ("x" * 100, '"' + "x" * 36 + "..."),
    ],
)
def test_values_are_shown_as_a_file_writes_them(value: object, text: str) -> None:
    """Texts in quotes, digits as written, and nothing longer than a message can bear."""
    assert shown(value) == text


def test_the_nearest_word() -> None:
    """A slip of the finger is named; a word like none of them is answered with all."""
    assert nearest("sise", ["id", "size", "submit"]) == "size"
    assert nearest("zzz", ["id", "size"]) is None
    assert one_of(["id", "size"], "sise") == "did you mean size?"
    assert one_of(["id", "size", "submit"], "zzz") == "expected id, size or submit"
