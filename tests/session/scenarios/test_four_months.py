"""Four months of the T3D: what Feitelson & Jette 1997 show in Figs. 13 to 15 can be had from the run."""

import pytest

from shadowtime.console.session import load, scenario_files

PATH = next(path for path in scenario_files() if path.stem == "four-months")
Rows = list[tuple[int, int, int]]
"""Size, runtime and preemptions of every job."""


@pytest.fixture(scope="module", name="rows")
def rows_fixture() -> Rows:
    """The run under t3d."""
    case = load(PATH)
    simulation = case.simulation()
    simulation.run()
    columns = case.columns
    return [
        (columns.size[job], columns.runtime[job], simulation.preemptions(job)) for job in range(len(columns))
    ]


def mean_quantum(rows: Rows, size: int) -> float:
    """Seconds that jobs of a size run at a stretch, averaged over the jobs."""
    found = [runtime / (preemptions + 1) for of, runtime, preemptions in rows if of == size]
    return sum(found) / len(found)


@pytest.mark.proof
def test_quanta_grow_with_the_size(rows: Rows) -> None:
    """Fig. 15: the do-not-disturb time is one of a processor; 256 is an exception in the paper too."""
    quanta = [mean_quantum(rows, size) for size in (2, 8, 16, 32, 64, 128)]
    assert quanta == sorted(quanta)


def test_most_jobs_are_never_preempted_and_few_often(rows: Rows) -> None:
    """Fig. 14: a histogram that falls from 0 on; Fig. 13 shows equal shares, ours rise with the size."""
    counts = [sum(preemptions == times for *_, preemptions in rows) for times in range(10)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0.8 * len(rows)
    shares = [
        sum(1 for of, _, preemptions in rows if of == size and preemptions)
        / sum(row[0] == size for row in rows)
        for size in (2, 16, 128, 256)
    ]
    assert shares == sorted(shares)
