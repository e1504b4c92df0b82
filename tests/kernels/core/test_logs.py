"""On real logs, too, the compiled schedulers agree with the naive ones."""

from pathlib import Path

import pytest

from tests.kernels.drive import SETTINGS, finished
from tests.oracles.jobs import Workload, read_raw_log


@pytest.mark.proof
@pytest.mark.parametrize(
    ("log", "nodes", "setting", "count"),
    [
        ("SDSC-SP2-1998-4.2-cln", 128, "easy-arrival", 60_000),
        ("SDSC-SP2-1998-4.2-cln", 128, "easy-widest", 60_000),
        ("SDSC-SP2-1998-4.2-cln", 128, "conservative-arrival", 20_000),
        ("SDSC-SP2-1998-4.2-cln", 128, "conservative-replan", 10_000),
        ("CTC-SP2-1996-3.1-cln.derived", 338, "easy-arrival", 80_000),
        ("CTC-SP2-1996-3.1-cln.derived", 338, "easy-narrowest", 20_000),
        ("CTC-SP2-1996-3.1-cln.derived", 338, "conservative-arrival", 3000),
    ],
)
def test_the_first_jobs_of_a_log(traces: Path, log: str, nodes: int, setting: str, count: int) -> None:
    """No start differs."""
    jobs = read_raw_log(traces / f"{log}.swf.xz", nodes)[:count]
    assert len(jobs) > count * 0.9
    starts = SETTINGS[setting].naive(jobs, nodes)
    assert list(finished(Workload(jobs, nodes), setting).results()["start"]) == starts
