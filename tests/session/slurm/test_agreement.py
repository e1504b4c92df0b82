"""The plan of the kernel is that of the naive program, on random clusters and on recorded ones."""

from pathlib import Path
from random import Random

import attrs
import pytest

from shadowtime.console.session.slurm import ForecastRow, forecast, forecast_of
from shadowtime.scenarios.slurm import parse_hosts
from tests.amount import every, many
from tests.oracles.slurm.cycle import Row, plan
from tests.oracles.slurm.recorded import differences, read_plan, snapshots
from tests.oracles.slurm.small import NOW, array, cluster, running, waiting
from tests.session.slurm.clusters import random_capture

CLUSTERS = many(1200)
"""How many random clusters."""
GROUPS = 10


def row_of(row: ForecastRow) -> Row:
    """A row of the forecast as the naive program has it."""
    return Row(
        row.job_id, row.partition, row.reservation, row.priority, row.outcome, row.start, row.end,
        frozenset(parse_hosts(row.nodes)), row.note,
    )  # fmt: skip


@pytest.mark.parametrize("group", every(5, range(GROUPS)))
def test_no_row_differs_on_random_clusters(group: int) -> None:
    """Entry, outcome, start, end, nodes and reason."""
    for seed in range(group, max(CLUSTERS, GROUPS), GROUPS):
        capture = random_capture(seed)
        ours = [row_of(row) for row in forecast_of(capture, NOW).rows]
        assert ours == plan(capture, NOW), seed


@pytest.mark.parametrize("group", every(5, range(5)))
def test_no_row_differs_on_wide_clusters(group: int) -> None:
    """A set of nodes takes one to three words of 64."""
    for seed in range(group, max(5, CLUSTERS // 10), 5):
        capture = random_capture(seed, wide=True)
        ours = [row_of(row) for row in forecast_of(capture, NOW).rows]
        assert ours == plan(capture, NOW), seed


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
def test_no_row_differs_where_many_jobs_leave_together(release: str) -> None:
    """Few limits, and priorities in another order than the list: jobs of a cycle end in one second."""
    for seed in range(many(300)):
        draw = Random(seed)
        jobs = [running(place, [place], draw.choice([50, 55, 10000])) for place in range(1, 5)]
        priorities = draw.sample(range(1, 900), 14)
        for number, priority in enumerate(priorities, 5):
            size, limit = draw.randint(1, 3), draw.choice([5, 10])
            tasks = draw.random() < 0.3
            job = array(number, size, limit, "1-3") if tasks else waiting(number, size, limit)
            apart = attrs.evolve(job.request, excluded_nodes=(f"n{draw.randint(1, 12)}",))
            jobs.append(attrs.evolve(job, priority=priority, request=apart))
        capture = cluster(12, jobs, release)
        assert [row_of(row) for row in forecast_of(capture, NOW).rows] == plan(capture, NOW), seed


def test_random_clusters_have_every_outcome() -> None:
    """Else the comparison above would prove little."""
    rows = [row for seed in range(60) for row in forecast_of(random_capture(seed), NOW).rows]
    assert {row.outcome for row in rows} == {"planned", "started", "skipped", "beyond window"}
    reasons = {row.note for row in rows}
    assert {"cannot be scheduled", "licenses", "bf_max_job_user", "accounting limit"} <= reasons
    assert {"bf_max_job_user_part", "bf_max_job_assoc", "bf_max_job_part"} <= reasons


@pytest.mark.parametrize("folder", every(4, snapshots()), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_no_row_differs_from_a_recorded_plan(folder: Path) -> None:
    """Every fourth recorded cluster in the short tests, all of them in the long ones."""
    recorded = read_plan(folder)
    rows = [row_of(row) for row in forecast(folder, recorded.now).rows]
    wrong = differences(rows, recorded)
    assert not wrong, "\n".join(wrong[:10])


def test_jobs_of_one_node_that_differ_in_their_cpus_alone_are_measured_apart() -> None:
    """Two of four CPUs are free: the job of four waits, the one of two behind it starts."""
    half = running(1, [1], 600, exclusive=False)
    half = attrs.evolve(half, shares=(attrs.evolve(half.shares[0], cores=2),))
    wishes = [
        waiting(id_, 1, 5, exclusive=False, most_nodes=1, cpus=cpus, tasks=cpus)
        for id_, cpus in ((2, 4), (3, 2))
    ]
    plain = cluster(1, [half, *wishes])
    parted = attrs.evolve(plain, partitions=(attrs.evolve(plain.partitions[0], exclusive=False),))
    capture = attrs.evolve(
        parted, settings=attrs.evolve(plain.settings, select_parameters=frozenset(("CR_CORE",)))
    )
    ours = [row_of(row) for row in forecast_of(capture, NOW).rows]
    assert ours == plan(capture, NOW)
    assert [row.outcome for row in ours] == ["planned", "started"]
