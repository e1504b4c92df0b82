"""`shadowtime policies`: what there is, and what of it is a choice."""

import json

from tests.commands.conftest import Shadowtime


def test_every_policy_is_listed_with_its_parameters(shadowtime: Shadowtime) -> None:
    """The name, the paper, the parameters with their defaults, and what is a choice."""
    ended = shadowtime("policies")
    assert (ended.code, ended.err) == (0, "")
    names = [line.split()[0] for line in ended.out.splitlines() if line and not line.startswith(" ")]
    assert names == ["fcfs", "easy", "conservative"]
    assert "scan = arrival (one of arrival, shortest, longest, widest, narrowest)" in ended.out
    assert "paper: Feitelson & Weil 1998" in ended.out
    assert "choice: " in ended.out


def test_json_tells_the_same(shadowtime: Shadowtime) -> None:
    """--json prints a list of objects; every default can be given back with --set."""
    entries = json.loads(shadowtime("policies", "--json").out)
    easy = next(entry for entry in entries if entry["name"] == "easy")
    assert easy["parameters"][0]["name"] == "scan"
    assert easy["parameters"][0]["default"] in easy["parameters"][0]["choices"]
    assert all(entry["summary"] and entry["paper"] for entry in entries)
