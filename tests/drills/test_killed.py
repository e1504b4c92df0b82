"""Exams and drills that are killed at random moments: no answer is lost, and no file is damaged."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amount import many
from tests.commandline import ROOT

MOMENTS = max(60, many(200))


def killed(mode: str, moments: int, seed: int, folder: Path) -> list[dict[str, int | str]]:
    """What the nursery reports of each child."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.drills.nursery", mode, str(moments), str(seed), str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    whole, *found = map(json.loads, ended.stdout.splitlines())
    assert whole["whole"] == 12 and len(found) == moments
    return found


def check(found: list[dict[str, int | str]]) -> None:
    """A question is shown when the answer before it is kept: at most the open one may be kept besides."""
    for it in found:
        shown, kept = int(it["shown"]), int(it["kept"])
        assert not it["wrong"], it
        assert max(0, shown - 1) <= kept <= shown, it


@pytest.mark.proof
@pytest.mark.parametrize("mode", ["exam", "drill"])
def test_a_few_moments(mode: str, tmp_path: Path) -> None:
    check(killed(mode, 6, 1, tmp_path))


@pytest.mark.proof
@pytest.mark.parametrize("mode", ["exam", "drill"])
def test_two_hundred_moments(mode: str, tmp_path: Path) -> None:
    """They are spread over the whole: before the first question, between answers, and after the last."""
    found = killed(mode, MOMENTS, 2, tmp_path)
    check(found)
    assert len({it["shown"] for it in found}) > 8 and len({it["signal"] for it in found}) == 4
