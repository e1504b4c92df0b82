"""Expectations and comparisons: what a file says must come out, beside what does."""

from pathlib import Path

import pytest

from shadowtime.console.session import Checked, LogMissing, cases_of, check, compare, load, scenario_files

STORY = """\
title = "A story"
[machine]
nodes = 4
[policy]
name = "easy"
[[job]]
id = 1
size = 3
submit = 0
runtime = 10
estimate = 12
[[job]]
id = 2
size = 4
submit = 1
runtime = 5
[[job]]
id = 3
size = 1
submit = 2
runtime = 3
estimate = 4
[[variant]]
name = "plain"
policy = { name = "fcfs" }
"""
EXPECTS = STORY.count("\n") + 1
"""The line of the first thing that a test adds."""


def outcomes(tmp_path: Path, more: str) -> tuple[Checked, ...]:
    """Return what the expectations give that are added to the story."""
    path = tmp_path / "story.toml"
    path.write_text(STORY + more)
    return check(load(path))


@pytest.mark.parametrize(
    ("expect", "passed", "found"),
    [
        ("job = 2\nstart = 10", True, "10"),
        ("job = 2\nstart = 11", False, "10"),
        ('job = 2\nfinish = "0 00:00:15"', True, "0 00:00:15"),
        ('job = 2\nfinish = "0 00:00:16"', False, "0 00:00:15"),
        ("job = 2\npreemptions = 0", True, "0"),
        ("job = 2\nat = 3\nstart = 10", False, "none"),
        ("at = 2\nmetric = 'utilization_now'\nequals = 1.0", True, "1"),
        ("at = 5\nmetric = 'utilization_now'\nequals = 0.75", True, "0.75"),
        ("at = 5\nmetric = 'utilization_now'\nequals = 0.8", True, "0.75"),
        ("at = 5\nmetric = 'utilization_now'\nequals = 0.80", False, "0.75"),
        ("at = 2\nmetric = 'queue_length'\nequals = 1", True, "1"),
        ("metric = 'mean_wait'\nequals = 3", True, "3"),
        ("metric = 'mean_wait'\nwithin = [2.5, 3.5]", True, "3"),
        ("metric = 'mean_wait'\nwithin = [3.1, 3.5]", False, "3"),
        ("metric = 'mean_prediction_error'\nequals = 0.667", True, "0.666667"),
        ("metric = 'stability'\nequals = 0", False, "none"),
        ("variant = 'plain'\njob = 3\nstart = 15", True, "15"),
        ("variant = 'plain'\njob = 3\nstart = 2", False, "15"),
    ],
)
def test_an_expectation(tmp_path: Path, expect: str, passed: bool, found: str) -> None:
    """It holds or fails, and says what was found as the file would write it."""
    (outcome,) = outcomes(tmp_path, f"[[expect]]\n{expect}\n")
    assert (outcome.passed, outcome.found) == (passed, found)
    assert outcome.line == EXPECTS + 1 + expect.count("\n")


def test_a_failure_says_where_and_what(tmp_path: Path) -> None:
    """In one line: file, line, under which policy, of what, expected and found; in the order of the file."""
    first, second = outcomes(
        tmp_path,
        '[[expect]]\nvariant = "plain"\njob = 3\nstart = 2\n'
        '[[expect]]\nat = "0 00:00:05"\nmetric = "utilization_now"\nequals = 0.50\n',
    )
    path = tmp_path / "story.toml"
    assert str(first) == f"{path}:{EXPECTS + 3}: plain: job 3 start: expected 2, found 15"
    assert (
        str(second) == f"{path}:{EXPECTS + 7}: easy: utilization_now at 0 00:00:05: expected 0.50, found 0.75"
    )


def test_the_base_is_checked_whatever_is_open(tmp_path: Path) -> None:
    """An expectation without a variant means the file's own policy, also when another is simulated."""
    path = tmp_path / "story.toml"
    path.write_text(STORY + "[[expect]]\njob = 3\nstart = 2\n")
    (outcome,) = check(load(path, variant="plain"))
    assert outcome.passed
    assert outcome.case == "easy"


@pytest.mark.parametrize("path", scenario_files(), ids=lambda path: path.stem)
def test_what_the_shipped_scenarios_expect_comes_out(path: Path) -> None:
    """Every expectation of every shipped scenario holds, where its log is at hand."""
    try:
        case = load(path)
    except LogMissing as error:
        pytest.skip(str(error))
    assert [str(outcome) for outcome in check(case) if not outcome.passed] == []


def test_cases_side_by_side(tmp_path: Path) -> None:
    """A comparison has a report a case, and a line a metric; progress counts the jobs of all."""
    path = tmp_path / "story.toml"
    path.write_text(STORY)
    reported: list[tuple[int, int]] = []
    table = compare(cases_of(load(path)), lambda done, jobs: reported.append((done, jobs)))
    assert table.names == ("easy", "plain")
    assert dict(table.rows())["mean_wait"] == (3, (0 + 9 + 13) / 3)
    assert [report["policy"] for report in table.reports] == ["easy", "fcfs"]
    assert reported[-1] == (6, 6)
    assert reported == sorted(reported)
