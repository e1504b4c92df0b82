"""Public cases of captures that are not whole, where they are at hand."""

import os
from pathlib import Path

import pytest

from shadowtime.console.session.slurm import forecast
from shadowtime.scenarios.slurm import CaptureError

CASES = Path(os.environ.get("SHADOWTIME_ORACLES") or "-") / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="SHADOWTIME_ORACLES has no cases")


def test_nodes_of_jobs_that_the_queue_does_not_show_are_not_idle() -> None:
    """A job of four nodes does not start on two of them."""
    found = forecast(CASES / "own-jobs-only" / "cluster")
    (row,) = found.rows
    assert (row.outcome, row.start) == ("skipped", None) and row.marks
    assert any(caveat.names == ("n[1-2]",) for caveat in found.caveats)


def test_an_error_of_slurm_is_one() -> None:
    """An empty list of jobs beside it is no plan."""
    with pytest.raises(CaptureError, match="Unable to contact slurm controller"):
        forecast(CASES / "squeue-errors" / "cluster")


def test_a_name_of_other_bytes_refuses_nothing() -> None:
    """The job is planned."""
    (row,) = forecast(CASES / "latin1-job-name" / "cluster").rows
    assert (row.job_id, row.outcome) == ("10", "started")


def test_a_node_of_unknown_state_takes_no_job() -> None:
    """A job of four nodes of which one is UNKNOWN does not start."""
    (row,) = forecast(CASES / "node-unknown" / "cluster").rows
    assert row.start is None
