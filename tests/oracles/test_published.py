"""The naive schedulers give the first jobs of the KTH log their published starts, with ties and without."""

from pathlib import Path

import pytest

from tests.oracles.jobs import Job, read_log, read_starts
from tests.oracles.space.conservative import conservative
from tests.oracles.space.easy import easy
from tests.oracles.space.fcfs import fcfs

NODES = 100
LOGS = ["KTH-SP2", "KTH-SP2.tiefree"]
POLICIES = {
    "fcfs": lambda jobs: fcfs(jobs, NODES),
    "easy": lambda jobs: easy(jobs, NODES),
    "sjbf": lambda jobs: easy(jobs, NODES, "shortest"),
    "cons": lambda jobs: conservative(jobs, NODES),
}


def settled(starts: list[int], jobs: list[Job], last: int) -> list[int]:
    """Those of the first `last` jobs that no later job can have influenced: they started before it came."""
    return [index for index in range(last) if starts[index] < jobs[last].submit]


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_prefix_of_the_log(published: Path, policy: str, log: str) -> None:
    """Every job that started before job 1500 came has the published start when the rest is cut off."""
    jobs, expected = read_log(published / f"{log}.swf.xz"), read_starts(published / f"{log}.{policy}.csv.xz")
    starts = POLICIES[policy](jobs[:1500])
    compared = settled(expected, jobs, 1500)
    assert len(compared) > 1000
    assert [starts[index] for index in compared] == [expected[index] for index in compared]
