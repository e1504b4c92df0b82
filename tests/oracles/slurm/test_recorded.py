"""The naive program plans what real clusters were recorded to plan, row by row."""

from pathlib import Path

import pytest

from shadowtime.scenarios.slurm import read_capture
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.recorded import differences, read_plan, snapshots

MARKED = [
    pytest.param(path, marks=[] if number % 8 == 0 else pytest.mark.proof)
    for number, path in enumerate(snapshots())
]
"""Every eighth in the short tests."""


@pytest.mark.parametrize("folder", MARKED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_no_row_differs(folder: Path) -> None:
    """Place in the queue, job, partition, reservation, outcome, start, end, nodes, reason."""
    recorded = read_plan(folder)
    assert recorded.rows
    wrong = differences(plan(read_capture(folder), recorded.now), recorded)
    assert not wrong, "\n".join(wrong[:10])
