"""`shadowtime reproduce --bundle --verify`: a study that can be checked on another machine."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

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
