"""`shadowtime impact` and `shadowtime advise`: their rows, and what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from shadowtime.console.session.operator.refusals import TAKES
from tests.commandline import Shadowtime

Story = Callable[[str], Path]

WORKLOAD = """
title = "a wide job at the head"
[machine]
nodes = 4
[policy]
name = "easy"
[[job]]
id = 1
size = 2
submit = 0
runtime = 100
user = "ada"
[[job]]
id = 2
size = 4
submit = 0
runtime = 50
user = "kim"
[[job]]
id = 3
size = 2
submit = 0
runtime = 100
"""
"""Job 3 starts beside job 1, and job 2 follows them at 100."""


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """The workload above."""
    path = tmp_path / "wide.toml"
    path.write_text(WORKLOAD)
    return path


def test_impact_lists_the_largest_delay_first(shadowtime: Shadowtime, wide: Path) -> None:
    """Holding job 2 loses its start; draining a node delays it until the end of time, too."""
    ended = shadowtime("impact", wide, "--at", "0", "--do", "suspend 3", "--do", "resume 3", "--json")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert found == []
    assert json.loads(shadowtime("impact", wide, "--at", "0", "--do", "suspend 1", "--json").out) == []
    found = json.loads(shadowtime("impact", wide, "--at", "0", "--do", "suspend 1", "--json", "--ends").out)
    row = {"job": 1, "user": "ada", "size": 2, "before": 100, "after": None, "change": None}
    assert found == {"starts": [], "ends": [row]}
    found = json.loads(shadowtime("impact", wide, "--at", "0", "--do", "hold 2", "--json").out)
    assert found == [{"job": 2, "user": "kim", "size": 4, "before": 100, "after": None, "change": None}]
    found = json.loads(
        shadowtime("impact", wide, "--at", "0", "--do", "cancel 1", "--do", "cancel 3", "--json").out
    )
    assert [(row["job"], row["change"]) for row in found] == [(2, -100)]
    assert shadowtime("impact", wide, "--at", "0", "--do", "hold 2", "--ends").code == 2


def test_impact_prints_a_table(shadowtime: Shadowtime, wide: Path) -> None:
    ended = shadowtime("impact", wide, "--at", "0", "--do", "cancel 1", "--do", "cancel 3")
    lines = [line.split() for line in ended.out.splitlines() if line.strip()]
    assert ended.code == 0
    rows = [line for line in lines if line[0].isdigit() and line[2].isdigit()]
    assert [row[0] for row in rows] == ["1", "3", "2"]
    assert rows[-1][:3] == ["2", "kim", "4"] and lines[-1][0] == "kim"


def test_advice_is_cheapest_first(shadowtime: Shadowtime, wide: Path) -> None:
    """Fewer nodes start job 2 only behind the others; to suspend one of them is not enough, two are."""
    ended = shadowtime("advise", wide, "--at", "0", "2", "--by", "now", "--json")
    found = json.loads(ended.out)
    assert [(row["do"], row["start"]) for row in found] == [("suspend 1; suspend 3", 0)]
    assert found[0]["who"] == "operator"
    assert (ended.code, found[0]["delayed_jobs"], found[0]["delay_total"]) == (0, 2, 100)
    assert json.loads(shadowtime("advise", wide, "--at", "0", "2", "--by", "100", "--json").out) == []


@pytest.mark.parametrize(
    ("command", "arguments", "says"),
    [
        ("impact", ("--do", "explode 3"), "explode"),
        ("impact", ("--do", "release 2"), TAKES["release"]),
        ("impact", ("--do", "hold 77"), "there is no job 77"),
        ("impact", ("--do", "hold 2; explode 3"), "explode"),
        ("impact", ("--do", ";"), "''"),
        ("impact", ("--do", "size 2 ²"), "expected 1 to "),
        ("impact", ("--do", f"size {'9' * 5000} 1"), "there is no job 999"),
        ("impact", ("--do", "size 2 5"), "expected 1 to "),
        ("impact", ("--do", "estimate 2 9d"), "expected 1s to "),
        ("advise", ("_5",), "_5"),
        ("advise", ("1", "--by", "now"), "job 1 does not wait"),
        ("advise", ("77", "--by", "now"), "there is no job 77"),
        ("advise", ("2", "--by", "soon"), "'soon' is no deadline"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    shadowtime: Shadowtime, wide: Path, command: str, arguments: tuple[str, ...], says: str
) -> None:
    ended = shadowtime(command, wide, "--at", "0", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert says in ended.err and ended.err.count("\n") == 1


def test_by_may_be_before_the_expected_start(shadowtime: Shadowtime, wide: Path) -> None:
    ended = shadowtime("advise", wide, "--at", "0", "2", "--by=-40")
    assert " 0d 00:01:00" in ended.out
    again = shadowtime("advise", wide, "--at", "0", "2", "--by", "+2h", "--json")
    assert json.loads(again.out) == []


def test_instants_are_read_and_written_by_the_calendar(shadowtime: Shadowtime, wide: Path) -> None:
    """`--at`, `--by` and the output; a calendar that nobody knows gives a line."""
    wide.write_text(WORKLOAD.replace("nodes = 4", 'nodes = 4\nepoch = "2000-06-01 14:00"'))
    ended = shadowtime("impact", wide, "--at", "2000-06-01 14:00", "--do", "suspend 1", "--rows", "5")
    assert ended.code == 0 and "2000-06-01 14:01:40" in ended.out and "0d 00:" not in ended.out
    ended = shadowtime("advise", wide, "--at", "0", "2", "--by", "2000-06-01 14:00", "--clock", "elapsed")
    assert "0d 00:00:00" in ended.out
    ended = shadowtime("impact", wide, "--at", "14:00", "--do", "suspend 1")
    assert ended.code == 0 and "2000-06-01 14:00:00" in ended.out.splitlines()[0]
    ended = shadowtime("advise", wide, "--at", "0", "2", "--by", "now", "--clock", "calendar")
    assert ended.code == 0 and "2000-06-01 14:01:40" in ended.out and "0d 00:" not in ended.out
    later = shadowtime("advise", wide, "--at", "0", "2", "--by", "14:01", "--clock", "calendar")
    assert later.code == 0 and "by 2000-06-01 14:01:00" in later.out
    ended = shadowtime("impact", wide, "--at", "0", "--do", "drain 0 at 14:01", "--clock", "calendar")
    assert ended.code == 0 and "drain 0 at 14:01" in ended.out
    wide.write_text(WORKLOAD)
    ended = shadowtime("advise", wide, "--at", "0", "2", "--by", "2000-06-01 14:00")
    assert ended.code == 2 and "the calendar is not known here" in ended.err
