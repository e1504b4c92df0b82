"""`shadowtime check`: every expectation of every scenario."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shadowtime.scenarios import cluster_folders, course_folders, scenario_files
from tests.commandline import ROOT, Shadowtime

Story = Callable[[str], Path]
SHIPPED = [f"{path.parent.name}/{path.name}" for path in (*scenario_files(), *cluster_folders())]


def test_a_course_that_is_not_sound(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A line for each flaw, with file and line, the verdict last, and exit code 1; a broken course is 2."""
    folder = tmp_path / "mine"
    folder.mkdir()
    assert shadowtime("check", folder / "course.toml").code == 2
    lesson = (ROOT / "scenarios" / "courses" / "backfilling" / "01-first-come.toml").read_text()
    leak = "Follow the queue: job 4 starts at 4:00:00."
    (folder / "a.toml").write_text(lesson.replace("Follow the queue:", leak))
    (folder / "course.toml").write_text('title = "T"\nabout = "A"\naudience = "B"\nlessons = ["a.toml"]\n')
    ended = shadowtime("check", folder)
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (1, "")
    assert lines[0].startswith(f"{folder / 'a.toml'}:") and "gives the answer: 'Follow the queue" in lines[0]
    assert lines[-1].startswith("mine: 5 questions, ") and ", 2 flaws; " in lines[-1]


@pytest.mark.proof
def test_every_shipped_scenario_holds(
    shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without FILE all shipped scenarios are checked; one whose log is not here is skipped."""
    monkeypatch.setenv("SHADOWTIME_TRACES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ended = shadowtime("check")
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    courses = [folder.name for folder in course_folders()]
    assert [line.split(":")[0] for line in lines] == [*SHIPPED, *courses]
    assert all(" questions, sound; chance " in line for line in lines[len(SHIPPED) :])
    lines = lines[: len(SHIPPED)]
    skipped = [line for line in lines if "skipped" in line]
    logs = [name for name in SHIPPED if name.startswith("logs/")]
    assert [line.split(":")[0] for line in skipped] == logs
    assert all("KTH-SP2-1996-2.1-cln.swf was not found" in line for line in skipped)
    held = [line for line in lines if line not in skipped]
    assert all("expectations hold" in line and "flaw" not in line for line in held)


STORIES = [
    f"{path.parent.name}/{path.name}"
    for path in scenario_files()
    if path.parent.parent.name != "courses" and path.parent.name != "logs"
]
"""Folders of scenarios with expectations: lessons have questions instead, logs are not here."""


@pytest.mark.proof
@pytest.mark.parametrize("name", STORIES)
def test_a_shipped_scenario_says_something(name: str, shadowtime: Shadowtime, story: Story) -> None:
    """Each has expectations, for each of its variants, and a story with notes."""
    from shadowtime.console.session import load

    scenario = load(story(name)).scenario
    tested = {expect.variant for expect in scenario.expects}
    assert tested == {None, *(variant.name for variant in scenario.variants)}
    assert scenario.title and len(scenario.about) > 200


CHANGES = [
    (
        "fj97/dilemma.toml",
        'metric = "utilization_now"\nequals = 0.75',
        "equals = 0.75",
        "equals = 0.80",
        "0.80",
        "0.75",
    ),
    ("fw98/property1-1000s.toml", "job = 3\nstart = 1001", "start = 1001", "start = 1002", "1002", "1001"),
    (
        "small/06-scan-order.toml",
        'variant = "shortest"\njob = 3\nstart = 6',
        "start = 6",
        "start = 2",
        "2",
        "6",
    ),
    ("generated/day-1024.toml", "within = [0.8, 1.0]", "within", "within = [0.1, 0.2] #", "0.1", "0.86"),
]


@pytest.mark.parametrize(("name", "where", "old", "new", "expected", "found"), CHANGES)
def test_one_changed_value_fails(
    name: str,
    where: str,
    old: str,
    new: str,
    expected: str,
    found: str,
    shadowtime: Shadowtime,
    story: Story,
    tmp_path: Path,
) -> None:
    """The exit code is 1, and one line names the file, the line, what was expected and what was found."""
    text = story(name).read_text()
    assert where in text
    path = tmp_path / "changed.toml"
    path.write_text(text.replace(where, where.replace(old, new), 1))
    line = text[: text.index(where) + where.index(old)].count("\n") + 1
    ended = shadowtime("check", path)
    failures = [text for text in ended.out.splitlines() if ": expected " in text]
    assert ended.code == 1
    assert len(failures) == 1
    place, _, verdict = failures[0].partition(": expected ")
    assert place.startswith(f"{path}:{line}: ")
    assert verdict.startswith(expected) or f"[{expected}" in verdict
    assert f"found {found}" in verdict
    assert "1 of " in ended.out.splitlines()[-1]


def test_a_bad_file_does_not_hide_the_others(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """All files are looked at; the exit code is that of the worst."""
    bad = tmp_path / "bad.toml"
    bad.write_text('title = "t"\n')
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(story("fw98/property1-1000s.toml").read_text().replace("start = 1001", "start = 7"))
    good = story("fw98/property1-1000s.toml")
    ended = shadowtime("check", bad, wrong, good)
    assert ended.code == 2
    assert "found 1001" in ended.out
    assert "property1-1000s.toml: 12 of 12 expectations hold" in ended.out
    assert ended.err.startswith(f"{bad}")


def test_a_named_scenario_without_its_log_is_bad_input(
    shadowtime: Shadowtime, story: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A scenario given by name without its log reports where to get the log, with exit code 2."""
    monkeypatch.setenv("SHADOWTIME_TRACES", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ended = shadowtime("check", story("logs/kth-1996-10.toml"))
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert "Parallel Workloads Archive" in ended.err
