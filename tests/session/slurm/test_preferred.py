"""Rows of 22.05 that nodes preferred after an earlier start can touch are marked."""

import attrs
import pytest

from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.scenarios.slurm import Capture, Generation, Job, Quality
from tests.oracles.slurm.small import NOW, cluster, running, waiting

WIDE = {"user": "ada", "qos": "day"}


def marked(jobs: list[Job], release: str = "22.05.8", resource: str = "node") -> list[str]:
    """The jobs with the mark; the quality of service day has a limit by user."""
    capture: Capture = cluster(3, jobs, release)
    limit = Quality("day", 0, (), {("MaxTRESPU", resource): 3})
    generation = Generation(38 if release == "22.05.8" else 42, release)
    capture = attrs.evolve(capture, qualities=(limit,), generation=generation)
    rows = forecast_of(capture, NOW).rows
    return [row.job_id for row in rows if Caveat(Left.PREFERRED) in row.marks]


@pytest.mark.parametrize(
    ("release", "resource", "expected"),
    [("22.05.8", "node", ["2", "3"]), ("22.05.8", "cpu", []), ("24.11.5", "node", [])],
)
def test_a_try_under_a_limit_on_nodes_marks_the_rows_of_its_nodes(
    release: str, resource: str, expected: list[str]
) -> None:
    """Job 2 is tried for now, and its user holds a node under the limit."""
    jobs = [running(1, [1], 600, **WIDE), waiting(2, 2, 10, **WIDE), waiting(3, 1, 10, user="linus")]
    assert marked(jobs, release, resource) == expected


def test_behind_a_job_that_waits_for_nodes_nobody_is_tried_for_now() -> None:
    """Job 2 has no limit and waits for all nodes, so job 3 is only planned."""
    jobs = [running(1, [1], 600, **WIDE), waiting(2, 3, 10, user="linus"), waiting(3, 2, 10, **WIDE)]
    assert marked(jobs) == []


def test_a_limit_of_which_nobody_holds_a_node_marks_nothing() -> None:
    """The running job is not under the limit."""
    assert marked([running(1, [1], 600), waiting(2, 1, 10, **WIDE), waiting(3, 1, 10)]) == []


def test_a_row_without_a_choice_of_nodes_is_not_touched() -> None:
    """Job 3 wants a licence that the cluster does not have."""
    jobs = [running(1, [1], 600, **WIDE), waiting(2, 1, 10, **WIDE), waiting(3, 1, 10, licenses="x:1")]
    assert marked(jobs) == ["2"]
