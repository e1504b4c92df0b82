"""`shadowtime reproduce --bundle --verify`: a study that can be checked on another machine."""

import hashlib
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.lab.bundle import opened
from tests.commandline import ROOT, Shadowtime

STUDY = """title = "Mine"
[[grid]]
name = "g"
workload = {log = "mine.swf"}
[[grid.axis]]
name = "policy"
values = ["fcfs", "easy"]
[[means]]
title = "Waits"
grid = "g"
measure = "mean_wait"
columns = "policy"
"""

STORY = """title = "One"
policy = {name = "fcfs"}
[machine]
nodes = 4
[[job]]
id = 1
size = 1
submit = 0
runtime = 10
[[expect]]
job = 1
start = 0
"""


def generate_log(shadowtime: Shadowtime, path: Path, jobs: int) -> None:
    """Write so many jobs of a model as a log."""
    options = ("--jobs", jobs, "--nodes", 16, "--load", 0.9, "-o", path)
    assert shadowtime("generate", "feitelson96", *options).code == 0


@pytest.fixture
def bundle(tmp_path: Path, shadowtime: Shadowtime) -> Path:
    """A bundle of a study with a log of its own, which lies beside it."""
    generate_log(shadowtime, tmp_path / "mine.swf", jobs=40)
    (tmp_path / "mine.toml").write_text(STUDY)
    place = tmp_path / "mine.zip"
    ended = shadowtime("reproduce", tmp_path / "mine.toml", "--results", tmp_path / "r", "--bundle", place)
    assert (ended.code, ended.err) == (0, "")
    return place


def verified(shadowtime: Shadowtime, bundle: Path, logs: Path) -> tuple[int, list[str]]:
    """Check a bundle as another machine does, without results; return the exit code and what differs."""
    options = ("--results", bundle.parent / "other", "--traces", logs, "--jobs", 1, "--json")
    ended = shadowtime("reproduce", "--verify", bundle, *options)
    return ended.code, json.loads(ended.out)["differences"]


def test_the_same_comes_out(bundle: Path, shadowtime: Shadowtime) -> None:
    """Wherever the log lies; the same bundle has the same bytes."""
    first, folder = bundle.read_bytes(), bundle.parent
    assert verified(shadowtime, bundle, folder) == (0, [])
    options = ("--results", folder / "again", "--bundle", bundle)
    assert shadowtime("reproduce", folder / "mine.toml", *options).code == 0
    assert bundle.read_bytes() == first


def test_another_log_and_no_log_differ(bundle: Path, shadowtime: Shadowtime) -> None:
    """The log is named, and the results and the means that it changes."""
    log = bundle.parent / "mine.swf"
    generate_log(shadowtime, log, jobs=41)
    code, found = verified(shadowtime, bundle, bundle.parent)
    assert code == 1
    assert found[0] == "log mine.swf: another one here"
    assert [line.split(":")[0] for line in found[1:]] == [
        "result of mine, g, fcfs",
        "result of mine, g, easy",
        "means of mine",
        "means of mine",
    ]
    log.unlink()
    code, found = verified(shadowtime, bundle, bundle.parent)
    assert (code, found[0]) == (1, "log mine.swf: not on this machine")


def test_nothing_but_a_bundle_is_written_over(bundle: Path, shadowtime: Shadowtime) -> None:
    """Not the study itself; nor is a scenario taken in that lies outside. Nothing is simulated before."""
    study, folder = bundle.parent / "mine.toml", bundle.parent
    ended = shadowtime("reproduce", study, "--results", folder / "new", "--bundle", study)
    assert (ended.code, ended.out, study.read_text()) == (2, "", STUDY)
    (folder / "own" / "experiments").mkdir(parents=True)
    (folder / "one.toml").write_text(STORY)
    outside = folder / "own" / "experiments" / "outside.toml"
    for name in ("../one.toml", folder / "one.toml"):
        outside.write_text(f'title = "T"\nscenarios = ["{name}"]\n')
        ended = shadowtime("reproduce", outside, "--bundle", folder / "new.zip")
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert not (folder / "new.zip").exists() and not (folder / "new").exists()


def test_a_bundle_has_the_scenarios_of_its_studies(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """One that two of them have is in it once; two of one name are refused."""
    studies = []
    for name in ("a", "b"):
        place = tmp_path / name / "experiments" / f"{name}.toml"
        place.parent.mkdir(parents=True)
        place.write_text('title = "T"\nscenarios = ["one.toml"]\n')
        (tmp_path / name / "one.toml").write_text(STORY)
        studies.append(place)
    bundle = tmp_path / "both.zip"
    ended = shadowtime("reproduce", *studies, "--results", tmp_path / "r", "--bundle", bundle)
    assert (ended.code, ended.err) == (0, "")
    with ZipFile(bundle) as archive:
        assert archive.namelist().count("one.toml") == 1
    assert verified(shadowtime, bundle, tmp_path) == (0, [])
    (tmp_path / "b" / "one.toml").write_text(STORY + "\n")
    ended = shadowtime("reproduce", *studies, "--bundle", bundle)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    "changed",
    [
        {None: None},
        {"results/mine/0.json": b"[1]"},
        {"results/mine/0.json": b"{"},
        {"rows/mine.csv": None},
        {"means/mine.csv": b""},
        {"means/mine.csv": b"\xff"},
        {"means/mine.csv": b'a,"b'},
        {"a" * 300: b"a"},
        {"experiments/mine.toml/x": b"a"},
        {"experiments/mine.toml": b"title = 3\n"},
        {"format": float("inf")},
        {"files": 3},
    ],
)
def test_contents_that_are_no_bundle_are_refused(
    changed: dict[str | None, object], bundle: Path, shadowtime: Shadowtime
) -> None:
    """Though each member has its sum: in one line, which names no folder of this program."""
    with ZipFile(bundle) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(members.pop("bundle.json"))
    for name, content in changed.items():
        if name is None:
            members = {}
        elif name in about:
            continue
        elif content is None:
            del members[name]
        else:
            assert isinstance(content, bytes)
            members[name] = content
    about["files"] = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    about |= {name: value for name, value in changed.items() if name in about}
    with ZipFile(bundle, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        archive.writestr("bundle.json", json.dumps(about))
    ended = shadowtime("reproduce", "--verify", bundle, "--results", bundle.parent / "other")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "expected a bundle" in ended.err and "shadowtime-" not in ended.err


def test_a_bundle_that_is_too_large_is_refused(
    bundle: Path, shadowtime: Shadowtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All members together count, before one is unpacked."""
    with ZipFile(bundle) as archive:
        whole = sum(member.file_size for member in archive.infolist())
    monkeypatch.setattr("shadowtime.console.session.lab.bundle.LARGEST", whole - 1)
    with pytest.raises(SessionError, match="too large"), opened(bundle):
        pass
    monkeypatch.setattr("shadowtime.console.session.lab.bundle.LARGEST", whole)
    with opened(bundle) as found:
        assert [study.name for study in found.experiments] == ["mine"]


def test_cells_that_fail_on_both_sides_are_no_sameness(bundle: Path, shadowtime: Shadowtime) -> None:
    """The reason is shown."""
    (bundle.parent / "mine.toml").write_text(STUDY.replace("easy", "nobody"))
    options = ("--results", bundle.parent / "r", "--bundle", bundle)
    assert shadowtime("reproduce", bundle.parent / "mine.toml", *options).code == 1
    code, found = verified(shadowtime, bundle, bundle.parent)
    assert (code, len(found)) == (1, 1) and "nobody" in found[0]


def test_a_bundle_that_was_changed_is_refused(bundle: Path, shadowtime: Shadowtime) -> None:
    """By the member whose sum is another; so is what is no bundle. One line, and exit code 2."""
    with ZipFile(bundle) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["results/mine/0.json"] += b" "
    with ZipFile(bundle, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    for path, words in ((bundle, "results/mine/0.json"), (ROOT / "README.md", "expected a bundle")):
        ended = shadowtime("reproduce", "--verify", path)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert words in ended.err
    assert shadowtime("reproduce", "fw98", "--verify", bundle).code == 2
