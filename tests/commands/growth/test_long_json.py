"""The output of a command."""

import json

import pytest

from shadowtime.console.commands.output import PARTS, say_json, say_long_json


@pytest.mark.parametrize(
    "items", [[], [5], [{"a": 1, "b": [1, 2], "c": {}}, "x\ny"], [{"n": n} for n in range(2 * PARTS + 3)]]
)
def test_a_long_list_is_printed_as_a_short_one(
    items: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same bytes, though no list is ever made."""
    say_long_json({"first": "[]", "empty": []}, "items", iter(items))
    long = capsys.readouterr().out
    say_json({"first": "[]", "empty": [], "items": items})
    assert long == capsys.readouterr().out
    assert json.loads(long)["items"] == items
