"""The table of reasons: each module names those that it gives, and all of them agree."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.kernels.core.decisions import REASONS, reason

for room in ("shadowtime.kernels.core.simulation", "shadowtime.kernels.policies"):
    importlib.import_module(room)  # Every module that gives a reason registers it.

KERNELS = Path(__file__).parents[3] / "kernels"
STORY = """
import hashlib, sys
from shadowtime.kernels.core.decisions import reason
for place in range(int(sys.argv[1])):
    reason(f"other_{place}", "needs")
from tests.kernels.drive import simulate
from tests.oracles.jobs import Job, Workload

jobs = [Job(row // 3, 1 + row % 5, 1 + row % 7, 6 + row % 9) for row in range(40)]
seen = hashlib.sha256()
for setting in ("easy-arrival", "conservative-arrival", "flex", "pbas"):
    simulation = simulate(Workload(jobs, 8), setting)
    while simulation.step():
        reported = [list(simulation.decisions()), simulation.decisions().groups(3)]
        seen.update(repr((reported, [simulation.explain(row) for row in range(40)])).encode())
print(seen.hexdigest())
"""
"""A program that registers some reasons first, and prints a digest of what runs report."""


def test_every_reason_that_a_module_declares_is_in_the_table() -> None:
    """No module that gives a reason is left out when the simulation and the policies are imported."""
    texts = [path.read_text(encoding="utf-8") for path in KERNELS.rglob("*.pyx")]
    declared = {
        name for text in texts for name in re.findall(r"^cdef int \w+ = reason\(\"(\w+)\"", text, re.M)
    }
    assert declared == set(dict(REASONS)) != set()


def test_a_name_has_one_code() -> None:
    """The code is the place in the table, however often a module registers the name."""
    assert len(dict(REASONS)) == len(REASONS)
    for code, (name, numbers) in enumerate(list(REASONS)):
        assert reason(name, *numbers) == code


def test_modules_agree_on_the_numbers_of_a_reason() -> None:
    with pytest.raises(
        ValueError, match=r"'head_fits' are \('free', 'needs'\); expected \('needs', 'free'\)"
    ):
        reason("head_fits", "free", "needs")


def test_a_reason_has_at_most_six_numbers() -> None:
    before = list(REASONS)
    with pytest.raises(ValueError, match="has 7 numbers; expected 6 at most"):
        reason("too_much_to_say", *"abcdefg")
    assert list(REASONS) == before


@pytest.mark.proof
def test_no_code_is_seen_from_outside() -> None:
    """Codes depend on what is imported first; what a simulation reports does not."""
    stories = [
        subprocess.run(
            [sys.executable, "-c", STORY, str(before)], capture_output=True, text=True, check=True
        ).stdout
        for before in (0, 7)
    ]
    assert stories[0] == stories[1] != ""
